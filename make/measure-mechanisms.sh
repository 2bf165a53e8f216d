#!/usr/bin/env bash
# Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
# SPDX-License-Identifier: GPL-2.0-only

# measure-mechanisms.sh SRC OUT NAME... -- COMPARE...: what the pool's mechanisms win. Each test/mechanisms/NAME.patch takes one away
# from the patched sources in SRC. Its first line is the mechanism's title, and its lines Rows: REGEX say which benchmarks show what
# it wins. COMPARE is the command of the tool compare, with stock JDK and image. It is run for each NAME with a third java, "without",
# which is the image without the mechanism. Makes OUT/NAME, with the report of each, and OUT/mechanisms.csv, with the rows of all that
# could be measured. Exit status 1 when one could not. In: JDK_HOME, IMAGE.

set -euo pipefail
make=$(dirname "$0")
. "$make/tools.sh"
src=$1 out=$2 outcome=measured names=() status=0
shift 2
while [ "$1" != -- ]; do names+=("$1"); shift; done
shift

mkdir -p "$out"
rm -f "$out/mechanisms.csv"
at_exit 'rm -f "$out/mechanisms.csv.tmp"'
: >"$out/mechanisms.csv.tmp"
for name in "${names[@]}"; do
    patch=test/mechanisms/$name.patch dir=$out/$name
    title=$(sed -n 1p "$patch") rows=$(sed -n 's/^Rows: //p' "$patch" | paste -sd '|')
    echo "Without $name: $title"
    rm -rf "$dir"
    mkdir -p "$dir/classes"
    cp -r "$src" "$dir/src"
    git_in "$dir/src" apply -p0 "$PWD/$patch" ||
        { echo "$patch does not fit the patched sources; the others are measured" >&2; status=1; continue; }
    (cd "$dir/src" && "$JDK_HOME/bin/javac" -nowarn -XDstringConcat=inline -XDignore.symbol.file=true -encoding UTF-8 -implicit:none \
        --patch-module java.base=. -d ../classes $(find * -name '*.java')) >"$dir/javac.log" 2>&1 ||
        { echo "java.base without $name does not compile: $(head -n1 "$dir/javac.log"); the others are measured" >&2; status=1; continue; }
    # Without CDS, which these rows do not depend on. Relative, as the project's path may have spaces.
    "$@" --include "$rows" --out "$dir" --peer "without=$IMAGE/bin/java --patch-module java.base=$dir/classes" >"$dir/log" ||
        { tail -n20 "$dir/log" >&2; echo "$name could not be measured; the others are" >&2; status=1; continue; }
    awk -v title="$title" 'NR == 1 { print "mechanism," $0; next } { print "\"" title "\"," $0 }' "$dir/figures.csv" |
        if [ -s "$out/mechanisms.csv.tmp" ]; then tail -n+2; else cat; fi >>"$out/mechanisms.csv.tmp"
done
[ -s "$out/mechanisms.csv.tmp" ] || exit 1
mv "$out/mechanisms.csv.tmp" "$out/mechanisms.csv"
echo "Wrote $out/mechanisms.csv"
exit $status
