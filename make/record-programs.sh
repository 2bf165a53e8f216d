#!/usr/bin/env bash
# Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
# SPDX-License-Identifier: GPL-2.0-only

# record-programs.sh OUT NAME... : records the confined arenas of the programs NAME into OUT/NAME, a directory of histograms
# each, with what the program printed in OUT/NAME.log. Those that are recorded already are not run again, unless the JDK, the
# recorder or the programs, for OpenJDK's tests their source tree, have changed since. In: see programs.sh. Exit status 1 when a
# program cannot be run or fails; the others are recorded all the same.

set -euo pipefail
source "$(dirname "$0")"/programs.sh
mkdir -p "$1"
out=$(cd "$1" && pwd)
shift
java=("$jdk/bin/java") main=()

dir= work=
at_exit '[ -z "$dir" ] || rm -rf "$dir" "$work"'
status=0
for name; do
    if [ -e "$out/$name" ]; then
        # Sources of the recorder: its jar becomes newer with any of the tools.
        inputs=("$build"/{jdk.id,programs/stamp} "$make/programs.sh" analysis/{histogram,recorder}/src/main)
        [[ $name != jtreg-* ]] || inputs+=("$build/upstream/tree.id")
        [ -n "$(find "${inputs[@]}" -newer "$out/$name")" ] ||
            { echo "$name: recorded already; rm -r ${out#"$PWD"/}/$name to repeat it"; continue; }
        echo "$name: the JDK, the recorder or the programs have changed since it was recorded, so it is recorded again"
        rm -r "$out/$name"
    fi
    start=$SECONDS dir=$out/$name.tmp work=$out/$name.work
    under=("$jdk/bin/java" -jar "$build/arena-analysis.jar" record --out "$dir" --)
    rm -rf "$dir"
    if run "$name" "$out/$name.log" recorded; then
        mv "$dir" "$out/$name"
        echo "$name: recorded in $((SECONDS - start)) s"
    else
        status=1
    fi
    rm -rf "$dir" "$work"
done
dir=
exit $status
