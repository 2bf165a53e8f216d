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

# make-patch.sh OUT: one unified diff for an OpenJDK source tree out of src/, test/jdk and test/micro.
# Runs in the project's directory. What a source tree has of its own, such as TEST.ROOT, stays out; so do benchmarks that
# need libraries which no JDK has.

set -eu
out=$1
mkdir -p "$(dirname "$out")"
trap 'rm -f "$out.tmp"' EXIT
trap 'exit 130' INT TERM HUP

find src $(ls -d test/jdk test/micro 2>/dev/null) -type f ! -path 'test/micro/*/peers/*' ! -name TEST.ROOT ! -name TEST.groups ! -name 'ProblemList*.txt' ! -name '.*' |
    LC_ALL=C sort |
    while read -r file; do
        case $file in
            *.patch)
                cat "$file"
                ;;
            *)
                # The settings of whoever runs this must not change the format. Status 1 says that the files differ.
                git -c core.autocrlf=false -c diff.noprefix=false -c diff.mnemonicPrefix=false diff \
                    --no-index --no-color --no-ext-diff --no-textconv --full-index -- /dev/null "$file" || [ $? = 1 ]
                ;;
        esac
    done >"$out.tmp"
[ -s "$out.tmp" ] || { echo "$out: no sources found" >&2; exit 1; }
mv "$out.tmp" "$out"
