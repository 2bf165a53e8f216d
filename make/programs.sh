# Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
# SPDX-License-Identifier: GPL-2.0-only

# Read by record-programs.sh and measure-programs.sh: a function for each program, which runs it under the command ${under[@]}, on
# the java ${java[@]}, with its files in the directory $work. In: JDK_HOME; BUILD, where upstream-tree.sh has run for
# jtreg-foreign and jtreg-nio.

make=$(CDPATH= cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$make/tools.sh"
build=$(cd "$BUILD" && pwd)
jdk=$JDK_HOME
native=$build/programs/native
sources=$jdk/lib/src.zip

# needs LIBRARY PACKAGE: the system's shared object that the program in hand loads, and what brings it on any Debian.
needs() {
    [ -z "$(find_library "$1")" ] || return 0
    install "$1, for this program" "$2" && PATH=$PATH:/sbin ldconfig || return # which apt leaves out after a -dev package
    [ -n "$(find_library "$1")" ] || { echo "$1 is not in the cache of ldconfig, although $2 is installed"; return 1; }
}

# Some libraries look nowhere but in java.library.path.
java_options=(--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow --add-modules jdk.incubator.vector
    "-Djava.library.path=$native:$(dirname "$(find_library libc.so.6)")"
    -cp "$build/programs/programs.jar:$build/programs/lib/*")

# program NAME [ARGUMENT...]: the class pooledarena.programs.NAME; ${main[@]} are the words before its name.
program() {
    local name=$1
    shift
    "${under[@]}" "${java[@]}" "${java_options[@]}" "${main[@]}" "pooledarena.programs.$name" "$@"
}

# run NAME LOG DONE: runs the program NAME with all that it prints in LOG; says in one line when it fails and so is not DONE, and why:
# the cause of its last exception, or the last line.
run() {
    rm -rf "$work"
    mkdir -p "$work"
    local why
    ! "$1" >"$2" 2>&1 </dev/null || return 0
    why=$(grep -E '^(Exception in thread|Caused by:) ' "$2" | tail -n1 || :)
    echo "$1: not $3, $(cut -c1-200 <<<"${why:-$(tail -n1 "$2")}") (all of it: $2)" >&2
    return 1
}

# Sends what a user types, a line of session.txt at a time, and then what ends the program, in case it was not ready before.
type_session() {
    local line
    trap '' PIPE
    sleep 5
    while IFS= read -r line; do
        printf '%b' "$line"
        sleep 1
    done <"$make/../analysis/programs/session.txt"
    while printf 'quit\r' 2>/dev/null; do
        sleep 2
    done
}

# A terminal of its own, with a size.
jline() {
    command -v script >/dev/null || install "script, to give a program a terminal" bsdutils || return
    type_session | TERM=xterm timeout 300 script -qec "stty rows 40 cols 120; $(printf '%q ' "${under[@]}" "${java[@]}" \
        "${java_options[@]}" "${main[@]}" pooledarena.programs.BrowseSources "$sources")" /dev/null
}
jtreesitter() { program ParseSources "$sources" "$native"; }
lucene() { program SearchSources "$sources" "$work/index"; }
cairo() { needs libcairo.so.2 libcairo2 && program DrawSources "$sources" "$work"; }
gio() { needs libgio-2.0.so.0 libglib2.0-bin && program ListFiles "$jdk" /usr/share; }
gst() { needs libgstaudio-1.0.so.0 gstreamer1.0-plugins-base && program EncodeTones; }
zstd() {
    needs libzstd.so.1 libzstd1 && ln -sf "$(find_library libzstd.so.1)" "$native/libzstd.so" &&
        program CompressSources "$sources" "$native"
}
jfuse() {
    [ -w /dev/fuse ] || { echo "no /dev/fuse that can be written, which a file system in user space needs"; return 1; }
    command -v fusermount3 >/dev/null || install "fusermount3, to mount a file system" fuse3 || return
    local library=$(find_library libfuse3.so.4) # which fuse3 has brought, or an older one
    [ -n "$library" ] || { needs libfuse3.so.3 libfuse3-3 && library=$(find_library libfuse3.so.3); } || return
    mkdir "$work/mount" && program MountSources "$sources" "$work/mount" "$library"
}
rocksdb() {
    [ "$(uname -m)" = x86_64 ] || { echo "this shared object of RocksDB is for x86-64"; return 1; }
    program StoreSources "$sources" "$native/librocksdbjni-linux64.so" "$work/db"
}
sqlite() { needs libsqlite3.so.0 libsqlite3-0 && program QuerySources "$sources" "$work" platform; }
sqlite-virtual() { needs libsqlite3.so.0 libsqlite3-0 && program QuerySources "$sources" "$work" virtual; }
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
    (cd "$build/upstream/tree/test/jdk" && JT_JAVA=$jdk JAVA_HOME=$jdk "${under[@]}" "$jtreg" -e:JAVA_TOOL_OPTIONS "-jdk:$jdk" \
        -agentvm -automatic -ignore:quiet -retain:none -timeoutFactor:4 -verbose:summary -vmoption:-Xmx768m \
        "-concurrency:$(nproc)" "-nativepath:$build/upstream/native" "-exclude:$PWD/ProblemList.txt" \
        "-workDir:$work/work" "-reportDir:$work/report" "$@") || [ $? -le 3 ]
}
jtreg-foreign() { jtreg java/foreign; }
jtreg-nio() { jtreg java/nio; }

# Programs that only open arenas, each in its way.
shape-short-threads() { program Shapes short-threads; }
shape-blocked() { program Shapes blocked; }
shape-nests() { program Shapes nests; }
shape-large() { program Shapes large; }
shape-many() { program Shapes many; }
shape-held() { program Shapes held; }
shape-random() { program Shapes random; }
shape-requests() { program Shapes requests; }
