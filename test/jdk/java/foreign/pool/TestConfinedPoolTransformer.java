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
 * @summary An agent that transforms classes may open arenas while the pool's own classes are loaded
 * @modules java.instrument
 * @build JavaProcess Slots Task
 * @run testng TestConfinedPoolTransformer
 */

import java.lang.foreign.Arena;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.List;

import org.testng.annotations.*;

import static org.testng.Assert.*;

public class TestConfinedPoolTransformer {

    /**
     * The classes at whose loading the agent opens arenas, by the start of their names, and how many it opened before; and whether such a
     * class is loaded later. What it opens needs more slots than a thread has without a pool. Classes of the pool are loaded with the
     * first arena, so that none is loaded where a pool is created.
     */
    @DataProvider
    public static Object[][] classes() {
        return new Object[][] {
            {"java/ 0", true},
            {"jdk/internal/foreign/ConfinedPoolCounters 0", true},
            {"jdk/internal/foreign/ConfinedPoolCounters 3", false},
            {"jdk/internal/foreign/ConfinedPoolCounters$ 40", false},
            {"jdk/internal/perf/ 40", false},
            {" 0", true},
        };
    }

    @Test(dataProvider = "classes")
    public void arenasGoOn(String classes, boolean isLoadedLater) throws Exception {
        JavaProcess process = JavaProcess.run(JavaProcess.TESTED_JDK, List.of("-javaagent:" + JavaProcess.agent(Agent.class) + "=" + classes),
                Program.class.getName());
        System.out.println(process);
        assertEquals(process.status(), 0, "exit status");
        assertEquals(process.out(), List.of(isLoadedLater ? "done, transformed" : "done"));
    }

    public static final class Agent implements ClassFileTransformer {

        private static volatile boolean isCalled;

        private final String classes;

        private Agent(String classes) {
            this.classes = classes;
        }

        public static void premain(String arguments, Instrumentation instrumentation) {
            int space = arguments.indexOf(' ');
            for (int i = 0; i < Integer.parseInt(arguments.substring(space + 1)); i++) {
                useArenas();
            }
            instrumentation.addTransformer(new Agent(arguments.substring(0, space)));
        }

        @Override
        public byte[] transform(ClassLoader loader, String name, Class<?> old, ProtectionDomain domain, byte[] bytes) {
            if (name.startsWith(classes)) {
                isCalled = true;
                try {
                    for (int i = 0; i < Slots.WITHOUT_POOL; i++) {
                        useArenas();
                    }
                } catch (LinkageError e) {
                    // of a class that is being loaded now; it must be usable afterwards
                }
            }
            return null;
        }

        private static void useArenas() {
            try (Arena first = Arena.ofConfined(); Arena second = Arena.ofConfined()) {
                first.allocate(100);
                second.allocate(1000);
                second.allocate(1000);
            }
        }
    }

    static final class Program {

        public static void main(String[] args) throws Exception {
            try (Arena shared = Arena.ofShared()) { // loads the classes of the check, where the agent changes the slots
                shared.allocate(Slots.nest(1, 1).length);
            }
            for (int i = 0; i < 3; i++) {
                Task.run(Program::useArenas);
                Task.run(Thread.ofVirtual(), Program::useArenas);
            }
            System.out.println(Agent.isCalled ? "done, transformed" : "done");
        }

        private static void useArenas() {
            for (int i = 0; i < 100; i++) {
                try (Arena arena = Arena.ofConfined()) {
                    arena.allocate(8);
                }
            }
            Slots.checkPooled();
        }
    }
}
