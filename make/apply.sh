#!/usr/bin/env bash
#
# Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
# DO NOT ALTER OR REMOVE COPYRIGHT NOTICES OR THIS FILE HEADER.
#
# This code is free software; you can redistribute it and/or modify it
# under the terms of the GNU General Public License version 2 only, as
# published by the Free Software Foundation.
#
# This code is distributed in the hope that it will be useful, but WITHOUT
# ANY WARRANTY; without even the implied warranty of MERCHANTABILITY or
# FITNESS FOR A PARTICULAR PURPOSE.  See the GNU General Public License
# version 2 for more details (a copy is included in the LICENSE file that
# accompanied this code).
#
# You should have received a copy of the GNU General Public License version
# 2 along with this work; if not, write to the Free Software Foundation,
# Inc., 51 Franklin St, Fifth Floor, Boston, MA 02110-1301 USA.
#

# apply.sh apply|unapply PATCH TREE [ISSUE]: puts the patch into the OpenJDK source tree TREE, or takes it out again.
# In a git checkout it becomes a commit, whose subject begins with the number ISSUE where that is given; elsewhere a copy of
# the patch stays in TREE as the record of what to take out. What cannot be done cleanly is refused before anything is changed.
# PATCH tells a tree that has the patch in another way, where make patch has left it.

set -euo pipefail
make=$(dirname "$0") mode=$1 made=$PWD/$2 src=$3 issue=${4:-}
. "$make/tools.sh"
classes=src/java.base/share/classes
title="Pool the native memory of confined arenas"
# Tells our commit, and by the patch id after it that nobody has changed it since.
trailer=Pooled-Confined-Arena

work=$(mktemp -d)
at_exit 'rm -rf "$work"'

stop() { echo "$1; nothing was changed" >&2; exit 1; }

tree=$(find_tree "$src") || stop "$tree"
[ -w "$tree" ] || stop "JDK_SRC=$src: not writable"
[[ $issue =~ ^(([A-Z][A-Z0-9]*-)?[0-9]+)?$ ]] || stop "ISSUE=$issue: accepted is the number of an issue, as in ISSUE=8000000"
record=$tree/.pooled-confined-arena.patch

# A repository further up is not TREE's, and to git the files of TREE would be ignored ones there.
tree_git() {
    env -u GIT_DIR -u GIT_WORK_TREE -u GIT_INDEX_FILE -u GIT_PREFIX GIT_CEILING_DIRECTORIES="$(dirname "$tree")" LC_ALL=C \
        git -C "$tree" "$@"
}
git_apply() { tree_git apply --whitespace=nowarn "$@" 2>"$work/apply.log"; }

# After the check only what happens to the file system can stop it, such as a full disk.
write() {
    git_apply "$@" && return
    echo "$tree: $(failure); stopped midway, so take the files back from where they came from" >&2
    exit 1
}

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

# The files that the patch adds, which is how a tree that has it is told.
added=$("$make/make-patch.sh" --added)
first_added() {
    local file
    for file in $added; do
        [ ! -e "$tree/$file" ] || { echo "$file"; return; }
    done
}

not_ours() {
    echo "$tree has $(first_added), but neither by make apply nor all of the patch as it is now"
}

patch_id() { git patch-id --stable | cut -d' ' -f1; }

# The commit that put the patch in, if it still is in.
our_commit() {
    local commit file
    commit=$(tree_git log -1 --grep="^$trailer: " --format=%H)
    [ -n "$commit" ] || return 0
    file=$(tree_git diff-tree -r --no-commit-id --diff-filter=A --name-only "$commit" | head -n1)
    ! tree_git cat-file -e "HEAD:$file" 2>/dev/null || echo "$commit"
}

# make_patch [DIFF]: the patch for the tree, of which DIFF is taken out first; of the tree are copied the files that matter.
make_patch() {
    local copy=$work/copy file
    mkdir "$copy"
    for file in make/conf/version-numbers.conf test/jdk/java/foreign test/micro/org/openjdk/bench/java/lang/foreign $added \
            test/jdk/TEST.groups $("$make/patch-tree.sh" --list $classes "$tree" | sed "s|^|$classes/|"); do
        [ ! -e "$tree/$file" ] || echo "$file"
    done | tar -cf - -C "$tree" -T - | tar -xf - -C "$copy"
    [ -z "${1:-}" ] || GIT_CEILING_DIRECTORIES=$work git -C "$copy" apply -R "$1" 2>/dev/null || return 1
    "$make/make-patch.sh" "$work/made" "$copy"
    patch=$work/made.patch
}

# True if the tree has the patch that make patch has left.
has_made() { [ -e "$made" ] && git_apply --check -R "$made"; }

check_committable() {
    local who
    for who in AUTHOR COMMITTER; do
        tree_git -c user.useConfigOnly=true var GIT_${who}_IDENT >/dev/null 2>&1 ||
            stop "$tree: git has no author for the commit, which git config user.name and user.email set"
    done
    tree_git diff-index --cached --quiet HEAD -- ||
        stop "$tree has staged changes, which would get into the commit: commit or unstage them"
    [ ! -e "$(tree_git rev-parse --absolute-git-dir)/MERGE_HEAD" ] || stop "$tree is in the middle of a merge: finish it first"
}

# change_and_commit SUBJECT BODY DIFF [-R]: the change DIFF, which was seen to apply, in the tree and as a commit.
change_and_commit() {
    local subject=$1 body=$2 id
    diff=$3 direction=${4:-} back=-R
    [ -z "$direction" ] || back=
    write --index $direction "$diff"
    trap 'git_apply --index $back "$diff"; rm -rf "$work"' EXIT
    id=$(tree_git diff-index --cached -p HEAD | patch_id)
    printf '%s\n\n%s\n\n%s\n' "$subject" "$body" "${back:+$trailer: $id}" >"$work/message"
    tree_git commit -q -F - <"$work/message" >"$work/git.log" 2>&1 ||
        stop "git commit failed in $tree: $(grep -m1 . "$work/git.log" || echo "without a word")"
    trap 'rm -rf "$work"' EXIT
}

in_git=
if [ -e "$tree/.git" ]; then
    in_git=yes
    tree_git rev-parse --git-dir >"$work/git.log" 2>&1 || stop "JDK_SRC=$src: $(head -n1 "$work/git.log")"
    tree_git rev-parse -q --verify HEAD >/dev/null 2>&1 || stop "JDK_SRC=$src: a git repository without a commit"
    tree_git update-index -q --refresh >/dev/null 2>&1 || true
fi

commit=${in_git:+$(our_commit)}
short=${commit:0:12}

apply() {
    if [ -n "$commit" ] || [ -e "$record" ]; then
        if [ -n "$commit" ]; then tree_git diff-tree -p "$commit"; else cat "$record"; fi >"$work/diff"
        make_patch "$work/diff" && git_apply --check -R "$patch" ||
            stop "$tree has the patch${short:+ in commit $short}, but another version of it, or it was changed there: \
make unapply JDK_SRC=$src takes it out if that can be done"
        echo "$tree has the patch already${short:+, in commit $short}"
        return
    fi
    if has_made; then
        echo "$tree has the patch already"
        return
    fi
    [ -z "$(first_added)" ] || stop "$(not_ours)"
    make_patch || exit 1
    if [ -n "$in_git" ]; then
        check_committable
        git_apply --check --index "$patch" || stop "$tree: $(failure)"
        change_and_commit "${issue:+$issue: }$title" \
            "A confined arena takes its small allocations from a slot of zeroed native memory
that its thread keeps, and gives the slot back when it is closed." "$patch"
        echo "$tree has the patch now: $(tree_git log -1 --format='commit %h, %s')"
    else
        git_apply --check "$patch" || stop "$tree: $(failure)"
        cp "$patch" "$record.tmp"
        write "$patch"
        mv "$record.tmp" "$record"
        echo "$tree has the patch now: $(grep -c '^+++ ' "$patch") files, and $(basename "$record") to take them out by"
    fi
}

unapply() {
    if [ -n "$commit" ]; then
        tree_git diff-tree -p "$commit" >"$work/diff"
        tree_git log -1 --format=%B "$commit" | grep -qx "$trailer: $(patch_id <"$work/diff")" ||
            stop "commit $short in $tree was changed since make apply made it; git revert or git rebase can take it out"
        check_committable
        git_apply --check --index -R "$work/diff" || stop "$tree: $(failure)"
        if [ "$(tree_git rev-parse HEAD)" = "$commit" ] && [ -z "$(tree_git branch -r --contains "$commit")" ]; then
            tree_git reset -q --keep "$commit^" >"$work/git.log" 2>&1 || stop "$tree: $(head -n1 "$work/git.log")"
            echo "$tree has the patch no more: commit $short is gone"
        else
            # Others may have the commit, or build on it.
            change_and_commit "${issue:+$issue: }[BACKOUT] $title" "This takes out commit $short." "$work/diff" -R
            echo "$tree has the patch no more: $(tree_git log -1 --format='commit %h takes it out')"
        fi
    elif [ -e "$record" ]; then
        git_apply --check -R "$record" || stop "$tree: $(failure)"
        write -R "$record"
        rm "$record"
        echo "$tree has the patch no more"
    elif has_made; then
        write -R "$made"
        echo "$tree has the patch no more"
    elif [ -n "$(first_added)" ]; then
        stop "$(not_ours)"
    else
        echo "$tree does not have the patch; nothing to take out"
    fi
}

$mode
