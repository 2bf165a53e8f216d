#!/usr/bin/env bash
# Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
# SPDX-License-Identifier: GPL-2.0-only

# measure-programs.sh OUT ROUNDS "NAME..." [LABEL=JAVA...]: what the programs NAME take on the java of JDK_HOME, with the label
# stock, on that of IMAGE, with the label image, and on each JAVA, a java command: one after the other in each of ROUNDS rounds, and
# the other way round in every second one; a line for each run in OUT/runs.csv: program, LABEL, round, and what Measured.java tells.
# Runs that are there already are not repeated, so more rounds can be added. Those of other recommended properties, or of another JAVA
# with the same LABEL, are.
# Where RECOMMENDED/recommend/NAME/java.args has properties, other than the default, these are set on the java with the label image,
# as LABEL recommended. Where COUNTER is a file, calls of malloc are counted in runs of their own, which are round 0.
# Without a NAME only the arguments are checked. In: IMAGE; see programs.sh. Exit status 1 when a program cannot be run or fails; the
# others are measured all the same.

set -euo pipefail
source "$(dirname "$0")"/programs.sh
unset JAVA_TOOL_OPTIONS _JAVA_OPTIONS
out=$1 rounds=$2 names=$3 outcome=measured
shift 3
[[ $rounds =~ ^[1-9][0-9]*$ ]] || stop "ROUNDS=$rounds: a number from 1 on is accepted"
labels=' stock image recommended '
for labelled; do
    [[ $labelled =~ ^[A-Za-z0-9_-]+= && $labels != *" ${labelled%%=*} "* && ! -d ${labelled#*=} && -x ${labelled#*=} ]] ||
        stop "PEER=$labelled: LABEL=JAVA is accepted, LABEL letters, digits, _ and - that no other has, JAVA a java command"
    check_peers "$labelled"
    labels+="${labelled%%=*} "
done
[ -n "$names" ] || exit 0
set -- stock="$jdk/bin/java" image="$PWD/$IMAGE/bin/java" "$@"
mkdir -p "$out"
out=$(cd "$out" && pwd)
# Relative, as LD_PRELOAD is split at spaces and colons, which the project's path may have.
counter=$(ls "${COUNTER:-}" 2>/dev/null || :)

# measure NAME ROUND LABEL JAVA [OPTION...]
measure() {
    local run=$1,$3,$2
    ! grep -qs "^$run," "$out/runs.csv" || return 0
    java=("${@:4}") under=(env) main=(pooledarena.programs.Measured "$out/runs.csv" "$run")
    [ "$2" != 0 ] || { under+=("LD_PRELOAD=$counter") java+=("-Dmalloc.counter=$counter"); }
    run "$1" "$out/$1.log" measured
}

[ ! -e "$out/runs.csv" ] || echo "Runs of $out/runs.csv are not repeated; rm it to repeat all"
work=$out/work
at_exit 'rm -rf "$work"'
for labelled in "${@:3}"; do # what was measured may be of another java
    label=${labelled%%=*} command=${labelled#*=}
    of=$(echo "$command"; cat "${command%/bin/java}/release" 2>/dev/null || :)
    [ "$(cat "$out/$label.java" 2>/dev/null)" != "$of" ] || continue
    [ ! -e "$out/runs.csv" ] || sed -i "/^[^,]*,$label,/d" "$out/runs.csv"
    echo "$of" >"$out/$label.java"
done
status=0
for ((round = ${counter:+-1} + 1; round <= rounds; round++)); do
    turn=()
    for labelled; do # the other way round in every second round, so that none always runs first
        if ((round % 2)); then turn+=("$labelled"); else turn=("$labelled" "${turn[@]}"); fi
    done
    for name in $names; do
        echo "round $round of $rounds: $name"
        recommended=$RECOMMENDED/recommend/$name/java.args
        for labelled in "${turn[@]}"; do
            label=${labelled%%=*} command=${labelled#*=}
            measure "$name" "$round" "$label" "$command" || { status=1; continue 2; }
            [[ $label == image ]] || continue
            if ! cmp -s "$recommended" "$out/$name.args"; then # what was measured is of other properties
                [ ! -e "$out/runs.csv" ] || sed -i "/^$name,recommended,/d" "$out/runs.csv"
                rm -f "$out/$name.args"
                [ ! -e "$recommended" ] || cp "$recommended" "$out/$name.args"
            fi
            [ -s "$recommended" ] || continue
            measure "$name" "$round" recommended "$command" "@$recommended" || { status=1; continue 2; }
        done
    done
done
exit $status
