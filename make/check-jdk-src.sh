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

# check-jdk-src.sh JDK_SRC [JDK]: prints the absolute path of JDK_SRC when that is the top directory of an OpenJDK source tree
# that the patch is for, and of the release of JDK where that is given.
# Otherwise it prints in one line what is wrong, and the exit status is 1.

set -eu
src=$1 jdk=${2:-}
. "$(dirname "$0")/versions.sh"

stop() { echo "$1; accepted is the top directory of an OpenJDK $oldest to $newest source tree, as in JDK_SRC=../jdk25u"; exit 1; }

[ -n "$src" ] || stop "JDK_SRC is not set"
tree=$(cd "$src" 2>/dev/null && pwd -P) || stop "JDK_SRC=$src: no such directory"
found=$(tree_release "$tree") || true
[ -n "$found" ] || stop "JDK_SRC=$src: not an OpenJDK source tree"
[ "$found" -ge $oldest ] && [ "$found" -le $newest ] || stop "JDK_SRC=$src: OpenJDK $found"
for part in src/java.base test/jdk/TEST.groups test/lib; do
    [ -e "$tree/$part" ] || stop "JDK_SRC=$src: has no $part"
done
release=$([ -z "$jdk" ] || jdk_release "$jdk")
[ -z "$jdk" ] || [ "$release" = "$found" ] || {
    echo "JDK_SRC=$src: OpenJDK $found, but the JDK is $release, $jdk; accepted is a JDK of the same release, as in JDK=/usr/lib/jvm/jdk-$found"
    exit 1
}
echo "$tree"
