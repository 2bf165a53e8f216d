#!/usr/bin/env bash
# Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
# SPDX-License-Identifier: GPL-2.0-only

# test-arch.sh ARCH: makes an image with the patch of Debian's JDK for another processor, and runs the jtreg tests on it
# under qemu-user. All of it is under BUILD/arch/ARCH but qemu itself, which apt installs. In: JDK_HOME, the JDK 25 for
# this processor, which compiles and links; BUILD; JTREG when it is not to be looked for.

set -eu
make=$(dirname "$0")
. "$make/tools.sh"
arch=$1 suite=trixie feature=25 outcome=run

case $arch in
    arm64) cpu=aarch64 ;;
    s390x | riscv64) cpu=$arch ;;
    *) stop "ARCH=$arch: accepted is arm64, s390x or riscv64" ;;
esac
[ "$(dpkg --print-architecture 2>/dev/null)" != "$arch" ] || stop "ARCH=$arch is this machine's own, for which make test is"
[ "$(jdk_release "$JDK_HOME")" = $feature ] ||
    stop "JDK=$JDK_HOME: accepted is a JDK $feature, which is what Debian's $suite has for other processors"

qemu=qemu-$cpu-static
command -v $qemu >/dev/null || install "qemu for programs of other processors" qemu-user-static

# apt as it is set up here, the same mirror and settings, but with lists, state and processor of its own.
fetch() {
    local dir=$1 site keyring
    shift
    site=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' 2>/dev/null | head -n1)
    keyring=$(ls /usr/share/keyrings/debian-archive-keyring.{gpg,pgp} 2>/dev/null | head -n1)
    [ -n "$site" ] && [ -n "$keyring" ] || stop "apt names no mirror of Debian; accepted is a Debian with package lists"
    mkdir -p "$dir"/{lists,debs}
    : >"$dir/status"
    echo "deb [signed-by=$keyring] $site $suite main" >"$dir/sources"
    run_apt() {
        (cd "$dir/debs" && apt-get -qq -o APT::Architecture=$arch -o APT::Architectures=$arch -o Dir::State::Lists="$dir/lists" \
            -o Dir::State::status="$dir/status" -o Dir::Cache="$dir" -o Dir::Etc::SourceList="$dir/sources" \
            -o Dir::Etc::SourceParts=- -o Acquire::Languages=none -o APT::Sandbox::User=root "$@") >"$dir/log" 2>&1 ||
            stop "apt-get $1 for $arch failed: $(grep -m1 '^[EW]:' "$dir/log" || tail -n1 "$dir/log")"
    }
    run_apt update
    run_apt download "$@"
}

# The JDK, its sources and the libraries it is linked with, unpacked as if at /, which is what qemu's -L takes.
unpack() {
    local link deb
    rm -rf "$root.tmp"
    mkdir -p "$root.tmp"/usr/lib{,64} "$root.tmp/apt"
    ln -s usr/lib usr/lib64 "$root.tmp"
    fetch "$root.tmp/apt" openjdk-$feature-{jre-headless,jdk-headless,source} libc6 libgcc-s1 libstdc++6 zlib1g
    for deb in "$root.tmp"/apt/debs/*.deb; do dpkg-deb -x "$deb" "$root.tmp"; done
    rm -rf "$root.tmp/apt"
    # Absolute links would lead out of it.
    find "$root.tmp" -type l -lname '/*' | while read -r link; do
        ln -sfn "$(realpath -ms --relative-to="$(dirname "$link")" "$root.tmp$(readlink "$link")")" "$link"
    done
    ln -sf ../../openjdk-$feature/lib/src.zip "$root.tmp/$home/lib/src.zip"
    mv "$root.tmp" "$root"
}

mkdir -p "$BUILD/arch/$arch"
out=$(cd "$BUILD/arch/$arch" && pwd)
root=$out/root image=$out/image
home=usr/lib/jvm/java-$feature-openjdk-$arch
jdk=$root/$home
at_exit 'rm -rf "$root.tmp"'
if [ ! -d "$root" ]; then
    echo "Fetching Debian's JDK $feature for $arch"
    unpack
fi

# script FILE WORD... : replaces a program by one that runs here, the command of these words.
script() {
    rm -f "$1"
    { echo '#!/usr/bin/env bash'; printf 'exec'; printf ' %q' "${@:2}"; echo ' "$@"'; } >"$1"
    chmod +x "$1"
}

echo "Patching and compiling java.base of $(jdk_version "$jdk") for $arch"
script "$jdk/bin/javac" "$JDK_HOME/bin/javac" --system none --module-path "$jdk/jmods"
script "$jdk/bin/jar" "$JDK_HOME/bin/jar"
"$make"/patch-java-base.sh "$jdk" "$out/java.base"

echo "Linking $BUILD/arch/$arch/image and dumping its CDS archives under $($qemu --version | head -n1)"
HOST_JDK=$JDK_HOME RUNNER=$qemu QEMU_LD_PREFIX=$root "$make"/link-image.sh "$jdk" "$out/java.base" "$image"
# What the tests start of it.
for program in "$image"/{bin/java,bin/jcmd,lib/jspawnhelper}; do
    mv "$program" "$program-$arch"
    script "$program" $qemu -L "$root" "$program-$arch"
done

# The tests that are left out, and why; none needs native code of this machine. Of the stress tests those stay that compare
# all memory with a model, in the interpreter and in compiled code. A port without continuations gives each virtual thread a
# platform thread of its own.
left_out() {
    local test
    [ $arch != s390x ] || for test in Bounds Empty Free Kept NoHeap Overflow Reentry ThreadEnd Verify Virtual; do
        echo "java/foreign/pool/TestConfinedPool$test.java: needs carriers of virtual threads, which this port does not have"
    done
    echo "java/foreign/pool/TestConfinedPoolAgents.java: waits for C2 in 34 processes, left out to keep the run short"
    for test in {Async,AsyncEach,Boot,Carriers,Held,NoMemory,Passes,Same,ThreadEnd,Yield}.java \
            Overflow.java#{c1,c2,default,interpreter} Model.java#{bound,c1,c2,c2-random,verify}; do
        echo "java/foreign/pool/stress/TestConfinedPoolStress$test: a stress test, left out to keep the run short"
    done
}
left_out | sed 's/^/Left out: /'
left_out | sed 's/:.*/ 0 generic-all/' >"$out/left-out.txt"
IMAGE=$image BUILD=$out LEFT_OUT=$out/left-out.txt "$make"/test.sh arch
