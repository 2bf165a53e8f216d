#!/usr/bin/env bash
# Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
# SPDX-License-Identifier: GPL-2.0-only

# make-patch-module.sh JDK CLASSES JAR ARGS: puts the patched CLASSES of java.base into JAR, with a program that starts
# java with them on exactly this JDK and refuses on any other, and writes the argument file ARGS that runs it.

set -eu
jdk=$1 classes=$2 jar=$3 args=$4
make=$(dirname "$0")
rm -rf "$jar" "$args" "$jar.tmp"
mkdir -p "$jar.tmp/classes"
trap 'rm -rf "$jar.tmp"' EXIT
trap 'exit 130' INT TERM HUP

cp -R "$classes/." "$jar.tmp/classes"
javac() { "$jdk/bin/javac" -Xlint:all,-restricted -Werror -encoding UTF-8 -d "$jar.tmp/classes" "$@"; }
javac "$make/Exec.java"
javac --release 9 -Xlint:-options -cp "$jar.tmp/classes" "$make/PatchedJava.java"

printf 'Enable-Native-Access: ALL-UNNAMED\n' >"$jar.tmp/manifest"
"$jdk/bin/jar" --create --file "$jar.tmp/jar" --main-class PatchedJava --manifest "$jar.tmp/manifest" -C "$jar.tmp/classes" .
mkdir "$jar.tmp/META-INF"
"$jdk/bin/java" -jar "$jar.tmp/jar" >"$jar.tmp/META-INF/build"
"$jdk/bin/jar" --update --file "$jar.tmp/jar" -C "$jar.tmp" META-INF/build

printf -- '-jar "%s"\n' "$(cd "$(dirname "$jar")" && pwd)/$(basename "$jar")" >"$args"
mv "$jar.tmp/jar" "$jar"
