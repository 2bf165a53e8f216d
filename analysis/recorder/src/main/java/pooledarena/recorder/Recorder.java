/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import pooledarena.histogram.Closing;
import pooledarena.histogram.Histogram;
import pooledarena.histogram.RecordedJvm;
import pooledarena.histogram.Shape;
import pooledarena.histogram.Tally;
import pooledarena.recorder.ThreadArenas.Carrier;
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

    private final int sampling;
    private final Threads threads;
    private final Ledger ledger;
    private final CallSites sites;

    /** Arenas that were collected without having been closed. */
    private final ReferenceQueue<Object> collected = new ReferenceQueue<>();

    /** What instruments the arenas and call sites of this JVM, or null in a warm-up. */
    final Transformer transformer;

    private boolean isWarm;

    /** The thread that writes the file, while it does; its arenas are not recorded. */
    volatile Thread writing;

    private Recorder(int limit, int sampling, Instrumentation instrumentation) {
        this.sampling = sampling;
        threads = new Threads(limit);
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
        threads.carrier();
        Recorder other = new Recorder(9, sampling, null); // more open arenas than a stack first has places for, and fewer rows
        for (int size = 40; size <= 80; size += 40) {
            Object[] noArenas = new Object[10];
            for (int i = 0; i < noArenas.length; i++) {
                noArenas[i] = new Object();
                other.opening(0);
                other.opened(noArenas[i], Thread.currentThread());
            }
            for (int i = 0; i < noArenas.length; i++) {
                other.allocated(noArenas[i], size + i, 8);
                other.allocated(noArenas[i], 80, 16);
                other.closing(noArenas[i], 0);
                other.closed(noArenas[i]);
            }
        }
        other.collect();
    }

    @Override
    public void opening(int site) {
        Carrier carrier = threads.carrier();
        carrier.site = site;
        carrier.siteThread = Thread.currentThread().threadId();
    }

    @Override
    public void opened(Object arena, Thread owner) {
        if (owner == writing) {
            return;
        }
        int site = site(owner);
        Carrier carrier = threads.carrier(); // only now, as a stack walk may have had the thread wait
        ThreadArenas thread = threads.current();
        boolean isCarried = thread != carrier;
        if (!thread.own.hasRoom() || isCarried && !carrier.carried.hasRoom()) {
            ledger.droppedArenas.increment();
            return;
        }
        OpenArena open = thread.own.next(thread);
        thread.own.push(open);
        if (isCarried) {
            carrier.carried.push(open);
        }
        open.begin(arena, site, collected);
    }

    /** {@return the number of the call site that opens an arena now, or 0} */
    private int site(Thread owner) {
        Carrier carrier = threads.carrier();
        int constant = carrier.siteThread == owner.threadId() ? carrier.site : 0;
        carrier.site = 0;
        if (sampling == 0 || sampling > 1 && ThreadLocalRandom.current().nextInt(sampling) != 0) {
            return 0;
        }
        int number = constant != 0 ? constant : sites.walk(false, transformer);
        if (number == 0) {
            ledger.droppedSites.increment();
        }
        return Math.max(0, number);
    }

    @Override
    public void allocated(Object arena, long byteSize, long byteAlignment) {
        OpenArena open = threads.current().own.find(arena);
        if (open != null) {
            open.allocate(byteSize, byteAlignment, threads.carrier());
        }
    }

    @Override
    public void closing(Object arena, int method) {
        OpenArena open = threads.current().own.find(arena);
        if (open != null) {
            open.closer = method;
        }
    }

    @Override
    public void closed(Object arena) {
        long now = System.nanoTime();
        OpenArena open = threads.current().own.find(arena);
        if (open != null) { // else closed before, or opened before recording began, or dropped
            open.ended = true;
            open.returnSlot(threads.carrier());
            end(open, closing(open), now);
        }
    }

    private Closing closing(OpenArena open) {
        if (open.site == 0) {
            return Closing.NOT_TOLD;
        }
        int closer = open.closer != 0 ? open.closer : sites.walk(true, transformer);
        return closer == sites.method(open.site) ? Closing.BY_OPENER : Closing.ELSEWHERE;
    }

    private void end(OpenArena open, Closing closing, long now) {
        long key = open.key(closing, now);
        if (!threads.carrier().counts.increment(key) && ledger.add(key, open, sites.site(open.site), closing, now)) {
            threads.carrier().counts.add(key); // perhaps of another carrier, as the thread may have waited
        }
    }

    /**
     * Adds the arenas that were collected unclosed, and forgets threads that have ended. The memory of those arenas stays taken,
     * so their threads still have it.
     */
    synchronized void collect() {
        for (Reference<?> cleared = collected.poll(); cleared != null; cleared = collected.poll()) {
            OpenArena open = ((OpenArena.Ref) cleared).open;
            if (open.ref == cleared && !open.ended) {
                end(open, Closing.UNCLOSED, System.nanoTime());
                open.ended = true; // only now, as its thread may then use it again
            }
        }
        threads.forgetEnded(ledger);
    }

    /** {@return all arenas until now, as those of {@code jvm}; those that are open count as unclosed} */
    synchronized Histogram histogram(RecordedJvm jvm) {
        collect();
        Map<Shape, Tally> rows = new HashMap<>();
        ledger.addTo(rows, threads.counts());
        long now = System.nanoTime();
        for (OpenArena open : threads.open()) {
            Shape shape = open.shape(sites.site(open.site), Closing.UNCLOSED, now);
            Ledger.add(rows, shape, open.tally(shape));
        }
        return new Histogram(List.of(jvm), rows, ledger.dropped(Integer.toUnsignedLong(failures)));
    }
}
