/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import pooledarena.histogram.Closing;
import pooledarena.histogram.Histogram;
import pooledarena.histogram.Jvm;
import pooledarena.histogram.Shape;
import pooledarena.histogram.Tally;
import pooledarena.recorder.CallSites.CallSite;
import pooledarena.recorder.hook.ArenaHook;

import java.lang.instrument.Instrumentation;

import module java.base;

/**
 * Records what arenas do. Whatever is thrown here, a stack overflow for instance, is caught by the instrumented code and counted:
 * a program never notices, but for the time it takes.
 * <p>
 * Nothing here opens an arena, and those of the thread that writes the file are not recorded.
 */
final class Recorder extends ArenaHook {

    private final int limit;
    private final int sampling;
    private final Ledger ledger;
    private final CallSites sites;

    /** What instruments the arenas and call sites of this JVM, or null in a warm-up. */
    final Transformer transformer;

    private boolean isWarm;

    /** The thread that writes the file, while it does; its arenas are not recorded. */
    volatile Thread writing;

    private Recorder(int limit, int sampling, Instrumentation instrumentation) {
        this.limit = limit;
        this.sampling = sampling;
        ledger = new Ledger(limit);
        sites = new CallSites(limit);
        transformer = instrumentation == null ? null
                : new Transformer(instrumentation, this, sampling == 0 ? null : new CallSiteInstrumenter(sites));
    }

    /** {@return the recorder that arenas call from now on} */
    static Recorder begin(Options options, Instrumentation instrumentation) {
        Recorder recorder = new Recorder(options.limit(), options.sites(), instrumentation);
        target = recorder;
        return recorder;
    }

    /**
     * Uses everything that recording uses, so that no class is first initialised inside an arena, where the stack may be almost
     * full. This is when the class of arenas loads, so there are none yet, but one may be about to be opened.
     */
    synchronized void warmUp() {
        if (isWarm) {
            return;
        }
        isWarm = true;
        try {
            // JDK 28 loads this when its pool is exhausted, which is where the stack is almost full when it overflows.
            Class.forName("jdk.internal.foreign.MemorySessionImpl$ResourceList$ResourceCleanup$1", false, null);
        } catch (ClassNotFoundException e) {
            // another JDK's arenas do without it
        }
        ThreadArenas carrier = Jdk.carrier();
        int site = carrier.site;
        Recorder other = new Recorder(1, sampling, null);
        Object[] noArenas = new Object[2 * ThreadArenas.RECENT]; // more than are recent
        for (int i = 0; i < noArenas.length; i++) {
            noArenas[i] = new Object();
            other.opening(0);
            other.open(noArenas[i], Thread.currentThread());
        }
        for (Object noArena : noArenas) {
            other.allocated(noArena, 40, 8);
            other.allocated(noArena, 80, 16);
            other.closing(noArena, 0);
            other.closed(noArena);
        }
        Jdk.carrier().freeSlots.clear();
        other.collect();
        carrier.site = site;
    }

    @Override
    public void opening(int site) {
        ThreadArenas carrier = Jdk.carrier();
        carrier.site = site;
        carrier.siteThread = Thread.currentThread().threadId();
    }

    @Override
    public void opened(Object arena, Thread owner) {
        if (owner == writing) {
            return;
        }
        if (ThreadArenas.hasRoom(limit)) {
            open(arena, owner);
        } else {
            Jdk.carrier().site = 0;
            ledger.droppedArenas.increment();
        }
    }

    private void open(Object arena, Thread owner) {
        ThreadArenas carrier = Jdk.carrier();
        int number = carrier.siteThread == owner.threadId() ? carrier.site : 0;
        carrier.site = 0;
        boolean isChosen = sampling == 1 || sampling > 1 && ThreadLocalRandom.current().nextInt(sampling) == 0;
        CallSite opener = isChosen ? opener(number) : null;
        ThreadArenas arenas = ThreadArenas.ofCurrentThread();
        arenas.add(new OpenArena(arena, arenas, opener));
    }

    private CallSite opener(int constant) {
        int number = constant != 0 ? constant : sites.walk(false, transformer);
        if (number == 0) {
            ledger.droppedSites.increment();
        }
        return number <= 0 ? null : sites.get(number);
    }

    @Override
    public void allocated(Object arena, long byteSize, long byteAlignment) {
        OpenArena open = ThreadArenas.ofCurrentThread().find(arena);
        if (open != null) {
            open.allocate(byteSize, byteAlignment);
        }
    }

    @Override
    public void closing(Object arena, int method) {
        OpenArena open = ThreadArenas.ofCurrentThread().find(arena);
        if (open != null) {
            open.closer = method;
        }
    }

    @Override
    public void closed(Object arena) {
        long now = System.nanoTime();
        OpenArena open = ThreadArenas.ofCurrentThread().remove(arena);
        if (open != null) { // else closed before, or opened before recording began, or dropped
            open.returnSlot(Jdk.carrier());
            end(open, closing(open), now);
        }
    }

    private Closing closing(OpenArena open) {
        if (open.opener == null) {
            return Closing.NOT_TOLD;
        }
        int closer = open.closer != 0 ? open.closer : sites.walk(true, transformer);
        return closer == open.opener.method() ? Closing.BY_OPENER : Closing.ELSEWHERE;
    }

    private void end(OpenArena open, Closing closing, long now) {
        open.ended = true;
        ledger.add(open, closing, now);
    }

    /**
     * Adds the arenas that were collected unclosed, and forgets threads that have ended. The memory of those arenas stays taken,
     * so their threads still have it.
     */
    synchronized void collect() {
        for (Reference<?> cleared = OpenArena.COLLECTED.poll(); cleared != null; cleared = OpenArena.COLLECTED.poll()) {
            OpenArena open = (OpenArena) cleared;
            if (!open.ended) {
                ThreadArenas.OLDER.remove(open);
                end(open, Closing.UNCLOSED, System.nanoTime());
            }
        }
        ThreadArenas.forgetEndedThreads();
    }

    /** {@return all arenas until now, as those of {@code jvm}; those that are open count as unclosed} */
    synchronized Histogram histogram(Jvm jvm) {
        collect();
        Map<Shape, Tally> rows = new HashMap<>();
        ledger.addTo(rows);
        Ledger unclosed = new Ledger(Integer.MAX_VALUE);
        long now = System.nanoTime();
        for (OpenArena arena : ThreadArenas.all()) {
            if (!arena.ended) {
                unclosed.add(arena, Closing.UNCLOSED, now);
            }
        }
        unclosed.addTo(rows);
        return new Histogram(List.of(jvm), rows, ledger.dropped(Integer.toUnsignedLong(failures)));
    }
}
