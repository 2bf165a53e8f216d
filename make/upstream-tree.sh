#!/usr/bin/env bash
# Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
# SPDX-License-Identifier: GPL-2.0-only

# upstream-tree.sh: makes of the source tree JDK_SRC, of JDK_HOME's release, what its jtreg tests need to run, in BUILD/upstream:
#   tree     a copy of its suite test/jdk and of what that uses, asking for no newer jtreg than there is
#   native   the native libraries and programs of the tests, compiled from the tree with the JDK's headers
#   tree.id  what they were made from; as long as that stays the same, nothing is done
# JDK_SRC is only read. In: JTREG when it is not to be looked for.

set -euo pipefail
jdk=$JDK_HOME out=$BUILD/upstream outcome=run
. "$(dirname "$0")/tools.sh"

src=$(find_tree "${JDK_SRC:-}" "$jdk") || stop "$src"
[ "$(uname)" = Linux ] || stop "The native libraries of the tests are compiled for Linux only, this is $(uname)"

jtreg=$(find_jtreg)
have=$(JT_JAVA=$jdk "$jtreg" -version 2>&1 | sed -nE 's/^jtreg[ ,]*([0-9.]+)[^0-9]*([0-9]*).*/\1+\2/p' | head -n1)
want=$(sed -n 's/^requiredVersion *= *//p' "$src/test/jdk/TEST.ROOT")
[ -n "$have" ] || stop "$jtreg does not tell its version"
lower=
[ "$(printf '%s\n' "$want" "$have" | sort -V | head -n1)" = "$want" ] || lower=yes
[ -z "$lower" ] ||
    echo "The tests ask for jtreg $want, this is $have: run all the same; one that needs the newer jtreg fails on stock too"

# test/jdk, the libraries that all its tests may use, and the code that evaluates their @requires.
parts="test/jdk test/lib test/jtreg-ext"
id=$(echo "$src, for jtreg $have, $jdk"; cksum <"$0"; cd "$src"; find $parts -type f -printf '%p %s %T@\n' | sort | cksum)
[ "$(cat "$out/tree.id" 2>/dev/null)" != "$id" ] || exit 0

type gcc g++ >/dev/null 2>&1 || install "gcc and g++, for the native libraries of the tests" gcc g++ libc6-dev

mkdir -p "$out"
out=$(cd "$out" && pwd)
tree=$out/tree.tmp native=$out/native.tmp
rm -rf "$out/tree.id" "$out/tree" "$out/native" "$tree" "$native"
at_exit 'rm -rf "$tree" "$native"'

echo "Copying the tests of $src"
mkdir -p "$tree/test"
(cd "$src" && cp -Rp $parts "$tree/test")
chmod -R u+w "$tree"
# Some tests use libraries that are here; 128 MB that are only read.
ln -s "$src/test/hotspot" "$tree/test/hotspot"
[ -z "$lower" ] || sed -i "s/^requiredVersion *=.*/requiredVersion=$have/" "$tree/test/jdk/TEST.ROOT"

# As OpenJDK's build does: libX.c becomes libX.so and exeX.c the program X, at -O2, with the JDK's internal headers.
compile() {
    local source=$1 name=${1##*/} output compiler=gcc libraries=
    name=${name%.*}
    [ "${source##*.}" = cpp ] && compiler=g++
    case $name in
        lib*) output=("$native/$name.so" -shared) ;;
        exe*) output=("$native/${name#exe}") ;;
    esac
    case $name in
        libstringPlatformChars | libGetXSpace) libraries=-ljava ;;
        exeCallerAccessTest | exeNullCallerTest) libraries=-ljvm ;;
        exeJliLaunchTest) libraries=-ljli ;;
    esac
    $compiler -O2 -fPIC -w -pthread -DLINUX -D_GNU_SOURCE \
        -I"$jdk/include" -I"$jdk/include/linux" -I"$src/test/lib/native" \
        -I"$src"/src/java.base/share/native/libjava -I"$src"/src/java.base/unix/native/libjava \
        -I"$src"/src/java.base/share/native/libjli -I"$src"/src/java.base/unix/native/libjli \
        -I"$src"/src/hotspot/share/include -I"$src"/src/hotspot/os/posix/include \
        -o "${output[@]}" "$source" -L"$jdk/lib" -L"$jdk/lib/server" $libraries -ldl >"$native/$name.log" 2>&1 &&
        rm "$native/$name.log"
}
export -f compile
export native jdk src

# Left out is what is for Windows and macOS.
mkdir -p "$native"
sources() {
    find "$tree/test/jdk" "$tree/test/lib" \( -name 'lib*.c' -o -name 'lib*.cpp' -o -name 'exe*.c' -o -name 'exe*.cpp' \) \
        ! -name exerevokeall.c ! -name exeJniInvocationTest.c ! -name exeLibraryCache.c -print0
}
echo "Compiling the $(sources | tr -cd '\0' | wc -c) native libraries and programs of the tests"
sources | xargs -0 -n1 -P"$(nproc)" bash -c 'compile "$1"' compile || {
    for log in "$native"/*.log; do
        echo "$(basename "$log" .log) does not compile: $(grep -m1 -E 'error|cannot' "$log" || tail -n1 "$log")" >&2
    done
    stop "Native code of the tests does not compile"
}

mv "$tree" "$out/tree"
mv "$native" "$out/native"
echo "$id" >"$out/tree.id"
