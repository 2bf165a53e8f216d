/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import pooledarena.benchmark.Case;
import pooledarena.benchmark.JavaCommand;
import pooledarena.benchmark.MeasuringCommand.Extra;
import pooledarena.benchmark.Results.Measured;
import pooledarena.benchmark.Sampler.Sample;
import pooledarena.benchmark.Sampler;
import pooledarena.io.ProcessRunner;
import pooledarena.probe.ArenaFootprint;
import pooledarena.probe.FirstArena;
import pooledarena.probe.ThreadObjects;

import module java.base;

/** What is measured of whole processes, without JMH: start-up, and what threads and arenas take. */
final class ProcessFigures {

    /** The group of these figures. */
    static final String GROUP = "Start-up and memory";

    /** What a reader must know of them. */
    static final String ABOUT = """
            Start-up is the time of a process whose main is empty, from the launcher's start to its end, with the \
            default CDS archive; a launcher that is a script counts with all that it does. The memory of arenas, heap \
            and native, is what a process has more with them than with threads that do the same without. These \
            processes run interpreted and on a heap that is touched before, so that neither compiler nor heap blur \
            what threads and arenas take. The first arena of a thread is timed in compiled code, in 4,000 threads, one \
            after another.""";

    private static final int START_UP_RUNS = 100;
    private static final int FIRST_ARENA_RUNS = 5;

    /** Two runs of a footprint differ by less than 1 %. */
    private static final int FOOTPRINT_RUNS = 2;

    private ProcessFigures() {}

    static List<Extra> extras(List<JavaCommand> jvms) {
        return List.of(new Extra("start-up of an empty main", () -> startUp(jvms, START_UP_RUNS)),
                new Extra("footprint of threads and open arenas", () -> footprint(jvms)));
    }

    private static List<Measured> footprint(List<JavaCommand> jvms) {
        List<Measured> measured = new ArrayList<>();
        measured.addAll(threadObjects(jvms));
        for (int size : List.of(8, 2000)) {
            measured.addAll(arenas(jvms, "platform", 10_000, 1, size, "closed"));
        }
        for (int size : List.of(8, 100, 500, 1000)) {
            measured.addAll(arenas(jvms, "platform", 1, 100_000, size, "open"));
            measured.addAll(arenas(jvms, "virtual", 100_000, 1, size, "open"));
        }
        measured.addAll(firstArena(jvms));
        return measured;
    }

    static List<Measured> threadObjects(List<JavaCommand> jvms) {
        return interpreted(jvms, 64, List.of(ThreadObjects.class.getName()),
                "platform thread that has not started, B", "virtual thread that has not started, B");
    }

    static List<Measured> firstArena(List<JavaCommand> jvms) {
        return measure(jvms, FIRST_ARENA_RUNS, "ns", List.of("first arena of a thread, for 8 B, ns"),
                jvm -> jvm.values(Map.of(), List.of(FirstArena.class.getName())));
    }

    /** {@return what an arena takes that is open, or leaves behind in a thread that has closed it} */
    static List<Measured> arenas(List<JavaCommand> jvms, String kind, int threads, int arenas, int size, String state) {
        // A parked virtual thread whose code is interpreted takes 3 KB of heap.
        return interpreted(jvms, kind.equals("virtual") ? 768 : 64,
                Stream.of(ArenaFootprint.class.getName(), kind, threads, arenas, size, state).map(Object::toString).toList(),
                "%s for %,d B, %s thread%s, B".formatted(state.equals("open") ? "open arena" : "arena that was closed",
                        size, kind, threads == 1 ? "" : "s"));
    }

    private static List<Measured> interpreted(List<JavaCommand> jvms, int mebibytes, List<String> program,
                                              String... titles) {
        List<String> command = new ArrayList<>(List.of("-Xint", "-XX:+UseSerialGC", "-XX:+AlwaysPreTouch",
                "-Xms" + mebibytes + "m", "-Xmx" + mebibytes + "m"));
        command.addAll(program);
        return measure(jvms, FOOTPRINT_RUNS, "B", List.of(titles), jvm -> jvm.values(Map.of(), command));
    }

    /** {@return the time of an empty {@code main}} Not with hyperfine, whose commands do not take turns. */
    static List<Measured> startUp(List<JavaCommand> jvms, int runs) throws IOException {
        Path classes = Files.createTempDirectory("start-up"); // the class alone, so that no jar is opened
        Path main = classes.resolve("EmptyMain.class");
        try {
            ClassFile.of().buildTo(main, ClassDesc.of("EmptyMain"), type -> type.withMethodBody("main",
                    MethodTypeDesc.ofDescriptor("([Ljava/lang/String;)V"), ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                    CodeBuilder::return_));
            return measure(jvms, runs, "ms", List.of("start-up of an empty main, ms"), jvm -> {
                long start = System.nanoTime();
                // Fails without a CDS archive that it can use.
                ProcessRunner.lines(jvm.command("-Xshare:on", "-cp", classes.toString(), "EmptyMain"), Map.of());
                return new double[] {(System.nanoTime() - start) / 1e6};
            });
        } finally {
            Files.deleteIfExists(main);
            Files.delete(classes);
        }
    }

    private static List<Measured> measure(List<JavaCommand> jvms, int runs, String unit, List<String> titles,
                                          Sample<JavaCommand, double[]> run) {
        return Sampler.measure(jvms, runs, unit, titles, (jvm, title) -> Case.ofProcess(GROUP, title, jvm.name(), jvm), run);
    }
}
