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
package pooledarena.peers;

import pooledarena.benchmark.Jvm;
import pooledarena.text.LineChart;
import pooledarena.text.Table;

import java.awt.Color;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Netty's allocators: what do direct buffers cost beside arenas, and what of that are atomic operations? */
final class NettyPart implements Part {

    private static final String BY_SIZE = "size";
    private static final List<String> SIZES = List.of("16", "64", "256", "1024", "8192");

    private record Column(String name, String jvm, String benchmark, Color color, boolean dashed) {}

    private static final List<Column> COLUMNS = List.of(
            new Column("adaptive, event loop", Jvm.STOCK, "DirectBuffersOnEventLoop.adaptive", Palette.PEER, false),
            new Column("adaptive, zeroed, event loop", Jvm.STOCK, "DirectBuffersOnEventLoop.adaptiveZeroed",
                    Palette.THIRD_PEER, false),
            new Column("pooled, event loop", Jvm.STOCK, "DirectBuffersOnEventLoop.pooled", Palette.SECOND_PEER, false),
            new Column("stock arena, event loop", Jvm.STOCK, "DirectBuffersOnEventLoop.arena", Palette.STOCK, false),
            new Column("pooled arena, event loop", Jvm.POOLED, "DirectBuffersOnEventLoop.arena", Palette.POOLED, false),
            new Column("adaptive, plain thread", Jvm.STOCK, "DirectBuffersOnPlainThread.adaptive", Palette.PEER, true),
            new Column("pooled, plain thread", Jvm.STOCK, "DirectBuffersOnPlainThread.pooled", Palette.SECOND_PEER, true),
            new Column("stock arena, plain thread", Jvm.STOCK, "DirectBuffersOnPlainThread.arena", Palette.STOCK, true),
            new Column("pooled arena, plain thread", Jvm.POOLED, "DirectBuffersOnPlainThread.arena", Palette.POOLED, true));

    @Override
    public String title() {
        return "Netty: direct buffers from its allocators, and confined arenas";
    }

    @Override
    public List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (String size : SIZES) {
            for (Column column : COLUMNS) {
                cases.add(Case.of(BY_SIZE, size + " B", column.name, column.jvm, column.benchmark, Map.of("size", size)));
            }
        }
        return cases;
    }

    @Override
    public List<String> extras() {
        return List.of(HotPath.LABEL);
    }

    @Override
    public List<Section> report(Results results, Lab lab) throws IOException {
        List<Section> sections = new ArrayList<>();
        if (results.has(BY_SIZE)) {
            sections.add(new Section("Allocate, write and read 8 bytes, release: ns/op",
                    "Arenas hand out zeroed memory; of Netty's columns only the one that says so does.",
                    table(results, f -> pooledarena.text.Figures.time(f.score(), f.score()) + " ± "
                            + pooledarena.text.Figures.time(f.deviation(), f.score())),
                    Section.Chart.of("time-by-size.png", new LineChart(
                            "Allocate, write and read 8 bytes, release: time by size",
                            new LineChart.Axis("bytes", true), new LineChart.Axis("ns per operation", true),
                            COLUMNS.stream().filter(column -> results.columns(BY_SIZE).contains(column.name))
                                    .map(column -> results.series(BY_SIZE, column.name, column.color, column.dashed,
                                            Figures::score)).toList(), null, false))));
            sections.add(new Section("The same: Java heap B/op", "", table(results, f -> "%.0f".formatted(f.bytesPerOp()))));
        }
        if (lab.wants(HotPath.LABEL)) {
            String obstacle = HotPath.obstacle();
            sections.add(obstacle == null
                    ? new Section("Atomic operations in compiled code", """
                            Instructions with a lock prefix and exchanges with memory, in all that C2 compiled into one \
                            method; traps into the interpreter are no calls. What is called may have more. The listings \
                            are in hot-path/.""", HotPath.measure(lab))
                    : new Section("Atomic operations in compiled code",
                            "Not counted: " + obstacle + ".", null));
        }
        return sections;
    }

    private static Table table(Results results, Function<Figures, String> text) {
        List<String> header = new ArrayList<>(List.of("size"));
        header.addAll(results.columns(BY_SIZE));
        Table table = new Table(header);
        for (String row : results.rows(BY_SIZE)) {
            List<String> line = new ArrayList<>(List.of(row));
            results.columns(BY_SIZE).forEach(column -> line.add(results.cell(BY_SIZE, row, column, text)));
            table.add(line);
        }
        return table;
    }
}
