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

/*
 * @test
 * @summary The pool does not catch an InternalError where it catches errors of stack and memory
 * @build JavaProcess Slots Task
 * @run testng TestConfinedPoolInternalError
 */

import java.lang.constant.ClassDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.testng.annotations.*;

import static org.testng.Assert.*;

public class TestConfinedPoolInternalError {

    /** The methods that catch errors of stack and memory, and the call before which each throws an InternalError here. */
    @DataProvider
    public static Object[][] calls() {
        return new Object[][] {
            {"ConfinedSlotPool", "take", "popSmall"},
            {"ConfinedSlotPool", "takeOther", "find"},
            {"ConfinedSlotPool", "release", "pushAll"},
            {"ConfinedPoolCounters", "flush", "add"},
        };
    }

    @Test(dataProvider = "calls")
    public void isThrown(String type, String method, String call) throws Exception {
        Path patch = Files.createTempDirectory(Path.of(""), "error-patch");
        JavaProcess.throwing(patch, "jdk.internal.foreign." + type, method, invocation -> invocation.name().equalsString(call),
                ClassDesc.of("java.lang.InternalError"));
        JavaProcess process = JavaProcess.run(JavaProcess.TESTED_JDK, List.of(JavaProcess.patch(patch)), Program.class.getName());
        assertTrue(process.err().contains("Caused by: java.lang.InternalError"), process.toString());
    }

    static final class Program {

        public static void main(String[] args) throws InterruptedException {
            Task.run(() -> Slots.nest(3, 8)); // one makes the pool, one the resident slot, and one asks for another slot
        }
    }
}
