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


# preload-java.sh JDK NAME DIRECTORY: writes DIRECTORY/java-NAME, which runs the JDK's java with the malloc of libNAME.so
# instead of the C library's, and prints the option that makes it a peer in a comparison. Where that library is not
# installed, prints nothing, and a line on standard error.

set -eu
jdk=$1 name=$2 launcher=$3/java-$2
rm -f "$launcher"
library=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null | sed -n "s/^\tlib$name\.so.* => //p" | head -n1)
if [ -z "$library" ]; then
    echo "$name is not installed, so it has no column; apt-cache search lib$name tells the package" >&2
    exit 0
fi
mkdir -p "$3"
printf '#!/bin/sh\nLD_PRELOAD="%s" exec "%s/bin/java" "$@"\n' "$library" "$jdk" >"$launcher.tmp"
chmod +x "$launcher.tmp"
mv "$launcher.tmp" "$launcher"
echo "--peer $name=$launcher"
