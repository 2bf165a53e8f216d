/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import pooledarena.benchmark.Case;
import pooledarena.benchmark.JavaCommand;
import pooledarena.benchmark.MeasuringCommand.Extra;
import pooledarena.benchmark.Sampler.Sample;
import pooledarena.benchmark.Sampler;
import pooledarena.io.ProcessRunner;
import pooledarena.probe.ArenaFootprint;
import pooledarena.probe.FirstArena;
import pooledarena.probe.ThreadObjects;

import module java.base;

/** What is measured of whole processes, without JMH: start-up, and what threads and arenas take. */
record ProcessFigures(List<JavaCommand> jvms, Sampler sampler) {

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

    static List<Extra> extras(List<JavaCommand> jvms) {
        return List.of(
                new Extra("start-up of an empty main",
                        sampler -> new ProcessFigures(jvms, sampler).startUp(START_UP_RUNS)),
                new Extra("footprint of threads and open arenas",
                        sampler -> new ProcessFigures(jvms, sampler).footprint()));
    }

    void footprint() {
        threadObjects();
        for (int size : List.of(8, 2000)) {
            arenas("platform", 10_000, 1, size, "closed");
        }
        for (int size : List.of(8, 100, 500, 1000)) {
            arenas("platform", 1, 100_000, size, "open");
            arenas("virtual", 100_000, 1, size, "open");
        }
        firstArena();
    }

    void threadObjects() {
        program(FOOTPRINT_RUNS, "B", List.of("platform thread that has not started, B",
                "virtual thread that has not started, B"), interpreted(64), ThreadObjects.class);
    }

    void firstArena() {
        program(FIRST_ARENA_RUNS, "ns", List.of("first arena of a thread, for 8 B, ns"), List.of(), FirstArena.class);
    }

    /** Measures what an arena takes that is open, or leaves behind in a thread that has closed it. */
    void arenas(String kind, int threads, int arenas, int size, String state) {
        String title = "%s for %,d B, %s thread%s, B".formatted(state.equals("open") ? "open arena"
                : "arena that was closed", size, kind, threads == 1 ? "" : "s");
        // A parked virtual thread whose code is interpreted takes 3 KB of heap.
        program(FOOTPRINT_RUNS, "B", List.of(title), interpreted(kind.equals("virtual") ? 768 : 64),
                ArenaFootprint.class, kind, threads, arenas, size, state);
    }

    /** {@return options for a heap of this size, which should be small: a collection leaves a part of it as garbage} */
    private static List<String> interpreted(int mebibytes) {
        return List.of("-Xint", "-XX:+UseSerialGC", "-XX:+AlwaysPreTouch", "-Xms" + mebibytes + "m",
                "-Xmx" + mebibytes + "m");
    }

    private void program(int runs, String unit, List<String> titles, List<String> options, Class<?> main,
                         Object... arguments) {
        List<String> command = new ArrayList<>(options);
        command.add(main.getName());
        Stream.of(arguments).map(Object::toString).forEach(command::add);
        measure(runs, unit, titles, jvm -> jvm.values(titles.size(), Map.of(), command));
    }

    /** Measures the time of an empty {@code main}. Not with hyperfine, whose commands do not take turns. */
    void startUp(int runs) {
        measure(runs, "ms", List.of("start-up of an empty main, ms"), jvm -> {
            Path classes = Files.createTempDirectory("start-up"); // the class alone, so that no jar is opened
            Path main = classes.resolve("EmptyMain.class");
            try {
                ClassFile.of().buildTo(main, ClassDesc.of("EmptyMain"), type -> type.withMethodBody("main",
                        MethodTypeDesc.ofDescriptor("([Ljava/lang/String;)V"),
                        ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC, CodeBuilder::return_));
                long start = System.nanoTime();
                // Fails without a CDS archive that it can use.
                ProcessRunner.lines(jvm.command("-Xshare:on", "-cp", classes.toString(), "EmptyMain"), Map.of());
                return new double[] {(System.nanoTime() - start) / 1e6};
            } finally {
                Files.deleteIfExists(main);
                Files.delete(classes);
            }
        });
    }

    private void measure(int runs, String unit, List<String> titles, Sample<JavaCommand, double[]> run) {
        sampler.measure(jvms, runs, unit, titles, (jvm, title) -> Case.ofProcess(GROUP, title, jvm.name(), jvm), run);
    }
}
