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


# build-peers.sh JDK SOURCES PATH JAR [PROCESSORS]: compiles the Java files of the directory SOURCES into one jar. PATH is
# their class path, PROCESSORS a directory of jars with annotation processors. The libraries stay outside, unlike JMH in
# micro.jar: some of them have classes for several releases.

set -eu
jdk=$1 sources=$2 path=$3 jar=$4 processors=${5:-}
rm -rf "$jar" "$jar.tmp"
mkdir -p "$jar.tmp/classes"
trap 'rm -rf "$jar.tmp"' EXIT
trap 'exit 130' INT TERM HUP

if [ -n "$processors" ]; then set -- -processorpath "$(printf '%s:' "$processors"/*.jar)"; else set -- -proc:none; fi
"$jdk/bin/javac" -nowarn -g -encoding UTF-8 -cp "$path" "$@" -d "$jar.tmp/classes" \
    --add-exports java.base/jdk.internal.foreign=ALL-UNNAMED --add-exports java.base/jdk.internal.misc=ALL-UNNAMED \
    "$sources"/*.java >"$jar.tmp/javac.log" 2>&1 || {
    cat "$jar.tmp/javac.log" >&2
    echo "What is under $sources does not compile; nothing was built" >&2
    exit 1
}
"$jdk/bin/jar" --create --file "$jar.tmp/jar" -C "$jar.tmp/classes" .
mv "$jar.tmp/jar" "$jar"
