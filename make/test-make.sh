#!/usr/bin/env bash
# Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
# SPDX-License-Identifier: GPL-2.0-only

# test-make.sh: tries make in a copy of the project whose path has a space and an apostrophe: what help lists, that a dry run does
# nothing, that only one make works at a time, what is refused and with which message, what CONTRIBUTING.md says of a new patch, that
# test/mechanisms and the mutants fit, and that what testng.28.sed makes compiles. Exit status 1, and each miss named, when something is
# not so. In: JDK_HOME, BUILD, which has the patched sources, JTREG when it is not to be looked for.

set -u
make=$(CDPATH= cd "$(dirname "$0")" && pwd) jdk=$JDK_HOME patched=$(CDPATH= cd "$BUILD" && pwd)/java.base/src
libraries=$(. "$make/tools.sh"; find_jtreg | sed 's|/bin/[^/]*$|/lib|')
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# Nothing of the make that runs this may play a part.
unset BUILD BUILD_LOCKED CDPATH IMAGE JAVA_HOME JAVA_TOOL_OPTIONS JDK_SRC JTREG MAKEFLAGS MAKELEVEL MFLAGS TEST _JAVA_OPTIONS
cases=0 misses=0

mkdir "$scratch/a b'c" "$scratch/bin"
cd "$make/.."
[ -n "$(git ls-files 2>/dev/null)" ] ||
    { echo "test-make: a git clone is needed: $(git ls-files 2>&1 >/dev/null | head -n1); nothing was tested" >&2; exit 1; }
git ls-files -z -co --exclude-standard | xargs -0 cp --parents -t "$scratch/a b'c"
cd "$scratch/a b'c"
# await FILE: until it is there, but not for ever.
await() { for _ in {1..300}; do [ ! -e "$1" ] || return 0; sleep 0.1; done; }
export -f await
printf 'wait:\n\t@touch started; await go\n' >>make/Test.gmk
# What would fetch or install something leaves its name instead.
for name in apt-get mvn; do
    printf '#!/bin/sh\necho %s >>"%s/fetched"; exit 1\n' $name "$scratch" >"$scratch/bin/$name"
    chmod +x "$scratch/bin/$name"
done
PATH=$scratch/bin:$PATH

# wants NAME EXPECTED ACTUAL
wants() {
    cases=$((cases + 1))
    [ "$2" != "$3" ] || return 0
    misses=$((misses + 1))
    printf 'test-make: %s\n  expected: %s\n  but was:  %s\n' "$1" "$2" "$3" >&2
}
run() { make --no-print-directory JDK="$jdk" "$@" 2>&1; }

help=$(run help)
targets=$(sed -nE 's/^([a-z-]+):.*## .*/\1/p' Makefile make/*.gmk | sort)
variables=$(sed -nE 's/^([A-Z_]+) \?=.*## .*/\1=/p' Makefile make/*.gmk | sort)
wants "help lists each target once" "$targets" "$(sed -nE 's/^  ([a-z-]+) .*/\1/p' <<<"$help" | sort)"
wants "help lists each variable once" "$variables" "$(sed -nE 's/^  ([A-Z_]+=) .*/\1/p' <<<"$help" | sort)"
wants "help has groups" "Build: Test: Measure: Research:" "$(grep '^[A-Z]' <<<"$help" | xargs)"

wants "BUILD= is refused" 1 \
    "$(run help BUILD=out | grep -c ' BUILD=out cannot be set, since Maven writes to build/, too; nothing was done')"
wants "a goal that is not known needs no JDK" 1 "$(LC_ALL=C run imgae JDK=nosuch | grep -c "No rule to make target 'imgae'")"
wants "a directory is no goal" 1 "$(run src | grep -c ' src is a directory and no target; make help ')"
wants "a variable that is not known is refused" 1 "$(run image jdk=nosuch | grep -c ' jdk= is no variable; make help ')"

# What is taken for a JDK.
mkdir -p fake/{bin,lib}
touch fake/bin/javac fake/lib/src.zip
chmod +x fake/bin/javac
echo 'JAVA_VERSION="25.0.3"' >fake/release
run build/jdk.id JDK=fake >/dev/null
mkdir fake/jmods
wants "jmods is a part of what a JDK is told by" 1 "$(run build/jdk.id JDK=fake >/dev/null; grep -c '/fake/jmods ' build/jdk.id)"
echo 'IMPLEMENTOR_VERSION="Vendor-25.0.3 with Pooled Confined Arena"' >>fake/release
wants "a JDK with the patch is no JDK to patch" 1 "$(run image JDK=fake | grep -c 'JDK=fake: has the patch already; accepted is ')"
rm -r fake
wants "where there is no JDK, it is said what is accepted" 1 "$(
    . make/tools.sh
    usual_jdk() { :; }
    DRY_RUN=n JAVA_HOME=nosuch find_jdk | grep -c '^JAVA_HOME=nosuch passed over: no such directory; accepted is .* JDK=$'
)"
wants "JTREG= may be a command" "$(realpath "$(command -v git)")" "$(. make/tools.sh; JTREG=git find_jtreg)"

mkdir -p tree/{make/conf,src/java.base,test/lib,test/jdk/TEST.groups}
echo DEFAULT_VERSION_FEATURE=$(. make/tools.sh; jdk_release "$jdk") >tree/make/conf/version-numbers.conf
wants "make jdk refuses JOBS=x before it changes the tree" 1 \
    "$(run jdk JDK_SRC=tree JOBS=x | grep -c '^JOBS=x: accepted is a number from 1; ')"
echo "DEFAULT_ACCEPTABLE_BOOT_VERSIONS=\"$(. make/tools.sh; jdk_release "$jdk")\"" >>tree/make/conf/version-numbers.conf
wants "where there is no apt, make jdk names the tools that are missing before it changes the tree" 1 "$(
    command() { [[ $2 != @(apt-get|unzip|zip) ]] && builtin command "$@"; }
    export -f command
    JDK_HOME=$jdk JDK_SRC=tree make/build-jdk.sh build/jdk build/patch '' '' 2>&1 |
        grep -c "^What OpenJDK's build needs: not found; please install.* unzip zip.*; nothing was built$"
)"

labels="LABEL=JAVA is accepted, LABEL letters, digits, _ and - that no other has, JAVA a java command; nothing was measured"
for peer in 'jdk,28=/bin/true' 'image=/bin/true' 'recommended=/bin/true' 'new=/bin/nosuch'; do
    wants "make savings refuses PEER=$peer" "PEER=$peer: $labels" \
        "$(JDK_HOME=$jdk BUILD=. make/measure-programs.sh . 1 "" "$peer" 2>&1)"
done
# A java that tells what is preloaded and which options it has, as both JDKs.
options="JAVA_TOOL_OPTIONS=-Dx _JAVA_OPTIONS=-Dy"
mkdir -p fake/bin
printf '#!/bin/sh\necho "$LD_PRELOAD$JAVA_TOOL_OPTIONS$_JAVA_OPTIONS" >>fake/preloaded\n' >fake/bin/java
chmod +x fake/bin/java
touch fake/counter.so
env $options JDK_HOME=fake IMAGE=fake BUILD=. RECOMMENDED=. COUNTER=fake/counter.so make/measure-programs.sh fake 1 shape-nests \
    >"$scratch/log" 2>&1
wants "the malloc counter is preloaded in a directory with a space, too, and programs get none of these options" \
    "fake/counter.so fake/counter.so" "$(xargs <fake/preloaded)"
printf '#!/bin/sh\necho "options: $JAVA_TOOL_OPTIONS$_JAVA_OPTIONS"\n' | tee fake/bin/jtreg >fake/bin/mvn
chmod +x fake/bin/*
wants "jtreg gets none of these options" "options:" \
    "$(env $options JDK_HOME="$jdk" IMAGE=. BUILD=fake JTREG=fake make/test.sh jtreg 2>/dev/null | head -n1 | xargs)"
wants "Maven keeps these options" "options: -Dx-Dy" "$(. make/tools.sh; PATH=$PWD/fake/bin:$PATH; export $options; maven)"
# One that makes the directory of a recording.
printf '#!/bin/sh\nmkdir "$5"\n' >fake/bin/java
mkdir fake/programs
touch fake/jdk.id fake/programs/stamp
record() { JDK_HOME=$PWD/fake BUILD=fake JTREG=git make/record-programs.sh fake/out $1 2>&1; }
wants "how long a program was recorded is told" "shape-nests: recorded in N s" "$(record shape-nests | sed 's/ [0-9]* s$/ N s/')"
wants "a program is recorded once" "shape-nests: recorded already; rm -r fake/out/shape-nests to repeat it" "$(record shape-nests)"
mkdir -p fake/upstream/tree/test/jdk
touch fake/upstream/tree.id
record jtreg-foreign >/dev/null
touch -d '+1 min' fake/upstream/tree.id
wants "OpenJDK's tests are recorded again when JDK_SRC has changed" 1 \
    "$(record jtreg-foreign | grep -c ' have changed since it was recorded')"
touch -d '+1 min' fake/programs/stamp
wants "a program that was changed is recorded again" \
    "shape-nests: the JDK, the recorder or the programs have changed since it was recorded, so it is recorded again" \
    "$(record shape-nests | head -n1)"
rm -r fake
wants "make patch refuses ISSUE=x" "ISSUE=x: accepted is the number of an issue, as in ISSUE=8000000; nothing was made" \
    "$(make/make-patch.sh build/patch . x 2>&1)"
run savings ROUNDS=x >"$scratch/log"
wants "make savings refuses ROUNDS=x" 1 "$(grep -c '^ROUNDS=x: a number from 1 on is accepted; ' "$scratch/log")"
accepted="accepted is the java of a JDK 25 or newer, or its home, also as NAME=JAVA; nothing was measured"
wants "make compare refuses a java that is not there" 1 \
    "$(run compare PEER=nosuch | grep -c "^PEER=nosuch: there is no /.*/nosuch; $accepted")"
wants "make compare-full refuses what is no java" 1 \
    "$(run compare-full PEER=28=/bin/true | grep -c "^PEER=28=/bin/true: java -version names no release; $accepted")"
wants "make savings refuses a program that is no java before it builds" 1 \
    "$(run savings PEER=28=/bin/true | grep -c "^PEER=28=/bin/true: java -version names no release; $accepted")"
printf '#!/bin/sh\necho "openjdk version \\"21.0.1\\" 2023-10-17" >&2\n' >"$scratch/bin/java21"
chmod +x "$scratch/bin/java21"
wants "make peers-malloc refuses a java that is too old" 1 \
    "$(run peers-malloc PEER="$scratch/bin/java21" | grep -c "^PEER=.*/java21: Java 21.0.1; $accepted")"
wants "a java and a JDK's home are peers, with names or without" "" "$(. make/tools.sh; check_peers "$jdk" "28=$jdk/bin/java" 2>&1)"
for goal in test test-jtreg test-arch try; do
    wants "make $goal refuses a jtreg test that is not there" 1 \
        "$(run $goal TEST=nosuch/X.java#x | grep -c ' TEST=nosuch/X.java#x: no such test; accepted is .*; nothing was run')"
done
wants "make try needs something to try" 1 "$(run try | grep -c ' make try: accepted is TEST=java/foreign/X.java or ')"
wants "make test refuses SUITES=x" 1 "$(run test SUITES="jtreg x" | grep -c ' SUITES=x: accepted are jtreg .*; nothing was run')"
wants "make test-stress refuses TEST=" 1 "$(run test-stress TEST=x | grep -c ' TEST= is not for make test-stress, .*; nothing was run')"
wants "what make is given is checked before anything is built" "jdk.id" "$(ls build)"
wants "help needs no test that is there" "$help" "$(run help TEST=nosuch/X.java)"
wants "make test-upstream refuses CONFIGS=x" 1 "$(run test-upstream CONFIGS="off x" | grep -c ' CONFIGS=x: accepted are default, ')"
wants "make micro refuses MICRO_ARGS= alone" 1 "$(run micro MICRO_ARGS=-h | grep -c ' MICRO_ARGS= needs MICRO=regex; ')"
wants "make compare refuses options in PEER=" 1 "$(run compare PEER="java -Xint" | grep -c ' PEER= takes java commands without options; ')"
for variable in RECORDINGS=nosuch SAVINGS=nosuch SAVINGS=jtreg-foreign; do
    wants "make refuses $variable" 1 "$(run savings $variable | grep -c " No program ${variable#*=}; accepted are ")"
done

# Everything in the copy, with its age.
state() { find . -printf '%p %T@\n' | sort; }
state >"$scratch/before"
wants "what a report says to repeat it names the JDK" 1 \
    "$(run -n compare PEER=java | grep -cF -- "--command 'make compare JDK='\\''$jdk'\\'' PEER=")"
for target in $targets; do
    run -n "$target" JDK_SRC=. PEER=java RUN=X.java >/dev/null
done
run -q image >/dev/null
wants "make -n and -q change nothing" "" "$(state | diff "$scratch/before" -)"
wants "make -n prints what would be done" 1 "$(run -n image | grep -c '^make/link-image.sh ')"
wants "find_jdk installs nothing in a dry run" \
    "JDK 25 with sources: not found; please install nosuch nosuch-too (a dry run installs nothing)" \
    "$(. make/tools.sh; DRY_RUN=n; install "JDK 25 with sources" nosuch nosuch-too 2>&1)"
wants "an interrupt ends a script, by way of its at_exit, and the shell that runs it" "ended" \
    "$(setsid -w env --default-signal=INT \
        bash -c 'bash -c ". make/tools.sh; at_exit \"echo ended\"; kill -INT 0; sleep 5" || echo on; echo on' || :)"
wants "benchmarks and mutants get none of these options" 4 \
    "$(for target in "micro MICRO=x" compare peers-okio mutation-pool; do run -n $target; done |
        grep -cE '^[^#]*env -u JAVA_TOOL_OPTIONS -u _JAVA_OPTIONS [^ ]*java')"
wants "a test of the tools may have its package's name" "$(run -n test-java TEST=PoolModelTest)" \
    "$(run -n test-java TEST=pooledarena.model.PoolModelTest)"
wants "each test of a list gets what it needs" "$(run -n test-java TEST=PoolModelTest)" "$(run -n test-java TEST=FiguresTest#x,PoolModelTest)"
wants "each suite gets what it needs" 1 "$(run -n test SUITES=jcstress | grep -c 'Compiling the concurrency tests')"
wants "a dry run fetches nothing" "" "$(cat "$scratch/fetched" 2>/dev/null)"

# With it cd prints where it goes, which is no part of a path that a script takes from it.
CDPATH=.:.. run patch-module >"$scratch/log"
wants "java @build/pooled.args -version names the patch" 2 \
    "$("$jdk/bin/java" @build/pooled.args -version 2>&1 | grep -c 'Pooled Confined Arena')"
[ $misses -eq 0 ] || cat "$scratch/log" >&2
rm build/pooled.args
wants "make patch-module writes build/pooled.args again" build/pooled.args "$(run patch-module >/dev/null; ls build/pooled.args)"
id=$(cat build/jdk.id)
TZ=XYZ-9 LC_ALL=C run build/jdk.id >/dev/null
wants "the time zone is no part of what a JDK is told by" "$id" "$(cat build/jdk.id)"
echo 'class Pooled { public static void main(String[] args) { System.out.println("ran on " + args[0]); } }' >Pooled.java
wants "make try runs a program" "ran on it" "$(run try RUN='Pooled.java it' | tail -n1)"
# What stands in for an image.
mkdir -p build/image/lib
touch build/image/lib/modules
echo 'JAVA_RUNTIME_VERSION="25"' >build/image/release
printf '#!/bin/sh\nexit 1\n' >"$scratch/bin/gzip"
chmod +x "$scratch/bin/gzip"
wants "make dist leaves nothing that is half made" "" "$(run dist >/dev/null; ls build | grep '^dist')"
rm "$scratch/bin/gzip"
# The suite upstream skips its 13 tests.
wants "where the recorder cannot be made, the suites run that do not need it" \
    "java: not run, as build/arena-recorder.jar could not be made 0 passed, 1 failed, 13 skipped" \
    "$(run test SUITES="java upstream" | grep -E '^(java|[0-9]+ passed)' | xargs)"

run wait >/dev/null &
await started
second=$(run clean)
wants "a second make stops" \
    "make clean: another make works in this checkout; start this one when that has ended; nothing was done" "$(head -n1 <<<"$second")"
wants "a second make does nothing" "build" "$(ls -d build 2>/dev/null)"
wants "help needs no lock" "$help" "$(run help)"
touch go
wait $!
wants "the lock goes with the make that has it" "" "$(run --silent build/jdk.id | grep -v '^JDK ')"

# The lines for a file that is in a directory without a patch.
file=java/util/zip/CRC32.java
lines=$(sed -n '/To create or change one:$/,/^[^ ]/{/^    /p}' CONTRIBUTING.md)
(eval "JDK=$(printf %q "$jdk") EDITOR='sed -i s/compute/calculate/'
$(sed "s|F=[^ ]*|F=$file|" <<<"$lines")") >"$scratch/log" 2>&1
wants "CONTRIBUTING.md's lines make a patch" 1 "$(grep -c '^+++ ' "src/java.base/share/classes/$file.patch" 2>/dev/null)"
wants "the patch applies" 1 "$(run patch >/dev/null; grep -c "^+++ b/.*/$file" build/pooled-confined-arena.patch)"

wants "MECHANISMS= takes what there is" 1 "$(run help MECHANISMS='stores nosuch' | grep -c '=stores nosuch: accepted are .*stores;')"
# Only what make mechanisms would say too late.
for mechanism in test/mechanisms/*.patch; do
    wants "$mechanism fits" "" "$(cd "$patched" && GIT_CEILING_DIRECTORIES=$PWD/.. git apply --check -p0 "$OLDPWD/$mechanism" 2>&1)"
done

wants "all mutants fit the code" "" "$("$jdk/bin/java" test/mutation/MutantClasses.java "$patched" "$scratch/mutants" 2>&1)"
# Both are killed. The list may say of the second that chance decides that.
mutant() { grep -B1 -A1 "^  $1\$" test/mutation/mutants.txt; printf '  %s\n\n' "$2"; }
{ mutant "sizes are cut to an int" "survives: wrong"; mutant "a negative size is accepted" "seldom: by chance"; } >"$scratch/two"
mv "$scratch/two" test/mutation/mutants.txt
"$jdk/bin/java" test/mutation/MutatePool.java "$patched" "$libraries" "$scratch/killed" >"$scratch/log" 2>&1
wants "make mutation-pool fails if a mutant is killed that should survive" 1 $?
wants "it says that the list is wrong" '"survives: wrong", which must be corrected "seldom: by chance"' \
    "$(sed -n 's/.* killed in .*; but the list says //p' "$scratch/log" | xargs -d '\n')"
wants "it counts such mutants" 1 "$(grep -c '^2 mutants: 2 killed (1 that should survive by the list), 0 survived ' "$scratch/log")"

# The scripts that stand for programs of another processor.
eval "$(sed -n '/^script() {$/,/^}$/p' make/test-arch.sh)"
script "$PWD/program" printf '%s,' "$PWD"
wants "a script for another processor may have any path in it" "$PWD,a b," "$(./program 'a b')"

# The TestNG tests as JUnit tests, with the others from which they take classes.
cp -r test/jdk/java/foreign/pool "$scratch/28"
grep -rlZ '@run testng' "$scratch/28" | tee "$scratch/edited" | xargs -0 sed -E -i -f test/jdk/testng.28.sed
wants "what testng.28.sed makes compiles" "" "$(xargs -0 -a "$scratch/edited" "$jdk/bin/javac" -Xlint:all,-restricted -Werror -proc:none \
    --add-exports java.base/jdk.internal.misc=ALL-UNNAMED -cp "$libraries/*" -sourcepath "$scratch/28" -d "$scratch/classes" 2>&1)"

wants "a wrong JDK_SRC= is told before the first suite" 1 \
    "$(JDK_HOME=$jdk IMAGE=. BUILD=build JDK_SRC=nosuch make/test.sh jtreg upstream 2>&1 | grep -c '^JDK_SRC=nosuch: ')"
# What stands in for OpenJDK's tests, of which one fails on stock and on the image.
echo '#!/bin/sh' >make/upstream-tree.sh
echo 'mkdir -p "$1"; touch "$1/differences"; echo "1: default/report  pass: 11; fail: 1" >"$1/report.txt"' >make/test-upstream.sh
wants "a test that fails on stock too is not skipped" \
    "upstream: 11 passed, 0 failed, 1 skipped upstream: 1 failed on stock too, or not when run again" \
    "$(JDK_HOME=$jdk IMAGE=. BUILD=build JDK_SRC=tree make/test.sh upstream 2>&1 | grep ^upstream | xargs)"

echo "test-make: $cases cases, $misses missed"
[ $misses -eq 0 ]
