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

# find-jtreg.sh: prints the jtreg to use; installs one where there is none and apt has it. In: JTREG, the command or the
# directory it is installed in, when it is not to be looked for. Otherwise one line says what is accepted; exit status 1.

set -euo pipefail
make=$(dirname "$0")

if [ -n "${JTREG:-}" ]; then
    for found in "$JTREG" "$JTREG/bin/jtreg"; do
        [ -f "$found" ] && [ -x "$found" ] && { realpath "$found"; exit; }
    done
    echo "JTREG=$JTREG: accepted is the command jtreg or the directory it is installed in" >&2
    exit 1
fi

find_jtreg() {
    local found
    # The newer one first, which is the one that OpenJDK's own suites of today ask for.
    for found in jtreg8 jtreg jtreg7; do
        command -v $found && return
    done
    ls -d /usr/share/jtreg*/bin/jtreg /opt/jtreg*/bin/jtreg 2>/dev/null | tail -n1 | grep .
}

find_jtreg && exit
"$make"/apt-install.sh "jtreg" jtreg8 >&2 2>/dev/null || "$make"/apt-install.sh "jtreg" jtreg7 >&2
find_jtreg
