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

/**
 * What is measured of whole processes, without JMH: start-up, and what threads and arenas take.
 *
 * @param runs   of each virtual machine
 * @param titles of the values that each run gives
 */
record ProcessFigures(int runs, String unit, List<String> titles, Sample<JavaCommand, double[]> run) {

    /** The group of these figures. */
    static final String GROUP = "Start-up and memory";

    /** What a reader must know of them. */
    static final String ABOUT = """
            Start-up is the time of a process whose main is empty, from the launcher's start to its end, with the \
            default CDS archive; a launcher that is a script counts with all that it does. The memory of arenas is \
            what a process has more with them than with threads that do the same without. These processes run \
            interpreted and on a heap that is touched before, so that neither compiler nor heap blur what threads and \
            arenas take. The first arena of a thread is timed in compiled code, in 4,000 threads, one after another.""";

    private static final int START_UP_RUNS = 100;

    /** Two runs of a footprint differ by less than 1 %. */
    private static final int FOOTPRINT_RUNS = 2;

    static List<Extra> extras(List<JavaCommand> jvms) {
        List<ProcessFigures> footprint = new ArrayList<>();
        footprint.add(threadObjects());
        for (int size : List.of(8, 2000)) {
            footprint.add(arenas("platform", 10_000, 1, 1, size, "closed"));
        }
        for (int size : List.of(8, 100, 500, 1000)) {
            footprint.add(arenas("platform", 1, 100_000, 1, size, "open"));
            footprint.add(arenas("virtual", 100_000, 1, 1, size, "open"));
        }
        footprint.add(arenas("platform", 1, 100, 1000, 100, "open"));
        footprint.add(firstArena());
        return List.of(new Extra("start-up of an empty main", () -> startUp(jvms, START_UP_RUNS)),
                new Extra("footprint of threads and open arenas", () -> footprint.stream()
                        .flatMap(figures -> figures.measure(jvms).stream()).toList()));
    }

    static ProcessFigures threadObjects() {
        return interpreted(64, ThreadObjects.class, List.of(),
                "platform thread that has not started, B", "virtual thread that has not started, B");
    }

    static ProcessFigures firstArena() {
        return program(5, "ns", List.of("first arena of a thread, for 8 B, ns"), List.of(FirstArena.class.getName()));
    }

    /** {@return what an arena takes that is open, or leaves behind in a thread that has closed it} */
    static ProcessFigures arenas(String kind, int threads, int arenas, int allocations, int size, String state) {
        String what = "%s for %s%,d B, %s thread%s".formatted(
                state.equals("open") ? "open arena" : "arena that was closed",
                allocations == 1 ? "" : "%,d x ".formatted(allocations), size, kind, threads == 1 ? "" : "s");
        List<String> arguments = Stream.of(kind, threads, arenas, allocations, size, state)
                .map(Object::toString).toList();
        // A parked virtual thread whose code is interpreted takes 3 KB of heap.
        int heapMebibytes = kind.equals("virtual") ? 768 : 64;
        return interpreted(heapMebibytes, ArenaFootprint.class, arguments,
                what + ", B", "… of it native, " + what + ", B");
    }

    private static ProcessFigures interpreted(int mebibytes, Class<?> main, List<String> arguments, String... titles) {
        List<String> command = new ArrayList<>(List.of("-Xint", "-XX:+UseSerialGC", "-XX:+AlwaysPreTouch",
                "-Xms" + mebibytes + "m", "-Xmx" + mebibytes + "m", main.getName()));
        command.addAll(arguments);
        return program(FOOTPRINT_RUNS, "B", List.of(titles), command);
    }

    private static ProcessFigures program(int runs, String unit, List<String> titles, List<String> command) {
        return new ProcessFigures(runs, unit, titles,
                jvm -> Sampler.values(jvm.lines(Map.of(), command), titles.size()));
    }

    /** {@return the time of an empty {@code main}} Not with hyperfine, whose commands do not take turns. */
    static List<Measured> startUp(List<JavaCommand> jvms, int runs) throws IOException {
        Path classes = Files.createTempDirectory("start-up"); // the class alone, so that no jar is opened
        Path main = classes.resolve("EmptyMain.class");
        try {
            ClassFile.of().buildTo(main, ClassDesc.of("EmptyMain"), type -> type.withMethodBody("main",
                    MethodTypeDesc.ofDescriptor("([Ljava/lang/String;)V"), ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                    CodeBuilder::return_));
            return new ProcessFigures(runs, "ms", List.of("start-up of an empty main, ms"), jvm -> {
                long start = System.nanoTime();
                // Fails without a CDS archive that it can use.
                ProcessRunner.lines(jvm.command("-Xshare:on", "-cp", classes.toString(), "EmptyMain"), Map.of());
                return new double[] {(System.nanoTime() - start) / 1e6};
            }).measure(jvms);
        } finally {
            Files.deleteIfExists(main);
            Files.delete(classes);
        }
    }

    List<Measured> measure(List<JavaCommand> jvms) {
        return Sampler.measure(jvms, runs, unit, titles,
                (jvm, title) -> Case.ofProcess(GROUP, title, jvm.name(), jvm), run);
    }
}
