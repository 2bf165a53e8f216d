#!/usr/bin/env bash
# Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
# SPDX-License-Identifier: GPL-2.0-only

# measure-programs.sh OUT ROUNDS NAME... -- LABEL=JAVA... : what the programs NAME take on each JAVA, a java command, one after the
# other in each of ROUNDS rounds; a line for each run in OUT/runs.csv: program, LABEL, round, and what Measured.java tells of it.
# Runs that are there already are not repeated, so more rounds can be added.
# Where RECOMMENDED/NAME.recommend recommends other properties than the default, these are set on the java with the label image,
# as LABEL recommended. Where COUNTER is a file, calls of malloc are counted in runs of their own, which are round 0.
# In: see programs.sh. Exit status 1 when a program cannot be run or fails; the others are measured all the same.

set -euo pipefail
out=$1 rounds=$2
shift 2
names=() javas=()
while [ "$1" != -- ]; do
    names+=("$1")
    shift
done
shift
javas=("$@")
source "$(dirname "$0")"/programs.sh
refuse() {
    echo "make savings: $1; nothing was measured" >&2
    exit 1
}
[[ $rounds =~ ^[1-9][0-9]*$ ]] || refuse "ROUNDS=$rounds: a number from 1 on is accepted"
for name in "${names[@]}"; do
    declare -F "$name" >/dev/null && [ -e "$RECOMMENDED/$name.recommend" ] || refuse "SAVINGS=$name: what make recordings recorded is accepted"
done
for labelled in "${javas[@]}"; do
    [[ $labelled == ?*=* ]] && [ -x "${labelled#*=}" ] || refuse "PEER=$labelled: LABEL=JAVA is accepted, JAVA a java command"
done
mkdir -p "$out"
out=$(cd "$out" && pwd)
counter=$(realpath -e "${COUNTER:-}" 2>/dev/null || :)

# measure NAME ROUND LABEL JAVA [OPTION...]
measure() {
    local name=$1 label=$1,$3,$2
    ! grep -qs "^$label," "$out/runs.csv" || return 0
    java=("$4" "${@:5}")
    under=(env)
    [ "$2" != 0 ] || { under+=("LD_PRELOAD=$counter") java+=("-Dmalloc.counter=$counter"); }
    main=(pooledarena.programs.Measured "$out/runs.csv" "$label")
    rm -rf "$work"
    mkdir -p "$work"
    "$name" >"$out/$name.log" 2>&1 </dev/null || {
        echo "$name: not measured, $(tail -n1 "$out/$name.log") (all of it: $out/$name.log)" >&2
        return 1
    }
}

[ ! -e "$out/runs.csv" ] || echo "Runs of $out/runs.csv are not repeated; rm it to repeat all"
work=$out/work
at_exit 'rm -rf "$work"'
status=0
for ((round = ${counter:+-1} + 1; round <= rounds; round++)); do
    for name in "${names[@]}"; do
        echo "round $round of $rounds: $name"
        line=$(grep -m1 -oE -e '-Djdk.foreign.*|Leave the default' "$RECOMMENDED/$name.recommend" 2>/dev/null || :)
        for labelled in "${javas[@]}"; do
            label=${labelled%%=*}
            measure "$name" "$round" "$label" "${labelled#*=}" || { status=1; continue 2; }
            [[ $label != image || $line != -D* ]] || measure "$name" "$round" recommended "${labelled#*=}" $line || { status=1; continue 2; }
        done
    done
done
exit $status
