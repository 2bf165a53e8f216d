#!/usr/bin/env bash
# Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
# SPDX-License-Identifier: GPL-2.0-only

# build-jdk.sh OUT PATCH ISSUE JOBS CONFIGURE_ARG... : puts the patch into the OpenJDK source tree JDK_SRC, as apply.sh does with
# PATCH and ISSUE, builds a JDK image from there, with JDK_HOME as the boot JDK, and leaves it in OUT/out/images/jdk. ISSUE and JOBS
# may be empty. What it lacks to build is told before the tree is changed. OUT/built becomes newer when something was built; OUT has
# what configure and make print, too.

set -euo pipefail
make=$(dirname "$0") jdk=$JDK_HOME dir=$1 patch=$2 issue=$3 jobs=$4
shift 4
. "$make/tools.sh"
tree=$(find_tree "$JDK_SRC" "$jdk") || stop "$tree"

[[ $jobs =~ ^([1-9][0-9]*)?$ ]] || stop "JOBS=$jobs: accepted is a number from 1"
boots=$(sed -n 's/^DEFAULT_ACCEPTABLE_BOOT_VERSIONS="\(.*\)"/\1/p' "$tree/make/conf/version-numbers.conf")
boot=$(jdk_release "$jdk")
[[ " $boots " = *" $boot "* ]] || stop "JDK $boot at $jdk cannot build OpenJDK here: accepted are $boots, set with JDK="

# The vendor version is what java -version names the patch by.
options=(--with-boot-jdk="$jdk" --with-vendor-version-string=Pooled-Confined-Arena)
packages="autoconf file g++ pkgconf unzip zip libasound2-dev libcups2-dev libfontconfig1-dev libfreetype-dev
    libx11-dev libxext-dev libxrandr-dev libxrender-dev libxt-dev libxtst-dev"
# Sources that distributions leave out in favour of the system's libraries; what configure then needs, and from which package.
while read -r source option package; do
    [ -e "$tree/src/$source" ] || { options+=("$option") packages+=" $package"; }
done <<'END'
java.base/share/native/libzip/zlib                 --with-zlib=system                        zlib1g-dev
java.desktop/share/native/libharfbuzz/hb.h         --with-harfbuzz=system                    libharfbuzz-dev
java.desktop/share/native/libjavajpeg/jpeglib.h    --with-libjpeg=system                     libjpeg-dev
java.desktop/share/native/liblcms/lcms2.h          --with-lcms=system                        liblcms2-dev
java.desktop/share/native/libsplashscreen/giflib   --with-giflib=system                      libgif-dev
java.desktop/share/native/libsplashscreen/libpng   --with-libpng=system                      libpng-dev
java.smartcardio/unix/native/libj2pcsc/MUSCLE      --with-extra-cflags=-I/usr/include/PCSC   libpcsclite-dev
END
options+=("$@")
# Without apt, and with options that may make a package needless, configure itself must say which libraries are missing.
! command -v apt-get >/dev/null || install "What OpenJDK's build needs" $packages || [ $# -gt 0 ] || stop "Packages are missing"
tools="autoconf file make unzip zip"
[ $# -gt 0 ] || tools+=" gcc g++" # options may choose another compiler
missing=$(for tool in $tools; do command -v "$tool" >/dev/null || printf ' %s' "$tool"; done)
[ -z "$missing" ] || stop "What OpenJDK's build needs: not found; please install$missing"
# What tests and measures the JDK, which takes up to an hour to build.
find_jtreg >/dev/null && find_maven || exit

"$make/apply.sh" apply "$patch" "$JDK_SRC" "$issue"
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)

# run LOG COMMAND... : COMMAND gets next to nothing of the environment: OpenJDK's makefiles would take our make's variables for
# theirs, and its tools obey others.
at_exit end_logged
run() {
    local log=$1
    shift
    run_logged OpenJDK "$log" env -i PATH="$PATH" HOME="${HOME:-/}" LC_ALL=C ${TMPDIR:+TMPDIR="$TMPDIR"} "$@"
}

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
