#!/usr/bin/env bash
# Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
# SPDX-License-Identifier: GPL-2.0-only

# build-jar.sh JAR SOURCES PATH PROCESSORS JAVAC_OPTION... : compiles what is under SOURCES but peers/, with the class path PATH and
# the annotation processors of the jars in the directory PROCESSORS, if any, into JAR. With MAIN set, that is its main class, and
# what is in the jars of PROCESSORS goes into JAR too. In: JDK_HOME.

set -eu
jdk=$JDK_HOME jar=$1 sources=$2 path=$3 processors=$4
shift 4
. "$(dirname "$0")/tools.sh"
rm -rf "$jar" "$jar.tmp"
at_exit 'rm -rf "$jar.tmp"'
mkdir -p "$jar.tmp/classes"
if [ -n "$processors" ]; then set -- -processorpath "$(printf '%s:' "$processors"/*.jar)" "$@"; else set -- -proc:none "$@"; fi
find "$sources" -mindepth 1 -name peers -prune -o -name '*.java' -print >"$jar.tmp/sources"
"$jdk/bin/javac" -g -encoding UTF-8 -cp "$path" "$@" -d "$jar.tmp/classes" @"$jar.tmp/sources" >"$jar.tmp/log" 2>&1 ||
    { cat "$jar.tmp/log" >&2; stop "What is under $sources does not compile"; }
if [ -n "${MAIN:-}" ]; then
    for library in "$processors"/*.jar; do
        library=$(realpath "$library")
        [[ $library = *annprocess* ]] || (cd "$jar.tmp/classes" && "$jdk/bin/jar" --extract --file "$library")
    done
    rm -f "$jar.tmp/classes/META-INF/MANIFEST.MF"
fi
echo 'Enable-Native-Access: ALL-UNNAMED' >"$jar.tmp/manifest"
"$jdk/bin/jar" --create --file "$jar.tmp/jar" ${MAIN:+--main-class "$MAIN"} --manifest "$jar.tmp/manifest" -C "$jar.tmp/classes" .
mv "$jar.tmp/jar" "$jar"
