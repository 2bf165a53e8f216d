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
package pooledarena.compare;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.OptionalLong;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * The processor time, user and system, of the child processes that have ended. From {@code getrusage},
 * which tells microseconds where {@code /proc} tells hundredths of a second. Known on 64-bit Linux only.
 */
final class ChildrenCpu {

    private static final int RUSAGE_CHILDREN = -1;

    /** More than {@code struct rusage}, which begins with ru_utime and ru_stime, each seconds and microseconds. */
    private static final long RUSAGE_BYTES = 1024;

    @SuppressWarnings("restricted")
    private static final MethodHandle GETRUSAGE = System.getProperty("os.name").equals("Linux") && ADDRESS.byteSize() == 8
            ? Linker.nativeLinker().downcallHandle(
                    Linker.nativeLinker().defaultLookup().findOrThrow("getrusage"),
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS))
            : null;

    private ChildrenCpu() {}

    static OptionalLong nanos() {
        if (GETRUSAGE == null) {
            return OptionalLong.empty();
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment usage = arena.allocate(RUSAGE_BYTES, JAVA_LONG.byteAlignment());
            int status = (int) GETRUSAGE.invokeExact(RUSAGE_CHILDREN, usage);
            if (status != 0) {
                return OptionalLong.empty();
            }
            long seconds = usage.getAtIndex(JAVA_LONG, 0) + usage.getAtIndex(JAVA_LONG, 2);
            long micros = usage.getAtIndex(JAVA_LONG, 1) + usage.getAtIndex(JAVA_LONG, 3);
            return OptionalLong.of(seconds * 1_000_000_000 + micros * 1_000);
        } catch (Throwable e) {
            throw new AssertionError(e); // a downcall throws nothing
        }
    }
}
