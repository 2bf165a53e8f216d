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

# apt-install.sh WHY PACKAGE... : installs what is missing of PACKAGE..., as root and where apt has it.
# Otherwise one line says what to install, and the exit status is 1.

set -u
why=$1; shift

missing=
for package in "$@"; do
    dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null | grep -q '^ii' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

give_up() {
    echo "$why: not found; please install$missing${1:+ ($1)}" >&2
    exit 1
}

command -v apt-get >/dev/null || give_up "or the like of it on this system"
[ "$(id -u)" = 0 ] || give_up "as root: apt-get install$missing"

# A minimal root has no package lists yet, and may have outdated ones: look again once before giving up.
known() { apt-cache show $missing >/dev/null 2>&1; }
known || apt-get -qq update >/dev/null 2>&1
known || give_up "apt has no such package here"

echo "Installing$missing with apt-get ($why)"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
install() { DEBIAN_FRONTEND=noninteractive apt-get -y -qq --no-install-recommends install $missing >"$log" 2>&1; }
install || { apt-get -qq update >/dev/null 2>&1; install; } ||
    give_up "apt-get failed: $(grep -m1 '^E:' "$log" || tail -n1 "$log")"
