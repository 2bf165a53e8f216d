#!/usr/bin/env bash
# Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
# SPDX-License-Identifier: GPL-2.0-only

# patch-java-base.sh JDK OUT: patches and compiles java.base. Makes OUT/src (the patched sources, as JDK/lib/src.zip lays them
# out), OUT/classes and OUT/deleted (the sources that the JDK has no more). OUT is there whole or not at all.

set -eu
jdk=$1 out=$2
make=$(dirname "$0")
. "$make/tools.sh"
base=src/java.base/share/classes

rm -rf "$out" "$out.tmp"
mkdir -p "$out.tmp/classes"
at_exit 'rm -rf "$out.tmp"'
work=$(cd "$out.tmp" && pwd)
touch "$work/stamp"

reason=$("$make/patch-tree.sh" "$jdk" "$work/tree") || stop "$reason"
tree=$work/tree/patched

# As OpenJDK compiles java.base: all lint, warnings are errors, and string concatenation that needs no java.lang.invoke.
# The names of the sources are relative, as the directory's name may have spaces.
(cd "$tree" && "$jdk/bin/javac" -g -Xlint:all -Werror -XDstringConcat=inline -XDignore.symbol.file=true -encoding UTF-8 \
    -Xdoclint:all/protected '-Xdoclint/package:java.*,javax.*' -implicit:none \
    --patch-module java.base="$tree/$base" -d "$work/classes" $(find * -name '*.java')) >"$work/javac.log" 2>&1 || {
    cat "$work/javac.log" >&2
    stop "java.base of JDK $(jdk_version "$jdk") does not compile with the patch"
}

mv "$tree/$base" "$work/src"
mv "$work/tree/deleted" "$work"
rm -rf "$work/tree" "$work/javac.log"
mv "$work" "$out"
