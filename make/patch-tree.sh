#!/usr/bin/env bash
# Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
# SPDX-License-Identifier: GPL-2.0-only

# patch-tree.sh SOURCES FROM OUT: changes java.base of FROM, a JDK with lib/src.zip or an OpenJDK source tree, as SOURCES says,
# which holds whole files X.java, patches X.java.patch, and X.java.N.sed: how sed has to edit X.java of release N and later
# before the patch applies. Of several that with the highest N is for a release. A file of which sed leaves nothing is deleted.
# Makes OUT/stock, OUT/edited and OUT/patched: the JDK's files that are touched, the same as edited, and all as patched; and
# OUT/deleted, which lists the deleted ones. One line on standard error tells what was edited. If it cannot be done, one line
# says why instead; exit status 1.
#
# patch-tree.sh --list SOURCES FROM: prints the JDK's files that are touched.

set -eu
. "$(dirname "$0")/tools.sh"
base=src/java.base/share/classes

# Of the release of $1, whose name is in messages.
release_of() {
    if [ -e "$1/release" ]; then
        feature=$(jdk_release "$1") name=$(jdk_version "$1")
    else
        feature=$(tree_release "$1") name=$feature
    fi
}

# For each file the script that is for the release.
scripts() {
    (cd "$sources" && find . -name '*.sed') | sed -n 's|^\./\(.*\)\.\([0-9]*\)\.sed$|\1 \2|p' | LC_ALL=C sort -k1,1 -k2,2n |
        while read -r file release; do
            [ "$release" -gt "$feature" ] || echo "$file $release"
        done | awk '{ last[$1] = $2 } END { for (file in last) print file, last[file] }' | LC_ALL=C sort
}
named() { (cd "$sources" && find . -name "*$1") | sed "s|^\./||; s|${2:-}\$||" | LC_ALL=C sort; }
touched() { { named .java.patch .patch; scripts | cut -d' ' -f1; } | LC_ALL=C sort -u; }

if [ "$1" = --list ]; then
    sources=$2
    release_of "$3"
    touched
    exit
fi

sources=$(cd "$1" && pwd) from=$(cd "$2" && pwd)
mkdir -p "$3"
out=$(cd "$3" && pwd)
stop() { echo "$1"; exit 1; }

release_of "$from"
rm -rf "$out/stock" "$out/edited" "$out/patched"
originals=$from/$base
if [ -e "$from/release" ]; then
    (cd "$out" && "$from/bin/jar" --extract --file "$from/lib/src.zip" $(printf 'java.base/%s ' $(touched)) 2>"$out/jar.log") ||
        stop "lib/src.zip of JDK $name cannot be read: $(head -n1 "$out/jar.log")"
    originals=$out/java.base
fi
for file in $(touched); do
    [ -f "$originals/$file" ] || stop "$base/$file: JDK $name has no such file"
    mkdir -p "$out/stock/$base/${file%/*}"
    cp "$originals/$file" "$out/stock/$base/$file"
done
cp -R "$out/stock" "$out/edited"
edited=
: >"$out/deleted"
while read -r file release; do
    [ -n "$file" ] || continue
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
done <<EOF
$(scripts)
EOF
cp -R "$out/edited" "$out/patched"

# git would look for a repository above this directory and then skip every file that it ignores, so it must find none.
git_apply() {
    env -u GIT_DIR -u GIT_WORK_TREE -u GIT_INDEX_FILE -u GIT_PREFIX GIT_CEILING_DIRECTORIES="$out" LC_ALL=C \
        git -C "$out/patched" apply --whitespace=nowarn "$@"
}
for file in $(named .java.patch .patch); do
    patch=$sources/$file.patch
    named=$(git_apply --numstat "$patch" 2>&1 | cut -f3-)
    [ "$named" = "$base/$file" ] || stop "$base/$file.patch: must change $base/$file and nothing else (${named:-not a patch})"
    git_apply --reject --verbose "$patch" >"$out/apply.log" 2>&1 && continue
    number=$(sed -n 's/^Rejected hunk #\([0-9]*\).*/\1/p' "$out/apply.log" | head -n1)
    hunk=$(grep '^@@' "$patch" | sed -n "${number:-1}s/^\(@@ .* @@\).*/\1/p")
    stop "$base/$file.patch: hunk ${number:-?} $hunk does not apply to JDK $name"
done
for file in $(named .java); do
    [ ! -e "$originals/$file" ] || stop "$base/$file: JDK $name has such a file, too"
    mkdir -p "$out/patched/$base/${file%/*}"
    cp "$sources/$file" "$out/patched/$base/$file"
done
rm -rf "$out/java.base" "$out"/*.log
deleted=$(sed 's|.*/| |' "$out/deleted" | tr -d '\n')
[ -z "$edited$deleted" ] || echo "For JDK $feature${edited:+ edited before the patch:$edited}${deleted:+; deleted:$deleted}" >&2
