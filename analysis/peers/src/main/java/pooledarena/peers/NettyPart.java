/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.peers;

import pooledarena.benchmark.Case;
import pooledarena.benchmark.Jvm;
import pooledarena.benchmark.MeasuringCommand.Extra;
import pooledarena.benchmark.Outcome;
import pooledarena.benchmark.Results.Measured;
import pooledarena.benchmark.Results;
import pooledarena.benchmark.Sampler;
import pooledarena.io.ProcessRunner.Failed;
import pooledarena.text.Document;
import pooledarena.text.LineChart.Axis;
import pooledarena.text.LineChart.Point;

import module java.base;

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

    private static final String ATOMICS = "atomic operations in compiled code";
    private static final String PROGRAM = Column.PACKAGE + "HotPath";

    private static final Map<String, String> METHODS = new LinkedHashMap<>();

    static {
        METHODS.put("arena", "arena: open, allocate 64 B, use, close");
        METHODS.put("arenaOnVirtualThread", "the same on a virtual thread");
        METHODS.put("threeAllocations", "arena with three allocations");
        METHODS.put("twoNested", "two nested arenas");
        METHODS.put("nettyAdaptive", "Netty adaptive, event loop: allocate 64 B, use, release");
        METHODS.put("nettyPooled", "Netty pooled, event loop: the same");
    }

    private record HotPath(String method, Jvm jvm) {}

    @Override
    public String title() {
        return "Netty: direct buffers from its allocators, and confined arenas";
    }

    @Override
    public List<Case> cases() {
        return SIZES.stream().flatMap(size -> COLUMNS.stream().map(column ->
                column.in(BY_SIZE, size + " B", Map.of("size", size), 1))).toList();
    }

    @Override
    public List<Extra> extras(List<Jvm> jvms, Programs programs) {
        return List.of(new Extra(ATOMICS, () -> measureAtomics(programs, jvms)));
    }

    @Override
    public void report(Results results, Document document) throws IOException {
        if (results.has(BY_SIZE)) {
            document.heading("Allocate, write and read 8 bytes, release: ns/op")
                    .table(Column.table(results, BY_SIZE, "size", Outcome::scoreWithError))
                    .paragraph("Arenas hand out zeroed memory; of Netty's columns only the one that says so does.");
            Column.chart(document, "time-by-size.png", results, "Allocate, write and read 8 bytes, release: time by size",
                    new Axis("bytes", true), new Axis("ns per operation", true), COLUMNS, row -> row.group().equals(BY_SIZE),
                    m -> new Point(Column.number(m.what().row()), m.outcome().score()));
            document.heading("The same: Java heap B/op")
                    .table(Column.table(results, BY_SIZE, "size", outcome -> "%.0f".formatted(outcome.bytesPerOp())));
        }
        if (results.has(ATOMICS)) {
            document.heading("Atomic operations in compiled code")
                    .table(Column.table(results, ATOMICS, "compiled by C2, with all that is inlined",
                            outcome -> "%.0f".formatted(outcome.score()))).paragraph("""
                    Instructions with a lock prefix and exchanges with memory, in all that C2 compiled into one method; traps \
                    into the interpreter are no calls. What is called may have more. The listings are in hot-path/.""");
        } else {
            document.paragraph("Atomic operations were not counted. That takes an x86-64 processor, objdump, which the package "
                    + "binutils has, and an --include that matches \"" + ATOMICS + "\".");
        }
    }

    private static List<Measured> measureAtomics(Programs programs, List<Jvm> jvms) throws IOException {
        boolean objdump = Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, "objdump")));
        if (!objdump || !System.getProperty("os.arch").equals("amd64")) {
            return List.of();
        }
        Path listings = Files.createDirectories(programs.out().resolve("hot-path"));
        List<HotPath> paths = METHODS.keySet().stream().flatMap(method -> jvms.stream()
                .filter(jvm -> !method.startsWith("netty") || jvm.name().equals(Jvm.POOLED))
                .map(jvm -> new HotPath(method, jvm))).toList();
        return Sampler.measure(paths, 1, "", List.of("bytes of code", "calls", "atomic operations", "fences"), (path, column) ->
                Case.ofProcess(ATOMICS, METHODS.get(path.method) + ", " + path.jvm.name(), column, path.jvm),
                path -> count(programs, path, listings));
    }

    private static double[] count(Programs programs, HotPath path, Path listings) throws Failed {
        List<String> printed = programs.lines(path.jvm, Map.of(), "-XX:+UnlockDiagnosticVMOptions", "-XX:CompileCommand=quiet",
                "-XX:CompileCommand=dontinline," + PROGRAM + "::" + path.method,
                "-XX:CompileCommand=print," + PROGRAM + "::" + path.method, PROGRAM, path.method);
        CompiledMethod compiled = CompiledMethod.last(printed, path.method).filter(code -> code.code().length > 0)
                .orElseThrow(() -> new Failed("C2 has printed no machine code, as where a disassembler, hsdis, is installed"));
        List<String> instructions = compiled.disassemble(listings.resolve(path.method + "-" + path.jvm.name() + ".txt"));
        return new double[] {compiled.code().length, compiled.calls(), CompiledMethod.atomics(instructions),
            CompiledMethod.fences(instructions)};
    }
}
