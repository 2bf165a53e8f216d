/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import pooledarena.benchmark.Jvm;
import pooledarena.benchmark.Results.Measured;
import pooledarena.io.ProcessRunner.Failed;
import pooledarena.io.ProcessRunner;
import pooledarena.probe.EmptyMain;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

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

    /** Runs of each virtual machine that do not count: they bring its files into memory. */
    private static final int WARM_UP = 3;

    private static final int RUSAGE_CHILDREN = -1;

    /** More than {@code struct rusage}, which begins with ru_utime and ru_stime, each seconds and microseconds. */
    private static final long RUSAGE_BYTES = 1024;

    @SuppressWarnings("restricted")
    private static final MethodHandle GETRUSAGE = System.getProperty("os.name").equals("Linux") && ADDRESS.byteSize() == 8
            ? Linker.nativeLinker().downcallHandle(
                    Linker.nativeLinker().defaultLookup().findOrThrow("getrusage"),
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS))
            : null;

    private StartUp() {}

    /** {@return time and processor time of {@code runs} starts of each of {@code jvms}} */
    static List<Measured> measure(List<Jvm> jvms, int runs, Consumer<String> progress) throws IOException {
        // The class alone, so that no jar of this tool's is opened.
        Path classes = Files.createTempDirectory("start-up");
        List<Path> written = new ArrayList<>(List.of(classes));
        try {
            for (String name : EmptyMain.class.getPackageName().split("\\.")) {
                written.add(Files.createDirectory(written.getLast().resolve(name)));
            }
            Path file = written.getLast().resolve(EmptyMain.class.getSimpleName() + ".class");
            try (InputStream in = EmptyMain.class.getResourceAsStream(file.getFileName().toString())) {
                Files.copy(in, file);
            }
            written.add(file);
            List<String> titles = List.of(TITLE + ", time", TITLE + ", processor time");
            Set<Jvm> warm = new HashSet<>();
            List<Measured> measured = ProcessSampler.take(jvms, runs, titles, "ms", jvm -> {
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
            for (Path path : written.reversed()) {
                Files.delete(path);
            }
        }
    }

    private static void requireCds(Jvm jvm) throws Failed {
        try {
            ProcessRunner.lines(jvm.command("-Xshare:on", "-version"), Map.of());
        } catch (Failed e) {
            throw new Failed("has no CDS archive that it can use: java -Xshare:on -version " + e.getMessage());
        }
    }

    /** {@return time and processor time in milliseconds} */
    private static double[] run(Jvm jvm, Path classes) throws Failed {
        double cpu = childrenMillis();
        long start = System.nanoTime();
        ProcessRunner.lines(jvm.command("-cp", classes.toString(), EmptyMain.class.getName()), Map.of());
        return new double[] {(System.nanoTime() - start) / 1e6, childrenMillis() - cpu};
    }

    /**
     * {@return the processor time, user and system, of the child processes that have ended; NaN where it is not known} From
     * {@code getrusage}, which tells microseconds where {@code /proc} tells hundredths of a second.
     */
    private static double childrenMillis() {
        if (GETRUSAGE == null) {
            return Double.NaN;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment usage = arena.allocate(RUSAGE_BYTES, JAVA_LONG.byteAlignment());
            if ((int) GETRUSAGE.invokeExact(RUSAGE_CHILDREN, usage) != 0) {
                return Double.NaN;
            }
            long seconds = usage.getAtIndex(JAVA_LONG, 0) + usage.getAtIndex(JAVA_LONG, 2);
            long micros = usage.getAtIndex(JAVA_LONG, 1) + usage.getAtIndex(JAVA_LONG, 3);
            return seconds * 1e3 + micros / 1e3;
        } catch (Throwable e) {
            throw new AssertionError(e); // a downcall throws nothing
        }
    }
}
