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

# mvn.sh ARGUMENT... : Maven on JAVA_HOME's JDK, quiet but for warnings and errors; installed first when it is missing.

set -euo pipefail
command -v mvn >/dev/null || "$(dirname "$0")"/apt-install.sh "Maven" maven
# Maven's own libraries use what newer JDKs warn of.
export MAVEN_OPTS="--sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED ${MAVEN_OPTS:-}"
# It resets colours even where it uses none.
mvn --quiet --batch-mode -Dstyle.color=never "$@" 2>&1 | sed $'s/\033\\[0*m//g'
