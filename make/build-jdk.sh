#!/usr/bin/env bash
# Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
# SPDX-License-Identifier: GPL-2.0-only

# build-jdk.sh JDK TREE OUT JOBS CONFIGURE_ARG... : builds a JDK image from the OpenJDK source tree TREE, with JDK as the
# boot JDK, and leaves it in OUT/out/images/jdk. JOBS may be empty. TREE is only read. OUT/built becomes newer when something
# was built; OUT has what configure and make print, too. What OpenJDK's build needs of the system is looked for first.

set -euo pipefail
jdk=$1 tree=$(cd "$2" && pwd -P) dir=$3 jobs=$4
shift 4
make=$(cd "$(dirname "$0")" && pwd)
. "$make/tools.sh"
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)

stop() { echo "$1; nothing was built" >&2; exit 1; }

[[ $jobs =~ ^([1-9][0-9]*)?$ ]] || stop "JOBS=$jobs: accepted is a number from 1"
boots=$(sed -n 's/^DEFAULT_ACCEPTABLE_BOOT_VERSIONS="\(.*\)"/\1/p' "$tree/make/conf/version-numbers.conf")
boot=$(jdk_release "$jdk")
[[ " $boots " = *" $boot "* ]] || stop "JDK $boot at $jdk cannot build OpenJDK here: accepted are $boots, set with JDK="

# Sources that distributions leave out in favour of the system's libraries.
bundled() { [ -e "$tree/src/$1" ]; }
client=java.desktop/share/native
libraries="
giflib    $client/libsplashscreen/giflib                  gif_lib.h  libgif-dev
libpng    $client/libsplashscreen/libpng                  png.h      libpng-dev
libjpeg   $client/libjavajpeg/jpeglib.h                   jpeglib.h  libjpeg-dev
lcms      $client/liblcms/lcms2.h                         lcms2.h    liblcms2-dev
harfbuzz  $client/libharfbuzz/hb.h                        hb.h       libharfbuzz-dev
zlib      java.base/share/native/libzip/zlib              zlib.h     zlib1g-dev
"
# What is needed, the package that has it, and which of configure's options makes it needless.
needed="
autoconf                       autoconf
file                           file
unzip                          unzip
zip                            zip
g++                            g++                 --with-toolchain
pkg-config                     pkgconf
alsa/asoundlib.h               libasound2-dev      --with-alsa
cups/cups.h                    libcups2-dev        --with-cups
fontconfig/fontconfig.h        libfontconfig1-dev  --with-fontconfig
ft2build.h                     libfreetype-dev     --with-freetype
X11/Xlib.h                     libx11-dev          --with-x
X11/extensions/shape.h         libxext-dev         --with-x
X11/extensions/Xrender.h       libxrender-dev      --with-x
X11/extensions/Xrandr.h        libxrandr-dev       --with-x
X11/extensions/XTest.h         libxtst-dev         --with-x
X11/Intrinsic.h                libxt-dev           --with-x
"
# The vendor version is what java -version names the patch by.
options=(--with-boot-jdk="$jdk" --with-vendor-version-string=Pooled-Confined-Arena)
while read -r library source header package; do
    [ -n "$library" ] && ! bundled "$source" || continue
    options+=(--with-"$library"=system)
    needed+="$header $package --with-$library"$'\n'
done <<<"$libraries"
if ! bundled java.smartcardio/unix/native/libj2pcsc/MUSCLE; then
    options+=(--with-extra-cflags=-I/usr/include/PCSC)
    needed+="winscard.h libpcsclite-dev --with-extra-cflags"$'\n'
fi
options+=("$@")

there() {
    local include
    case $1 in
        *.h) [ -n "$(ls /usr/{,local/}include{,/*-linux-*,/freetype2,/harfbuzz,/PCSC}/"$1" 2>/dev/null)" ] ;;
        *)   command -v "$1" >/dev/null ;;
    esac
}

# On other systems, and with a compiler's own copy of the system, configure itself must say what is missing.
require_packages() {
    local need package option missing=()
    [ "$(uname)" = Linux ] && [[ " $* " != *" --with-devkit="* && " $* " != *" --with-sysroot="* ]] || return 0
    while read -r need package option; do
        [ -n "$need" ] && ! there "$need" || continue
        [ -z "$option" ] || [[ " $* " != *" $option"* ]] || continue
        echo "To build OpenJDK $need is needed, which the package $package has"
        missing+=("$package")
    done <<<"$needed"
    [ ${#missing[@]} -eq 0 ] || install "What OpenJDK's build needs" "${missing[@]}" ||
        stop "Packages are missing"
}

# run LOG COMMAND... : COMMAND gets next to nothing of the environment: OpenJDK's makefiles would take our make's variables for
# theirs, and its tools obey others.
at_exit end_logged
run() {
    local log=$1
    shift
    run_logged OpenJDK "$log" env -i PATH="$PATH" HOME="${HOME:-/}" LC_ALL=C ${TMPDIR:+TMPDIR="$TMPDIR"} "$@"
}

require_packages "$@"

# A configuration is of one tree, boot JDK and set of options.
configuration=$(echo "$tree"; cat "$jdk/release"; printf '%s\n' "${options[@]}")
if [ "$(cat "$dir/configuration" 2>/dev/null)" != "$configuration" ]; then
    rm -rf "$dir/configuration" "$dir/built" "$dir/out"
    mkdir "$dir/out"
    cd "$dir/out"
    echo "Configuring OpenJDK: bash configure ${options[*]}"
    run "$dir/configure.log" bash "$tree/configure" "${options[@]}" || {
        grep -h '^configure: .*Boot JDK.*ignoring' "$dir/configure.log" >&2 || true
        reason=$(grep -m1 '^configure: error:\|^Error:\|: error:' "$dir/configure.log" || tail -n1 "$dir/configure.log")
        stop "$reason (all of it: $dir/configure.log)"
    }
    printf '%s\n' "$configuration" >"$dir/configuration"
fi

# A directory becomes newer when a file in it comes or goes.
if [ -e "$dir/built" ] && [ -z "$(find "$tree/src" "$tree/make" -newer "$dir/built" -print -quit)" ]; then
    echo "The JDK is built: $dir/out/images/jdk"
    exit 0
fi
touch "$dir/started"
echo "Building OpenJDK, for the first time from 10 minutes to an hour; what it prints is in $dir/build.log"
run "$dir/build.log" make -C "$dir/out" jdk-image LOG=info CONF_CHECK=auto ${jobs:+JOBS="$jobs"} || {
    sed -n '/^=== Output from failing command/,$p' "$dir/build.log" | head -n 40 >&2
    stop "OpenJDK's build failed; see $dir/build.log"
}
"$dir/out/images/jdk/bin/java" -version
echo "Built in $((SECONDS / 60)) min: $dir/out/images/jdk"
# As old as the start, so that what is changed while it builds is built next time.
mv "$dir/started" "$dir/built"
