/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.programs;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * Runs another program and adds a line to a file when its main method has returned: a label, nanoseconds of CPU and of wall time
 * since its start, bytes allocated in the heap, and, where the system property {@code malloc.counter} names the counter that is
 * preloaded, the virtual machine's calls of malloc.
 */
final class Measured {

    private Measured() {
    }

    /** @param args the file, the label, the class of the program, and its arguments */
    public static void main(String[] args) throws Throwable {
        long[] before = mallocs();
        try {
            Class.forName(args[2]).getMethod("main", String[].class)
                    .invoke(null, (Object) Arrays.copyOfRange(args, 3, args.length));
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        long cpu = ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
        long wall = (System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean().getStartTime()) * 1_000_000;
        long heap = ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getTotalThreadAllocatedBytes();
        String mallocs = before.length == 0 ? "" : String.valueOf(mallocs()[0] - before[0]);
        Files.writeString(Path.of(args[0]), String.join(",", args[1], String.valueOf(cpu), String.valueOf(wall), String.valueOf(heap),
                mallocs) + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /** {@return the calls so far by the virtual machine and by all else, of all threads; empty if they are not counted} */
    @SuppressWarnings("restricted")
    private static long[] mallocs() {
        String counter = System.getProperty("malloc.counter", "");
        if (counter.isEmpty()) {
            return new long[0];
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment counts = arena.allocate(JAVA_LONG, 2);
            Linker.nativeLinker().downcallHandle(SymbolLookup.libraryLookup(counter, Arena.global())
                    .findOrThrow("countmalloc_totals"), FunctionDescriptor.ofVoid(ADDRESS)).invokeExact(counts);
            return counts.toArray(JAVA_LONG);
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }
}
