/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * DO NOT ALTER OR REMOVE COPYRIGHT NOTICES OR THIS FILE HEADER.
 *
 * This code is free software; you can redistribute it and/or modify it
 * under the terms of the GNU General Public License version 2 only, as
 * published by the Free Software Foundation.  The authors designate this
 * particular file as subject to the "Classpath" exception as provided
 * in the LICENSE file that accompanied this code.
 *
 * This code is distributed in the hope that it will be useful, but WITHOUT
 * ANY WARRANTY; without even the implied warranty of MERCHANTABILITY or
 * FITNESS FOR A PARTICULAR PURPOSE.  See the GNU General Public License
 * version 2 for more details (a copy is included in the LICENSE file that
 * accompanied this code).
 *
 * You should have received a copy of the GNU General Public License version
 * 2 along with this work; if not, write to the Free Software Foundation,
 * Inc., 51 Franklin St, Fifth Floor, Boston, MA 02110-1301 USA.
 */
package pooledarena.probe;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.file.Files;
import java.nio.file.Path;

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
