/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import jdk.internal.access.SharedSecrets;
import jdk.internal.misc.CarrierThreadLocal;
import pooledarena.recorder.ThreadArenas.Carrier;

import module java.base;

/** The threads that have opened arenas. */
final class Threads {

    private final int limit;

    /** Platform threads, until they have ended and all that they have left open was collected. */
    private final ConcurrentHashMap<Long, Carrier> platform = new ConcurrentHashMap<>();

    private final CarrierThreadLocal<Carrier> ofPlatform = new CarrierThreadLocal<>() {
        @Override
        protected Carrier initialValue() {
            Thread thread = SharedSecrets.getJavaLangAccess().currentCarrierThread();
            Carrier arenas = new Carrier(thread, limit);
            Carrier before = platform.putIfAbsent(thread.threadId(), arenas);
            return before == null ? arenas : before; // it may have had all its thread locals erased
        }
    };

    private final ThreadLocal<ThreadArenas> ofVirtual = new ThreadLocal<>() {
        @Override
        protected ThreadArenas initialValue() {
            return new ThreadArenas(limit);
        }
    };

    Threads(int limit) {
        this.limit = limit;
    }

    ThreadArenas current() {
        return Thread.currentThread().isVirtual() ? ofVirtual.get() : ofPlatform.get();
    }

    /** {@return what is kept for the current thread if it is a platform thread, or for its carrier} */
    Carrier carrier(ThreadArenas current) {
        return current instanceof Carrier carrier ? carrier : ofPlatform.get();
    }

    /** Adds what threads have counted to {@code sums}, and all that is open to {@code open}. */
    void addTo(Counts sums, List<OpenArena> open) {
        for (Carrier thread : platform.values()) {
            thread.counts.addTo(sums); // of all first, as an arena that ends meanwhile on another must not count twice
        }
        for (Carrier thread : platform.values()) {
            open.addAll(thread.open());
        }
    }

    /** Forgets threads that have ended, and adds to {@code ledger} what they have counted. */
    void forgetEnded(Ledger ledger) {
        for (Iterator<Carrier> threads = platform.values().iterator(); threads.hasNext();) {
            Carrier thread = threads.next();
            if (thread.isOver()) {
                threads.remove();
                ledger.add(thread.counts);
            }
        }
    }
}
