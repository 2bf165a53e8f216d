/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import pooledarena.histogram.Dropped;
import pooledarena.histogram.Histogram;
import pooledarena.histogram.RecordedJvm;
import pooledarena.histogram.Shape;
import pooledarena.histogram.Tally;
import pooledarena.recorder.Ledger.Counts;
import pooledarena.recorder.Threads.Arenas;
import pooledarena.recorder.hook.ArenaHook;

import java.lang.instrument.Instrumentation;

import module java.base;

/**
 * Records what arenas do. Whatever is thrown here, a stack overflow for instance, is caught by the instrumented code and counted:
 * a program never notices, but for the time it takes.
 */
final class Recorder extends ArenaHook {

    private final int sampling;
    private final Threads threads;
    private final Ledger ledger;
    final CallSites sites;

    /** Arenas that were collected without having been closed. */
    private final ReferenceQueue<Object> collected = new ReferenceQueue<>();

    /** What instruments the arenas and call sites of this JVM, or null in a warm-up. */
    final Transformer transformer;

    private Recorder(int limit, int sampling, Instrumentation instrumentation) {
        this.sampling = sampling;
        threads = new Threads(limit);
        ledger = new Ledger(limit);
        sites = new CallSites(limit);
        transformer = instrumentation == null ? null
                : new Transformer(instrumentation, this, sampling == 0 ? null : sites);
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
    void warmUp() {
        try {
            // JDK 28 loads this when its pool is exhausted, which is where the stack is almost full when it overflows.
            Class.forName("jdk.internal.foreign.MemorySessionImpl$ResourceList$ResourceCleanup$1", false, null);
        } catch (ClassNotFoundException e) {
            // another JDK's arenas do without it
        }
        current();
        Recorder other = new Recorder(9, sampling, null); // more open arenas than a stack first has places for, and fewer rows
        for (int size = 40; size <= 80; size += 40) {
            Object[] noArenas = new Object[10];
            for (int i = 0; i < noArenas.length; i++) {
                noArenas[i] = new Object();
                other.opening(0);
                other.opened(noArenas[i]);
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
        current().site = site;
    }

    private Arenas current() {
        return notInlined(threads);
    }

    @Override
    public void opened(Object arena) {
        Arenas thread = current();
        int site = site(thread);
        Arenas carrier = current().carrier; // only now, as a stack walk may have had the thread wait
        boolean isCarried = thread != carrier;
        if (!thread.hasRoom() || isCarried && !carrier.hasRoom()) {
            ledger.arenasDropped.increment();
            return;
        }
        OpenArena open = thread.next();
        thread.push(open);
        if (isCarried) {
            carrier.push(open);
        }
        open.begin(arena, site, collected);
    }

    /** {@return the number of the call site that opens an arena now, or 0} */
    private int site(Arenas thread) {
        int constant = thread.site;
        thread.site = 0;
        if (sampling == 0 || sampling > 1 && ThreadLocalRandom.current().nextInt(sampling) != 0) {
            return 0;
        }
        int number = constant != 0 ? constant : sites.walk(false, transformer);
        if (number == 0) {
            ledger.sitesDropped.increment();
        }
        return Math.max(0, number);
    }

    @Override
    public void allocated(Object arena, long byteSize, long byteAlignment) {
        OpenArena open = current().find(arena);
        if (open != null) {
            open.allocate(byteSize, byteAlignment);
        }
    }

    @Override
    public void closing(Object arena, int method) {
        OpenArena open = current().find(arena);
        if (open != null) {
            open.closer = method;
        }
    }

    @Override
    public void closed(Object arena) {
        OpenArena open = current().find(arena);
        if (open == null) {
            return; // closed before, or opened before recording began, or dropped
        }
        open.ended = true;
        open.returnSlot();
        if (open.site == 0) {
            open.closer = 0;
        } else if (open.closer == 0) {
            open.closer = sites.walk(true, transformer);
            current(); // as in opened()
        }
        end(open, open.thread);
    }

    /** Counts an arena that has ended, as one of the current thread. */
    private void end(OpenArena open, Arenas current) {
        long key = open.key();
        if (!current.carrier.counts.increment(key)) {
            synchronized (ledger) {
                if (!ledger.has(key)) {
                    Shape shape = open.shape(sites.site(open.site), sites.closing(open.site, open.closer));
                    ledger.add(key, shape, open.tally(shape));
                }
                if (ledger.has(key)) {
                    current().carrier.counts.add(key, 1); // whoever had to wait may run on another carrier
                }
            }
        }
    }

    /**
     * Adds the arenas that were collected unclosed, and forgets threads that have ended. The memory of those arenas stays taken,
     * so their threads still have it.
     */
    synchronized void collect() {
        Arenas thread = current();
        for (Reference<?> cleared = collected.poll(); cleared != null; cleared = collected.poll()) {
            OpenArena open = ((OpenArena.Ref) cleared).open;
            if (open.ref == cleared && !open.ended) {
                open.closer = OpenArena.NOBODY;
                end(open, thread);
                open.ended = true; // only now, as its thread may then use it again
            }
        }
        threads.forgetEnded();
    }

    /** {@return all arenas until now, as those of {@code jvm}; those that are open count as unclosed} */
    synchronized Histogram histogram(RecordedJvm jvm) {
        Counts sums = new Counts();
        Set<OpenArena> unclosed = threads.addTo(sums);
        Map<Shape, Tally> rows;
        Dropped dropped;
        synchronized (ledger) {
            rows = ledger.tallies(sums);
            dropped = ledger.dropped(Integer.toUnsignedLong(failures));
        }
        for (OpenArena open : unclosed) {
            Shape shape = open.shape(sites.site(open.site), sites.closing(open.site, OpenArena.NOBODY));
            Ledger.add(rows, shape, open.tally(shape));
        }
        return new Histogram(List.of(jvm), rows, dropped);
    }
}
