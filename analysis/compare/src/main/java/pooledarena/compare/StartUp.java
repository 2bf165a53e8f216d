/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import pooledarena.benchmark.Jvm;
import pooledarena.benchmark.Results.Measured;
import pooledarena.benchmark.Sampler;
import pooledarena.io.ProcessRunner.Failed;
import pooledarena.io.ProcessRunner;

import module java.base;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * How long a process takes whose {@code main} is empty, from the start of the launcher to its end: the time, and the processor
 * time, which what else happens on the machine blurs less. With default options, so with the CDS archive; a virtual machine
 * without such an archive fails. Not with hyperfine, which runs one command after the other: the virtual machines take turns.
 */
final class StartUp {

    static final String TITLE = "start-up of an empty main";

    private static final String MAIN = "EmptyMain";

    /** Runs of each virtual machine that do not count: they bring its files into memory. */
    private static final int WARM_UP = 3;

    private static final int RUSAGE_CHILDREN = -1;

    /** More than {@code struct rusage}, which begins with ru_utime and ru_stime, each seconds and microseconds. */
    private static final long RUSAGE_BYTES = 1024;

    @SuppressWarnings("restricted")
    private static final MethodHandle GETRUSAGE = Linker.nativeLinker().downcallHandle(
            Linker.nativeLinker().defaultLookup().findOrThrow("getrusage"), FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));

    private StartUp() {}

    static List<Measured> measure(List<Jvm> jvms, int runs, Consumer<String> progress) throws IOException {
        // The class alone, so that no jar is opened.
        Path classes = Files.createTempDirectory("start-up");
        Path main = classes.resolve(MAIN + ".class");
        try {
            ClassFile.of().buildTo(main, ClassDesc.of(MAIN), type -> type.withMethodBody("main",
                    MethodTypeDesc.ofDescriptor("([Ljava/lang/String;)V"), ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                    CodeBuilder::return_));
            Set<Jvm> warm = new HashSet<>();
            List<Measured> measured = Sampler.measure(jvms, runs, "ms",
                    List.of(TITLE + ", time", TITLE + ", processor time"), ComparisonReport::process, jvm -> {
                        if (warm.add(jvm)) {
                            requireCds(jvm);
                            for (int i = 0; i < WARM_UP; i++) {
                                run(jvm, classes);
                            }
                        }
                        return run(jvm, classes);
                    });
            progress.accept("Measured " + TITLE + ", " + runs + " times on each");
            return measured;
        } finally {
            Files.deleteIfExists(main);
            Files.delete(classes);
        }
    }

    private static void requireCds(Jvm jvm) throws Failed {
        try {
            ProcessRunner.lines(jvm.command("-Xshare:on", "-version"), Map.of());
        } catch (Failed e) {
            throw new Failed("has no CDS archive that it can use: java -Xshare:on -version " + e.getMessage());
        }
    }

    private static double[] run(Jvm jvm, Path classes) throws Failed {
        double cpu = childrenMillis();
        long start = System.nanoTime();
        ProcessRunner.lines(jvm.command("-cp", classes.toString(), MAIN), Map.of());
        return new double[] {(System.nanoTime() - start) / 1e6, childrenMillis() - cpu};
    }

    /** {@return the processor time of the processes that have ended} {@code /proc} tells only hundredths of a second. */
    private static double childrenMillis() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment usage = arena.allocate(RUSAGE_BYTES, JAVA_LONG.byteAlignment());
            int _ = (int) GETRUSAGE.invokeExact(RUSAGE_CHILDREN, usage); // fails only with wrong arguments
            long seconds = usage.getAtIndex(JAVA_LONG, 0) + usage.getAtIndex(JAVA_LONG, 2);
            long micros = usage.getAtIndex(JAVA_LONG, 1) + usage.getAtIndex(JAVA_LONG, 3);
            return seconds * 1e3 + micros / 1e3;
        } catch (Throwable e) {
            throw new AssertionError(e); // a downcall throws nothing
        }
    }
}
