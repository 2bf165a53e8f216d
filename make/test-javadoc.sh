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

# test-javadoc.sh JDK SOURCES PATCHED: checks with -Xdoclint:all the documentation comments of what the patch adds to java.base.
# SOURCES and PATCHED are those of patch-java-base.sh. Our own classes have to be documented down to what is package-private;
# in the JDK's classes, many of whose members have no comment, a comment of ours has to be complete.
# Prints what is wrong; exit status 1.

set -euo pipefail
jdk=$1 sources=$2 patched=$3/src

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

mapfile -t ours < <(cd "$sources" && find . -name '*.java' -printf '%P\n' | LC_ALL=C sort)
mapfile -t theirs < <(cd "$sources" && find . -name '*.java.patch' -printf '%P\n' | sed 's/\.patch$//' | LC_ALL=C sort)
status=0

"$jdk/bin/javadoc" -quiet -package -Xdoclint:all -Werror --patch-module java.base="$patched" -d "$work/api" \
    "${ours[@]/#/$patched/}" >"$work/javadoc.log" 2>&1 || { cat "$work/javadoc.log" >&2; status=1; }

# FILE:LINE of each line of the JDK's classes that is ours.
(cd "$work" && "$jdk/bin/jar" --extract --file "$jdk/lib/src.zip" "${theirs[@]/#/java.base/}")
for file in "${theirs[@]}"; do
    diff --unchanged-line-format= --old-line-format= --new-line-format="$patched/$file:%dn%c'\012'" \
        "$work/java.base/$file" "$patched/$file" || [ $? = 1 ]
done >"$work/lines"
# Fails at what the JDK's own comments have, such as the tags that only its build knows.
"$jdk/bin/javac" -proc:none -Xdoclint:all/protected -Xmaxwarns 100000 -Xmaxerrs 100000 --patch-module java.base="$patched" \
    -d "$work/classes" "${theirs[@]/#/$patched/}" >"$work/javac.log" 2>&1 || true
grep -q '^[0-9]* warnings$' "$work/javac.log" || { cat "$work/javac.log" >&2; exit 1; }
awk -F ': ' 'NR == FNR { line[$0]; next } $1 in line && !/: no comment$/ { print; found = 1 } END { exit found }' \
    "$work/lines" "$work/javac.log" >&2 || status=1
exit $status
