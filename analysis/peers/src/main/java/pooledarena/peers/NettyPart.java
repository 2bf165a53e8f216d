/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.peers;

import pooledarena.benchmark.Case;
import pooledarena.benchmark.JavaCommand;
import pooledarena.benchmark.MeasuringCommand.Extra;
import pooledarena.benchmark.Outcome;
import pooledarena.benchmark.Sampler;
import pooledarena.io.ProcessRunner.Failed;
import pooledarena.peers.Group.Figure;
import pooledarena.peers.Group.Picture;
import pooledarena.text.LineChart.Axis;
import pooledarena.text.LineChart.Point;

import module java.base;

/** Netty's allocators: what do direct buffers cost beside arenas, and what of that are atomic operations? */
final class NettyPart {

    private static final String BY_SIZE = "Allocate, write and read 8 bytes, release";
    private static final String ATOMICS = "Atomic operations in compiled code";
    private static final String PROGRAM = Part.PACKAGE + "HotPath";

    private static final List<Case> COLUMNS = List.of(
            Part.onStock("adaptive, event loop", "DirectBuffersOnEventLoop.adaptive"),
            Part.onStock("adaptive, zeroed, event loop", "DirectBuffersOnEventLoop.adaptiveZeroed"),
            Part.onStock("pooled, event loop", "DirectBuffersOnEventLoop.pooled"),
            Part.onStock("stock arena, event loop", "DirectBuffersOnEventLoop.arena"),
            Part.onPooled("pooled arena, event loop", "DirectBuffersOnEventLoop.arena"),
            Part.onStock("adaptive, plain thread", "DirectBuffersOnPlainThread.adaptive"),
            Part.onStock("pooled, plain thread", "DirectBuffersOnPlainThread.pooled"),
            Part.onStock("stock arena, plain thread", "DirectBuffersOnPlainThread.arena"),
            Part.onPooled("pooled arena, plain thread", "DirectBuffersOnPlainThread.arena"));

    /** A method whose compiled code is read. */
    private record HotPath(String method, String title) {}

    private static final List<HotPath> HOT_PATHS = List.of(
            new HotPath("arena", "arena: open, allocate 64 B, use, close"),
            new HotPath("arenaOnVirtualThread", "the same on a virtual thread"),
            new HotPath("threeAllocations", "arena with three allocations"),
            new HotPath("twoNested", "two nested arenas"),
            new HotPath("nettyAdaptive", "Netty adaptive, event loop: allocate 64 B, use, release"),
            new HotPath("nettyPooled", "Netty pooled, event loop: the same"));

    static final Part PART = new Part(
            "Netty: direct buffers from its allocators, and confined arenas", groups(), NettyPart::extras);

    private NettyPart() {}

    private static List<Group> groups() {
        List<Case> bySize = Stream.of("16", "64", "256", "1024", "8192").flatMap(size -> COLUMNS.stream()
                .map(column -> column.in(BY_SIZE, size + " B", Map.of("size", size), 1))).toList();
        return List.of(
                new Group(BY_SIZE, bySize,
                        List.of(Figure.TIME, Figure.of("Java heap B/op", "%.0f", Outcome::bytesPerOp)),
                        "Arenas hand out zeroed memory; of Netty's columns only the one that says so does.",
                        Picture.lines("time-by-size.png", BY_SIZE + ": time by size",
                                new Axis("bytes", true), new Axis("ns per operation", true), BY_SIZE,
                                m -> new Point(m.what().number("size"), m.outcome().score()))),
                new Group(ATOMICS, List.of(),
                        List.of(Figure.of("compiled by C2, with all that is inlined", "%.0f", Outcome::score)), """
                        Instructions with a lock prefix and exchanges with memory, in all that C2 compiled into one \
                        method; traps into the interpreter are no calls. What is called may have more. The listings \
                        are in hot-path/."""));
    }

    private static List<Extra> extras(List<JavaCommand> jvms, Path out) {
        boolean objdump = Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, "objdump")));
        return !objdump || !System.getProperty("os.arch").equals("amd64") ? List.of()
                : List.of(new Extra(ATOMICS, sampler -> measureAtomics(sampler, jvms, out.resolve("hot-path"))));
    }

    private static void measureAtomics(Sampler sampler, List<JavaCommand> jvms, Path listings) {
        for (HotPath path : HOT_PATHS) {
            sampler.measure(jvms, 1, "", List.of("bytes of code", "calls", "atomic operations", "fences"),
                    (jvm, column) -> Case.ofProcess(ATOMICS, path.title + ", " + jvm.name(), column, jvm),
                    jvm -> count(jvm, path.method, listings));
        }
    }

    private static double[] count(JavaCommand jvm, String name, Path listings) throws Failed, IOException {
        String method = PROGRAM + "::" + name;
        List<String> printed = jvm.lines(Map.of(), List.of("--sun-misc-unsafe-memory-access=allow",
                "--enable-native-access=ALL-UNNAMED", "-XX:+UnlockDiagnosticVMOptions",
                "-XX:CompileCommand=quiet", "-XX:CompileCommand=dontinline," + method,
                "-XX:CompileCommand=print," + method, PROGRAM, name));
        CompiledMethod compiled = CompiledMethod.last(printed, name).filter(code -> code.code().length > 0)
                .orElseThrow(() -> new Failed("C2 has printed no machine code, as where hsdis is installed"));
        Path listing = Files.createDirectories(listings).resolve(name + "-" + jvm.name() + ".txt");
        List<String> instructions = compiled.disassemble(listing);
        return new double[] {compiled.code().length, compiled.calls(),
            CompiledMethod.count(instructions, CompiledMethod.ATOMIC),
            CompiledMethod.count(instructions, CompiledMethod.FENCE)};
    }
}
