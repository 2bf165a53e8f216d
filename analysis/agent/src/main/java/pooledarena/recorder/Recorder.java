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
package pooledarena.recorder;

import pooledarena.histogram.Closing;
import pooledarena.histogram.Histogram;
import pooledarena.histogram.Jvm;
import pooledarena.histogram.Site;
import pooledarena.recorder.hook.ArenaHook;

import java.lang.StackWalker.StackFrame;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

/**
 * Records what arenas do. Whatever is thrown here, a stack overflow for instance, is caught by the woven code and counted: a
 * program never notices, but for the time it takes.
 * <p>
 * Only platform threads keep something here, their {@link pooledarena.histogram.FreeSlots}. What a thread has open is in maps
 * that hold no more than there are open arenas, so threads of either kind may be as many as they like. Nothing here opens an
 * arena, and those of the thread that writes the file are not recorded.
 */
final class Recorder extends ArenaHook {

    private static final ConcurrentHashMap<Object, OpenArena> OPEN = new ConcurrentHashMap<>();
    private static final ConcurrentHashMap<Long, OpenArena.OfThread> THREADS = new ConcurrentHashMap<>();

    /** Arenas that were collected without having been closed. */
    private static final ReferenceQueue<Object> COLLECTED = new ReferenceQueue<>();

    private static final BiFunction<Long, OpenArena.OfThread, OpenArena.OfThread> OPENED = new BiFunction<>() {
        @Override
        public OpenArena.OfThread apply(Long threadId, OpenArena.OfThread before) {
            OpenArena.OfThread ofThread = before == null ? new OpenArena.OfThread() : before;
            ofThread.open++;
            return ofThread;
        }
    };

    private static final BiFunction<Long, OpenArena.OfThread, OpenArena.OfThread> ENDED = new BiFunction<>() {
        @Override
        public OpenArena.OfThread apply(Long threadId, OpenArena.OfThread ofThread) {
            return --ofThread.open == 0 ? null : ofThread;
        }
    };

    private static int limit;
    private static int sites;
    private static Ledger ledger;
    private static Callers callers;

    /** The thread that writes the file, while it does. */
    private static volatile Thread writing;

    /** Chooses the arenas whose site is looked for. Races between threads do no harm here. */
    private static long random = 0x2545F4914F6CDD1DL;

    private Recorder() {}

    /** Begins. Everything that recording uses is used once before, so that no class is first initialised inside an arena. */
    static void begin(Options options) {
        limit = options.limit();
        sites = 1;
        ledger = new Ledger(limit);
        callers = new Callers(limit);
        target = new Recorder();
        Object noArena = new Object();
        target.opened(noArena, Thread.currentThread());
        target.allocated(noArena, 40, 8);
        target.allocated(noArena, 80, 16);
        target.closed(noArena);
        Jdk.freeSlots().take();
        collect();
        ledger = new Ledger(limit);
        callers = new Callers(limit);
        sites = options.sites();
    }

    @Override
    public void opened(Object arena, Thread owner) {
        if (owner == writing) {
            return;
        }
        if (OPEN.mappingCount() >= limit) {
            ledger.dropArena();
            return;
        }
        Callers.Caller opener = null;
        Site site = null;
        if (isChosen()) {
            StackFrame frame = Callers.frame();
            if (frame != null) {
                opener = Callers.caller(frame);
                site = callers.site(opener, frame);
                if (site == null) {
                    ledger.dropSite();
                }
            }
        }
        OpenArena.OfThread ofThread = THREADS.compute(owner.threadId(), OPENED);
        OpenArena open = new OpenArena(arena, COLLECTED, owner, ofThread, opener, site);
        OPEN.put(open, open);
    }

    private static boolean isChosen() {
        if (sites <= 1) {
            return sites == 1;
        }
        long next = random;
        next ^= next << 13;
        next ^= next >>> 7;
        next ^= next << 17;
        random = next;
        return Long.remainderUnsigned(next, sites) == 0;
    }

    @Override
    public void allocated(Object arena, long byteSize, long byteAlignment) {
        OpenArena open = OPEN.get(new OpenArena.Key(arena));
        if (open != null) {
            open.allocate(byteSize, byteAlignment);
        }
    }

    @Override
    public void closed(Object arena) {
        long now = System.nanoTime();
        OpenArena open = OPEN.remove(new OpenArena.Key(arena));
        if (open == null) {
            return; // closed before, or opened before recording began, or dropped
        }
        if (open.hasMemory()) {
            open.ofThread.withMemory--;
            Jdk.freeSlots().put();
        }
        THREADS.computeIfPresent(open.threadId, ENDED);
        Closing closing = open.opener == null ? Closing.NOT_TOLD
                : Callers.isInMethodOf(open.opener) ? Closing.BY_OPENER : Closing.ELSEWHERE;
        ledger.add(open.shape(closing, now), open.replay());
    }

    /** Counts a failure of the thread that writes the file. */
    static void failed() {
        failures++;
    }

    /** Adds the arenas that were collected unclosed. Their memory stays taken, so their threads still have it. */
    static synchronized void collect() {
        for (Reference<?> cleared = COLLECTED.poll(); cleared != null; cleared = COLLECTED.poll()) {
            OpenArena open = (OpenArena) cleared;
            if (OPEN.remove(open) != null) {
                THREADS.computeIfPresent(open.threadId, ENDED);
                ledger.add(open.shape(Closing.UNCLOSED, System.nanoTime()), open.replay());
            }
        }
    }

    /** {@return all arenas until now, as those of {@code jvm}; those that are open count as unclosed} */
    static synchronized Histogram histogram(Jvm jvm) {
        collect();
        Ledger all = new Ledger(Integer.MAX_VALUE / 4);
        ledger.addTo(all);
        long now = System.nanoTime();
        for (OpenArena open : OPEN.values()) {
            all.add(open.shape(Closing.UNCLOSED, now), open.replay());
        }
        return new Histogram(List.of(jvm), all.rows(), all.dropped(Integer.toUnsignedLong(failures)));
    }

    /** From now on the calling thread, which holds this class's lock, is the recorder's own, and not recorded. */
    static void beginWriting() {
        writing = Thread.currentThread();
    }

    static void endWriting() {
        writing = null;
    }
}
