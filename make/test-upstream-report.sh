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

# test-upstream-report.sh: gives UpstreamReport hand-made results of jtreg and wants what it must say of them.
# JDK=<JDK 25 home> make/test-upstream-report.sh; exit status 1, and each miss named, when it says something else.

set -u
make=$(cd "$(dirname "$0")" && pwd)
if [ ! -x "${JDK:-}/bin/javac" ]; then
    echo "test-upstream-report: JDK=${JDK:-} is no JDK home; set JDK to one that is 25 or newer; nothing was tested" >&2
    exit 2
fi
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT
"$JDK/bin/javac" -Xlint:all -Werror -d "$scratch/classes" "$make/UpstreamReport.java" || exit 2
tests=0 misses=0

# result RUN TEST RESULT: one line of jtreg's summary, as wide as it makes it.
result() {
    mkdir -p "$scratch/runs/$1/report/text"
    printf '%-70s  %s\n' "$2" "$3" >>"$scratch/runs/$1/report/text/summary.txt"
}
# Three tests that pass everywhere; each case adds what it is about.
fresh() {
    rm -rf "$scratch/runs"
    for run in stock off large; do
        for test in java/foreign/A.java 'java/foreign/B.java#one' jdk/C.sh; do result $run $test "Passed. Execution successful"; done
        echo 90 >"$scratch/runs/$run/seconds"
    done
}
# expect NAME STATUS PATTERN [COMMAND]: wants this exit status and a line that matches; then begins afresh.
expect() {
    tests=$((tests + 1))
    "$JDK/bin/java" -XX:TieredStopAtLevel=1 -cp "$scratch/classes" UpstreamReport "${4:-table}" "$scratch/runs" off large \
        >"$scratch/out" 2>&1
    got=$?
    if [ $got -ne "$2" ] || ! grep -Eqx -- "$3" <<<"$(cat "$scratch/out")"; then
        misses=$((misses + 1))
        echo "test-upstream-report: $1: exit status $got instead of $2, or no line $3" >&2
        sed 's/^/    /' "$scratch/out" >&2
    fi
    fresh
}
fresh
expect "all pass" 0 "No difference to stock"
expect "a row" 0 "off +3 +0 +0 +0 +0 +1.5"
expect "nothing to run again" 0 "" again

# fails RUN TEST and so on are the lines of jtreg that the cases below are about.
passes() { result "$1" "$2" "Passed. Execution successful"; }
skips() { result "$1" "$2" "Passed. Skipped: no z"; }
fails() { result "$1" "$2" "Failed. Execution failed: x"; }
errs() { result "$1" "$2" "Error. No y"; }
no_run() { result "$1" "$2" "Not run. "; }

passes stock D.java; fails off D.java; passes large D.java
expect "a difference" 1 "  off: D\.java: failed \(Execution failed: x\), on stock passed"
passes stock D.java; fails off D.java; errs large D.java
expect "counted" 1 "2 differences to stock"
passes stock D.java; fails off D.java; passes large D.java
expect "counted in its row" 1 "off +3 +1 +0 +0 +1 +1.5"
passes stock D.java; fails off D.java; passes large D.java
expect "run again" 0 "off D\.java" again
passes stock 'D.java#a'; errs off 'D.java#a'; passes large 'D.java#a'
expect "an error, and a test id" 1 "  off: D\.java#a: error \(No y\), on stock passed"
passes stock D.java; skips off D.java; passes large D.java
expect "skipped is worse than passed" 1 "  off: D\.java: skipped \(Skipped: no z\), on stock passed"
passes stock D.java; passes off D.java
expect "missing" 1 "  large: D\.java: not run \(not applicable there, or not found\), on stock passed"
passes stock D.java; passes off D.java; no_run large D.java
expect "not run" 1 "  large: D\.java: not run, on stock passed"
passes stock D.java; passes off D.java; no_run large D.java
expect "not run is not run again" 0 "" again
skips stock D.java; fails off D.java; skips large D.java
expect "failed instead of skipped" 1 "  off: D\.java: failed .*, on stock skipped .*"
fails off D.java
expect "failed where stock ran nothing" 1 "  off: D\.java: failed .*, on stock not run .*"

fails stock D.java; fails off D.java; errs large D.java
expect "fails on stock too" 0 "  D\.java: failed \(Execution failed: x\)"
fails stock D.java; fails off D.java; errs large D.java
expect "a failure on stock is no difference" 0 "No difference to stock"
errs stock D.java; passes off D.java; passes large D.java
expect "better than stock" 0 "No difference to stock"

passes stock D.java; fails off D.java; passes large D.java; passes stock/again D.java; passes off/again D.java
expect "passes alone" 0 "  off: D\.java: failed .*, on stock passed; alone: passed, on stock passed"
passes stock D.java; fails off D.java; passes large D.java; passes stock/again D.java; fails off/again D.java
expect "fails alone too" 1 "1 difference to stock"
passes stock D.java; fails off D.java; passes large D.java; fails stock/again D.java; fails off/again D.java
expect "fails alone on both" 0 "Worse than on stock once, but not when run again alone on both, hence no difference:"
passes stock D.java; fails off D.java; passes large D.java; passes stock/again E.java; passes off/again E.java
expect "another test ran again" 1 "  off: D\.java: failed .*, on stock passed"
passes stock D.java; fails off D.java; passes large D.java; passes stock/again D.java; mkdir -p "$scratch/runs/off/again/report/text"
expect "second run stopped" 0 "off D\.java" again

echo "what is this" >>"$scratch/runs/off/report/text/summary.txt"
expect "unreadable line" 2 "UpstreamReport: .*/off/report/text/summary\.txt:4: not a test and its result; nothing was compared"
rm -r "$scratch/runs/stock/report"
expect "no report" 2 "UpstreamReport: no such file: .*/stock/report/text/summary\.txt; nothing was compared"
sed -i 's/Passed\. .*/Error. Everything is broken/' "$scratch"/runs/*/report/text/summary.txt
expect "nothing passes on stock" 2 "UpstreamReport: no test passed on the stock JDK; nothing was compared"
expect "no such command" 2 "UpstreamReport: accepted is .*" tabel
rm "$scratch/runs/large/seconds"
expect "no duration" 0 "large +3 +0 +0 +0 +0 *"

echo "test-upstream-report: $tests cases, $misses missed"
[ $misses -eq 0 ]
