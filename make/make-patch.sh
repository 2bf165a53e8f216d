#!/usr/bin/env bash
# Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
# SPDX-License-Identifier: GPL-2.0-only

# make-patch.sh OUT FROM [ISSUE]: makes for FROM, a JDK with sources or an OpenJDK source tree, one unified diff OUT.patch, and
# the same as a series of commits in mailbox form, for git am, in the directory OUT-series. Their subjects begin with the
# number ISSUE where that is given. Runs in the project's directory.
# What a source tree has of its own, such as TEST.ROOT, stays out; so do benchmarks that need libraries which no JDK has.
#
# make-patch.sh --added: prints the files that the patch adds.

set -euo pipefail
make=$(dirname "$0")
. "$make/tools.sh"
classes=src/java.base/share/classes

ours() {
    find "$@" -type f ! -path 'test/micro/*/peers/*' ! -name TEST.ROOT ! -name TEST.groups ! -name 'ProblemList*.txt' \
        ! -name '.*' ! -name '*.patch' ! -name '*.sed' | LC_ALL=C sort
}
if [ "$1" = --added ]; then
    ours $classes test/jdk test/micro
    exit
fi

out=$1 from=$2 issue=${3:-} outcome=made
work=$(mktemp -d)
at_exit 'rm -rf "$work"'
check_issue "$issue"

reason=$("$make/patch-tree.sh" "$from" "$work/tree") || stop "$reason"

# The commits are made in a repository that has the files which change. Of the user's git settings it takes only the name.
repo=$work/repo
who=$(git -c user.useConfigOnly=true var GIT_AUTHOR_IDENT 2>/dev/null || echo "Pooled Confined Arena <patch@localhost>")
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_COMMITTER_NAME=x GIT_COMMITTER_EMAIL=x
export GIT_AUTHOR_NAME="${who%% <*}" GIT_AUTHOR_EMAIL="$(sed 's/.*<\(.*\)>.*/\1/' <<<"$who")"
repo_git() { git_in "$repo" "$@"; }
mkdir "$repo"
repo_git init -q
# commit SUBJECT, with the body on standard input
commit() {
    repo_git add -A -f
    { printf '%s\n\n' "${issue:+$issue: }$1"; cat; } | repo_git commit -q --allow-empty -F -
}
# overlay DIRECTORY FILE...: copies the files into the repository
overlay() { [ $# -eq 1 ] || (cd "$1" && cp --parents -t "$repo" "${@:2}"); }

# Of a source tree's tests and benchmarks those go that use a class which goes, with their native libraries and their lines in the
# problem list.
users=$(users_of "$from" "$work/tree/deleted") problems=test/jdk/ProblemList.txt
for user in $users; do
    native=${user%/*}/lib$(basename "$user" .java).c
    [ ! -e "$from/$native" ] || users+=$'\n'$native
done
[ -z "$users" ] || echo "Goes with it: $(printf '%s\n' $users | sed 's|.*/||' | paste -sd' ')" >&2

cp -R "$work/tree/stock/." "$repo"
overlay "$from" $users ${users:+$problems}
commit base </dev/null
base=$(repo_git rev-parse HEAD)

rm -rf "$repo/src"
cp -R "$work/tree/edited/." "$repo"
[ -z "$users" ] || (cd "$repo" && rm $users && sed -i "$(sed -n 's|^test/jdk/\(.*\)|\\,^\1[ #],d|p' <<<"$users")" $problems)
gone=$(sed 's|.*/||; s|\.java$||' "$work/tree/deleted")
commit "Remove ${gone//$'\n'/, }" <<EOF
Calls with structs by value, and system calls adapted to return errno, open
a confined arena. That is an ArenaImpl, whose memory comes from malloc until
the next commit pools it.
EOF

cp -R "$work/tree/patched/." "$repo"
commit "Pool the native memory of confined arenas" <<'EOF'
A confined arena takes its small allocations from a slot of zeroed native
memory that its thread keeps, and gives the slot back when it is closed.
Virtual threads use the slots of their carriers.
EOF

overlay . $(ours test/jdk)
# Those of JDK 28 have no TestNG any more.
if [ "$(tree_release "$from"; jdk_release "$from")" -ge 28 ]; then
    mapfile -t edited < <(grep -rl '@run testng' "$repo/test/jdk")
    sed -E -i -f test/jdk/testng.28.sed "${edited[@]}"
    left=$(grep -lE 'testng|DataProvider' "${edited[@]}") || :
    [ -z "$left" ] || stop "test/jdk/testng.28.sed leaves something of TestNG in $(xargs -n1 basename <<<"$left" | paste -sd' ')"
    echo "For JDK 28 edited: ${#edited[@]} tests, which are JUnit there" >&2
fi
commit "Test the pool of confined arenas" <<'EOF'
The stress tests are short here; -Dpool.stress.scale makes them longer.
EOF
tests=$(repo_git rev-parse HEAD)

overlay . $(ours test/micro)
commit "Add benchmarks of confined arenas" <<'EOF'
They need no part of the pool, so they run on a JDK without it, too.
EOF

rm -rf "$out-series" "$out.patch"
mkdir -p "$out-series"
repo_git format-patch -q --no-renames --no-signature -o "$work/series" $base
# A JDK has no tests, so what changes in a file of them can only be added as it is.
number=$(repo_git rev-list --count $base..$tests)
find test/jdk -name '*.patch' -exec cat {} + | tee -a "$work"/series/000$number-*.patch >"$work/tests.patch"
{ repo_git diff --no-renames --full-index $base HEAD; cat "$work/tests.patch"; } >"$work/patch"
mkdir -p "$(dirname "$out")"
mv "$work"/series/* "$out-series"
mv "$work/patch" "$out.patch"
