/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import pooledarena.histogram.FreeSlots;

import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The open arenas of a thread. As classes that are loaded already get no further fields, an arena's record is looked up here:
 * among the last few by comparing, as programs open and close arenas like a stack, and among all older ones of all threads by
 * their hash codes. Written by the thread only; read by whoever writes the histogram, who may see the last step by half.
 */
final class ThreadArenas {

    static final int RECENT = 8;

    /** Platform threads until they have ended, and virtual ones while they have arenas open. */
    private static final ConcurrentHashMap<Long, ThreadArenas> THREADS = new ConcurrentHashMap<>();

    /** The open arenas that are not recent, of all threads. */
    static final ConcurrentHashMap<Object, OpenArena> OLDER = new ConcurrentHashMap<>();

    // No lambdas: what the hot path runs is all linked when it is first used in an arena.

    private static final BiFunction<Long, ThreadArenas, ThreadArenas> OPENED = new BiFunction<>() {
        @Override
        public ThreadArenas apply(Long threadId, ThreadArenas before) {
            ThreadArenas arenas = before == null ? new ThreadArenas(null) : before;
            arenas.open++;
            return arenas;
        }
    };

    private static final BiFunction<Long, ThreadArenas, ThreadArenas> ENDED = new BiFunction<>() {
        @Override
        public ThreadArenas apply(Long threadId, ThreadArenas arenas) {
            return --arenas.open == 0 ? null : arenas;
        }
    };

    private final OpenArena[] recent = new OpenArena[RECENT];
    private int count;
    private boolean hasOlder;

    /** The platform thread, or null. Weak, as the thread is to be collected like any other. */
    private final WeakReference<Thread> platform;

    /** The free slots of a platform thread, which the virtual threads use that it carries; null for a virtual thread. */
    final FreeSlots freeSlots;

    /** How many arenas a virtual thread has open. Changed only while the map that has this is locked. */
    private int open;

    /** How many of the open arenas have memory. */
    int withMemory;

    /** The call site that opens an arena next, on this platform thread, and which thread is at it. */
    int site;
    long siteThread;

    /** @param thread the platform thread, or null for a virtual one */
    private ThreadArenas(Thread thread) {
        platform = thread == null ? null : new WeakReference<>(thread);
        freeSlots = thread == null ? null : new FreeSlots();
    }

    /** {@return whether a further arena may be recorded} Counted are threads, and open arenas that are not recent. */
    static boolean hasRoom(int limit) {
        return THREADS.mappingCount() + OLDER.mappingCount() < limit;
    }

    /** {@return what that platform thread has open} */
    static ThreadArenas ofPlatformThread(Thread thread) {
        return THREADS.computeIfAbsent(thread.threadId(), new Function<>() {
            @Override
            public ThreadArenas apply(Long threadId) {
                return new ThreadArenas(thread);
            }
        });
    }

    /** {@return what the current thread has open, or null if that is nothing} */
    static ThreadArenas ofCurrentThread() {
        Thread thread = Thread.currentThread();
        return thread.isVirtual() ? THREADS.get(thread.threadId()) : Jdk.carrier();
    }

    /** {@return what that virtual thread has open, which is one arena more from now on} */
    static ThreadArenas opened(long threadId) {
        return THREADS.compute(threadId, OPENED);
    }

    /** That virtual thread has one arena less open. */
    static void ended(long threadId) {
        THREADS.computeIfPresent(threadId, ENDED);
    }

    /** What they have left open is found without them. */
    static void forgetEndedThreads() {
        for (Iterator<ThreadArenas> threads = THREADS.values().iterator(); threads.hasNext();) {
            ThreadArenas arenas = threads.next();
            if (arenas.isOfEndedThread()) {
                for (int i = 0; i < arenas.count; i++) {
                    arenas.makeOlder(arenas.recent[i]);
                }
                threads.remove();
            }
        }
    }

    /** {@return all open arenas, and perhaps some that have just ended} */
    static Set<OpenArena> all() {
        Set<OpenArena> all = Collections.newSetFromMap(new IdentityHashMap<>());
        for (ThreadArenas arenas : THREADS.values()) {
            for (OpenArena open : arenas.recent) {
                if (open != null) {
                    all.add(open);
                }
            }
        }
        all.addAll(OLDER.values());
        return all;
    }

    private boolean isOfEndedThread() {
        if (platform == null) {
            return false;
        }
        Thread thread = platform.get();
        return thread == null || !thread.isAlive();
    }

    void add(OpenArena open) {
        if (count == RECENT) {
            makeOlder(recent[0]);
            System.arraycopy(recent, 1, recent, 0, --count);
        }
        recent[count++] = open;
    }

    private void makeOlder(OpenArena open) {
        Object arena = open.get();
        if (arena != null) { // otherwise it is about to be found unclosed
            open.hash = System.identityHashCode(arena);
            OLDER.put(open, open);
            hasOlder = true;
        }
    }

    /** {@return the record of an arena, or null if it has none} */
    OpenArena find(Object arena) {
        for (int i = count; --i >= 0;) {
            if (recent[i].refersTo(arena)) {
                return recent[i];
            }
        }
        return hasOlder ? OLDER.get(new OpenArena.Key(arena)) : null;
    }

    /** {@return the record of an arena, which is in here no more, or null if it has none} */
    OpenArena remove(Object arena) {
        for (int i = count; --i >= 0;) {
            OpenArena open = recent[i];
            if (open.refersTo(arena)) {
                System.arraycopy(recent, i + 1, recent, i, --count - i);
                recent[count] = null;
                return open;
            }
        }
        return hasOlder ? OLDER.remove(new OpenArena.Key(arena)) : null;
    }
}
