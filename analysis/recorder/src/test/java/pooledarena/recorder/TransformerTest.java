/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import pooledarena.program.Caller;
import pooledarena.program.Counted;
import pooledarena.recorder.hook.ArenaHook;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Which classes are instrumented, without a JVM that is. */
class TransformerTest {

    private static final String PROGRAM = "pooledarena/program/Counted";

    private final Instrumented jvm = new Instrumented();
    private final Transformer transformer = recorder(1).transformer;

    private Recorder recorder(int sites) {
        return Recorder.begin(new Options(null, 0, sites, 1, List.of(), 8 << 20, null), new CallSites(), jvm.instrumentation);
    }

    @AfterEach
    void forgetFailures() {
        ArenaHook.failures = 0;
    }

    private byte[] transform(ClassLoader loader, String name, Class<?> redefined, Class<?> type) throws IOException {
        return transformer.transform(null, loader, name, redefined, null, Instrumented.bytes(type));
    }

    @Test
    void whatIsLoadedAlready() throws Exception {
        Class<?> arena = Class.forName(Arena.ofConfined().getClass().getName());
        jvm.loaded.addAll(List.of(Object.class, Runtime.class, arena, Counted.class, Arena.class));
        transformer.begin();
        assertEquals(List.of(transformer), jvm.transformers);
        assertEquals(List.of(Runtime.class, arena, Arena.class), jvm.retransformed);
    }

    @Test
    void arenas() throws Exception {
        Class<?> arena = Class.forName(Arena.ofConfined().getClass().getName());
        String name = arena.getName().replace('.', '/');
        Recorder used = recorder(0);
        assertNotNull(used.transformer.transform(null, null, name, null, null, Instrumented.bytes(arena)));
        assertNull(used.transformer.transform(null, getClass().getClassLoader(), name, null, null, Instrumented.bytes(arena)));
        assertEquals(0, ArenaHook.failures);
    }

    /** If the JVM refuses that, its arenas do not look different. */
    @Test
    void arenasThatCannotBeInstrumented() throws Exception {
        assertEquals("the arenas of this JVM cannot be instrumented: java.lang.InternalError: refused; nothing is recorded\n",
                MemoryTest.printed(Refused.class));
    }

    /** In a JVM of its own, as it is said on standard error, too. */
    static final class Refused {

        public static void main(String[] args) throws ClassNotFoundException {
            Instrumented jvm = new Instrumented();
            jvm.refused = Class.forName(Arena.ofConfined().getClass().getName());
            jvm.loaded.add(jvm.refused);
            Options options = new Options(Path.of("none"), 0, 1, 1, List.of(), 8 << 20, null);
            Recorder recorder = Recorder.begin(options, new CallSites(), jvm.instrumentation);
            Agent.output = new Output(options, false, recorder);
            recorder.transformer.begin();
            System.out.println(Agent.output.withdrawn);
        }
    }

    /** Without them the file may lack arenas of other kinds, or what came after the last time that it was written. */
    @Test
    void othersThatCannotBeInstrumented() {
        for (Class<?> other : List.of(Runtime.class, Arena.class)) {
            ArenaHook.failures = 0;
            String name = other.getName().replace('.', '/');
            assertNull(transformer.transform(null, getClass().getClassLoader(), name, null, null, null));
            assertEquals(0, ArenaHook.failures, name);
            assertNull(transformer.transform(null, null, name, null, null, null));
            assertEquals(1, ArenaHook.failures, name);
            jvm.loaded.add(other);
            jvm.refused = other;
            transformer.begin();
            assertEquals(2, ArenaHook.failures, name);
        }
    }

    @Test
    void callSites() throws IOException {
        ClassLoader loader = getClass().getClassLoader();
        assertNotNull(transform(loader, PROGRAM, null, Counted.class));
        assertNotNull(transform(loader, PROGRAM, Counted.class, Counted.class));
        assertNotNull(transform(null, PROGRAM, Counted.class, Counted.class));
        assertNull(transform(null, PROGRAM, null, Counted.class), "of the JDK, and not asked for");
        assertNull(transform(loader, null, null, Counted.class), "no name");
        assertNull(transform(loader, PROGRAM, null, Object.class), "no call sites");
        assertNull(transform(loader, "pooledarena/recorder/X", null, Counted.class), "the recorder's own");
        byte[] bytes = Instrumented.bytes(Counted.class);
        assertNull(recorder(0).transformer.transform(null, loader, PROGRAM, null, null, bytes), "not wanted");
        assertNull(transformer.transform(null, loader, PROGRAM, null, null, "java/lang/foreign/Arena".getBytes()), "no class");
        for (String name : List.of(Transformer.HOOK, "jdk/internal/foreign/MemorySessionImpl",
                "jdk/internal/foreign/ConfinedSession")) {
            assertNull(transform(null, name, Arena.class, Counted.class), name);
            assertTrue(Transformer.isPartOfArena(name), name);
        }
        assertTrue(Transformer.isPartOfArena(Transformer.API));
        assertTrue(Transformer.isPartOfArena(Transformer.BASE));
        assertTrue(Transformer.isPartOfArena(Transformer.CONFINED));
        assertFalse(Transformer.isPartOfArena(PROGRAM));
    }

    /** What only closes an {@code AutoCloseable} names no arena. */
    @Test
    void closers() throws IOException {
        assertNotNull(transform(getClass().getClassLoader(), "pooledarena/program/Caller", null, Caller.class));
    }

    @Test
    void requests() throws InterruptedException {
        jvm.refused = Object.class;
        transformer.requests.add(Caller.class);
        transformer.requests.add(Object.class);
        transformer.requests.add(Counted.class);
        long begin = System.nanoTime();
        transformer.retransformFor(1_000_000_000);
        assertEquals(List.of(Caller.class, Counted.class), jvm.retransformed);
        assertTrue(System.nanoTime() - begin >= 1_000_000_000);
        transformer.retransformFor(1_000_000_000);
        assertEquals(2, jvm.retransformed.size());
    }
}
