/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import module java.base;

/**
 * What was found in one library.
 *
 * @param foreignClasses how many of its classes refer to the Foreign Function &amp; Memory API
 * @param otherArenas    how many places get an arena that is not confined, by the method that gives it
 * @param faults         what could not be read, and why
 */
record LibraryScan(String name, int classes, int foreignClasses, Map<String, Integer> otherArenas, List<Opening> openings,
                   List<Workaround> workarounds, List<String> faults) {}
