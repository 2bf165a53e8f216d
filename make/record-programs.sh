#!/usr/bin/env bash
# Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
# SPDX-License-Identifier: GPL-2.0-only

# record-programs.sh OUT NAME... : records the confined arenas of the programs NAME into OUT/NAME, a directory of histograms
# each, with what the program printed in OUT/NAME.log. Those that are recorded already are not run again.
# In: JDK_HOME, BUILD, and UPSTREAM where jtreg-foreign and jtreg-nio are wanted: what upstream-tree.sh has made.
# Exit status 1 when a program cannot be run or fails; the others are recorded all the same.

set -euo pipefail
out=$1
shift
make=$(cd "$(dirname "$0")" && pwd)
. "$make/tools.sh"
mkdir -p "$out"
out=$(cd "$out" && pwd) build=$(cd "$BUILD" && pwd)
jdk=$JDK_HOME
lib=$build/programs/lib native=$build/programs/native
sources=$jdk/lib/src.zip
session=$make/../analysis/programs/session.txt

# needs LIBRARY PACKAGE: the system's shared object that the program in hand loads, and what brings it on any Debian.
needs() {
    [ -n "$(find_library "$1")" ] || install "$1, for this recording" "$2" && [ -n "$(find_library "$1")" ]
}

find_library() {
    PATH=$PATH:/sbin ldconfig -p | awk -v name="$1" '$1 == name && !found++ { print $NF }'
}

# java NAME [ARGUMENT...]: the program pooledarena.programs.NAME. Some libraries look nowhere but in java.library.path.
java=("$jdk/bin/java" --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow --add-modules jdk.incubator.vector
    "-Djava.library.path=$native:$(dirname "$(find_library libc.so.6)")" -cp "$build/programs/programs.jar:$lib/*")
program() {
    local name=$1
    shift
    record "${java[@]}" "pooledarena.programs.$name" "$@"
}

record() {
    "$jdk/bin/java" -jar "$build/arena-analysis.jar" record --out "$dir" -- "$@"
}

# Sends what a user types, a line of session.txt at a time.
type_session() {
    local line
    sleep 5
    while IFS= read -r line; do
        printf '%b' "$line"
        sleep 1
    done <"$session"
}

# A terminal of its own, with a size.
jline() {
    command -v script >/dev/null || install "script, to give a program a terminal" bsdutils || return
    type_session | TERM=xterm timeout 300 script -qec "stty rows 40 cols 120; $(printf '%q ' "$jdk/bin/java" -jar \
        "$build/arena-analysis.jar" record --out "$dir" -- "${java[@]}" pooledarena.programs.BrowseSources "$sources")" /dev/null
}
jtreesitter() { program ParseSources "$sources" "$native"; }
lucene() { program SearchSources "$sources" "$work/index"; }
cairo() { needs libcairo.so.2 libcairo2 && program DrawSources "$sources" "$work"; }
gio() { needs libgio-2.0.so.0 libglib2.0-bin && program ListFiles "$jdk" /usr/share; }
rocksdb() {
    [ "$(uname -m)" = x86_64 ] || { echo "this shared object of RocksDB is for x86-64"; return 1; }
    program StoreSources "$sources" "$native/librocksdbjni-linux64.so" "$work/db"
}
tomcat() {
    needs libssl.so libssl-dev || return
    "$jdk/bin/keytool" -genkeypair -keyalg EC -groupname secp256r1 -dname CN=localhost -ext san=dns:localhost -alias server \
        -keystore "$work/keys" -storepass secret -validity 2 &&
        program ServeSources "$sources" "$work/keys" "$work/tomcat"
}

# OpenJDK's own tests; that some fail, as tests of what a JVM prints do with an agent, changes nothing of what they allocate.
jtreg() {
    local jtreg
    jtreg=$(find_jtreg) || return
    (cd "$UPSTREAM/tree/test/jdk" && JT_JAVA=$jdk JAVA_HOME=$jdk record "$jtreg" -e:JAVA_TOOL_OPTIONS "-jdk:$jdk" -agentvm -automatic \
        -ignore:quiet -retain:none -timeoutFactor:4 -verbose:summary -vmoption:-Xmx768m "-concurrency:$(nproc)" \
        "-nativepath:$UPSTREAM/native" "-exclude:$PWD/ProblemList.txt" "-workDir:$work/work" "-reportDir:$work/report" "$@" </dev/null) ||
        [ $? -le 3 ]
}
jtreg-foreign() { jtreg java/foreign; }
jtreg-nio() { jtreg java/nio; }

dir= work=
at_exit '[ -z "$dir" ] || rm -rf "$dir" "$work"'
status=0
for name; do
    [ ! -e "$out/$name" ] || { echo "$name: recorded already; rm -r ${out#"$PWD"/}/$name to repeat it"; continue; }
    start=$SECONDS
    dir=$out/$name.tmp work=$out/$name.work
    rm -rf "$dir" "$work"
    mkdir -p "$work"
    if "$name" >"$out/$name.log" 2>&1; then
        mv "$dir" "$out/$name"
        echo "$name: $(grep -a -o '[0-9,]* JVM.* recorded' "$out/$name.log" | tail -n1) in $((SECONDS - start)) s"
    else
        echo "$name: not recorded, $(tail -n1 "$out/$name.log") (all of it: $out/$name.log)" >&2
        status=1
    fi
    rm -rf "$dir" "$work"
done
dir=
exit $status
