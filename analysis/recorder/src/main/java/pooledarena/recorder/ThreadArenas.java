/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import pooledarena.histogram.FreeSlots;

import module java.base;

/**
 * The open arenas of a thread. As classes that are loaded already get no further fields, an arena's record is looked up here:
 * among the last few by comparing, as programs open and close arenas like a stack, and among all older ones of all threads by
 * their hash codes. Written by the thread only; read by whoever writes the histogram, who may see the last step by half.
 */
final class ThreadArenas {

    static final int RECENT = 8;

    /** Platform threads until they have ended. */
    private static final ConcurrentHashMap<Long, ThreadArenas> THREADS = new ConcurrentHashMap<>();

    /** The open arenas that are not recent, of all threads, and all of virtual threads. */
    static final ConcurrentHashMap<Object, OpenArena> OLDER = new ConcurrentHashMap<>();

    /** Of virtual threads, which are not registered. */
    private static final ThreadLocal<ThreadArenas> OF_VIRTUAL = new ThreadLocal<>() {
        @Override
        protected ThreadArenas initialValue() {
            return new ThreadArenas(null);
        }
    };

    private final OpenArena[] recent = new OpenArena[RECENT];
    private int count;
    private boolean hasOlder;

    /** The platform thread, or null. Weak, as the thread is to be collected like any other. */
    private final WeakReference<Thread> platform;

    /** The free slots of a platform thread, which the virtual threads use that it carries; null for a virtual thread. */
    final FreeSlots freeSlots;

    /** How many of the open arenas have memory. */
    int withMemory;

    /** The call site that opens an arena next, on this platform thread, and which thread is at it. */
    int site;
    long siteThread;

    private ThreadArenas(Thread thread) {
        platform = thread == null ? null : new WeakReference<>(thread);
        freeSlots = thread == null ? null : new FreeSlots();
    }

    /** {@return whether a further arena may be recorded} Counted are threads, and open arenas that are not recent. */
    static boolean hasRoom(int limit) {
        return THREADS.mappingCount() + OLDER.mappingCount() < limit;
    }

    static ThreadArenas ofPlatformThread(Thread thread) {
        ThreadArenas arenas = new ThreadArenas(thread);
        ThreadArenas before = THREADS.putIfAbsent(thread.threadId(), arenas);
        return before == null ? arenas : before;
    }

    static ThreadArenas ofCurrentThread() {
        return Thread.currentThread().isVirtual() ? OF_VIRTUAL.get() : Jdk.carrier();
    }

    boolean isVirtual() {
        return platform == null;
    }

    /** What they have left open is found without them. */
    static void forgetEndedThreads() {
        for (Iterator<ThreadArenas> threads = THREADS.values().iterator(); threads.hasNext();) {
            ThreadArenas arenas = threads.next();
            Thread thread = arenas.platform.get();
            if (thread == null || !thread.isAlive()) {
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
        if (isVirtual()) {
            makeOlder(open);
        }
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
        if (isVirtual()) {
            OLDER.remove(open);
        }
        return open;
    }
}
