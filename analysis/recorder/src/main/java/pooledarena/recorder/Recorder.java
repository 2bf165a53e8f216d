/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import pooledarena.histogram.*;
import pooledarena.recorder.Rows.Row;
import pooledarena.recorder.Threads.Arenas;
import pooledarena.recorder.hook.ArenaHook;

import java.lang.instrument.Instrumentation;

import module java.base;

/**
 * Records what arenas do. Whatever is thrown here, a stack overflow for instance, is caught by the instrumented code and counted:
 * a program never notices, but for the time it takes.
 */
final class Recorder extends ArenaHook {

    /** For some exact rows and some rounded ones. */
    private static final int WARM_UP_MEMORY = 20_000;

    /** Of so many shapes of open arenas, those that are equal have one row in the file. */
    private static final int MERGED_OPEN = 1000;

    private final Options options;
    private final Memory memory;
    final Threads threads;
    private final Ledger ledger;
    final CallSites sites;

    /** Arenas that were collected without having been closed. */
    private final ReferenceQueue<Object> collected = new ReferenceQueue<>();

    /** What instruments the arenas and call sites of this JVM, or null in a warm-up. */
    final Transformer transformer;

    private Recorder(long bytes, Options options, CallSites sites, Instrumentation instrumentation) {
        this.options = options;
        memory = new Memory(bytes);
        threads = new Threads(memory);
        ledger = new Ledger(memory);
        this.sites = sites;
        sites.use(memory, options.frames(), options.skip());
        transformer = instrumentation == null ? null
                : new Transformer(instrumentation, this, options.sites() == 0 ? null : sites);
    }

    /** {@return the recorder that arenas call from now on} */
    static Recorder begin(Options options, CallSites sites, Instrumentation instrumentation) {
        Recorder recorder = new Recorder(options.memory(), options, sites, instrumentation);
        failures = 0;
        target = recorder;
        return recorder;
    }

    /** Has what is still instrumented call nothing that would keep the program's threads. */
    static void end() {
        target = new ArenaHook() {};
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
        current(threads);
        ThreadLocalRandom.current();
        Recorder other = new Recorder(WARM_UP_MEMORY, options, new CallSites(), null);
        for (int size = 40; size <= 80; size += 40) {
            Object[] noArenas = new Object[10]; // more than a thread has room for at first
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
        other.forEachRow(new HistogramWriter(OutputStream.nullOutputStream(), List.of())); // the file at the start has no rows
    }

    @Override
    public void opening(int site) {
        current(threads).site = site;
    }

    @Override
    public void opened(Object arena) {
        Arenas thread = current(threads);
        int site = site(thread);
        Arenas carrier = current(threads).carrier; // only now, as a stack walk may have had the thread wait
        boolean isCarried = thread != carrier;
        if (!thread.hasRoom(Memory.OPEN_ARENA) || isCarried && !carrier.hasRoom(Memory.REFERENCE)) {
            ledger.arenasDropped.increment();
            return;
        }
        OpenArena open = new OpenArena(arena, thread, site, collected);
        thread.push(open);
        if (isCarried) {
            carrier.push(open);
        }
    }

    /** {@return the number of the call site that opens an arena now, or 0} */
    private int site(Arenas thread) {
        int constant = thread.site;
        thread.site = 0;
        int sampling = options.sites();
        if (sampling == 0 || sampling > 1 && ThreadLocalRandom.current().nextInt(sampling) != 0) {
            return 0;
        }
        int number = sites.opener(constant, thread.carrier, transformer);
        if (number == 0) {
            ledger.sitesDropped.increment();
        }
        return Math.max(0, number);
    }

    @Override
    public void allocated(Object arena, long byteSize, long byteAlignment) {
        OpenArena open = current(threads).find(arena);
        if (open != null) {
            open.allocate(byteSize, byteAlignment);
        }
    }

    @Override
    public void closing(Object arena, int method) {
        OpenArena open = current(threads).find(arena);
        if (open != null) {
            open.closer = method;
        }
    }

    @Override
    public void closed(Object arena) {
        OpenArena open = current(threads).find(arena);
        if (open == null) {
            return; // closed before, or opened before recording began, or dropped
        }
        open.ended = true;
        open.leave();
        if (open.site != 0) {
            open.closer = sites.closer(open.closer, open.site, open.thread.carrier, transformer);
            current(threads); // as in opened()
        }
        count(open, open.thread.carrier);
        open.thread.shrink();
    }

    @Override
    public void beginning(int method) {
        if (method == ArenaInstrumenter.BEGIN.size() - 1) {
            Agent.finish();
        } else {
            ledger.countOther(method, site(current(threads)));
        }
    }

    /** Counts an arena that has ended, as one of the current thread, which {@code carrier} runs. */
    private void count(OpenArena open, Arenas carrier) {
        Closing closing = sites.closing(open.site, open.closer);
        Row row = carrier.rows.find(open.key(closing, true));
        if (row == null) {
            row = carrier.rows.find(open.key(closing, false));
        }
        if (row != null) {
            row.add(open);
        } else {
            countFirst(open, closing);
        }
    }

    /** Counts one for which its thread has no row. Whoever has to wait for the ledger may run on another carrier afterwards. */
    private void countFirst(OpenArena open, Closing closing) {
        Site opener = sites.site(open.site);
        Row known = ledger.row(open, opener, closing, true);
        Row row = known == null ? null : current(threads).carrier.row(known);
        if (row == null) {
            known = ledger.row(open, opener, closing, false);
            row = known == null ? null : current(threads).carrier.row(known);
        }
        if (row != null) {
            row.add(open);
        } else if (known != null) {
            synchronized (ledger) {
                known.add(open);
            }
        } else {
            ledger.arenasDropped.increment();
        }
    }

    /**
     * Adds the arenas that were collected unclosed, and forgets threads that have ended. The memory of those arenas stays taken,
     * so their threads still have it.
     */
    synchronized void collect() {
        Arenas carrier = current(threads).carrier;
        for (Reference<?> cleared = collected.poll(); cleared != null; cleared = collected.poll()) {
            OpenArena open = (OpenArena) cleared;
            if (!open.ended) {
                open.closer = OpenArena.NOBODY;
                count(open, carrier);
                open.ended = true; // only now: if that fails, it still counts as open
            }
        }
        threads.forgetEnded(ledger);
    }

    /**
     * Writes all arenas until now, as those of {@code jvm}; those that are open count as unclosed. What is allocated for that is
     * soon garbage.
     */
    synchronized void write(OutputStream stream, RecordedJvm jvm) {
        HistogramWriter writer = new HistogramWriter(stream, List.of(jvm));
        long rounded = forEachRow(writer);
        writer.end(new Dropped(ledger.arenasDropped.sum(), ledger.sitesDropped.sum(), rounded, Integer.toUnsignedLong(failures)),
                ledger.others(sites));
    }

    /** Passes on all arenas until now, in rows of which several may have the same shape. {@return how many are rounded} */
    synchronized long forEachRow(BiConsumer<Shape, Tally> rows) {
        long rounded = 0;
        for (Row row : ledger.rows.all()) {
            Row sum = row == null ? null : threads.sum(row);
            if (sum != null && sum.arenas > 0) {
                rounded += row.shape.exact() ? 0 : sum.arenas;
                rows.accept(sum.shape, sum.tally());
            }
        }
        Map<Long, Row> unclosed = new HashMap<>();
        for (OpenArena arena : threads.open()) { // only now, as an arena that ends meanwhile must not count twice
            long key = arena.key(Closing.UNCLOSED, true);
            Row row = unclosed.get(key);
            if (row != null) {
                row.add(arena);
            } else {
                row = new Row(key, arena.shape(sites.site(arena.site), Closing.UNCLOSED, true));
                row.add(arena);
                if (unclosed.size() < MERGED_OPEN) {
                    unclosed.put(key, row);
                } else {
                    rows.accept(row.shape, row.tally());
                }
            }
        }
        for (Row row : unclosed.values()) {
            rows.accept(row.shape, row.tally());
        }
        return rounded;
    }
}
