#!/usr/bin/env bash
# Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
# SPDX-License-Identifier: GPL-2.0-only

# test-upstream.sh RESULTS: runs OpenJDK's own jtreg tests on the stock JDK and, in each configuration of the pool, on the image,
# and compares with jtdiff, to which a skipped test has passed. Exit status 1 when a test passes on stock and not on the image.
# In: JDK_HOME, IMAGE, BUILD, JTREG when it is not to be looked for, UPSTREAM_TESTS (paths and groups of test/jdk) and CONFIGS,
# when not all of them are wanted. upstream-tree.sh has run.
#
# RESULTS/NAME has the jtreg work and report directories of a configuration. What ran there stays valid as long as JDK,
# tests and options do (file inputs): a run that was stopped goes on, a finished one (file done) is not repeated.

set -euo pipefail
. "$(dirname "$0")/tools.sh"
unset JAVA_TOOL_OPTIONS _JAVA_OPTIONS
jdk=$JDK_HOME image=$(cd "$IMAGE" && pwd) made=$(cd "$BUILD/upstream" && pwd) results=$1 outcome=run
mkdir -p "$results"
out=$(cd "$results" && pwd)
suite=$made/tree/test/jdk

# All of java/foreign, and what uses threads and native memory: of the channels those that need no more than loopback.
default_tests="java/foreign java/lang/Thread java/lang/ThreadLocal jdk/internal/misc java/nio/Buffer
    java/nio/channels/AsynchronousFileChannel java/nio/channels/Channels java/nio/channels/FileChannel
    java/nio/channels/FileLock java/nio/channels/Pipe java/nio/channels/unixdomain java/nio/channels/vthread
    java/nio/channels/etc/MemorySegments.java"

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
            stop "UPSTREAM_TESTS: $test is not in test/jdk; accepted are paths and patterns below it, and groups"
        fi
    done
}

# All at once, so that no test that was cut off leaves a result.
at_exit end_logged

# Tests of classes that the patch deletes.
users_of "$made/tree" "$BUILD/java.base/deleted" | sed -n 's|^test/jdk/\(.*\)|\1 0 generic-all|p' >"$out/left-out.txt"
sed 's/ .*//; s/^/Left out: /' "$out/left-out.txt"

# Options that make test of OpenJDK gives, too; the image has no jdk.jlink, so the stock JDK compiles.
jtreg=$(find_jtreg)
jtreg_options=(-agentvm -automatic -ignore:quiet -retain:fail,error -timeoutFactor:4 -verbose:summary -report:files -ea -esa
    -vmoption:-Xmx768m "-compilejdk:$jdk" "-nativepath:$made/native" "-exclude:$suite/ProblemList.txt"
    "-exclude:$out/left-out.txt")

# Sets home and options for CONFIG.
configure() {
    local properties=() pool=-javaoption:-Djdk.foreign.confinedPool
    home=$image
    case $1 in
        stock)  home=$jdk ;;
        off)    properties=($pool.size=0) ;;
        small)  properties=($pool.size=8 $pool.depth=1) ;;
        large)  properties=($pool.size=1048576 $pool.depth=16) ;;
        verify) properties=($pool.verify=true) ;;
    esac
    options=("${jtreg_options[@]}" "-jdk:$home" "${properties[@]}")
}

# run NAME CONCURRENCY TEST...: NAME is a configuration, or below one for a second run of chosen tests.
run() {
    local name=$1 concurrency=$2 dir=$out/$1 status=0
    shift 2
    [ "$(cat "$dir/done" 2>/dev/null)" != "$*" ] || { echo "$name: already done; rm -r $results/$name to repeat it"; return 0; }
    rm -f "$dir/done"
    mkdir -p "$dir"
    configure "${name%%/*}"
    cd "$suite"
    run_logged "$name" "$dir/log" env JT_JAVA="$jdk" JAVA_HOME="$jdk" "$jtreg" "${options[@]}" "-concurrency:$concurrency" \
        -status:notRun,error "-workDir:$dir/work" "-reportDir:$dir/report" "$@" || status=$?
    # Status 2 and 3 are failures and errors of tests.
    [[ $status =~ ^[023]$ ]] ||
        stop "$name: jtreg broke off with status $status: $(grep -m1 Error: "$dir/log" || tail -n1 "$dir/log")"
    echo "$name: $(grep '^Test results:' "$dir/log" | cut -d' ' -f3-), $((SECONDS / 60)) min since the start"
    echo "$*" >"$dir/done"
}

# worse SUBDIR CONFIG...: prints CONFIG, TEST and the result of each that passed on the stock JDK and not in CONFIG.
worse() {
    local sub=$1 config
    shift
    for config; do
        jtdiff "$out/stock$sub/report" "$out/$config$sub/report" |
            awk -v config="$config" '$1 == "pass" && $2 ~ /^(fail|error|---)$/ { print config, $3, $2 }'
    done
}
jtdiff() { JT_JAVA=$jdk "$(dirname "$(realpath "$jtreg")")/jtdiff" "$@" || [ $? = 1 ] || stop "jtdiff failed"; }

configs=${CONFIGS:-default off small large verify}
if [ -n "${UPSTREAM_TESTS:-}" ]; then
    selected=$(select_tests "$UPSTREAM_TESTS")
else
    selected=$(optional=yes select_tests "$default_tests")
fi
outcome=compared

for config in stock $configs; do
    # Results that are no longer those of this JDK, these tests and these options are thrown away.
    configure "$config"
    inputs=$(cat "$made/tree.id" "$home/release"; echo "${options[@]}"; ls -lnL --time-style=full-iso "$home/lib/modules")
    [ "$(cat "$out/$config/inputs" 2>/dev/null)" = "$inputs" ] || rm -rf "${out:?}/$config"
    mkdir -p "$out/$config"
    echo "$inputs" >"$out/$config/inputs"
    run "$config" "$(nproc)" $selected
done

# Chance can make a test fail: what is worse than on stock runs a second time, now one test at a time and on both.
worse "" $configs >"$out/worse"
again=$(awk '$3 != "---" { print $1 }' "$out/worse" | sort -u)
for config in ${again:+stock $again}; do
    run "$config/again" 1 \
        $(awk -v config="$config" '$3 != "---" && (config == "stock" || config == $1) { print $2 }' "$out/worse" | sort -u)
done
{ grep -e '---$' "$out/worse" || :; worse /again $again; } >"$out/differences"

cd "$out"
{
    jtdiff stock/report $(printf '%s/report ' $configs)
    [ ! -s worse ] || { echo; sed 's/^/Worse than on stock at first: /' worse; }
    [ ! -s differences ] || { echo; sed 's/^/Difference to stock, also when run again alone: /' differences; }
    echo "$(wc -l <differences) tests pass on stock and not on the image"
} | tee report.txt
echo "jtreg's reports: $results/*/report/html/report.html"
[ ! -s differences ]
