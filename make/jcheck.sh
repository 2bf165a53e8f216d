#!/usr/bin/env bash
# Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
# SPDX-License-Identifier: GPL-2.0-only

# jcheck.sh: holds the files that git tracks or would track, as they are in the work tree, and the messages of the commits that
# led to HEAD, to .jcheck/conf, whose format is that of OpenJDK's jcheck; its patterns are given to grep -P. Prints file and line
# of what breaks a rule. Exit status 1 when something does, 2 when the check could not be done.

set -uo pipefail
export LC_ALL=C.UTF-8
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Also in a subshell, hence the file.
stop() { echo "jcheck: $1; the check was not done" >&2; touch "$work/stopped"; exit 2; }
root=$(git rev-parse --show-toplevel 2>&1) || { root=${root%%$'\n'*}; stop "a git clone is needed: ${root#fatal: }"; }
cd "$root"
conf=.jcheck/conf
[ -r $conf ] || stop "this git repository has no $conf"

# settings CHECK: its lines key=value. setting CHECK KEY: the value.
settings() { awk -v want="[checks${1:+ \"$1\"}]" '/^\[/ { wanted = $0 == want; next } wanted && /^[a-z]/' $conf; }
setting() { settings "$1" | sed -n "s/^$2=//p" | grep . || stop "$conf has no $2= in the section for ${1:-checks}"; }
# matching CHECK KEY: those of the lines of standard input that the setting matches in whole.
matching() {
    local pattern
    pattern=$(setting "$1" "$2") || exit
    grep -xP -- "$pattern"
    [ $? -le 1 ] || stop "$conf: $2 of $1 is not a regular expression"
}
# find_lines FILE CHECK MESSAGE PATTERN: the lines NAME:LINE:TEXT of FILE in which PATTERN matches, reported.
find_lines() {
    grep -aP -- "$4" "$1" | sed -E "s/^([^:]*:[0-9]+):.*/\1: $2: $3/"
    [ "${PIPESTATUS[0]}" -le 1 ] || stop "$conf: not a regular expression: $4"
}

check_whitespace() {
    local file ignore
    ignore=$(setting whitespace ignore-tabs) || exit
    grep -avxE '[!-~]+' "$work/names" | sed 's/$/:1: whitespace: the file name has a character other than printable ASCII/'
    matching whitespace files <"$work/names" | grep -vxFf "$work/text" | while read -r file; do
        [ ! -f "$file" ] || [ ! -s "$file" ] || echo "$file:1: whitespace: is not text; the names of binary files are in $conf"
    done
    xargs -d '\n' grep -naxvH '.*' <"$work/text" | sed -E 's/^([^:]*:[0-9]+):.*/\1: whitespace: is not UTF-8/'
    while read -r file; do
        [ -z "$(tail -c1 "$file")" ] || echo "$file:1: whitespace: no newline at the end of the file"
    done <"$work/text"
    find_lines "$work/lines" whitespace "carriage return" '\r'
    find_lines "$work/lines" whitespace "trailing whitespace" '[ \t]$'
    find_lines "$work/lines" whitespace tab "^(?:(?!(?:$ignore):)[^:]+:\d+:.*\t|[^:]+:\d+:\t*[^\t]+\t)"
}

check_executable() {
    local file start
    while read -r file; do
        [ -f "$file" ] && [ ! -L "$file" ] || continue
        IFS= read -r -n2 start <"$file"
        if ! [[ "$scripts" = *$'\n'"$file"$'\n'* ]]; then
            [ ! -x "$file" ] || echo "$file:1: executable: is executable, but not where $conf has scripts"
        elif [ "$start" != '#!' ]; then
            [ ! -x "$file" ] || echo "$file:1: executable: is executable, but does not begin with #!"
        else
            [ -x "$file" ] || echo "$file:1: executable: begins with #!, but is not executable"
        fi
    done <"$work/names"
}

check_symlink() {
    local file
    while read -r file; do
        [ ! -L "$file" ] || echo "$file:1: symlink: is a symbolic link to $(readlink "$file")"
        [ -L "$file" ] || [ ! -d "$file" ] || echo "$file:1: symlink: is another git repository inside this one"
    done <"$work/names"
}

# The comment that each file begins with, as NAME:1:TEXT with single spaces.
headers() {
    matching "$1" files <"$work/text" | xargs -rd '\n' awk '
        function flush() { if (name) { gsub(/ +/, " ", text); print name ":1:" text } }
        FNR == 1 { flush(); name = FILENAME; text = ""; block = /^\/\*/; open = 1 }
        open && !block && !/^#/ { open = 0 }
        open { if (block && /\*\//) open = 0; sub(/^[ \/*#]+/, ""); text = text " " $0 }
        END { flush() }'
}
check_copyright() {
    local form
    form=$(setting copyright authors_validator) || exit
    headers copyright | grep -vP -- ":1:$form" | sed "s|:1:.*|:1: copyright: no copyright line of the form in $conf|"
}
check_license() {
    local paragraph files
    headers license >"$work/headers"
    settings license | sed -n 's/_text=.*//p' | while read -r paragraph; do
        files=$(settings license | sed -n "s/^${paragraph}_files=//p")
        grep -P -- "^(?:${files:-[^:]*}):1:" "$work/headers" | grep -vP -- "$(setting license "${paragraph}_text")" |
            sed "s|:1:.*|:1: license: the comment at the beginning lacks the $paragraph text of $conf|"
    done
}

# Lines of the form test[#id] bug[,bug] platform[,platform], as jtreg takes them.
check_problemlists() {
    local dir test bug platforms line entry
    dir=$(setting problemlists dirs) || exit
    sed -n "s|^$dir/\([^/]*\)$|\1|p" "$work/names" | matching problemlists pattern |
        while read -r list; do
            grep -nvE '^[[:space:]]*(#|$)' "$dir/$list" | while IFS=: read -r line entry; do
                read -r test bug platforms <<<"$entry"
                error() { echo "$dir/$list:$line: problemlists: $1"; }
                [ -f "$dir/${test%%#*}" ] || error "no test ${test%%#*}"
                [[ $bug =~ ^[0-9]{7}(,[0-9]{7})*$|^https?:// ]] || error "\"$bug\" is neither seven-digit bug numbers nor a URL"
                [[ $platforms, =~ ^((generic|linux|macosx|windows|aix)-[a-z0-9]+,)+$ ]] ||
                    error "\"$platforms\" is no platform such as generic-all or linux-x64"
            done
        done
}

check_content() {
    settings content | while IFS='=' read -r key pattern; do
        find_lines "$work/lines" content "$key" "^[^:]*:\d+:.*?$pattern"
        find_lines "$work/messages" content "$key" "^[^:]*:\d+:.*?$pattern"
    done
}

check_message() {
    local limit forbidden
    limit=$(setting message subject-length) && forbidden=$(setting message subject-forbid) || exit
    in_messages() { find_lines "$work/messages" message "$1" "^[^:]*:$2"; }
    in_messages "no subject" '1:\s*$'
    in_messages "the subject has more than $limit characters" "1:.{$((limit + 1))}"
    in_messages "the subject ends in a period" '1:.*\.\s*$'
    in_messages "not a subject that says what the change does" "1:$forbidden\$"
    in_messages "the line after the subject is not blank" '2:.*\S'
    in_messages "tab or trailing whitespace" '\d+:(.*\s$|.*\t)'
}

# One deleted but not yet committed is still listed by git.
git ls-files -z -co --exclude-standard | tr '\n\0' '?\n' | while IFS= read -r file; do
    [ ! -e "${file%/}" ] && [ ! -L "$file" ] || echo "$file"
done >"$work/names"
scripts=$'\n'$(matching executable files <"$work/names")$'\n'
xargs -d '\n' grep -lIs '' <"$work/names" >"$work/text"
# Of a patch only added lines are ours to keep clean.
xargs -d '\n' grep -naH '' <"$work/text" | grep -avE '^[^:]*\.patch:[0-9]+:([^+]|$)' >"$work/lines"
{ git log --no-show-signature --encoding=UTF-8 --format='%x01%H%n%B' 2>/dev/null || :; } |
    awk '/^\001/ { commit = substr($0, 2, 12); line = 0; next } { print "commit " commit ":" ++line ":" $0 }' >"$work/messages"
checks=$(setting '' error) || exit
for check in ${checks//,/ }; do
    declare -F "check_$check" >/dev/null ||
        stop "$conf asks for the check \"$check\"; known are $(compgen -A function check_ | sed s/check_// | paste -sd' ')"
    check_$check >>"$work/errors"
done
[ ! -e "$work/stopped" ] || exit 2
sort -t: -k1,1 -k2,2n "$work/errors"
errors=$(wc -l <"$work/errors")
echo "jcheck: $(wc -l <"$work/names") files, $(grep -c ':1:' "$work/messages") commits, $errors errors"
[ "$errors" -eq 0 ]
