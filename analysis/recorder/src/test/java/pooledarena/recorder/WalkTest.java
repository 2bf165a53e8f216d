/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import org.codehaus.groovy.FakeInterface;
import org.junit.jupiter.api.Test;
import pooledarena.histogram.Closing;
import pooledarena.histogram.Site;
import pooledarena.program.Caller;
import pooledarena.recorder.Threads.Arenas;

import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The call sites that a stack walk finds. What is in the recorder's package, as this test, is never one. */
class WalkTest {

    private static final String CALLER = Caller.class.getName();

    private final CallSites sites = MemoryTest.sites(1000);
    private final Instrumented jvm = new Instrumented();
    private final Transformer transformer = new Transformer(jvm.instrumentation, null, sites);
    private final List<Integer> found = new ArrayList<>();

    private void opens() {
        found.add(sites.walk(false, transformer));
    }

    private void closes() {
        found.add(sites.walk(true, transformer));
    }

    @Test
    void aCall() throws InterruptedException {
        Caller.direct(this::opens);
        Site site = sites.site(found.getFirst());
        assertEquals(new Site(CALLER, "direct", site.line(), false, List.of()), site);
        assertTrue(site.line() > 0);
        assertEquals(List.of(Caller.class), requested());
        Caller.direct(this::opens);
        assertEquals(found.getFirst(), found.get(1));
        assertEquals(List.of(), requested());
        Caller.direct(() -> found.add(MemoryTest.sites(2).walk(false, null)));
        assertEquals(1, found.get(2));
    }

    /** A thread that has walked often takes what closed an earlier arena of the site, but for a sample. */
    @Test
    void aSampleOfWhatCloses() {
        Arenas thread = new Threads(new Memory(0)).get();
        int direct = CallSites.method(CALLER, "direct");
        int twice = CallSites.method(CALLER, "twice");
        int[] openers = IntStream.range(0, 40).map(line -> sites.number(new Site(CALLER, "opens", line, false, List.of()))).toArray();
        for (int i = 0; i < Threads.WALKS; i++) {
            assertTrue(thread.mayWalk());
        }
        for (int opener : openers) {
            Caller.direct(() -> assertEquals(direct, sites.closer(0, opener, thread, null)));
            assertEquals(7, sites.closer(7, opener, thread, null));
        }
        long earlier = Arrays.stream(openers).filter(opener -> {
            int[] closer = new int[1];
            Caller.twice(() -> closer[0] = closer[0] == 0 ? sites.closer(0, opener, thread, null) : closer[0]);
            return closer[0] == direct;
        }).count();
        assertTrue(earlier > openers.length / 2, earlier + " of " + openers.length);
        int[] last = new int[1];
        for (int i = 0; i < 100_000 && last[0] != twice; i++) {
            Caller.twice(() -> last[0] = sites.closer(0, openers[0], thread, null));
        }
        assertEquals(twice, last[0]);
        assertEquals(7, sites.opener(7, thread, null));
        long held = IntStream.range(0, 100).filter(_ -> {
            thread.walked = 1;
            return sites.opener(0, thread, null) == 1;
        }).count();
        assertTrue(held > 50 && held <= 100, held + " of 100 without a walk");
        IntStream.generate(() -> sites.opener(0, thread, null)).limit(100_000).filter(number -> number > 40).findFirst().orElseThrow();
    }

    @Test
    void twoOfAMethod() {
        Caller.twice(this::opens);
        assertNotEquals(found.get(0), found.get(1));
        assertNotEquals(sites.site(found.get(0)), sites.site(found.get(1)));
    }

    @Test
    void passedOn() throws Exception {
        Caller.reflection(this::opens);
        Caller.reference(this::opens);
        assertSite("reflection", 0);
        assertSite("reference", 1);
        assertEquals(List.of(), requested());
    }

    private void assertSite(String method, int index) {
        Site site = sites.site(found.get(index));
        assertEquals(new Site(CALLER, method, site.line(), true, List.of()), site);
    }

    @Test
    void closings() throws Exception {
        Caller.direct(this::opens);
        Caller.direct(this::closes);
        assertNotEquals(found.get(0), found.get(1));
        assertEquals(Closing.BY_OPENER, sites.closing(found.get(0), found.get(1)));
        Caller.library(this::closes);
        assertEquals(CallSites.method(CALLER, "library"), found.get(2));
        Caller.library(this::opens);
        assertEquals("com.google.common.io.Closer", sites.site(found.get(3)).className());
    }

    /** Groovy's library calls for the program, which is looked for behind it. */
    @Test
    void groovy() {
        Caller.direct(() -> FakeInterface.fromCache(this::opens));
        Caller.direct(() -> FakeInterface.fromCache(this::closes));
        assertSite("direct", 0);
        assertEquals(Closing.BY_OPENER, sites.closing(found.get(0), found.get(1)));
    }

    @Test
    void libraries() {
        for (String name : List.of("kotlin.A", "scala.A", "com.google.common.io.A", "org.codehaus.groovy.A")) {
            assertTrue(CallSites.isCloser(name), name);
        }
        assertFalse(CallSites.isCloser("com.google.common.collect.A"));
    }

    @Test
    void aHiddenClass() throws Exception {
        byte[] bytes = Instrumented.bytes(Caller.class);
        Class<?> hidden = MethodHandles.privateLookupIn(Caller.class, MethodHandles.lookup()).defineHiddenClass(bytes, true)
                .lookupClass();
        assertNotEquals(CALLER, hidden.getName());
        Runnable opens = this::opens;
        hidden.getMethod("direct", Runnable.class).invoke(null, opens);
        Site site = sites.site(found.getFirst());
        assertEquals(new Site(CALLER, "direct", site.line(), false, List.of()), site);
    }

    /** Nothing but the recorder's own and native code is on the stack. */
    @Test
    void aThreadOfNobody() throws InterruptedException {
        Thread thread = new Thread() {
            @Override
            public void run() {
                opens();
                closes();
            }
        };
        thread.start();
        thread.join();
        assertEquals(List.of(-1, -1), found);
    }

    private static WalkTest initializing;

    private static boolean wasInitialized;

    private static final class Initializer {
        static {
            wasInitialized = true;
            initializing.opens();
        }
    }

    @Test
    void nativeCode() throws ClassNotFoundException {
        initializing = this;
        boolean before = wasInitialized; // by another run in this JVM
        Class<?> initializer = Initializer.class; // which this does not initialize
        Caller.initialize(initializer.getName());
        if (!before) {
            assertTrue(sites.site(found.getFirst()).indirect());
        }
    }

    @Test
    void sitesBeyondTheMemory() { // which each takes for its number, and to be found again
        CallSites few = MemoryTest.sites(4);
        for (int i = 0; i < 2; i++) {
            Caller.direct(() -> found.add(few.walk(false, null)));
            Caller.twice(() -> found.add(few.walk(false, null)));
        }
        assertEquals(List.of(1, 2, 0, 1, 2, 0), found);
    }

    /** {@return the classes that are to have constants from now on} */
    private List<Class<?>> requested() throws InterruptedException {
        jvm.retransformed.clear();
        transformer.retransformFor(100_000_000);
        return List.copyOf(jvm.retransformed);
    }

    /** In the first there is memory for the walk, and none for the call site. */
    @Test
    void anotherRecordingHasMemoryAgain() {
        for (Memory memory : List.of(new Memory(900), new Memory(1 << 20))) {
            sites.use(memory, 1, List.of());
            opens();
        }
        assertEquals(List.of(0, 1), found);
    }

    /** What an earlier recording found takes memory of the next one, too: here there is none. */
    @Test
    void whatAnEarlierRecordingFoundTakesMemory() {
        for (Memory memory : List.of(new Memory(1 << 20), new Memory(900))) {
            sites.use(memory, 1, List.of());
            opens();
        }
        assertEquals(List.of(1, 0), found);
    }

    /** However many it found, a quarter is left to rounded rows. */
    @Test
    void whatAnEarlierRecordingFoundLeavesAQuarter() {
        for (int line = 1; line <= 100; line++) {
            assertEquals(line, sites.number(new Site(CALLER, "many", line)));
        }
        Memory memory = new Memory(10 * Memory.FRAME);
        sites.use(memory, 1, List.of());
        assertTrue(memory.take(memory.quarter, 0));
        assertFalse(memory.take(memory.half, 0));
    }
}
