/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;

import java.util.List;
import java.util.Map;

/**
 * What was found in one library.
 *
 * @param name           of its file, directory or module
 * @param classes        how many it has
 * @param foreignClasses how many of them refer to the Foreign Function &amp; Memory API
 * @param otherArenas    how many places get an arena that is not confined, by the method that gives it
 * @param openings       of confined arenas
 * @param workarounds    of their cost
 * @param faults         what could not be read, and why
 */
@JsonPropertyOrder({"name", "classes", "foreignClasses", "otherArenas", "faults", "workarounds", "openings"})
record LibraryScan(String name, int classes, int foreignClasses, Map<String, Integer> otherArenas, List<Opening> openings,
                   List<Workaround> workarounds, List<String> faults) {}
