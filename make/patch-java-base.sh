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

# patch-java-base.sh JDK SOURCES OUT: patches and compiles java.base.
# SOURCES holds whole files X.java and patches X.java.patch; what the patches apply to comes out of JDK/lib/src.zip.
# Makes OUT/src (the patched sources, as JDK/lib/src.zip lays them out) and OUT/classes. OUT is there whole or not at all.

set -eu
jdk=$1 sources=$(cd "$2" && pwd) out=$3
version=$(sed -n 's/^JAVA_RUNTIME_VERSION="\(.*\)"/\1/p' "$jdk/release")
base=src/java.base/share/classes

rm -rf "$out" "$out.tmp"
mkdir -p "$out.tmp/tree/$base" "$out.tmp/upstream" "$out.tmp/classes"
trap 'rm -rf "$out.tmp"' EXIT
trap 'exit 130' INT TERM HUP
work=$(cd "$out.tmp" && pwd)
touch "$work/stamp"

stop() { echo "$1; nothing was built" >&2; exit 1; }

patches=$(cd "$sources" && find . -name '*.java.patch' | sed 's|^\./||' | LC_ALL=C sort)
files=$(cd "$sources" && find . -name '*.java' | sed 's|^\./||' | LC_ALL=C sort)
[ -n "$patches$files" ] || stop "no X.java and no X.java.patch under $2"

# The upstream files, under the names they have in an OpenJDK source tree, which are those in the patches.
upstream=$(printf '%s\n' $patches | sed -n 's|\.patch$||p')
[ -z "$upstream" ] || (cd "$work/upstream" &&
    "$jdk/bin/jar" --extract --file "$jdk/lib/src.zip" $(printf 'java.base/%s ' $upstream) 2>"$work/jar.log") ||
    stop "lib/src.zip of JDK $version cannot be read: $(head -n1 "$work/jar.log")"
for file in $upstream; do
    [ -f "$work/upstream/java.base/$file" ] || stop "$base/$file.patch: JDK $version has no such file in lib/src.zip"
    mkdir -p "$(dirname "$work/tree/$base/$file")"
    cp "$work/upstream/java.base/$file" "$work/tree/$base/$file"
done
for file in $files; do
    [ ! -e "$work/tree/$base/$file" ] || stop "$base/$file: there is also $file.patch"
    mkdir -p "$(dirname "$work/tree/$base/$file")"
    cp "$sources/$file" "$work/tree/$base/$file"
done

# git would look for a repository above this directory and then skip every file that it ignores, so it must find none.
git_apply() {
    env -u GIT_DIR -u GIT_WORK_TREE -u GIT_INDEX_FILE -u GIT_PREFIX GIT_CEILING_DIRECTORIES="$work" LC_ALL=C \
        git -C "$work/tree" apply --whitespace=nowarn "$@"
}

for file in $upstream; do
    patch=$sources/$file.patch
    named=$(git_apply --numstat "$patch" 2>&1 | cut -f3-)
    [ "$named" = "$base/$file" ] || stop "$base/$file.patch: must change $base/$file and nothing else (${named:-not a patch})"
    git_apply --reject --verbose "$patch" >"$work/apply.log" 2>&1 && continue
    number=$(sed -n 's/^Rejected hunk #\([0-9]*\).*/\1/p' "$work/apply.log" | head -n1)
    hunk=$(grep '^@@' "$patch" | sed -n "${number:-1}s/^\(@@ .* @@\).*/\1/p")
    stop "$base/$file.patch: hunk ${number:-?} $hunk does not apply to JDK $version"
done

# As OpenJDK compiles java.base: all lint, warnings are errors, and string concatenation that needs no java.lang.invoke.
"$jdk/bin/javac" -g -Xlint:all -Werror -XDstringConcat=inline -XDignore.symbol.file=true -encoding UTF-8 \
    -Xdoclint:all/protected '-Xdoclint/package:java.*,javax.*' -implicit:none \
    --patch-module java.base="$work/tree/$base" -d "$work/classes" \
    $(cd "$work/tree" && find "$PWD" -name '*.java') >"$work/javac.log" 2>&1 || {
    sed "s|$work/tree/||" "$work/javac.log" >&2
    stop "java.base of JDK $version does not compile with the patch"
}

mv "$work/tree/$base" "$work/src"
rm -rf "$work/tree" "$work/upstream" "$work"/*.log
mv "$work" "$out"
