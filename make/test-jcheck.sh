#!/usr/bin/env bash
# Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
# SPDX-License-Identifier: GPL-2.0-only

# test-jcheck.sh: breaks each rule of .jcheck/conf once in a scratch repository and wants that, and only that, found by jcheck.sh.
# Exit status 1, and each miss named, when a rule is not held.

set -u
make=$(CDPATH= cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# Neither the caller's git settings nor a repository around the scratch directory may play a part.
export HOME=$scratch GIT_CONFIG_NOSYSTEM=1 GIT_CEILING_DIRECTORIES=$scratch
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
cases=0 misses=0

# A repository in which every rule has something to look at.
mkdir -p "$scratch"/clean/{.jcheck,make,src,test/jdk,build,doc}
cd "$scratch/clean"
commit() { git add -A && git commit -q --allow-empty --allow-empty-message --cleanup=verbatim -m "$1"; }
cp "$make/../.jcheck/conf" .jcheck
header=$(sed -n 2,3p "$make/test-jcheck.sh")
{ sed '/\*\//q' "$make/../src/java.base/share/classes/jdk/internal/foreign/ConfinedSlotPool.java"; echo; echo 'class A { }'; } |
    tee src/A.java >test/jdk/T.java
printf '%s\n\nall:\n\techo all\n' "$header" >Makefile
printf '#!/bin/sh\n%s\n\necho run\n' "$header" >make/run.sh
chmod +x make/run.sh
printf -- '--- a/B.java\n+++ b/B.java\n@@ -1,2 +1,2 @@ \n \n-int b; \n+int c;\n' >src/B.java.patch
printf '# test bug platforms\nT.java#one 8300001,8300002 linux-x64,macosx-all\n' >test/jdk/ProblemList.txt
printf '\211PNG\0 \n' >doc/a.png
echo build/ >.gitignore
echo licence >LICENSE
echo 'ignored ' >build/out
git init -q -b main && git config maintenance.auto false && commit "Start" && git commit -q --allow-empty -m "Go on" -m "A body."

# breaks PATTERN COMMAND: after COMMAND all that is found matches PATTERN, and something is; with the pattern "" nothing is.
breaks() {
    cases=$((cases + 1))
    rm -rf "$scratch/repository"
    cp -a "$scratch/clean" "$scratch/repository"
    cd "$scratch/repository"
    eval "$2"
    "$make/jcheck.sh" >"$scratch/out" 2>&1
    case $?,$1 in
        0,) return ;;
        [12],?*) sed -i '/^jcheck: [0-9]* files/d' "$scratch/out"
            ! grep -aEvq -- "$1" "$scratch/out" && grep -aEq -- "$1" "$scratch/out" && return ;;
    esac
    misses=$((misses + 1))
    echo "test-jcheck: $2: not (only) \"$1\", but" >&2
    sed 's/^/    /' "$scratch/out" >&2
}
breaks '' :
breaks '' 'rm src/A.java'
breaks '' 'cd src'
breaks '' 'git init -q ../x; git clone -q . ../cloned; cd ../cloned'
breaks '^src/A.java:2[0-9]: whitespace: trailing' 'echo "a " >>src/A.java'
breaks '^src/A.java:2[0-9]: whitespace: tab' "printf 'a\tb\n' >>src/A.java"
breaks '^Makefile:6: whitespace: tab' "printf '\ta\tb\n' >>Makefile"
breaks '^doc/a.md:1: whitespace: (carriage return|trailing)' "printf 'a\r\n' >doc/a.md"
breaks '^doc/a.md:1: whitespace: no newline' 'printf a >doc/a.md'
breaks '^doc/a.md:1: whitespace: is not text' "printf 'a\0\n' >doc/a.md"
breaks '^doc/a.md:1: whitespace: is not UTF-8' "printf '\377\n' >doc/a.md"
breaks '^doc/a b:1: whitespace: the file name' 'echo a >"doc/a b"'
breaks '^src/B.java.patch:6: whitespace: trailing' 'sed -i "s/int c;/& /" src/B.java.patch'
breaks '^src/A.java:1: executable: is executable, but not where' 'chmod +x src/A.java'
breaks '^make/run.sh:1: executable: begins with #!' 'chmod -x make/run.sh'
breaks '^make/run.sh:1: executable: is executable, but does not' 'sed -i 1d make/run.sh'
breaks '^src/L.java:1: symlink: is a symbolic link to nowhere' 'ln -s nowhere src/L.java'
breaks '^doc/x/:1: symlink: is another git repository' 'git init -q doc/x; cd doc/x; commit X; cd ../..'
breaks '^src/C.java:1: (copyright: no|license: .* lacks)' 'echo "class C { }" >src/C.java'
breaks '^src/A.java:1: copyright: no copyright line of' 'sed -i "s/the Pooled/Pooled/" src/A.java'
for word in 'NOTICES notice' 'redistribute gpl' 'FITNESS warranty' 'Franklin copy' 'Classpath classpath'; do
    breaks "^src/A.java:1: license: .* lacks the ${word#* } text" "sed -i 's/${word% *}/x/' src/A.java"
done
breaks '^make/run.sh:1: license: .* lacks the name text' 'sed -i s/SPDX/x/ make/run.sh'
breaks '^src/A.java:1: (copyright|license): ' 'sed -i "1i class B { }" src/A.java'
list=test/jdk/ProblemList.txt
breaks '' "echo T.java https://bugs.example/1 generic-all >>$list"
breaks "^$list:3: problemlists: no test U.java" "echo U.java 8300001 generic-all >>$list"
breaks "^$list:3: problemlists: .* is no platform" "echo T.java 8300001 >>$list"
breaks "^$list:3: problemlists: \"12\" is neither" "echo T.java 12 generic-all >>$list"
# Put together here, as this file is checked too.
host=repo.example slash=/
breaks '^doc/a.md:1: content: package-registry-host' 'echo "see https://$host.org/x" >doc/a.md'
breaks '^src/B.java.patch:2: content: machine-path' 'sed -i "2s|b/|${slash}root/|" src/B.java.patch'
breaks '' 'echo "build/work, </home>, ../root/x" >doc/a.md'
breaks '^commit [0-9a-f]{12}:1: content: package-registry-host' 'commit "Use $host.org"'
breaks '^commit [0-9a-f]{12}:1: message: no subject' 'commit ""'
breaks '^commit [0-9a-f]{12}:1: message: the subject has more than 80' 'commit "$(printf "Say it all %070d" 1)"'
breaks '' 'commit "$(printf "Say it all %069d" 1)"'
breaks '^commit [0-9a-f]{12}:1: message: the subject ends' 'commit Stop.'
breaks '^commit [0-9a-f]{12}:1: message: not a subject' 'commit "fixup! Start"; commit WIP; commit "Merge branch x"'
breaks '' 'commit "Merge histogram files"'
breaks '^commit [0-9a-f]{12}:2: message: the line after' 'commit "Say
more"'
breaks '^commit [0-9a-f]{12}:3: message: tab or trailing' 'commit "Say

more "'
breaks '^jcheck: this git repository has no .jcheck/conf; the check was not done' 'rm .jcheck/conf'
breaks '^jcheck: .* asks for the check "tabs"; known are' 'sed -i "s/^error=/&tabs,/" .jcheck/conf'
breaks '^jcheck: .jcheck/conf has no dirs= in' 'sed -i "s/^dirs=/dir=/" .jcheck/conf'
breaks '^(grep|jcheck): .*(regular expression|parenthes)' 'sed -i "s/^ignore-tabs=/&(/" .jcheck/conf'
breaks '^jcheck: a git clone is needed: not a git repository .*; the check was not done$' 'rm -rf .git'

echo "test-jcheck: $cases cases, $misses missed"
[ $misses -eq 0 ]
