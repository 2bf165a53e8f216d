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

# build-micro.sh JDK SOURCES LIBRARIES JAR: compiles the JMH benchmarks under SOURCES into one jar that holds JMH too;
# not those in peers/, which have libraries of their own, see make/Peers.gmk.

set -eu
jdk=$1 sources=$2 libraries=$3 jar=$4
rm -rf "$jar" "$jar.tmp"
mkdir -p "$jar.tmp/classes"
trap 'rm -rf "$jar.tmp"' EXIT
trap 'exit 130' INT TERM HUP

path=$(printf '%s:' "$libraries"/*.jar)
# All lint but what OpenJDK leaves out for its benchmarks, too, and for what JMH generates of them.
lint=all,-cast,-dangling-doc-comments,-preview,-processing,-rawtypes,-removal,-restricted,-serial,-this-escape
find "$sources" -name peers -prune -o -name '*.java' -print >"$jar.tmp/sources"
"$jdk/bin/javac" -g -Xlint:$lint -Werror -encoding UTF-8 -cp "$path" -processorpath "$path" -d "$jar.tmp/classes" \
    @"$jar.tmp/sources" >"$jar.tmp/javac.log" 2>&1 || {
    cat "$jar.tmp/javac.log" >&2
    echo "The benchmarks under $sources do not compile; nothing was built" >&2
    exit 1
}

for library in "$libraries"/*.jar; do
    case $library in *annprocess*) continue ;; esac
    library=$(cd "$(dirname "$library")" && pwd)/$(basename "$library")
    (cd "$jar.tmp/classes" && "$jdk/bin/jar" --extract --file "$library")
done
rm -rf "$jar.tmp/classes/META-INF/MANIFEST.MF"
printf 'Enable-Native-Access: ALL-UNNAMED\n' >"$jar.tmp/manifest"
"$jdk/bin/jar" --create --file "$jar.tmp/jar" --main-class org.openjdk.jmh.Main --manifest "$jar.tmp/manifest" \
    -C "$jar.tmp/classes" .
mv "$jar.tmp/jar" "$jar"
