#!/usr/bin/env bash
# Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
# SPDX-License-Identifier: GPL-2.0-only

# test.sh SUITE... : runs the suites jtreg, stress, jcstress, upstream, java, javadoc, jcheck and make, and prints as the last line
# how many tests of all of them passed, failed and were skipped. A suite that fails does not keep the next one from running. Exit
# status 1 when a test failed or a suite could not run. The suite try is jtreg on the JDK with the patched classes, and arch is
# jtreg on an image for another processor. In: JDK_HOME, IMAGE, BUILD, JTREG when it is not to be looked for, TEST, the one test of
# jtreg, try, arch or java that is wanted, STRESS_SCALE, how many times the work of their short forms the stress tests do in the
# suite stress, JDK_SRC for the suite upstream, RECORDER, the jar that the suite java makes first if one is named, and LEFT_OUT, a list
# of the tests that the suite arch leaves out.

set -uo pipefail
make=$(dirname "$0")
. "$make/tools.sh"
jdk=$JDK_HOME image=$IMAGE test=${TEST:-} out=$BUILD/test
total_passed=0 total_failed=0 total_skipped=0

# count SUITE PASSED FAILED SKIPPED
count() {
    echo "$1: $2 passed, $3 failed, $4 skipped"
    total_passed=$((total_passed + $2)) total_failed=$((total_failed + $3)) total_skipped=$((total_skipped + $4))
}

# check SUITE COMMAND... : a suite of one test, whether COMMAND succeeds.
check() { "${@:2}" && count "$1" 1 0 0 || count "$1" 0 1 0; }

# A suite that breaks off is one failed test, so that it cannot pass unnoticed.
broken() {
    echo "$1: $2" >&2
    total_failed=$((total_failed + 1))
}

# run_jtreg SUITE TESTS TIMEOUT_FACTOR OPTION... : one suite of jtreg tests.
run_jtreg() {
    local suite=$1 tests=$2 factor=$3 jtreg status stats failed stock=()
    shift 3
    # Where the image is of this JDK, one test compares with it. jtreg splits options at spaces.
    [ "$image" = "$jdk" ] || [ "$(jdk_version "$image")" != "$(jdk_version "$jdk")" ] || [[ $jdk == *' '* ]] ||
        stock=("-javaoptions:-Dpool.stress.stock=$jdk")
    jtreg=$(find_jtreg) || { broken $suite "not run"; return 1; }
    rm -rf "$out/$suite"
    mkdir -p "$out/$suite/work" "$out/$suite/report"
    # Virtual machines are reused unless a test asks for its own; jtreg itself runs on the unpatched JDK. The tests compile
    # with all of javac's lint but that for restricted methods, which is what they call.
    JT_JAVA=$jdk JAVA_HOME=$jdk without_options "$jtreg" -jdk:"$image" -agentvm -automatic -ignore:quiet \
        -retain:fail,error -javacoptions:"-Xlint:all,-restricted -Werror" \
        -concurrency:"$(nproc)" -timeoutFactor:"$factor" -verbose:summary "${stock[@]}" "$@" -exclude:test/jdk/ProblemList.txt \
        -workDir:"$out/$suite/work" -reportDir:"$out/$suite/report" "$tests" 2>&1 | tee "$out/$suite/log"
    status=${PIPESTATUS[0]}
    # Why a test failed, and the seed that repeats it, for a reader who has nothing but this output.
    find "$out/$suite/work" -name '*.jtr' -exec awk '/^seed [-0-9]/ { seed = $0 ": " }
        /^test result: (Failed|Error)/ { name = FILENAME; sub(/.*\//, "", name); print name ": " seed substr($0, 14, 400) }' {} \;
    stats=$(sed -n 's/^Test results: //p' "$out/$suite/log" | tail -n1)
    [ -n "$stats" ] && [ -s "$out/$suite/report/html/report.html" ] ||
        { broken $suite "no results (status $status)"; return 1; }
    jtreg_count() { echo "$stats" | tr ';' '\n' | sed -n "s/^ *$1: *\([0-9,]*\).*/\1/p" | tr -d , | grep . || echo 0; }
    failed=$(($(jtreg_count failed) + $(jtreg_count error)))
    count $suite "$(jtreg_count passed)" $failed "$(($(jtreg_count 'not run') + $(jtreg_count skipped)))"
    [ $status -eq 0 ] || [ $failed -gt 0 ] || broken $suite "status $status"
}

# run_chosen SUITE TIMEOUT_FACTOR OPTION... : the jtreg tests of the project, or the one that is wanted.
run_chosen() {
    local suite=$1 factor=$2 unknown
    shift 2
    unknown=$(unknown_test "$test")
    [ -z "$unknown" ] || { broken $suite "$unknown; nothing was run"; return; }
    run_jtreg $suite "test/jdk/${test#test/jdk/}" $factor "$@"
}

suite_jtreg() {
    run_chosen jtreg 4 "$@"
}
suite_try() {
    local link
    link=$(mktemp -u /tmp/try.XXXXXX)
    # jtreg splits options at spaces, which the directory's name may have.
    ln -s "$(realpath "$BUILD/java.base/classes")" "$link"
    at_exit "rm $link"
    image=$jdk
    suite_jtreg -javaoptions:"--patch-module java.base=$link"
}

# The tests that test-arch.sh chooses, on an image for another processor; what compiles them is for this one.
suite_arch() {
    run_chosen arch 20 -compilejdk:"$jdk" -exclude:"$LEFT_OUT"
}

# Then the counts that each test printed, also when it failed.
suite_stress() {
    local counts
    [[ $STRESS_SCALE =~ ^[1-9][0-9]{0,2}$ ]] || {
        broken stress "STRESS_SCALE=$STRESS_SCALE: accepted is a number from 1 to 999; nothing was run"
        return
    }
    # Measured on two cores, the slowest test takes 15 s for each step of the scale; this gives it 180 s, and an hour.
    run_jtreg stress test/jdk/java/foreign/pool/stress $((4 + STRESS_SCALE / 5)) \
        "-javaoptions:-Dpool.stress.scale=$STRESS_SCALE" || return
    counts=$(cd "$out/stress/work" && find . -name '*.jtr' | sort | xargs awk '
        FNR == 1   { test = FILENAME; sub(/.*\//, "", test); sub(/\.jtr$/, "", test) }
        /^stress: / { sub(/^stress: /, ""); print "stress: " test ": " $0 }')
    [ -n "$counts" ] && echo "$counts" || broken stress "no test printed counts"
}

# Each concurrency test counts as often as there are ways to compile it and to place its threads, so this is a minute for two
# tests. Those that fail are in the log with all of what was observed.
suite_jcstress() {
    local build java passed failed planned
    rm -rf "$out/jcstress"
    mkdir -p "$out/jcstress"
    build=$(realpath "$BUILD") java=$(realpath "$image/bin/java")
    echo "Running the concurrency tests"
    # It leaves its results where it runs.
    (cd "$out/jcstress" && without_options "$java" -cp "$build/jcstress.jar:$build/deps/jcstress/*" \
        org.openjdk.jcstress.Main -f 1 -fsm 1 -iters 2 -time 200 -c 2 -r report \
        -jvmArgsPrepend "--add-opens=java.base/java.lang=ALL-UNNAMED --enable-native-access=ALL-UNNAMED") \
        >"$out/jcstress/log" 2>&1
    read -r planned passed failed < <(sed -n \
        's/^(Results: \([0-9]*\) planned; \([0-9]*\) passed, \([0-9]*\) failed.*/\1 \2 \3/p' "$out/jcstress/log" | tail -n1)
    [ -n "$failed" ] && [ "$planned" -gt 0 ] || { broken jcstress "no results, see $out/jcstress/log"; return; }
    [ "$passed" -eq "$planned" ] || sed -n '/^RUN RESULTS:/,$p' "$out/jcstress/log"
    # What has no result is an error.
    count jcstress "$passed" $((planned - passed)) 0
}

# Of OpenJDK's tests those that open most confined arenas, one or more for each thing that is done with them.
upstream_tests=(
    java/foreign/TestMemorySession.java java/foreign/TestScope.java java/foreign/TestScopedOperations.java
    java/foreign/TestSegments.java java/foreign/TestSegmentAllocators.java java/foreign/TestMemoryAlignment.java
    java/foreign/TestSharedAccess.java java/foreign/TestByteBuffer.java java/foreign/TestStringEncoding.java
    java/foreign/StdLibTest.java java/foreign/capturecallstate/TestCaptureCallState.java
    java/foreign/TestUpcallStructScope.java java/foreign/TestCaptureStateUtil.java
)

suite_upstream() {
    local passed differences row too
    if [ -z "${JDK_SRC:-}" ]; then
        echo "upstream: ${#upstream_tests[@]} tests of OpenJDK skipped; JDK_SRC=<an OpenJDK source tree> runs them, too"
        total_skipped=$((total_skipped + ${#upstream_tests[@]}))
        return
    fi
    rm -rf "$out/upstream"
    "$make/upstream-tree.sh" || { broken upstream "not run"; return; }
    UPSTREAM_TESTS="${upstream_tests[*]}" CONFIGS=default "$make/test-upstream.sh" "$out/upstream"
    # The line of the image in jtdiff's table, as "1: default/report  pass: 11; fail: 1".
    row=$(grep '^1: ' "$out/upstream/report.txt" 2>/dev/null) || { broken upstream "no results"; return; }
    jtdiff_count() { sed -n "s/.* $1: \([0-9]*\).*/\1/p" <<<"$row" | grep . || echo 0; }
    passed=$(jtdiff_count pass) differences=$(wc -l <"$out/upstream/differences")
    too=$(($(jtdiff_count fail) + $(jtdiff_count error) - $(grep -vc -e '---$' "$out/upstream/differences")))
    count upstream "$passed" "$differences" $((${#upstream_tests[@]} - passed - differences - too))
    [ $too -eq 0 ] || echo "upstream: $too failed on stock too, or not when run again"
}

suite_java() {
    local status
    # A make of its own, as a part of the other it would warn where that has -j. It gets the variables from the environment.
    [ -z "${RECORDER:-}" ] || env -u MAKEFLAGS -u MAKELEVEL make --silent "$RECORDER" ||
        { broken java "not run, as $RECORDER could not be made"; return; }
    rm -rf "$BUILD"/maven/*/surefire-reports
    echo "Running the tests of the Java tools"
    maven -f analysis/pom.xml test -Dmaven.test.failure.ignore=true \
        ${test:+"-Dtest=$test" -Dsurefire.failIfNoSpecifiedTests=false}
    status=$?
    # The sums of the <testsuite> elements, one per file and class.
    set -- $(cat "$BUILD"/maven/*/surefire-reports/TEST-*.xml 2>/dev/null | awk '
        function of(name) { return match($0, " " name "=\"[0-9]+\"") ? substr($0, RSTART + length(name) + 3) + 0 : 0 }
        /^<testsuite / { tests += of("tests"); failed += of("failures") + of("errors"); skipped += of("skipped") }
        END { print tests - failed - skipped, failed + 0, skipped + 0 }')
    count java "$@"
    if [ $status -ne 0 ]; then
        broken java "Maven broke off (status $status)"
    elif [ $(($1 + $2)) -eq 0 ]; then
        broken java "no test was run${test:+; TEST=$test: accepted is the name of a test class, as in TEST=Class#method, or a path below \
test/jdk, as in TEST=java/foreign/pool/TestX.java}"
    fi
}

# doclint DIRECTORY ACCESS FILE... : what javac says of the documentation comments in the sources FILE of java.base. Tags may be
# missing, as internal methods have none that say nothing new. What it says of other files begins with a dot.
doclint() {
    local classes
    classes=$(realpath -m "$out/javadoc/classes")
    (cd "$1" && "$jdk/bin/javac" -J-Duser.language=en -proc:none "-Xdoclint:all/$2" -Xmaxwarns 100000 -Xmaxerrs 100000 \
        --patch-module java.base=. -d "$classes" "${@:3}" 2>&1) |
        sed -nE '/: no @/d; /^error:/p; s/^([^ :.][^ :]*):[0-9]+: /\1: /p' | LC_ALL=C sort
}
# Our own classes have to be documented down to what is package-private. The JDK's, many of whose members have no comment, and
# whose comments use tags that only its build knows, may cause no other message than without the patch.
check_javadoc() {
    local sources=src/java.base/share/classes base=$BUILD/java.base/src dir=$out/javadoc ours patched
    [ -d "$base" ] || { echo "$base is missing: make image makes it" >&2; return 1; }
    rm -rf "$dir"
    mkdir -p "$dir"
    mapfile -t ours < <(cd $sources && find . -name '*.java' -printf '%P\n')
    mapfile -t patched < <(cd $sources && find . -name '*.java.patch' -printf '%P\n' | sed 's/\.patch$//')
    (cd "$dir" && "$jdk/bin/jar" --extract --file "$jdk/lib/src.zip" "${patched[@]/#/java.base/}")
    doclint "$dir/java.base" protected "${patched[@]}" >"$dir/stock"
    [ -s "$dir/stock" ] || { echo "javac says nothing of the JDK's documentation comments" >&2; return 1; }
    doclint "$base" protected "${patched[@]}" | LC_ALL=C comm -13 "$dir/stock" - | grep -v ': no comment$' >"$dir/log"
    doclint "$base" package "${ours[@]}" >>"$dir/log"
    cat "$dir/log" >&2
    [ ! -s "$dir/log" ]
}

suite_javadoc() { check javadoc check_javadoc; }
suite_jcheck() {
    check jcheck "$make/jcheck.sh"
    check test-jcheck "$make/test-jcheck.sh"
}
suite_make() { check make "$make/test-make.sh"; }

# Before the suites that take minutes.
[ -z "${JDK_SRC:-}" ] || [[ " $* " != *" upstream "* ]] || tree=$(find_tree "$JDK_SRC" "$jdk") || outcome=run stop "$tree"

mkdir -p "$out"
for suite in "$@"; do suite_$suite; done
skipped=
[ $total_skipped -eq 0 ] || skipped=", $total_skipped skipped"
echo "$total_passed passed, $total_failed failed$skipped"
[ $total_failed -eq 0 ]
