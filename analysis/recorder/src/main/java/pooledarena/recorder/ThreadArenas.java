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

    /** Counts the open arenas of a virtual thread. No lambda: what the hot path runs would be linked inside an arena. */
    private record Count(int more) implements BiFunction<Long, ThreadArenas, ThreadArenas> {

        @Override
        public ThreadArenas apply(Long threadId, ThreadArenas before) {
            ThreadArenas arenas = before == null ? new ThreadArenas(threadId, null) : before;
            arenas.open += more;
            return arenas.open == 0 ? null : arenas;
        }
    }

    private static final Count OPENED = new Count(1);
    private static final Count ENDED = new Count(-1);

    private final OpenArena[] recent = new OpenArena[RECENT];
    private int count;
    private boolean hasOlder;

    private final long threadId;

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
    private ThreadArenas(long threadId, Thread thread) {
        this.threadId = threadId;
        platform = thread == null ? null : new WeakReference<>(thread);
        freeSlots = thread == null ? null : new FreeSlots();
    }

    /** {@return whether a further arena may be recorded} Counted are threads, and open arenas that are not recent. */
    static boolean hasRoom(int limit) {
        return THREADS.mappingCount() + OLDER.mappingCount() < limit;
    }

    /** {@return what that platform thread has open} */
    static ThreadArenas ofPlatformThread(Thread thread) {
        ThreadArenas arenas = new ThreadArenas(thread.threadId(), thread);
        ThreadArenas before = THREADS.putIfAbsent(thread.threadId(), arenas);
        return before == null ? arenas : before;
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

    /** The thread has one arena less open. */
    void ended() {
        if (isVirtual()) {
            THREADS.computeIfPresent(threadId, ENDED);
        }
    }

    boolean isVirtual() {
        return platform == null;
    }

    /** What they have left open is found without them. */
    static void forgetEndedThreads() {
        for (Iterator<ThreadArenas> threads = THREADS.values().iterator(); threads.hasNext();) {
            ThreadArenas arenas = threads.next();
            Thread thread = arenas.isVirtual() ? null : arenas.platform.get();
            if (!arenas.isVirtual() && (thread == null || !thread.isAlive())) {
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
            Collections.addAll(all, arenas.recent);
        }
        all.addAll(OLDER.values());
        all.remove(null);
        return all;
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

    /** {@return the index of an arena among the recent ones, or -1} */
    private int indexOf(Object arena) {
        int index = count - 1;
        while (index >= 0 && !recent[index].refersTo(arena)) {
            index--;
        }
        return index;
    }

    /** {@return the record of an arena, or null if it has none} */
    OpenArena find(Object arena) {
        int index = indexOf(arena);
        return index >= 0 ? recent[index] : hasOlder ? OLDER.get(new OpenArena.Key(arena)) : null;
    }

    /** {@return the record of an arena, which is in here no more, or null if it has none} */
    OpenArena remove(Object arena) {
        int index = indexOf(arena);
        if (index < 0) {
            return hasOlder ? OLDER.remove(new OpenArena.Key(arena)) : null;
        }
        OpenArena open = recent[index];
        System.arraycopy(recent, index + 1, recent, index, --count - index);
        recent[count] = null;
        return open;
    }
}
