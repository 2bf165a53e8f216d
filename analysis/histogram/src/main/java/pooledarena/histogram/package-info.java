/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
/**
 * The histogram of confined arenas: what the recorder writes and the report reads.
 *
 * <h2>The file, version 9</h2>
 * One JSON object in UTF-8:
 * <dl>
 * <dt>{@code format}, {@code version}<dd>{@code "pooled-confined-arena histogram"} and 9. A reader refuses another version.
 * <dt>{@code jvms}<dd>the virtual machines, objects with the components of {@link pooledarena.histogram.RecordedJvm}. The recorder
 *     writes one; a merged file has several, sorted by host, process and start.
 * <dt>{@code columns}<dd>the names of a row's fields
 * <dt>{@code rows}<dd>an array of numbers for each {@link pooledarena.histogram.Shape} of arenas and its
 *     {@link pooledarena.histogram.Tally}. {@code site} is an index into {@code sites} or -1; {@code closing}
 *     one into {@link pooledarena.histogram.Closing}; {@code virtual} and {@code exact} are 0 or 1. {@code bytes} to
 *     {@code alignment} are those of one arena, {@code arenas}, {@code sumOfBytes} and {@code sumOfAllocations} of all in the
 *     row. Several rows may have the same shape.
 * <dt>{@code dropped}<dd>an object with the components of {@link pooledarena.histogram.Dropped}
 * <dt>{@code sites}<dd>an array {@code [class, method, line, indirect, callers]} for each call site that opens arenas.
 *     {@code callers} is an array of {@code "class.method:line"}; it may be missing if none is told.
 * <dt>{@code others}<dd>arenas of other kinds than confined: an array of index into {@code sites} or -1, index into
 *     {@link pooledarena.histogram.OtherArenas.Kind}, and number
 * </dl>
 * Totals of any kind, also by site, are sums over rows. Where the site was not looked for with every arena, {@code sites} of
 * the virtual machine says with how many; rows with a site are then a sample.
 */
package pooledarena.histogram;
