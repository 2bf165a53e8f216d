#!/usr/bin/env bash
# Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
# SPDX-License-Identifier: GPL-2.0-only

# patch-tree.sh FROM OUT: patches java.base of FROM, a JDK with lib/src.zip or an OpenJDK source tree, into the new directory OUT.
# src/java.base/share/classes has whole files X.java, patches X.java.patch, and scripts X.java.N.sed, which edit X.java of release
# N and later before the patch applies. The script with the highest N counts. A file of which sed leaves nothing is deleted.
# Makes OUT/stock, OUT/edited and OUT/patched: the JDK's files that are touched, the same as edited, and all as patched; and
# OUT/deleted, which lists the deleted ones. One line on standard error tells what was edited. If it cannot be done, one line on
# standard output says why; exit status 1.

set -eu
. "$(dirname "$0")/tools.sh"
base=src/java.base/share/classes sources=$PWD/src/java.base/share/classes
from=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
stop() { echo "$1"; exit 1; }

# For each file the script that is for the release.
scripts() {
    (cd "$sources" && find . -name '*.sed') | sed -n 's|^\./\(.*\)\.\([0-9]*\)\.sed$|\1 \2|p' | sort -k1,1 -k2,2n |
        awk -v to="$feature" '$2 <= to { last[$1] = $2 } END { for (file in last) print file, last[file] }' | LC_ALL=C sort
}
named() { (cd "$sources" && find . -name "*$1") | sed "s|^\./||; s|${2:-}\$||" | LC_ALL=C sort; }
touched() { { named .java.patch .patch; scripts | cut -d' ' -f1; } | LC_ALL=C sort -u; }

feature=$(tree_release "$from") name=$feature originals=$from/$base
if [ -e "$from/release" ]; then
    feature=$(jdk_release "$from") name=$(jdk_version "$from")
    (cd "$out" && "$from/bin/jar" --extract --file "$from/lib/src.zip" $(printf 'java.base/%s ' $(touched)) 2>"$out/jar.log") ||
        stop "lib/src.zip of JDK $name cannot be read: $(head -n1 "$out/jar.log")"
    originals=$out/java.base
fi
for file in $(touched); do
    [ -f "$originals/$file" ] || stop "$base/$file: JDK $name has no such file"
done
mkdir -p "$out/stock/$base"
(cd "$originals" && cp --parents -t "$out/stock/$base" $(touched))
chmod -R u+w "$out/stock"
cp -R "$out/stock" "$out/edited"
edited=
: >"$out/deleted"
while read -r file release; do
    to=$out/edited/$base/$file script=$base/$file.$release.sed
    sed -f "$sources/$file.$release.sed" "$originals/$file" >"$to" 2>"$out/sed.log" || stop "$script: $(head -n1 "$out/sed.log")"
    if [ ! -s "$to" ]; then
        rm "$to"
        echo "$file" >>"$out/deleted"
    elif cmp -s "$originals/$file" "$to"; then
        stop "$script: finds nothing to edit in JDK $name"
    else
        edited="$edited $(basename "$file")"
    fi
done < <(scripts)
cp -R "$out/edited" "$out/patched"

for file in $(named .java.patch .patch); do
    patch=$sources/$file.patch
    changed=$(git_in "$out/patched" apply --numstat "$patch" 2>&1 | cut -f3-)
    [ "$changed" = "$base/$file" ] || stop "$base/$file.patch: must change $base/$file and nothing else (${changed:-not a patch})"
    git_in "$out/patched" apply --whitespace=nowarn --reject --verbose "$patch" >"$out/apply.log" 2>&1 && continue
    number=$(sed -n 's/^Rejected hunk #\([0-9]*\).*/\1/p' "$out/apply.log" | head -n1)
    hunk=$(grep '^@@' "$patch" | sed -n "${number:-1}s/^\(@@ .* @@\).*/\1/p")
    stop "$base/$file.patch: hunk ${number:-?} $hunk does not apply to JDK $name"
done
for file in $(named .java); do
    [ ! -e "$originals/$file" ] || stop "$base/$file: JDK $name has such a file, too"
done
(cd "$sources" && cp --parents -t "$out/patched/$base" $(named .java))
deleted=$(sed 's|.*/| |' "$out/deleted" | tr -d '\n')
[ -z "$edited$deleted" ] || echo "For JDK $feature${edited:+ edited before the patch:$edited}${deleted:+; deleted:$deleted}" >&2
