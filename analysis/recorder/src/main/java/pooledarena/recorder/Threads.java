/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import jdk.internal.access.JavaLangAccess;
import jdk.internal.access.SharedSecrets;
import pooledarena.histogram.Shape;
import pooledarena.recorder.Rows.Row;
import pooledarena.recorder.Threads.Arenas;

import module java.base;

/** What is kept for each thread that has opened arenas. It supplies what is kept for the current thread. */
final class Threads implements Supplier<Arenas> {

    /**
     * The arenas of a thread in the order in which they were opened: all that are open, and some that have ended. With those
     * of a platform thread are those that virtual threads opened while it carried them, wherever they run now: they are
     * registered nowhere else. Only what runs on that thread writes this; others may read, and may see half of the last step.
     * One class for both kinds of thread, or the JVM would compile the recorder again when the first virtual thread starts.
     */
    final class Arenas {

        private final long id;

        /** 1 or, of a platform thread, 0. Where the JVM has no continuations, each virtual thread is one that carries itself. */
        final int virtual;

        /** Where the thread runs, as these were last supplied. */
        Arenas carrier = this;

        // Of a platform thread: itself, how many arenas with memory it has or carries, and the arenas that ended on it.
        private final Thread thread;
        final Level withMemory;
        final Rows rows;

        /** Those from {@link #count} on are null, or have ended. */
        private OpenArena[] records = new OpenArena[FIRST_RECORDS];
        private int count;

        /** Which was found last: it may be asked for again, or the next one. */
        private int found;

        /**
         * A hash table of the records' numbers, each 1 more, by the identity of the arena; null until one is sought that is none of the
         * newest. Numbers of records that have ended stay until it is half full, and then it is built anew. Its memory is counted with
         * that of the records.
         */
        private int[] index;
        private int indexed;

        /** How much memory has been taken for them. */
        private long taken;

        /** How many arenas are dropped before all records are looked at anew, once all are of open arenas. */
        private int full;

        /** How many of the thread's open arenas have memory. */
        int ownWithMemory;

        /** How often the stack was walked, at most {@link #WALKS}. */
        private int walks;

        /** The call site that the last walk found, as {@link CallSites#opener} returns it. */
        int walked;

        /** What was sought in vain last: an arena that is not recorded may be used again and again. */
        private WeakReference<Object> absent = new WeakReference<>(null);

        /** The call site that opens an arena next, or 0. */
        int site;

        Arenas(Thread thread, int virtual) {
            id = thread.threadId();
            this.virtual = virtual;
            this.thread = virtual == 1 ? null : thread;
            withMemory = virtual == 1 ? null : new Level();
            rows = virtual == 1 ? null : new Rows();
        }

        private void dropEnded() {
            while (count > 0 && records[count - 1].ended) {
                count--;
            }
        }

        /** {@return whether to walk the stack now} If it were each time, a loop that only opens arenas would take fifty times as long. */
        boolean mayWalk() {
            if (walks < WALKS) {
                walks++;
                return true;
            }
            return ThreadLocalRandom.current().nextInt(WALKED) == 0;
        }

        /** {@return whether one more can be open, of which each takes so much memory} */
        boolean hasRoom(int size) {
            dropEnded();
            return count < records.length || --full < 0 && makeRoom(size);
        }

        /** Moves those that are open to another array: one twice as large if they are more than half and there is memory for it. */
        private boolean makeRoom(int size) {
            List<OpenArena> open = open();
            int stays = open.size();
            OpenArena[] moved = open.toArray(new OpenArena[stays > records.length / 2 ? 2 * records.length : records.length]);
            long more = (long) (moved.length - records.length) * size;
            if (virtual == 1) {
                takers.put(this, new WeakReference<>(Thread.currentThread())); // first, as the heap may have no room for it
            }
            if (memory.take(more, memory.quarter)) {
                taken += more;
            } else {
                moved = Arrays.copyOf(moved, records.length);
            }
            records = moved; // at once, as others read it
            count = stays;
            index = null;
            full = count == records.length ? count / 8 : 0;
            return count < records.length;
        }

        /** {@return the row in which this thread counts the arenas of the ledger's row, or null if there is no memory for one} */
        Row row(Row known) {
            Row row = rows.find(known.key);
            return row != null ? row : rows.add(new Row(known.key, known.shape), memory, Memory.ROW,
                    known.shape.exact() ? memory.quarter : memory.quarter / 2);
        }

        /** Gives back what a virtual thread has taken that has no arenas now. */
        void shrink() {
            dropEnded();
            if (virtual == 1 && taken > 0 && count == 0) {
                records = Arrays.copyOf(records, FIRST_RECORDS);
                index = null;
                memory.give(taken);
                taken = 0;
                takers.remove(this);
            }
        }

        void push(OpenArena record) {
            if (index != null && 2 * indexed < index.length) {
                index(record, count, index);
            } else {
                index = null;
            }
            records[count] = record; // only now: the stack may be full before, and the index must not lack a record
            count++;
        }

        /** {@return the record of an arena, or null if it has none that is open} Programs use the newest first, or all in order. */
        OpenArena find(Object arena) {
            int newest = count - 1;
            if (newest >= 0 && records[newest].isOf(arena)) {
                return records[newest];
            }
            OpenArena record = seek(arena, Math.min(found + 1, newest - 1), found);
            if (record != null || absent.refersTo(arena)) {
                return record;
            }
            record = seek(arena, newest - 1, Math.max(0, newest - NEWEST));
            if (record == null && newest > NEWEST) {
                record = lookUp(arena);
            }
            if (record == null) {
                absent = new WeakReference<>(arena);
            }
            return record;
        }

        private OpenArena seek(Object arena, int from, int to) {
            for (int i = from; i >= to; i--) {
                if (records[i].isOf(arena)) {
                    found = i;
                    return records[i];
                }
            }
            return null;
        }

        private OpenArena lookUp(Object arena) {
            if (index == null) {
                int[] whole = new int[4 * records.length]; // a power of two
                indexed = 0;
                for (int i = 0; i < count; i++) {
                    index(records[i], i, whole);
                }
                index = whole; // only now, as the stack may be full before
            }
            int number = index[place(arena, index)];
            if (number == 0) {
                return null;
            }
            found = number - 1;
            return records[found];
        }

        private void index(OpenArena record, int i, int[] table) {
            Object arena = record.get();
            if (arena != null) { // else it was collected
                table[place(arena, table)] = i + 1;
                indexed++;
            }
        }

        /** {@return where the table has the number of the arena's record, or has room for it} */
        private int place(Object arena, int[] table) {
            int at = System.identityHashCode(arena) & table.length - 1;
            while (table[at] != 0 && !records[table[at] - 1].isOf(arena)) {
                at = at + 1 & table.length - 1;
            }
            return at;
        }

        List<OpenArena> open() {
            List<OpenArena> open = new ArrayList<>();
            for (OpenArena record : records) {
                if (record != null && !record.ended) {
                    open.add(record);
                }
            }
            return open;
        }
    }

    /** How the number of arenas with memory of a thread, or of those that it carries, goes up and down. */
    final class Level {

        private static final int FIRST = 8;

        /**
         * {@code sunk[i]}, from 1 on: by how much the number has sunk, at most, since it was last {@code i - 1} below the highest.
         * {@code sunk[0]} is 0.
         */
        private int[] sunk = new int[FIRST];

        /** How far below the highest it is told: a carrier that closes more than it opens must not take ever more memory. */
        static final int MOST = (1 << 14) - 1;

        /** How far it is below the highest, as far as that is told. */
        private int below;

        /** How often it went up, as far as that is told. */
        private int opened;

        void down() {
            if (below + 1 == sunk.length && below < MOST && memory.take(Integer.BYTES * sunk.length, memory.quarter)) {
                try {
                    sunk = Arrays.copyOf(sunk, 2 * sunk.length); // before anything has changed, as there may be no memory
                } catch (OutOfMemoryError e) {
                    memory.give(Integer.BYTES * sunk.length);
                    throw e;
                }
            }
            below = Math.min(below + 1, sunk.length - 1);
            sunk[below] = 1;
        }

        /** Goes up, and returns by how much the level had sunk since it was last as high as now, or 0 if it never was. */
        int up() { // without a condition: when one first differs, the JVM compiles the recorder again
            int dip = sunk[below];
            below = Math.max(below - 1, 0);
            sunk[below] = Math.max(sunk[below], dip + 1);
            sunk[0] = 0;
            opened = Math.min(opened + 1, Shape.MOST_EARLIER);
            return dip;
        }

        /** {@return how much memory has been taken for it} */
        long taken() {
            return Integer.BYTES * (sunk.length - FIRST);
        }

        /** {@return how often it went up, as {@link Shape#earlier} tells it} */
        int opened() {
            return Shape.earlier(opened);
        }
    }

    private static final JavaLangAccess LANG = SharedSecrets.getJavaLangAccess();

    /** So often a thread walks the stack whenever that is needed, and from then on one time in {@link #WALKED}, chosen at random. */
    static final int WALKS = 10_000;
    static final int WALKED = 100;

    /** So many of the newest records are looked at one by one. */
    private static final int NEWEST = 64;

    static final int FIRST_RECORDS = 8;

    private final Memory memory;

    /** What was supplied of late, by the last bits of the thread's number: 3 ns instead of the 6 of a thread local. */
    private final Arenas[] recent = new Arenas[64];

    /** Platform threads, until they have ended and all that they have left open was collected. */
    private final ConcurrentHashMap<Long, Arenas> platform = new ConcurrentHashMap<>();

    /**
     * Weak, as a virtual thread that lives on would else keep all threads of a recording that has ended. While it has an open arena, its
     * carrier keeps what is kept for it.
     */
    private final ThreadLocal<WeakReference<Arenas>> ofVirtual = new ThreadLocal<>();

    /** Virtual threads that may have taken memory. */
    private final ConcurrentHashMap<Arenas, WeakReference<Thread>> takers = new ConcurrentHashMap<>();

    Threads(Memory memory) {
        this.memory = memory;
    }

    @Override
    public Arenas get() {
        long id = Thread.currentThread().threadId();
        int index = (int) id & recent.length - 1;
        Arenas arenas = recent[index];
        if (arenas == null || arenas.id != id || arenas.carrier.thread != LANG.currentCarrierThread()) {
            Arenas carrier = carrier();
            arenas = Thread.currentThread() == carrier.thread ? carrier : ofVirtual();
            arenas.carrier = carrier;
            recent[index] = arenas;
        }
        return arenas;
    }

    private Arenas ofVirtual() {
        WeakReference<Arenas> known = ofVirtual.get();
        Arenas arenas = known == null ? null : known.get();
        if (arenas == null) {
            arenas = new Arenas(Thread.currentThread(), 1);
            ofVirtual.set(new WeakReference<>(arenas));
        }
        return arenas;
    }

    private Arenas carrier() {
        Thread thread = LANG.currentCarrierThread();
        Arenas carrier = platform.get(thread.threadId());
        if (carrier == null) {
            platform.putIfAbsent(thread.threadId(), new Arenas(thread, 0));
            return carrier(); // which may be another, if that had to wait
        }
        return carrier;
    }

    /** {@return what all threads have counted that is counted in {@code known}, too} */
    Row sum(Row known) {
        Row sum = new Row(known.key, known.shape);
        sum.add(known);
        for (Arenas thread : platform.values()) {
            Row row = thread.rows.find(known.key);
            if (row != null) {
                sum.add(row);
            }
        }
        return sum;
    }

    List<OpenArena> open() {
        List<OpenArena> open = new ArrayList<>();
        for (Arenas thread : platform.values()) {
            open.addAll(thread.open());
        }
        return open;
    }

    /** Forgets threads that have ended, but not what they have counted. */
    void forgetEnded(Ledger ledger) {
        Arrays.fill(recent, null);
        for (Iterator<Arenas> threads = platform.values().iterator(); threads.hasNext();) {
            Arenas of = threads.next();
            if (!of.thread.isAlive() && of.open().isEmpty()) {
                threads.remove();
                ledger.add(of.rows);
                memory.give(of.taken + of.withMemory.taken());
            }
        }
        for (Map.Entry<Arenas, WeakReference<Thread>> taker : takers.entrySet()) { // which have left arenas open, if they have ended
            Arenas of = taker.getKey();
            Thread thread = taker.getValue().get();
            if ((thread == null || !thread.isAlive()) && of.open().isEmpty()) {
                takers.remove(of);
                memory.give(of.taken);
            }
        }
    }
}
