/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import pooledarena.benchmark.Case;
import pooledarena.benchmark.JavaCommand;
import pooledarena.benchmark.Measurement.Sample;
import pooledarena.benchmark.Measurement;
import pooledarena.benchmark.MeasuringCommand.Extra;
import pooledarena.io.ProcessRunner;
import pooledarena.probe.FirstArena;
import pooledarena.probe.Footprint;

import module java.base;

/** What is measured of whole processes, without JMH: start-up, and what threads and arenas take. */
record ProcessFigures(Measurement measurement) {

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

    static List<Extra> extras() {
        return List.of(
                new Extra("start-up of an empty main", measurement -> new ProcessFigures(measurement).startUp(100)),
                new Extra("footprint of threads and open arenas",
                        measurement -> new ProcessFigures(measurement).footprint()));
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
        for (String kind : List.of("platform", "virtual")) {
            footprint(kind + " thread that has not started, B", 64, kind);
        }
    }

    /** Measures what an arena takes that is open, or leaves behind in a thread that has closed it. */
    void arenas(String kind, int threads, int arenas, int size, String state) {
        String title = "%s for %,d B, %s thread%s, B".formatted(state.equals("open") ? "open arena"
                : "arena that was closed", size, kind, threads == 1 ? "" : "s");
        // A parked virtual thread whose code is interpreted takes 3 KB of heap.
        footprint(title, kind.equals("virtual") ? 768 : 64, kind, threads, arenas, size, state);
    }

    /** The heap should be small: a collection leaves a part of it as garbage. Two runs differ by less than 1 %. */
    private void footprint(String title, int heapMebibytes, Object... arguments) {
        List<String> command = new ArrayList<>(List.of("-Xint", "-XX:+UseSerialGC", "-XX:+AlwaysPreTouch",
                "-Xms" + heapMebibytes + "m", "-Xmx" + heapMebibytes + "m", Footprint.class.getName()));
        Stream.of(arguments).map(Object::toString).forEach(command::add);
        measure(2, "B", title, jvm -> jvm.values(1, Map.of(), command));
    }

    void firstArena() {
        measure(5, "ns", "first arena of a thread, for 8 B, ns",
                jvm -> jvm.values(1, Map.of(), List.of(FirstArena.class.getName())));
    }

    /** Measures the time of an empty {@code main}. Not with hyperfine, whose commands do not take turns. */
    void startUp(int runs) {
        measure(runs, "ms", "start-up of an empty main, ms", jvm -> {
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

    private void measure(int runs, String unit, String title, Sample<JavaCommand, double[]> run) {
        measurement.processes(measurement.jvms(), runs, unit, List.of(title),
                (jvm, _) -> Case.ofProcess(GROUP, title, jvm.name(), jvm), run);
    }
}
