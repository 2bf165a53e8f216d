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
 * @summary A JVM that starts from an AOT cache has pools, with the properties of its own run, not those of the training run
 * @build JavaProcess
 * @run junit TestConfinedPoolAotCache
 */

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.*;

class TestConfinedPoolAotCache {

    private static final String VERIFY = "-Djdk.foreign.confinedPool.verify=";

    /** Opens 100 arenas and writes behind their memory. Prints how many of these writes verify mode found. */
    static final class Program {

        public static void main(String[] args) {
            int found = 0;
            for (int i = 0; i < 100; i++) {
                try (Arena arena = Arena.ofConfined()) {
                    MemorySegment segment = arena.allocate(8);
                    if (segment.get(ValueLayout.JAVA_BYTE, 0) != 0) {
                        throw new AssertionError("not zero");
                    }
                    MemorySegment.ofAddress(segment.address()).reinterpret(9).fill((byte) 1);
                } catch (InternalError e) {
                    found++;
                }
            }
            System.out.println(found);
        }
    }

    // The JVM archives only classes of jar files. This one is all of the class path.
    private static JavaProcess run(Path jar, String... options) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(options));
        all.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", jar.toString()));
        JavaProcess process = JavaProcess.run(JavaProcess.TESTED_JDK, all, Program.class.getName());
        System.out.println(all + ": " + process);
        assertEquals(0, process.status(), "exit status");
        return process;
    }

    private static void check(Path jar, boolean verifiesInTraining) throws IOException, InterruptedException {
        String cache = "cache" + verifiesInTraining;
        JavaProcess training = run(jar, "-XX:AOTCacheOutput=" + cache, VERIFY + verifiesInTraining);
        assertEquals(verifiesInTraining ? "100" : "0", training.out().getFirst(), "reports in the training run");

        JavaProcess process = run(jar, "-XX:AOTCache=" + cache, "-XX:AOTMode=on", "-Xlog:class+load", VERIFY + !verifiesInTraining);
        assertTrue(process.out().stream().anyMatch(line -> line.contains("foreign.ConfinedSlotPool ")
                && line.contains("shared objects file")), "the pool's class comes from the cache");
        assertTrue(process.out().contains(verifiesInTraining ? "0" : "100"), "reports");
    }

    @Test
    void propertiesAreThoseOfTheRun() throws IOException, InterruptedException {
        Assumptions.assumeFalse(System.getProperty("test.java.opts", "").contains("--patch-module"), "the JVM archives no patched module");
        Path jar = Path.of("program.jar");
        String file = Program.class.getName() + ".class";
        try (InputStream in = Program.class.getResourceAsStream(file);
             JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new ZipEntry(file));
            in.transferTo(out);
        }
        check(jar, false);
        check(jar, true);
    }
}
