/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.peers;

import pooledarena.benchmark.Case;
import pooledarena.benchmark.Outcome;
import pooledarena.peers.Group.Figure;
import pooledarena.peers.Group.Picture;
import pooledarena.text.Figures;
import pooledarena.text.LineChart.Axis;
import pooledarena.text.LineChart.Point;

import module java.base;

/** Okio's segments: what do pools cost when threads fight for them, and what does zeroing cost? */
final class OkioPart {

    private static final String BY_THREADS = "Take 8 KiB, write one byte, give them back";
    private static final String ZEROING = "Allocate n bytes, write one, drop them";
    private static final String NOT_ZEROED = ", not zeroed";
    private static final String NO_POOL = "no pool";

    private static final List<Case> POOLS = List.of(
            Part.onStock(NO_POOL, "SegmentPools.noPool"),
            Part.onStock("synchronized", "SegmentPools.synchronizedPool"),
            Part.onStock("lock-free", "SegmentPools.lockFreePool"),
            Part.onStock("striped lock-free (Okio)", "SegmentPools.okio"),
            Part.onStock("stock arena", "SegmentPools.arena"),
            Part.onPooled("pooled arena", "SegmentPools.arena"));

    private static final List<Case> ALLOCATIONS = List.of(
            Part.onStock("new byte[n]", "Zeroing.array"),
            Part.onStock("new byte[n]" + NOT_ZEROED, "Zeroing.arrayNotZeroed"),
            Part.onStock("stock arena", "Zeroing.arena"),
            Part.onStock("stock arena" + NOT_ZEROED, "Zeroing.arenaNotZeroed"),
            Part.onPooled("pooled arena", "Zeroing.arena"));

    static final Part PART = new Part("Okio: pools under contention, and the cost of zeroing", groups());

    private OkioPart() {}

    private static List<Group> groups() {
        List<Case> byThreads = Stream.of(1, 2, 4, 16, 64).flatMap(threads -> POOLS.stream()
                .map(pool -> pool.in(BY_THREADS, Figures.count(threads, "thread"), Map.of(), threads))).toList();
        List<Case> bySize = Stream.of("8", "128", "1024", "8192", "65536").flatMap(size -> ALLOCATIONS.stream()
                .map(column -> column.in(ZEROING, size + " B", Map.of("size", size), 1))).toList();
        return List.of(
                new Group(BY_THREADS, byThreads, List.of(
                        new Figure("million times per second, all threads together", (row, pool) ->
                                row.cell(pool, outcome -> Figures.significant(millions(row.what(), outcome)))),
                        Figure.of("times as fast as no pool", NO_POOL, (outcome, base) ->
                                Outcome.times(base.score() / outcome.score()))), """
                        The arenas clear all 8 KiB each time, as does no pool; the other pools hand out what was in \
                        use before.""",
                        Picture.lines("contention.png", BY_THREADS + ": how often", new Axis("threads", true),
                                new Axis("million times per second, all threads together", true), BY_THREADS,
                                m -> new Point(m.what().threads(), millions(m.what(), m.outcome())))),
                new Group(ZEROING, bySize, List.of(Figure.TIME,
                        new Figure("ns/op of it for zeroing", (row, column) ->
                                row.cell(column, column + NOT_ZEROED, Group::difference))), """
                        Zeroing is the difference to a form inside the JDK that does not zero. Differences below the \
                        error can be negative. The pooled arena clears at close; 65536 B do not fit a slot.""",
                        Picture.lines("zeroing.png", ZEROING + ": time by size; dashed without zeroing",
                                new Axis("bytes", true), new Axis("ns per operation", true), ZEROING,
                                m -> new Point(m.what().number("size"), m.outcome().score()))));
    }

    /** {@return how often all threads together do it in a second, in millions} */
    private static double millions(Case what, Outcome outcome) {
        return what.threads() * 1e3 / outcome.score();
    }
}
