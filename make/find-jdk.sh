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

# find-jdk.sh [JDK]: prints the home of the JDK to patch, and on standard error one line that says which and why it;
# or, where there is none, prints one line that says so instead, with exit status 1.
# In this order: the argument, $JAVA_HOME when it is 25 or newer, the usual install places (25 before newer ones), apt.
# One that is newer than the patch is for is taken too, as most of a new JDK's releases change nothing that the patch does.
# The JDK must carry its own sources, since they are what is patched.

set -u
: "${HOME:=/}"
make=$(dirname "$0")
. "$make/versions.sh"
accepted="a JDK home with bin/javac and lib/src.zip, $oldest to $newest"

# Why $1 does not fit; nothing when it does.
unfit() {
    local version
    [ -d "$1" ] || { echo "no such directory"; return; }
    [ -x "$1/bin/javac" ] || { echo "no bin/javac"; return; }
    version=$(jdk_release "$1")
    [ "${version:-0}" -ge $oldest ] || { echo "JDK ${version:-of unknown version}"; return; }
    # Debian's lib/src.zip is a link that dangles until the package with the sources is there.
    [ -r "$1/lib/src.zip" ] || echo "no readable lib/src.zip"
}

take() {
    local version
    version=$(jdk_version "$1")
    [ "$(jdk_release "$1")" -le $newest ] || set -- "$1" "$2; newer than $newest, for which the patch is, and taken as that"
    echo "JDK ${version:-$(jdk_release "$1")} at $1 ($2)" >&2
    echo "$1"
    exit 0
}

# The best of the usual places: 25 first, then the next newer one. Links are followed, so that one JDK counts once.
usual_place() {
    local dir
    for dir in /usr/lib/jvm/* "$HOME"/.sdkman/candidates/java/* /opt/* /usr/java/* \
               "$HOME"/.jdks/* {,"$HOME"}/Library/Java/JavaVirtualMachines/*/Contents/Home; do
        [ -x "$dir/bin/javac" ] && [ -z "$(unfit "$dir")" ] && echo "$(jdk_release "$dir") $(cd -P "$dir" && pwd)"
    done | sort -k1,1n -s | head -n1 | cut -d' ' -f2-
}

if [ -n "${1:-}" ]; then
    reason=$(unfit "$1")
    [ -z "$reason" ] && take "$(cd "$1" && pwd)" "as set by JDK="
    echo "JDK=$1: $reason; accepted is $accepted; nothing was built"
    exit 1
fi

passed_over=
if [ -n "${JAVA_HOME:-}" ]; then
    reason=$(unfit "$JAVA_HOME")
    [ -z "$reason" ] && take "$(cd "$JAVA_HOME" && pwd)" "from JAVA_HOME"
    passed_over="JAVA_HOME passed over: $reason; "
fi

home=$(usual_place)
[ -n "$home" ] && take "$home" "${passed_over}JDK= sets another"

"$make"/apt-install.sh "JDK $oldest with sources" openjdk-$oldest-jdk-headless openjdk-$oldest-source 3>&1 1>&2 2>&3 || exit 1
home=$(usual_place)
[ -n "$home" ] && take "$home" "${passed_over}installed just now"
echo "No JDK found: accepted is $accepted; set it with JDK="
exit 1
