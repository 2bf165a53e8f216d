#!/usr/bin/env bash
#
# Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
# DO NOT ALTER OR REMOVE COPYRIGHT NOTICES OR THIS FILE HEADER.
#
# This code is free software; you can redistribute it and/or modify it
# under the terms of the GNU General Public License version 2 only, as
# published by the Free Software Foundation.
#
# This code is distributed in the hope that it will be useful, but WITHOUT
# ANY WARRANTY; without even the implied warranty of MERCHANTABILITY or
# FITNESS FOR A PARTICULAR PURPOSE.  See the GNU General Public License
# version 2 for more details (a copy is included in the LICENSE file that
# accompanied this code).
#
# You should have received a copy of the GNU General Public License version
# 2 along with this work; if not, write to the Free Software Foundation,
# Inc., 51 Franklin St, Fifth Floor, Boston, MA 02110-1301 USA.
#

# test-upstream.sh: runs OpenJDK's own jtreg tests on the stock JDK and, in each configuration of the pool, on the image,
# and compares. Exit status 1 when a test has a worse result on the image than on the stock JDK.
# In: JDK_HOME, IMAGE, BUILD, RESULTS, JTREG when it is not to be looked for, UPSTREAM_TESTS (paths and groups of test/jdk)
# and CONFIGS, when not all of them are wanted. upstream-tree.sh has made BUILD/upstream/tree and BUILD/upstream/native.
#
# RESULTS/NAME has the jtreg work and report directories of a configuration. What ran there stays valid as long as JDK,
# tests and options do (file inputs): a run that was stopped goes on, a finished one (file done) is not repeated.

set -euo pipefail
make=$(cd "$(dirname "$0")" && pwd)
. "$make/tools.sh"
jdk=$JDK_HOME image=$(cd "$IMAGE" && pwd) made=$(cd "$BUILD/upstream" && pwd)
mkdir -p "$RESULTS"
out=$(cd "$RESULTS" && pwd)
suite=$made/tree/test/jdk
cores=$(nproc)
all_configs="default off small large verify"

# All of java/foreign, and what uses threads and native memory: of the channels those that need no more than loopback.
default_tests="java/foreign java/lang/Thread java/lang/ThreadLocal jdk/internal/misc java/nio/Buffer
    java/nio/channels/AsynchronousFileChannel java/nio/channels/Channels java/nio/channels/FileChannel
    java/nio/channels/FileLock java/nio/channels/Pipe java/nio/channels/unixdomain java/nio/channels/vthread
    java/nio/channels/etc/MemorySegments.java"

die() {
    echo "$1" >&2
    exit 1
}

# properties CONFIG: what CONFIG sets of jdk.foreign.confinedPool.*
properties() {
    case $1 in
        off) echo size=0 ;;
        small) echo size=8 depth=1 ;;
        large) echo size=1048576 depth=16 ;;
        verify) echo verify=true ;;
    esac
}

# select_tests TESTS: these, one on a line: patterns expanded, groups with the colon that jtreg wants. With optional set,
# those that are not there are left out.
select_tests() {
    local test path
    cd "$suite"
    for test in ${1//test\/jdk\//}; do
        test=${test%/}
        path=${test%%[#?]*}
        if [ -e "$path" ]; then
            echo "$test"
        elif grep -q "^${test#:} *=" TEST.groups; then
            echo ":${test#:}"
        elif [ -n "${optional:-}" ]; then
            echo "$test is not in this source tree, and left out" >&2
        else
            die "UPSTREAM_TESTS: $test is not in test/jdk; accepted are paths and patterns below it, and groups; nothing was run"
        fi
    done
}

# Ends jtreg and its virtual machines all at once, so that no test that was cut off leaves a result.
running=
trap '[ -z "$running" ] || kill -KILL -- "-$running" 2>/dev/null || true' EXIT
trap 'echo "Stopped; the same command goes on from here" >&2; exit 130' INT TERM HUP

# Options that make test of OpenJDK gives, too; the image has no jdk.jlink, so the stock JDK compiles.
jtreg=$(find_jtreg)
jtreg_options=(-agentvm -automatic -ignore:quiet -retain:fail,error -timeoutFactor:4 -verbose:summary -report:files -ea -esa
    -vmoption:-Xmx768m "-compilejdk:$jdk" "-nativepath:$made/native" "-exclude:$suite/ProblemList.txt")

# Sets home and options for CONFIG.
configure() {
    local property
    home=$image
    [ "$1" != stock ] || home=$jdk
    options=("${jtreg_options[@]}" "-jdk:$home")
    for property in $(properties "$1"); do options+=("-javaoption:-Djdk.foreign.confinedPool.$property"); done
}

run_jtreg() {
    cd "$suite"
    JT_JAVA=$jdk JAVA_HOME=$jdk exec "$jtreg" "${options[@]}" "$@" </dev/null
}

# prepare CONFIG: throws away results that are no longer those of this JDK, these tests and these options.
prepare() {
    local dir=$out/$1 inputs
    configure "$1"
    inputs=$(cat "$made/tree.id"; printf '%s\n' "${options[@]}"; cat "$home/release"; ls -lnL --time-style=full-iso "$home/lib/modules")
    [ "$(cat "$dir/inputs" 2>/dev/null)" = "$inputs" ] && return
    rm -rf "$dir"
    mkdir -p "$dir"
    echo "$inputs" >"$dir/inputs"
}

# results STATUS DIR: how many of the tests in DIR/list have this status in DIR/work.
results() {
    sed -E 's/\.[a-z]+(#(.*))?$/_\2.jtr/; s/_\.jtr$/.jtr/' "$2/list" |
        { cd "$2/work" && xargs grep -lE "^execStatus=($1)" 2>/dev/null || true; } | wc -l
}

# run NAME CONCURRENCY TEST...: NAME is a configuration, or below one for a second run of chosen tests.
run() {
    local name=$1 concurrency=$2 dir=$out/$1 total before start spent status=0 shown
    shift 2
    [ "$(cat "$dir/done" 2>/dev/null)" != "$*" ] || { echo "$name: already done; rm -r $RESULTS/$name to repeat it"; return 0; }
    rm -f "$dir/done"
    mkdir -p "$dir"
    configure "${name%%/*}"
    (run_jtreg -listtests "-workDir:$dir/work" "$@") >"$dir/log" 2>&1 || die "$name: $(grep -m1 Error: "$dir/log" || tail -n1 "$dir/log")"
    grep -E '^[^ ]+\.[a-z]+(#[^ ]*)?$' "$dir/log" >"$dir/list" || die "$name: jtreg finds no test that can be run in $*"
    total=$(wc -l <"$dir/list")
    before=$(results 'Passed|Failed' "$dir")
    echo "$name: $total tests$([ "$before" = 0 ] || echo ", $before of them already run")"

    # In a process group of its own, which a Ctrl-C does not reach: the trap above ends it in its own way.
    start=$SECONDS spent=$(cat "$dir/seconds" 2>/dev/null || echo 0)
    set -m
    (run_jtreg "-concurrency:$concurrency" -status:notRun,error "-workDir:$dir/work" "-reportDir:$dir/report" "$@") >"$dir/log" 2>&1 &
    running=$!
    set +m
    shown=$SECONDS
    while sleep 1; kill -0 $running 2>/dev/null; do
        echo $((spent + SECONDS - start)) >"$dir/seconds"
        [ $((SECONDS - shown)) -ge 30 ] || continue
        shown=$SECONDS
        echo "$name: $((before + $(grep -ciE '^(passed|failed|error): ' "$dir/log"))) of $total tests done," \
            "$(grep -ciE '^(failed|error): ' "$dir/log") not passed, $(((spent + SECONDS - start) / 60)) min"
    done
    wait $running || status=$?
    running=

    # Status 1 is no test run, 2 and 3 are failures and errors of tests.
    [ $status -le 3 ] || die "$name: jtreg broke off with status $status: $(grep -m1 Error: "$dir/log" || tail -n1 "$dir/log")"
    [ "$(results 'Passed|Failed|Error' "$dir")" = "$total" ] || die "$name: jtreg did not run all tests, see $dir/log"
    echo "$*" >"$dir/done"
}

configs=${CONFIGS:-$all_configs}
for config in $configs; do
    [[ " $all_configs " = *" $config "* ]] ||
        die "CONFIGS: no configuration $config; accepted are $all_configs; nothing was run"
done
if [ -n "${UPSTREAM_TESTS:-}" ]; then
    selected=$(select_tests "$UPSTREAM_TESTS")
else
    selected=$(optional=yes select_tests "$default_tests")
fi
mapfile -t selection <<<"$selected"

for config in stock $configs; do
    prepare "$config"
    run "$config" "$cores" "${selection[@]}"
done

# Chance can make a test fail: what is worse than on stock runs a second time, now one test at a time and on both.
report() {
    "$jdk/bin/java" -XX:TieredStopAtLevel=1 "$make/UpstreamReport.java" "$1" "$out" $configs
}
again=$(report again)
[ -z "$again" ] || for config in stock $configs; do
    mapfile -t selection < <(awk -v config="$config" 'config == "stock" || config == $1 { print $2 }' <<<"$again" | sort -u)
    [ ${#selection[@]} -eq 0 ] || run "$config/again" 1 "${selection[@]}"
done

report table | tee "$out/report.txt" || status=$?
echo "jtreg's reports: $RESULTS/*/report/html/report.html"
exit ${status:-0}
