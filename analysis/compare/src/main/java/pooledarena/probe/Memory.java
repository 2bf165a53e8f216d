/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.probe;

import module java.base;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;

/** How many bytes of memory this process has by now. */
final class Memory {

    private static final MemoryMXBean BEAN = ManagementFactory.getMemoryMXBean();

    private Memory() {}

    /** {@return the resident memory; not VmRSS of /proc/self/status, in which the kernel misses up to 64 pages of each thread} */
    static long residentBytes() throws IOException {
        try (var lines = Files.lines(Path.of("/proc/self/smaps_rollup"))) {
            String line = lines.filter(l -> l.startsWith("Rss:")).findFirst().orElseThrow();
            return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
        }
    }

    /** {@return what all live objects take, after a garbage collection} */
    static long liveBytes() {
        BEAN.gc();
        return BEAN.getHeapMemoryUsage().getUsed();
    }
}
