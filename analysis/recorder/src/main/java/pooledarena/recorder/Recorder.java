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
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.List;
import java.util.Map;

/**
 * Records what arenas do. Whatever is thrown here, a stack overflow for instance, is caught by the instrumented code and counted:
 * a program never notices, but for the time it takes.
 * <p>
 * Threads have their {@link ThreadArenas}: platform threads as long as they live, virtual ones while they have arenas open, so
 * they may be as many as they like. Nothing here opens an arena, and those of the thread that writes the file are not recorded.
 */
final class Recorder extends ArenaHook {

    /** Arenas that were collected without having been closed. */
    private static final ReferenceQueue<Object> COLLECTED = new ReferenceQueue<>();

    private static int limit;
    private static int sampling;
    private static Ledger ledger;
    private static CallSites sites;
    private static Callers callers;

    private static boolean isWarm;

    /** The thread that writes the file, while it does. */
    private static volatile Thread writing;

    /** Chooses the arenas whose site is told. Races between threads do no harm here. */
    private static long random = 0x2545F4914F6CDD1DL;

    private Recorder() {}

    /** {@return what instruments the arenas and call sites of this JVM} They may be used from now on. */
    static Transformer begin(Options options, Instrumentation instrumentation) {
        limit = options.limit();
        sampling = options.sites();
        ledger = new Ledger(limit);
        sites = new CallSites(limit);
        Transformer transformer = new Transformer(instrumentation, sampling == 0 ? null : new CallSiteInstrumenter(sites));
        callers = new Callers(sites, transformer, limit);
        target = new Recorder();
        return transformer;
    }

    /**
     * Uses everything that recording uses, so that no class is first initialised inside an arena, where the stack may be almost
     * full. This is when the class of arenas loads, so there are none yet, but one may be about to be opened.
     */
    static synchronized void warmUp() {
        if (isWarm) {
            return;
        }
        isWarm = true;
        Ledger realLedger = ledger;
        CallSites realSites = sites;
        Callers realCallers = callers;
        ThreadArenas carrier = Jdk.carrier();
        int site = carrier.site;
        ledger = new Ledger(limit);
        sites = new CallSites(limit);
        callers = new Callers(sites, null, limit);
        Object[] noArenas = new Object[2 * ThreadArenas.RECENT]; // more than are recent
        for (int i = 0; i < noArenas.length; i++) {
            noArenas[i] = new Object();
            target.atOpening(0);
            target.opened(noArenas[i], Thread.currentThread());
        }
        for (Object noArena : noArenas) {
            target.allocated(noArena, 40, 8);
            target.allocated(noArena, 80, 16);
            target.atClosing(noArena, 0);
            target.closed(noArena);
        }
        Jdk.carrier().freeSlots.clear();
        collect();
        carrier.site = site;
        callers = realCallers;
        sites = realSites;
        ledger = realLedger;
    }

    @Override
    public void atOpening(int site) {
        ThreadArenas carrier = Jdk.carrier();
        carrier.site = site;
        carrier.siteThread = Thread.currentThread().threadId();
    }

    @Override
    public void opened(Object arena, Thread owner) {
        if (owner == writing) {
            return;
        }
        long threadId = owner.threadId();
        ThreadArenas carrier = Jdk.carrier();
        int number = carrier.siteThread == threadId ? carrier.site : 0;
        carrier.site = 0;
        if (!ThreadArenas.hasRoom(limit)) {
            ledger.dropArena();
            return;
        }
        CallSite opener = isChosen() ? opener(number) : null;
        ThreadArenas arenas = owner.isVirtual() ? ThreadArenas.opened(threadId) : carrier;
        arenas.add(new OpenArena(arena, COLLECTED, owner, arenas, opener));
    }

    private static CallSite opener(int constant) {
        int number = constant != 0 ? constant : callers.opener();
        if (number == 0) {
            ledger.dropSite();
        }
        return number <= 0 ? null : sites.get(number);
    }

    private static boolean isChosen() {
        if (sampling <= 1) {
            return sampling == 1;
        }
        long next = random;
        next ^= next << 13;
        next ^= next >>> 7;
        next ^= next << 17;
        random = next;
        return Long.remainderUnsigned(next, sampling) == 0;
    }

    @Override
    public void allocated(Object arena, long byteSize, long byteAlignment) {
        ThreadArenas arenas = ThreadArenas.ofCurrentThread();
        OpenArena open = arenas == null ? null : arenas.find(arena);
        if (open != null) {
            open.allocate(byteSize, byteAlignment);
        }
    }

    @Override
    public void atClosing(Object arena, int method) {
        ThreadArenas arenas = ThreadArenas.ofCurrentThread();
        OpenArena open = arenas == null ? null : arenas.find(arena);
        if (open != null) {
            open.closer = method;
        }
    }

    @Override
    public void closed(Object arena) {
        long now = System.nanoTime();
        ThreadArenas arenas = ThreadArenas.ofCurrentThread();
        OpenArena open = arenas == null ? null : arenas.remove(arena);
        if (open == null) {
            return; // closed before, or opened before recording began, or dropped
        }
        open.returnSlot(Jdk.carrier());
        end(open, closing(open), now);
    }

    private static Closing closing(OpenArena open) {
        if (open.opener == null) {
            return Closing.NOT_TOLD;
        }
        int closer = open.closer != 0 ? open.closer : callers.closer();
        return closer == open.opener.method() ? Closing.BY_OPENER : Closing.ELSEWHERE;
    }

    private static void end(OpenArena open, Closing closing, long now) {
        open.ended = true;
        if (open.isVirtual()) {
            ThreadArenas.ended(open.threadId);
        }
        ledger.add(open, closing, now);
    }

    /** Counts a failure of the thread that writes the file. */
    static void failed() {
        failures++;
    }

    /**
     * Adds the arenas that were collected unclosed, and forgets threads that have ended. The memory of those arenas stays taken,
     * so their threads still have it.
     */
    static synchronized void collect() {
        for (Reference<?> cleared = COLLECTED.poll(); cleared != null; cleared = COLLECTED.poll()) {
            OpenArena open = (OpenArena) cleared;
            if (!open.ended) {
                ThreadArenas.OLDER.remove(open);
                end(open, Closing.UNCLOSED, System.nanoTime());
            }
        }
        ThreadArenas.forgetEndedThreads();
    }

    /** {@return all arenas until now, as those of {@code jvm}; those that are open count as unclosed} */
    static synchronized Histogram histogram(Jvm jvm) {
        collect();
        Map<Shape, Tally> rows = ledger.tallies();
        Ledger unclosed = new Ledger(Integer.MAX_VALUE / 4);
        long now = System.nanoTime();
        for (OpenArena arena : ThreadArenas.all()) {
            if (!arena.ended) {
                unclosed.add(arena, Closing.UNCLOSED, now);
            }
        }
        for (Map.Entry<Shape, Tally> row : unclosed.tallies().entrySet()) {
            Tally before = rows.get(row.getKey());
            rows.put(row.getKey(), before == null ? row.getValue() : before.plus(row.getValue()));
        }
        return new Histogram(List.of(jvm), rows, ledger.dropped(Integer.toUnsignedLong(failures)));
    }

    /** From now on the calling thread, which holds this class's lock, is the recorder's own, and not recorded. */
    static void beginWriting() {
        writing = Thread.currentThread();
    }

    static void endWriting() {
        writing = null;
    }
}
