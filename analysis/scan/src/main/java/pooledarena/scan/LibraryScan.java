/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * DO NOT ALTER OR REMOVE COPYRIGHT NOTICES OR THIS FILE HEADER.
 *
 * This code is free software; you can redistribute it and/or modify it
 * under the terms of the GNU General Public License version 2 only, as
 * published by the Free Software Foundation.  The authors designate this
 * particular file as subject to the "Classpath" exception as provided
 * in the LICENSE file that accompanied this code.
 *
 * This code is distributed in the hope that it will be useful, but WITHOUT
 * ANY WARRANTY; without even the implied warranty of MERCHANTABILITY or
 * FITNESS FOR A PARTICULAR PURPOSE.  See the GNU General Public License
 * version 2 for more details (a copy is included in the LICENSE file that
 * accompanied this code).
 *
 * You should have received a copy of the GNU General Public License version
 * 2 along with this work; if not, write to the Free Software Foundation,
 * Inc., 51 Franklin St, Fifth Floor, Boston, MA 02110-1301 USA.
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
