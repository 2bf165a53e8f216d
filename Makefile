# Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
# SPDX-License-Identifier: GPL-2.0-only

# The one front door: make help lists the targets.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
# Not empty when make only prints what it would do (-n), or asks whether anything is to be done (-q).
DRY_RUN := $(strip $(foreach option,n q,$(findstring $(option),$(filter-out --%,$(firstword -$(MAKEFLAGS))))))
MAKEFLAGS += --no-builtin-rules --no-print-directory
.SUFFIXES:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

# What make itself and every recipe rely on.
UNMET := $(if $(filter grouped-target,$(.FEATURES)),,make) $(shell ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404)) || echo bash; \
    for tool in git awk tar; do command -v $$tool >/dev/null || echo $$tool; done; \
    for tool in diff find grep sed; do [[ $$($$tool --version 2>&1) = *GNU* ]] || echo $$tool; done; \
    realpath -e / >/dev/null 2>&1 || echo coreutils)
$(if $(strip $(UNMET)),$(error Needed are GNU make 4.3, bash 4.4, git, awk, tar, and GNU coreutils, diffutils, findutils, grep and \
    sed; missing or too old: $(strip $(UNMET)); nothing was done))

# Two makes at once would break each other. So the goals run in a second make, which has the directory make/ locked as long as it
# or a process that it started runs. A system without flock has no lock.
ifneq ($(if $(BUILD_LOCKED)$(DRY_RUN),,$(filter-out help jcheck,$(MAKECMDGOALS))),)

.PHONY: locked $(MAKECMDGOALS)
$(sort $(MAKECMDGOALS)): locked
	@:
locked:
	@exec 9<make; ! command -v flock >/dev/null || flock -n 9 || { echo "make $(MAKECMDGOALS): another make works in this checkout;" \
	    "start this one when that has ended; nothing was done" >&2; exit 1; }; BUILD_LOCKED=yes exec $(MAKE) $(MAKECMDGOALS)

else

# Whatever -j says: measurements would disturb each other, and two goals may call apt or Maven.
.NOTPARALLEL:

# Not to be set, since Maven writes there, too.
$(if $(filter command line,$(origin BUILD)),$(error BUILD=$(BUILD) cannot be set, since Maven writes to build/, too; nothing was done))
override BUILD := build

# With CDPATH set, cd may print a path, or go elsewhere. The next ones would change what is built and measured. The others are for
# scripts that scripts call.
unexport CDPATH JDK_JAVAC_OPTIONS JDK_JAVA_OPTIONS HOST_JDK LEFT_OUT MAIN RUNNER
# Begins a command that measures or runs mutants. As the options above, these would change it. Maven keeps them: they may name a proxy.
WITHOUT_OPTIONS := env -u JAVA_TOOL_OPTIONS -u _JAVA_OPTIONS
# What the scripts in make/ take from the environment.
export BUILD JDK_HOME IMAGE JTREG JDK_SRC TEST UPSTREAM_TESTS CONFIGS

V ?= ## 1 shows the commands
# Silences a recipe line unless V=1.
Q := $(if $(filter 1, $(V)),,@)
# $(1) as one word of the shell's.
quote = '$(subst ','\'',$(1))'
# The command that repeats what runs: this goal, or $(2), with JDK and those of the variables $(1) that are set; as one word.
repeat = $(call quote,$(strip make $(or $(2),$@) $(foreach name,JDK $(1),$(if $($(name)),$(name)=$(call quote,$(strip $($(name))))))))

# What make help lists, common ones first; a colon follows a heading.
HELP := Build: image recorder patch-module dist patch apply unapply jdk clean help JDK JDK_SRC V ISSUE JOBS CONFIGURE_ARGS \
    Test: test test-java test-jtreg try jcheck test-stress test-upstream test-arch mutation mutation-pool \
        TEST RUN JTREG STRESS_SCALE UPSTREAM_TESTS CONFIGS ARCH MUTATE MUTANTS \
    Measure: compare micro compare-full COMPARE_ARGS PEER MICRO MICRO_ARGS \
    Research: corpus recordings savings peers peers-rocksdb peers-netty peers-okio peers-malloc peers-arenas peers-atomics peers-test \
        mechanisms RECORDINGS SAVINGS ROUNDS MECHANISMS PEERS PEERS_ARGS

# make itself would find nothing to do for a directory, and take no notice of a variable whose name is misspelt.
$(foreach goal,$(filter-out test,$(filter $(patsubst %/,%,$(wildcard */)),$(MAKECMDGOALS))),$(error $(goal) is a directory and no \
    target; make help lists the targets; nothing was done))
SET := $(foreach name,$(.VARIABLES),$(if $(filter command,$(origin $(name))),$(name)))
$(foreach name,$(filter-out SUITES $(shell sed -nE 's/^([A-Z_]+) \?=.*/\1/p' Makefile make/*.gmk),$(SET)),$(error $(name)= is no \
    variable; make help lists the variables; nothing was done))

include make/Image.gmk
include make/Analysis.gmk
include make/Test.gmk
include make/Patch.gmk
include make/Peers.gmk

.PHONY: help
help: ## this list
	@echo "make TARGET... VARIABLE=VALUE..., such as make image JDK=/usr/lib/jvm/jdk-25"
	@awk -F ' *## ' -v list="$(HELP)" '/^([a-z-]+:|[A-Z_]+ \?=).*## / { sub(/[: ].*/, "", $$1); text[$$1] = $$2 } \
	    END { for (n = split(list, name, " "); i++ < n;) \
	        if (!(name[i] in text)) printf "\n%s\n", name[i]; \
	        else printf "  %-15s %s\n", name[i] (name[i] ~ /^[A-Z]/ ? "=" : ""), text[name[i]] }' $(MAKEFILE_LIST)

.PHONY: clean
clean: ## remove build/
	$(Q)rm -rf $(BUILD)

endif
