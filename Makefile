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

# The one front door: make help lists the targets.

.DEFAULT_GOAL := help

GOALS_WITHOUT_JDK := help clean apply unapply $(if $(JDK_SRC),$(if $(JDK),,patch))

include make/Common.gmk
include make/Jdk.gmk
include make/Image.gmk
include make/Micro.gmk
include make/Analysis.gmk
include make/Test.gmk
include make/Upstream.gmk
include make/Arch.gmk
include make/Patch.gmk
include make/Build.gmk
include make/Peers.gmk
include make/Recordings.gmk

.PHONY: help
help: ## this list
	@echo "Targets:"
	@awk -F '## ' '/^[a-z-]+:.*## / { sub(/:.*/, "", $$1); printf "  %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo "To be set, as in make image JDK=/usr/lib/jvm/jdk-25:"
	@awk -F '## ' '/^[A-Z_]+ \?=.*## / { sub(/ .*/, "", $$1); printf "  %-15s %s\n", $$1 "=", $$2 }' $(MAKEFILE_LIST)

.PHONY: clean
clean: ## remove build/
	$(Q)rm -rf $(BUILD)
