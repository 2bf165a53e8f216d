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

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.management.ObjectName;

/**
 * How much native memory this process uses.
 */
final class NativeMemory {

    private static final Pattern OTHER = Pattern.compile("Other \\(.*\\)\\s+\\(malloc=(\\d+)(?: #(\\d+))?");

    /**
     * Memory allocated and not freed through Unsafe, which is what arenas and their pool do.
     *
     * @param bytes  how many bytes were asked for
     * @param blocks in how many blocks
     */
    record Allocated(long bytes, long blocks) {

        /** {@return what is allocated now} Needs {@code -XX:NativeMemoryTracking=summary}. */
        static Allocated now() {
            String report;
            try {
                report = (String) ManagementFactory.getPlatformMBeanServer().invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"), "vmNativeMemory",
                        new Object[] {new String[] {"summary", "scale=B"}}, new String[] {String[].class.getName()});
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            Matcher matcher = OTHER.matcher(report);
            if (matcher.find()) {
                return new Allocated(Long.parseLong(matcher.group(1)),
                        matcher.group(2) == null ? 1 : Long.parseLong(matcher.group(2)));
            }
            if (report.contains("Native memory tracking is not enabled")) {
                throw new IllegalStateException(report);
            }
            return new Allocated(0, 0);
        }

        Allocated since(Allocated before) {
            return new Allocated(bytes - before.bytes, blocks - before.blocks);
        }
    }

    /** {@return the bytes of this process that are in memory} Linux only. */
    static long resident() throws IOException {
        try (var lines = Files.lines(Path.of("/proc/self/status"))) {
            String line = lines.filter(l -> l.startsWith("VmRSS:")).findFirst().orElseThrow();
            return Long.parseLong(line.replaceAll("\\D", "")) << 10;
        }
    }
}
