/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.programs;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;

import module java.base;
import java.lang.management.ManagementFactory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * Runs another program and adds a line to a file when its main method has returned: a label, nanoseconds of CPU and of wall time
 * since its start, bytes allocated in the heap, and, where the system property {@code malloc.counter} names the counter that is
 * preloaded, the virtual machine's calls of malloc.
 */
final class Measured {

    /** @param args the file, the label, the class of the program, and its arguments */
    public static void main(String[] args) throws Throwable {
        String counter = System.getProperty("malloc.counter");
        long before = counter == null ? 0 : mallocs(counter);
        try {
            Class.forName(args[2]).getMethod("main", String[].class)
                    .invoke(null, (Object) Arrays.copyOfRange(args, 3, args.length));
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        long cpu = ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
        long wall = (System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean().getStartTime()) * 1_000_000;
        long heap = ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getTotalThreadAllocatedBytes();
        String mallocs = counter == null ? "" : String.valueOf(mallocs(counter) - before);
        Files.writeString(Path.of(args[0]), String.join(",", args[1], String.valueOf(cpu), String.valueOf(wall), String.valueOf(heap),
                mallocs) + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /** {@return the virtual machine's calls so far, of all threads} */
    @SuppressWarnings("restricted")
    private static long mallocs(String counter) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment counts = arena.allocate(JAVA_LONG, 2); // those of all else follow
            Linker.nativeLinker().downcallHandle(SymbolLookup.libraryLookup(counter, Arena.global())
                    .findOrThrow("countmalloc_totals"), FunctionDescriptor.ofVoid(ADDRESS)).invokeExact(counts);
            return counts.get(JAVA_LONG, 0);
        }
    }
}
