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

# test-jcheck.sh: breaks each rule of .jcheck/conf once in a scratch repository and wants exactly that named by JCheck.
# JDK=<JDK 25 home> make/test-jcheck.sh; exit status 1, and each miss named, when a rule is not held.

set -u
make=$(cd "$(dirname "$0")" && pwd)
if [ ! -x "${JDK:-}/bin/javac" ]; then
    echo "test-jcheck: JDK=${JDK:-} is no JDK home; set JDK to one that is 25 or newer; nothing was tested" >&2
    exit 2
fi
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT
"$JDK/bin/javac" -Xlint:all,-serial -Werror -d "$scratch/classes" "$make/JCheck.java" || exit 2

# Neither the caller's git settings nor a repository around the scratch directory may play a part.
export HOME=$scratch GIT_CONFIG_NOSYSTEM=1 GIT_CEILING_DIRECTORIES=$scratch
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE

jcheck() { "$JDK/bin/java" -XX:TieredStopAtLevel=1 -cp "$scratch/classes" JCheck "$@"; }
commit() { git add -A && git commit -q --allow-empty --allow-empty-message --cleanup=verbatim -m "$1"; }
tests=0 misses=0
miss() { misses=$((misses + 1)); echo "test-jcheck: $1" >&2; sed 's/^/    /' "$scratch/out" >&2; }

# expect NAME STATUS PATTERN [ARGUMENT...]: wants this exit status and as output only lines that match PATTERN, at least
# one of them, and the summary unless the status is 2; then makes the repository clean again.
expect() {
    name=$1 status=$2 pattern=$3; shift 3
    tests=$((tests + 1))
    jcheck "$@" > "$scratch/out" 2>&1
    got=$?
    grep -v '^jcheck: [0-9]* files, ' "$scratch/out" > "$scratch/found"
    if [ $got -ne "$status" ]; then
        miss "$name: exit status $got, not $status"
    elif ! grep -Eq -- "$pattern" "$scratch/found" || grep -Evq -- "$pattern" "$scratch/found"; then
        miss "$name: not (only) $pattern"
    fi
    fresh
}
accept() {
    name=$1; shift
    tests=$((tests + 1))
    jcheck "$@" > "$scratch/out" 2>&1
    [ $? -eq 0 ] && grep -Eq '^jcheck: [0-9]+ files, [0-9]+ commits, 0 errors$' "$scratch/out" || miss "$name: not accepted"
    fresh
}
fresh() { cd "$scratch" && rm -rf repository && cp -a clean repository && cd repository || exit 2; }

# A repository in which every rule has something to look at.
java_header=$(sed '/\*\//q' "$make/JCheck.java")
shell_header=$(sed -n '2,/^$/p' "$0")
mkdir "$scratch/clean" && cd "$scratch/clean" && git init -q -b main || exit 2
mkdir -p .jcheck make src test/jdk/java/foreign doc
cp "$make/../.jcheck/conf" .jcheck/conf
printf '%s\n\nclass A { }\n' "$java_header" > src/A.java
printf '%s\n\n/* @test id=one */\nclass T { }\n' "$java_header" > test/jdk/java/foreign/T.java
printf '%s\n\nall:\n\techo all\n' "$shell_header" > Makefile
printf '#!/bin/sh\n%s\n\necho run\n' "$shell_header" > make/run.sh
chmod +x make/run.sh
printf '%s\n' '--- a/B.java' '+++ b/B.java' '@@ -1,4 +1,3 @@ class B { ' ' ' ' int a; ' '-int b; ' '+int c;' '-int d; ' > src/B.java.patch
printf '# test bug platforms\n\njava/foreign/T.java#one 8300001,8300002 linux-x64,macosx-all\n' > test/jdk/ProblemList.txt
printf '\211PNG\000\n \n' > doc/a.png
printf 'build/\n' > .gitignore
mkdir build && printf 'ignored \n' > build/out
cd .. && fresh

accept "no commit yet"
cd "$scratch/clean" && commit "Start" && git commit -q --allow-empty -m "Go on" -m "A body." && fresh
accept "clean repository"
git clone -q . "$scratch/cloned" && cd "$scratch/cloned" && accept "fresh clone"
rm src/A.java; accept "a file deleted but not yet committed"
cd src && accept "run from a folder below"

printf 'a \n' >> src/A.java;                  expect "trailing blank" 1 '^src/A.java:23: whitespace: trailing whitespace$'
printf 'a\t\n' >> Makefile;                   expect "trailing tab" 1 '^Makefile:22: whitespace: (trailing whitespace|tab)$'
printf 'a\tb\n' >> src/A.java;                expect "tab" 1 '^src/A.java:23: whitespace: tab$'
printf '\ta\tb\n' >> Makefile;                expect "tab within a recipe" 1 '^Makefile:22: whitespace: tab$'
printf 'a\r\n' >> doc/a.md;                   expect "carriage return, untracked" 1 '^doc/a.md:1: whitespace: carriage return$'
printf 'a' >> doc/a.md;                       expect "final newline" 1 '^doc/a.md:1: whitespace: no newline at the end'
printf 'a\000\n' >> doc/a.md;                 expect "binary by content" 1 '^doc/a.md:1: whitespace: is not UTF-8 text'
printf '\377\n' >> doc/a.md;                  expect "not UTF-8" 1 '^doc/a.md:1: whitespace: is not UTF-8 text'
printf 'a\n' >> 'doc/a b';                    expect "file name" 1 '^doc/a b:1: whitespace: the file name'
sed -i 's/int c;/int c; /' src/B.java.patch;  expect "blank in an added line" 1 '^src/B.java.patch:7: whitespace: trailing'
sed -i 's/+int c/+\tint c/' src/B.java.patch; expect "tab in an added line" 1 '^src/B.java.patch:7: whitespace: tab$'
sed -i '1s/$/ /' src/B.java.patch;            expect "blank in a patch header" 1 '^src/B.java.patch:1: whitespace: trailing'
sed -i '5s/$/\r/' src/B.java.patch;           expect "carriage return in context" 1 '^src/B.java.patch:5: whitespace: carriage'

chmod +x src/A.java;              expect "executable source" 1 '^src/A.java:1: executable: is executable, but not where'
chmod -x make/run.sh;             expect "script not executable" 1 '^make/run.sh:1: executable: begins with #!'
sed -i 1d make/run.sh;            expect "executable without #!" 1 '^make/run.sh:1: executable: is executable, but does not'
ln -s A.java src/L.java;          expect "symbolic link" 1 '^src/L.java:1: symlink: is a symbolic link to A.java$'
ln -s nowhere src/L;              expect "dangling symbolic link" 1 '^src/L:1: symlink: is a symbolic link to nowhere$'
git init -q doc/x && (cd doc/x && commit "X"); expect "repository inside" 1 '^doc/x/:1: content: is another git repository'

printf 'class C { }\n' > src/C.java;             expect "no header" 1 '^src/C.java:1: (copyright: no copyright|license: .* lacks)'
sed -i '2s/the Pooled/Pooled/' src/A.java;       expect "other holder" 1 '^src/A.java:2: copyright: the copyright line is not'
sed -i 2d Makefile;                              expect "no copyright line" 1 '^Makefile:1: copyright: no copyright line'
sed -i '3s/OR THIS/OR/' src/A.java;              expect "notice" 1 '^src/A.java:1: license: .* lacks the notice text'
sed -i '/modify it/s/modify/mend/' make/run.sh;  expect "GPL paragraph" 1 '^make/run.sh:1: license: .* lacks the gpl text'
sed -i 's/ANY WARRANTY/WARRANTY/' src/A.java;    expect "warranty paragraph" 1 '^src/A.java:1: license: .* lacks the warranty text'
sed -i '/^ \* You should/s/have//' src/A.java;   expect "copy paragraph" 1 '^src/A.java:1: license: .* lacks the copy text'
sed -i 's/"Classpath"/Classpath/' src/A.java;    expect "Classpath exception" 1 '^src/A.java:1: license: .* lacks the classpath text'
sed -i 1,20d src/A.java && printf '%s\n' "$java_header" >> src/A.java
expect "header at the end" 1 '^src/A.java:1: (copyright: no copyright|license: .* lacks)'

list=test/jdk/ProblemList.txt
echo 'java/foreign/U.java 8300001 generic-all' >> $list;     expect "missing test" 1 "^$list:4: problemlists: no test java/foreign/U.java"
echo 'java/foreign/T.java#two 8300001 generic-all' >> $list; expect "missing test id" 1 "^$list:4: problemlists: .* id two$"
echo 'java/foreign/T.java 8300001' >> $list;                 expect "two fields" 1 "^$list:4: problemlists: wanted: .* found 2$"
echo 'java/foreign/T.java 12 generic-all' >> $list;          expect "bug number" 1 "^$list:4: problemlists: \"12\" is neither"
echo 'java/foreign/T.java 8300001 linux' >> $list;           expect "platform" 1 "^$list:4: problemlists: \"linux\" is no platform"
sed -n 3p $list >> $list;                                    expect "listed twice" 1 "^$list:4: problemlists: .* already in line 3"

# Put together here, as this file is checked too.
host=repo.example slash=/
echo "see https://$host.org/x" >> doc/a.md;       expect "registry host" 1 '^doc/a.md:1: content: package-registry-host "repo'
echo "in ${slash}home/x" >> doc/a.md;             expect "machine path" 1 '^doc/a.md:1: content: machine-path ".home"$'
sed -i "1s|a/|${slash}root/|" src/B.java.patch;   expect "machine path in a patch header" 1 '^src/B.java.patch:1: content: machine-path'
echo "build/work, </home>, ../root/x" >> doc/a.md; accept "paths below another folder"

commit ""; expect "no subject" 1 '^commit [0-9a-f]{12}:1: message: no subject$'
commit "$(printf 'Say it all %070d' 1)"; expect "long subject" 1 '^commit [0-9a-f]{12}:1: message: the subject has 81 characters, more than 80$'
commit "$(printf 'Say it all %069d' 1)"; accept "subject just short enough"
commit "Stop."; expect "period" 1 '^commit [0-9a-f]{12}:1: message: the subject ends in a period'
for subject in "Merge branch 'x'" "fixup! Start" "squash! Start" "WIP" "wip: more" "Merge"; do
    commit "$subject"; expect "subject $subject" 1 '^commit [0-9a-f]{12}:1: message: not a subject'
done
commit "Merge histogram files"; accept "a change about merging"
commit "$(printf 'Say\nmore')"; expect "second line" 1 '^commit [0-9a-f]{12}:2: message: the line after'
commit "$(printf 'Say\n\nmore \nand')"; expect "blank at the end of a body line" 1 '^commit [0-9a-f]{12}:3: message: tab or trailing'
commit "Use $host.org"; expect "registry host in a message" 1 '^commit [0-9a-f]{12}:1: content: package-registry-host'
commit "Stop." && commit "Go on"; accept "commits before --since" --since HEAD~1
commit "Go on" && commit "Stop."; expect "commits after --since" 1 '^commit [0-9a-f]{12}:1: message: .* period' --since HEAD~1

expect "unknown revision" 2 '^jcheck: --since names no commit of this repository' --since nowhere
expect "unknown option" 2 '^jcheck: cannot use --from x; accepted is' --from x
rm .jcheck/conf;                                   expect "no configuration" 2 '^jcheck: this git repository has no .jcheck/conf'
sed -i 's/^error=/error=tabs,/' .jcheck/conf;      expect "unknown check" 2 '^jcheck: .* asks for the check "tabs"; known are'
sed -i 's/^dirs=/dir=/' .jcheck/conf;              expect "missing setting" 2 '^jcheck: .jcheck/conf has no dirs= in'
sed -i 's/^ignore-tabs=/&(/' .jcheck/conf;         expect "bad pattern" 2 '^jcheck: .* ignore-tabs of whitespace is not a regular'
echo 'files' >> .jcheck/conf;                      expect "bad line" 2 '^jcheck: .jcheck/conf:[0-9]+: neither \[section\]'
sed -i 's/^subject-length=.*/subject-length=x/' .jcheck/conf; expect "bad number" 2 '^jcheck: .* subject-length=x is not a number'
rm -rf .git;                                       expect "outside git" 2 '^jcheck: git rev-parse failed \(fatal: not a git repository'
(export PATH=/nowhere; jcheck) > "$scratch/out" 2>&1; tests=$((tests + 1))
grep -q '^jcheck: git cannot be run' "$scratch/out" || miss "no git: not said"

echo "test-jcheck: $tests cases, $misses missed"
[ $misses -eq 0 ]
