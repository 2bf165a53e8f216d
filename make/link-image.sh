#!/usr/bin/env bash
# Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
# SPDX-License-Identifier: GPL-2.0-only

# link-image.sh JDK PATCHED IMAGE: links all modules of JDK, with java.base as PATCHED (see patch-java-base.sh) has it,
# and dumps the CDS archives that JDK has. IMAGE is there whole or not at all. In, when JDK is for another processor:
# HOST_JDK, a JDK of the same release for this one, and RUNNER, the command that runs programs of the other.

set -eu
jdk=$1 patched=$2 image=$3
make=$(dirname "$0")

rm -rf "$image" "$image.tmp"
trap 'rm -rf "$image.tmp"' EXIT
trap 'exit 130' INT TERM HUP

"${HOST_JDK:-$jdk}/bin/java" -Xshare:auto -Dlink.jdk="$jdk" --add-modules jdk.jlink \
    --add-exports jdk.jlink/jdk.tools.jlink.internal=ALL-UNNAMED \
    --add-exports jdk.jlink/jdk.tools.jlink.plugin=ALL-UNNAMED \
    "$make/LinkImage.java" "$patched" "$image.tmp" "Pooled Confined Arena"

# Collector and heap size are those of OpenJDK's own archives; without G1 there would be no archived heap.
dump() {
    local archive=$1; shift
    ${RUNNER:-} "$image.tmp/bin/java" -Xshare:dump -XX:SharedArchiveFile="$image.tmp/$archive" -XX:+UseG1GC -Xmx128M -Xms128M "$@" \
        >"$image.tmp/dump.log" 2>&1 && return
    echo "The CDS archive $archive could not be dumped, nothing was built: $(tail -n1 "$image.tmp/dump.log")" >&2
    exit 1
}

archives=$(cd "$jdk" && ls lib/*/classes*.jsa 2>/dev/null) || archives="lib/server/classes.jsa lib/server/classes_nocoops.jsa"
for archive in $archives; do
    case $archive in
        */classes.jsa)             dump $archive ;;
        */classes_nocoops.jsa)     dump $archive -XX:-UseCompressedOops ;;
        */classes_coh.jsa)         dump $archive -XX:+UseCompactObjectHeaders ;;
        */classes_nocoops_coh.jsa) dump $archive -XX:-UseCompressedOops -XX:+UseCompactObjectHeaders ;;
    esac
done
rm -f "$image.tmp/dump.log"

mv "$image.tmp" "$image"
