/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.peers;

import pooledarena.benchmark.Case;
import pooledarena.benchmark.Outcome;
import pooledarena.benchmark.Results;
import pooledarena.text.Document;
import pooledarena.text.LineChart.Axis;
import pooledarena.text.LineChart;
import pooledarena.text.Table;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Netty's allocators: what do direct buffers cost beside arenas, and what of that are atomic operations? */
final class NettyPart implements Part {

    private static final String BY_SIZE = "size";
    private static final List<String> SIZES = List.of("16", "64", "256", "1024", "8192");

    private static final List<Column> COLUMNS = List.of(
            Column.ofStock("adaptive, event loop", "DirectBuffersOnEventLoop.adaptive", Column.PEER),
            Column.ofStock("adaptive, zeroed, event loop", "DirectBuffersOnEventLoop.adaptiveZeroed", Column.THIRD_PEER),
            Column.ofStock("pooled, event loop", "DirectBuffersOnEventLoop.pooled", Column.SECOND_PEER),
            Column.ofStock("stock arena, event loop", "DirectBuffersOnEventLoop.arena", Column.STOCK),
            Column.ofPooled("pooled arena, event loop", "DirectBuffersOnEventLoop.arena"),
            Column.ofStock("adaptive, plain thread", "DirectBuffersOnPlainThread.adaptive", Column.PEER).dashedLine(),
            Column.ofStock("pooled, plain thread", "DirectBuffersOnPlainThread.pooled", Column.SECOND_PEER).dashedLine(),
            Column.ofStock("stock arena, plain thread", "DirectBuffersOnPlainThread.arena", Column.STOCK).dashedLine(),
            Column.ofPooled("pooled arena, plain thread", "DirectBuffersOnPlainThread.arena").dashedLine());

    @Override
    public String title() {
        return "Netty: direct buffers from its allocators, and confined arenas";
    }

    @Override
    public List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        SIZES.forEach(size -> COLUMNS.forEach(column -> cases.add(column.in(BY_SIZE, size + " B", Map.of("size", size), 1))));
        return cases;
    }

    @Override
    public String extra() {
        return "atomic operations in compiled code";
    }

    @Override
    public void report(Results results, Document document) throws IOException {
        if (results.has(BY_SIZE)) {
            document.heading("Allocate, write and read 8 bytes, release: ns/op")
                    .table(Column.table(results, BY_SIZE, "size", Outcome::scoreWithError))
                    .paragraph("Arenas hand out zeroed memory; of Netty's columns only the one that says so does.");
            Part.picture(document, "time-by-size.png", results, new LineChart(
                    "Allocate, write and read 8 bytes, release: time by size", new Axis("bytes", true),
                    new Axis("ns per operation", true),
                    Column.series(results, BY_SIZE, COLUMNS, Outcome::score, UnaryOperator.identity()), null, false));
            document.heading("The same: Java heap B/op")
                    .table(Column.table(results, BY_SIZE, "size", outcome -> "%.0f".formatted(outcome.bytesPerOp())));
        }
    }

    @Override
    public Consumer<Document> measureExtra(Programs programs) throws IOException {
        String heading = "Atomic operations in compiled code";
        String obstacle = HotPath.obstacle();
        if (obstacle != null) {
            return document -> document.heading(heading).paragraph("Not counted: " + obstacle + ".");
        }
        Table table = HotPath.measure(programs);
        return document -> document.heading(heading).table(table).paragraph("""
                Instructions with a lock prefix and exchanges with memory, in all that C2 compiled into one method; traps into the \
                interpreter are no calls. What is called may have more. The listings are in hot-path/.""");
    }
}
