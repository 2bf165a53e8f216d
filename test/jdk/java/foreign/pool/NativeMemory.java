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

import javax.management.JMException;
import javax.management.ObjectName;

import com.sun.management.ThreadMXBean;

/**
 * How much memory this process uses.
 */
final class NativeMemory {

    private static final Pattern OTHER = Pattern.compile("Other \\([^\\n]*\\s+\\(malloc=(\\d+)");

    static {
        allocated(); // what the management classes themselves need is there from now on
    }

    private NativeMemory() {}

    /**
     * {@return the bytes allocated and not yet freed through Unsafe, as arenas and their pool do} The bytes are those
     * asked for, without the allocator's own. Needs {@code -XX:NativeMemoryTracking=summary}.
     */
    static long allocated() {
        String report;
        try {
            report = (String) ManagementFactory.getPlatformMBeanServer().invoke(
                    new ObjectName("com.sun.management:type=DiagnosticCommand"), "vmNativeMemory",
                    new Object[] {new String[] {"summary", "scale=B"}}, new String[] {String[].class.getName()});
        } catch (JMException e) {
            throw new IllegalStateException(e);
        }
        if (!report.contains("Total:")) {
            throw new IllegalStateException(report);
        }
        // What uses no memory is not listed.
        Matcher matcher = OTHER.matcher(report);
        return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
    }

    /** {@return the same, with the stack of the pool that the current thread, or its carrier, will get} */
    static long allocatedWithStack() {
        return allocated() + Slots.STACK;
    }

    /** Checks by how much {@link #allocated} has grown. */
    static void checkGrown(long expected, long before) {
        long grown = allocated() - before;
        if (grown != expected) {
            throw new AssertionError("native memory grown by " + grown + ", expected " + expected);
        }
    }

    /** {@return the bytes of the objects that the action allocates in the current platform thread} */
    static long heapAllocatedBy(Runnable action) {
        ThreadMXBean bean = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = bean.getCurrentThreadAllocatedBytes();
        action.run();
        return bean.getCurrentThreadAllocatedBytes() - before;
    }

    /** {@return the resident set in bytes, or -1 where the system does not tell it in /proc} */
    static long resident() {
        Path status = Path.of("/proc/self/status");
        if (!Files.exists(status)) {
            return -1;
        }
        try {
            return Files.readAllLines(status).stream().filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024).findFirst().orElse(-1);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
