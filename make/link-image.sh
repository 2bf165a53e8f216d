#!/usr/bin/env bash
# Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
# SPDX-License-Identifier: GPL-2.0-only

# link-image.sh JDK PATCHED IMAGE: links all modules of JDK, with java.base as PATCHED (see patch-java-base.sh) has it,
# and dumps the CDS archives that JDK has. IMAGE is there whole or not at all. In, when JDK is for another processor:
# HOST_JDK, a JDK of the same release for this one, and RUNNER, the command that runs programs of the other.

set -eu
jdk=$1 patched=$2 image=$3
make=$(dirname "$0")

. "$make/tools.sh"
unset JAVA_TOOL_OPTIONS _JAVA_OPTIONS
rm -rf "$image" "$image.tmp"
at_exit 'rm -rf "$image.tmp"'

"${HOST_JDK:-$jdk}/bin/java" -Xshare:auto -Dlink.jdk="$jdk" --add-modules jdk.jlink \
    --add-exports jdk.jlink/jdk.tools.jlink.internal=ALL-UNNAMED \
    --add-exports jdk.jlink/jdk.tools.jlink.plugin=ALL-UNNAMED \
    "$make/LinkImage.java" "$patched" "$image.tmp" "Pooled Confined Arena"

archives=$(cd "$jdk" && ls lib/*/classes*.jsa 2>/dev/null) || archives="lib/server/classes.jsa lib/server/classes_nocoops.jsa"
for archive in $archives; do
    # Collector and heap size are those of OpenJDK's own archives; without G1 there would be no archived heap.
    options="-Xshare:dump -XX:+UseG1GC -Xmx128M -Xms128M"
    [[ $archive != *_nocoops* ]] || options+=" -XX:-UseCompressedOops"
    [[ $archive != *_coh* ]] || options+=" -XX:+UseCompactObjectHeaders"
    [[ $archive != *_preview* ]] || options+=" --enable-preview"
    [[ $archive != *_nocoh* ]] || options+=" -XX:-UseCompactObjectHeaders"
    ${RUNNER:-} "$image.tmp/bin/java" $options -XX:SharedArchiveFile="$image.tmp/$archive" >"$image.tmp/dump.log" 2>&1 ||
        stop "The CDS archive $archive could not be dumped: $(tail -n1 "$image.tmp/dump.log")"
done
rm -f "$image.tmp/dump.log"

mv "$image.tmp" "$image"
