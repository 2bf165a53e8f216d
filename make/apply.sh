#!/usr/bin/env bash
# Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
# SPDX-License-Identifier: GPL-2.0-only

# apply.sh apply|unapply PATCH TREE [ISSUE]: puts the patch into the OpenJDK source tree TREE, or takes it out again.
# In a git checkout it becomes a commit, whose subject begins with the number ISSUE where that is given; elsewhere a copy of the
# patch stays in TREE as the record of what to take out. What cannot be done cleanly is refused before anything is changed.
# PATCH is the patch as make patch may have left it, and tells a tree into which it was put by other means.

set -euo pipefail
make=$(dirname "$0") mode=$1 made=$PWD/$2 src=$3 issue=${4:-} outcome=changed
. "$make/tools.sh"
title="Pool the native memory of confined arenas"
work=$(mktemp -d)
at_exit 'rm -rf "$work"'

tree=$(find_tree "$src") || stop "$tree"
[ -w "$tree" ] || stop "JDK_SRC=$src: not writable"
check_issue "$issue"
record=$tree/.pooled-confined-arena.patch
# In the commit and in the record: which version of the patch it is. In the commit also its patch id, by which it can be told
# that nobody has amended it.
trailer=Pooled-Confined-Arena
version=$(find src/java.base test/jdk test/micro -type f ! -path '*/peers/*' | LC_ALL=C sort | xargs cat | git hash-object --stdin)

tree_git() { git_in "$tree" "$@"; }
git_apply() { tree_git apply --whitespace=nowarn "$@" 2>"$work/apply.log"; }
patch_id() { git patch-id --stable | cut -d' ' -f1; }

# Why git_apply failed: the first file, and how many more there are.
failure() {
    local more reason="the hunk there does not apply"
    [ $mode = apply ] || reason="not as the patch left it"
    sed -n "/: patch does not apply\$/d
            s/^error: patch failed: \(.*\)/\1: $reason/p; t
            s/: does not match index\$/: has changes that are not committed/
            s/^error: //p" "$work/apply.log" >"$work/failures"
    more=$(($(wc -l <"$work/failures") - 1))
    echo "$(head -n1 "$work/failures" | grep . || head -n1 "$work/apply.log")$([ $more -le 0 ] || echo ", and $more more")"
}
# change OPTION... DIFF: only what happens to the file system, such as a full disk, can stop it midway.
change() {
    git_apply --check "$@" || stop "$tree: $(failure)"
    git_apply "$@" && return
    echo "$tree: $(failure); stopped midway, so take the files back from where they came from" >&2
    exit 1
}
# commit_change SUBJECT BODY OPTION... DIFF: the change in the tree and as a commit; taken back if git does not commit it.
commit_change() {
    local subject=${issue:+$issue: }$1 body=$2 who
    shift 2
    for who in AUTHOR COMMITTER; do
        tree_git -c user.useConfigOnly=true var GIT_${who}_IDENT >/dev/null 2>&1 ||
            stop "$tree: git has no author for the commit, which git config user.name and user.email set"
    done
    tree_git diff-index --cached --quiet HEAD -- ||
        stop "$tree has staged changes, which would get into the commit: commit or unstage them"
    [ ! -e "$(tree_git rev-parse --absolute-git-dir)/MERGE_HEAD" ] || stop "$tree is in the middle of a merge: finish it first"
    change --index "$@"
    tree_git diff-index --cached -p HEAD >"$work/change"
    at_exit 'git_apply --index -R "$work/change"; rm -rf "$work"'
    [ "$1" = -R ] || body+=$'\n\n'"$trailer: $version $(patch_id <"$work/change")"
    tree_git commit -q -m "$subject" -m "$body" >"$work/git.log" 2>&1 ||
        stop "git commit failed in $tree: $(grep -m1 . "$work/git.log" || echo "without a word")"
    at_exit 'rm -rf "$work"'
}

# The commit that put the patch in, if it still is in; and the diff to take out, from there or from the record.
added=$("$make/make-patch.sh" --added)
first_added() { (cd "$tree" && ls -d $added 2>/dev/null | head -n1) || :; }
commit= present=
if [ -e "$tree/.git" ]; then
    tree_git rev-parse -q --verify HEAD >"$work/git.log" 2>&1 ||
        stop "JDK_SRC=$src: $(grep . "$work/git.log" | head -n1 | grep . || echo "a git repository without a commit")"
    tree_git update-index -q --refresh >/dev/null 2>&1 || :
    [ -z "$(first_added)" ] || commit=$(tree_git log -1 --grep="^$trailer: " --format=%H)
fi
if [ -n "$commit" ]; then
    tree_git diff-tree -p "$commit" >"$work/diff"
    present=$(tree_git log -1 --format=%B "$commit" | sed -n "s/^$trailer: //p")
elif [ -e "$record" ]; then
    cp "$record" "$work/diff"
    present=$(sed -n "1s/^$trailer: //p" "$record")
fi
in_commit=${commit:+ in commit ${commit:0:12}}
elsewhere="$tree has $(first_added), but neither by make apply nor all of the patch as it is now"
made_is_in() { [ -e "$made" ] && git_apply --check -R "$made"; }

apply() {
    if [ -n "$present" ]; then
        [ "${present%% *}" = "$version" ] && git_apply --check -R "$work/diff" ||
            stop "$tree has the patch$in_commit, but another version of it, or it was changed there: \
make unapply JDK_SRC=$src takes it out if that can be done"
        echo "$tree has the patch already${in_commit:+,$in_commit}"
        return
    elif [ -n "$(first_added)" ]; then
        made_is_in || stop "$elsewhere"
        echo "$tree has the patch already"
        return
    fi
    "$make/make-patch.sh" "$work/made" "$tree" || exit
    if [ -e "$tree/.git" ]; then
        commit_change "$title" "A confined arena takes its small allocations from a slot of zeroed native memory
that its thread keeps, and gives the slot back when it is closed." "$work/made.patch"
        echo "$tree has the patch now: $(tree_git log -1 --format='commit %h, %s')"
    else
        git_apply --check "$work/made.patch" || stop "$tree: $(failure)"
        { echo "$trailer: $version"; cat "$work/made.patch"; } >"$record.tmp"
        change "$work/made.patch"
        mv "$record.tmp" "$record"
        echo "$tree has the patch now: $(grep -c '^+++ ' "$record") files, and $(basename "$record") to take them out by"
    fi
}

unapply() {
    if [ -n "$commit" ]; then
        [ "${present#* }" = "$(patch_id <"$work/diff")" ] ||
            stop "commit ${commit:0:12} in $tree was changed since make apply made it; git revert or git rebase can take it out"
        if [ "$(tree_git rev-parse HEAD)" = "$commit" ] && [ -z "$(tree_git branch -r --contains "$commit")" ]; then
            tree_git reset -q --keep "$commit^" >"$work/git.log" 2>&1 || stop "$tree: $(head -n1 "$work/git.log")"
            echo "$tree has the patch no more: commit ${commit:0:12} is gone"
        else
            # Others may have the commit, or build on it.
            commit_change "[BACKOUT] $title" "This takes out commit ${commit:0:12}." -R "$work/diff"
            echo "$tree has the patch no more: $(tree_git log -1 --format='commit %h takes it out')"
        fi
    elif [ -n "$present" ]; then
        change -R "$work/diff"
        rm "$record"
        echo "$tree has the patch no more"
    elif made_is_in; then
        change -R "$made"
        echo "$tree has the patch no more"
    elif [ -n "$(first_added)" ]; then
        stop "$elsewhere"
    else
        echo "$tree does not have the patch; nothing to take out"
    fi
}

$mode
