/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.model;

import java.util.List;
import java.util.stream.Stream;

/**
 * The pool of one thread, or of a carrier of virtual threads, without memory. It does step by step what {@code ConfinedSlotPool},
 * {@code ConfinedBlock}, {@code ConfinedSession} and {@code Thread} do, with methods of the same names, and reads its constants
 * from their sources. A test drives both with the same arenas. It does not verify writes, and finds the worst address for an
 * alignment above that of blocks.
 */
public final class PoolModel {

    public static final int MIN_SIZE = PoolSource.PROPERTIES.constant("MIN_SIZE");
    public static final int MAX_SIZE = PoolSource.PROPERTIES.constant("MAX_SIZE");
    public static final int DEFAULT_SIZE = PoolSource.PROPERTIES.constant("DEFAULT_SIZE");
    public static final int MAX_DEPTH = PoolSource.PROPERTIES.constant("MAX_DEPTH");
    public static final int DEFAULT_DEPTH = PoolSource.PROPERTIES.constant("DEFAULT_DEPTH");

    private static final int SMALL = PoolSource.POOL.constant("SMALL");
    private static final int SMALL_PER_DEPTH = PoolSource.POOL.constant("SMALL_PER_DEPTH");
    private static final int MAX_LOOKS = PoolSource.POOL.constant("MAX_LOOKS");
    private static final int PASSES = PoolSource.POOL.constant("PASSES");
    private static final int SORTED = PoolSource.POOL.constant("SORTED");
    private static final int ALIGNMENT = PoolSource.BLOCK.constant("ALIGNMENT");
    private static final int CACHE_LINE = PoolSource.BLOCK.constant("CACHE_LINE");
    private static final int MIN_LIMIT = PoolSource.BLOCK.constant("MIN_LIMIT");
    private static final int MAX_STORES = PoolSource.BLOCK.constant("MAX_STORES");
    private static final int MAX_GROWN = PoolSource.BLOCK.constant("MAX_GROWN");
    private static final int MAX_EXCESS = PoolSource.BLOCK.constant("MAX_EXCESS");

    /** How many slots a thread creates before it has a pool. */
    private static final int WITHOUT_POOL = PoolSource.THREAD.number("confinedSlots == (\\d+)\\)", "of slots without pool");

    /** From this many bytes on, an allocation is aligned to this, and to half of it below. */
    private static final int ALIGNED = PoolSource.SESSION.number("byteSize >= (\\d+) ", "of aligned bytes");

    /** A block of one large allocation has capacity 0. */
    private static final class Block {

        private final int capacity;
        private Block link;
        private boolean isPlain;

        private Block(int capacity) {
            this.capacity = capacity;
        }

        private static Block linked(Block block, Block other) {
            block.link = other;
            return block;
        }

        private int total(int most) {
            int total = 0;
            for (Block current = this; current != null && total < most; current = current.link) {
                total += current.capacity;
            }
            return Math.min(total, most);
        }

        private Block first() {
            Block first = this;
            for (Block current = this; current != null; current = current.link) {
                if (current.capacity != 0) {
                    first = current;
                }
            }
            return first;
        }
    }

    /** An arena of the thread, open until it is given to {@link #close}. */
    public static final class Arena {

        private Block block;
        private int used;
    }

    private final int size;
    private final boolean carried;

    /** How many slots the thread created without a pool, and whether it has a pool. */
    private int arenas;
    private boolean exists;

    private Block resident;
    private int claimed = PASSES + 1;
    private int asked;
    private int askedOfSpare = SMALL;
    private int sorted;
    private Block spare;
    private int smallCount;
    private final Block[] small;
    private Block listed;
    private int listedBytes;
    private int refused;
    private final int maxListed;

    private long mallocs;
    private long mallocBytes;
    private long slotsCreated;
    private long slotsFreed;
    private long largerBlocks;

    /** @param carried whether the arenas are of virtual threads, and this is the pool of their carrier */
    public PoolModel(int size, int depth, boolean carried) {
        this.size = size;
        this.carried = carried;
        small = new Block[SMALL_PER_DEPTH * depth - 1];
        maxListed = depth * (size + 2 * CACHE_LINE);
    }

    /** {@return how many blocks were created} */
    public long mallocs() {
        return mallocs;
    }

    /** {@return how many bytes were cleared in these, or are an allocation's own} */
    public long mallocBytes() {
        return mallocBytes;
    }

    /** {@return what the pool counts: slots created, slots freed, and blocks larger than a slot} */
    public List<Long> counts() {
        return List.of(slotsCreated, slotsFreed, largerBlocks);
    }

    /** {@return the most bytes that the thread's free slots take, with header and alignment, the resident one included} */
    public long kept() {
        return listedBytes + Stream.concat(Stream.of(resident, spare), Stream.of(small).limit(smallCount))
                .filter(slot -> slot != null).mapToLong(slot -> slot.capacity + CACHE_LINE).sum();
    }

    /** {@return whether the arena has the resident slot} */
    public boolean hasResident(Arena arena) {
        return resident != null && resident == arena.block;
    }

    /** {@return where an allocation ends in a block of which so much is used, or {@link Long#MAX_VALUE} if that is too much} */
    public static long end(long used, long byteSize, long byteAlignment) {
        long alignment = byteSize >= ALIGNED || byteAlignment > ALIGNED / 2 ? Math.max(byteAlignment, ALIGNED) : ALIGNED / 2;
        return (used | byteSize | alignment) > Long.MAX_VALUE / 4 ? Long.MAX_VALUE
                : start(used, alignment) + Math.max(1, byteSize);
    }

    private static long start(long used, long alignment) {
        return (used + Math.min(alignment, ALIGNMENT) - 1 & -Math.min(alignment, ALIGNMENT)) + Math.max(0, alignment - ALIGNMENT);
    }

    /** Makes so many allocations alike. */
    public void allocate(Arena arena, long byteSize, long byteAlignment, long count) {
        if (Math.max(byteSize, byteAlignment) > size) {
            for (long i = 0; i < Math.min(count, 2); i++) {
                allocateLarge(arena, byteSize);
            }
            mallocs += Math.max(0, count - 2); // as those before
            largerBlocks += exists ? Math.max(0, count - 2) : 0;
            mallocBytes += byteSize * Math.max(0, count - 2);
            return;
        }
        for (long left = count; left > 0; left--) {
            allocateSmall(arena, Math.max(1, (int) byteSize), (int) byteAlignment);
            long stride = end(arena.used, byteSize, byteAlignment) - arena.used;
            // Those that start where the first one's kind of place comes again fill the block alike.
            long fitting = Math.clamp((arena.block.capacity - arena.used) / stride, 0, left - 1);
            arena.used += (int) (fitting * stride);
            left -= fitting;
        }
    }

    private void allocateLarge(Arena arena, long byteSize) {
        if (arena.block != null) {
            leave(arena.block);
        }
        Block made = createLarge(byteSize, arena.block);
        if (arena.block == null) {
            arena.block = made;
            arena.used = MIN_LIMIT;
        }
    }

    private void allocateSmall(Arena arena, int byteSize, int byteAlignment) {
        if (arena.block == null) {
            arena.block = acquire(byteSize);
        }
        long end = end(arena.used, byteSize, byteAlignment);
        if (end > arena.block.capacity) {
            arena.block = extend(arena.block, end, byteSize, byteAlignment);
            end = end(0, byteSize, byteAlignment);
        }
        arena.used = (int) end;
    }

    private Block acquire(int byteSize) {
        boolean isResident = exists && !carried && (claimed == 0 || pass(byteSize));
        Block slot = isResident ? resident : take(byteSize);
        if (isResident) {
            asked = byteSize;
            claimed = 1;
        }
        return slot;
    }

    private boolean pass(int byteSize) {
        return ++claimed > PASSES && replace(byteSize);
    }

    private boolean replace(int byteSize) {
        if (resident != null && !suits(resident.capacity, asked)) {
            claimed = Integer.MIN_VALUE;
            return false;
        }
        resident = takeOther(byteSize, byteSize, true);
        return true;
    }

    private Block take(int byteSize) {
        Block slot = exists && byteSize <= SMALL ? popSmall(byteSize) : null;
        return slot != null ? slot : takeOther(byteSize, byteSize, true);
    }

    private Block popSmall(int byteSize) {
        Block slot = spare;
        if (slot != null) {
            spare = null;
            askedOfSpare = byteSize;
            return slot;
        }
        return smallCount == 0 ? null : small[--smallCount];
    }

    private Block takeOther(int byteSize, int capacity, boolean isFirst) {
        exists |= arenas == WITHOUT_POOL;
        arenas = Math.min(arenas + 1, WITHOUT_POOL);
        Block slot = exists ? pop(byteSize, capacity, isFirst) : null;
        if (exists && slot == null) {
            freeAll(makeRoom());
            slotsCreated++;
        }
        return slot != null ? slot : create(capacity);
    }

    private Block pop(int byteSize, int capacity, boolean isFirst) {
        int last = askedOfSpare;
        if (capacity <= SMALL) {
            Block slot = popSmall(byteSize);
            if (slot != null && slot.capacity >= capacity) {
                return slot;
            }
            spare = slot;
        }
        Block later = null;
        Block slot = listed;
        for (int i = 0; slot != null && i < MAX_LOOKS; i++) {
            int room = slot.capacity;
            if (room >= capacity && (byteSize == capacity ? suits(room, byteSize) : room <= rounded(capacity))) {
                return unlisted(slot, later);
            }
            later = slot;
            slot = slot.link;
        }
        if (isFirst && byteSize <= SMALL && !suitsNew(rounded(capacity), last)) {
            sorted = SORTED;
            askedOfSpare = SMALL;
        }
        return null;
    }

    private Block exchange(Block slot, int byteSize) {
        Block larger = takeOther(byteSize, byteSize, false);
        if (exists) {
            if (resident == slot) {
                resident = larger;
            }
            slotsFreed++;
        }
        return larger;
    }

    private void leave(Block slot) {
        if (exists && !carried && resident == slot) {
            resident = null;
            claimed = PASSES;
        }
    }

    /** Closes the arena, which the model's thread does, or one that the model's thread carries. */
    public void close(Arena arena) {
        Block block = arena.block;
        boolean isResident = exists && !carried && hasResident(arena);
        if (isResident) {
            claimed = 0;
        } else if (block != null && block.link == null && block.isPlain) {
            putSmall(block);
        } else if (block != null) {
            release(block);
        }
        arena.block = null;
        arena.used = 0;
    }

    private void putSmall(Block slot) {
        if (exists && spare == null) {
            spare = slot;
        } else if (exists && !carried && smallCount < small.length) {
            small[smallCount++] = slot;
        } else {
            release(slot);
        }
    }

    private void release(Block block) {
        if (exists) {
            freeAll(pushAll(block, !carried));
        }
    }

    private void freeAll(Block last) {
        for (Block block = last; block != null; block = block.link) {
            slotsFreed += isSlot(block) ? 1 : 0;
        }
    }

    private Block pushAll(Block block, boolean isOwn) {
        Block first = block.first();
        boolean settles = isOwn && (resident == null || resident == first);
        if (!settles && isSlot(block) && block.link == null) {
            return push(block, false) ? null : block;
        }
        int total = block.total(size);
        if (settles) {
            resident = null;
            claimed = PASSES;
        } else {
            total = sorted == 0 && total - first.capacity <= SMALL ? Math.min(total, SMALL) : 0;
        }
        if (first.capacity < total) {
            if (settles || hasRoom(rounded(total))) {
                slotsCreated++;
                push(create(total), settles);
            }
            return block;
        }
        Block surplus = null;
        for (Block next, current = block; current != null; current = next) {
            next = current.link;
            if (!isSlot(current) || !push(current, settles && current == first)) {
                surplus = Block.linked(current, surplus);
            }
        }
        return surplus;
    }

    private boolean isSmall(int capacity) {
        return capacity <= (sorted == 0 ? SMALL + Long.BYTES : CACHE_LINE);
    }

    private boolean hasRoom(int capacity) {
        if (isSmall(capacity) && (spare == null || smallCount < small.length) || listedBytes + capacity + CACHE_LINE <= maxListed) {
            return true;
        }
        refused = Math.min(refused + 1, MAX_LOOKS);
        return false;
    }

    private Block makeRoom() {
        if (refused == 0 || listed == null) {
            return null;
        }
        refused--;
        Block later = null;
        Block slot = listed;
        for (int i = 1; i < MAX_LOOKS && slot.link != null; i++) {
            later = slot;
            slot = slot.link;
        }
        return unlisted(slot, later);
    }

    private Block unlisted(Block slot, Block later) {
        listedBytes -= slot.capacity + CACHE_LINE;
        if (later == null) {
            listed = slot.link;
        } else {
            later.link = slot.link;
        }
        return Block.linked(slot, null);
    }

    private boolean push(Block slot, boolean settles) {
        if (!settles && !hasRoom(slot.capacity)) {
            return false;
        }
        boolean isSmall = isSmall(slot.capacity);
        Block.linked(slot, null).isPlain = isSmall;
        sorted = Math.max(sorted - 1, 0);
        if (settles) {
            resident = slot;
            claimed = 0;
        } else if (isSmall && spare == null) {
            spare = slot;
        } else if (isSmall && smallCount < small.length) {
            small[smallCount++] = slot;
        } else {
            listedBytes += slot.capacity + CACHE_LINE;
            listed = Block.linked(slot, listed);
        }
        return true;
    }

    /** Ends the thread. */
    public void end() {
        slotsFreed += smallCount + (claimed == 0 ? 1 : 0) + (spare != null ? 1 : 0);
        freeAll(listed);
    }

    private Block create(int capacity) {
        int rounded = rounded(capacity);
        mallocs++;
        mallocBytes += rounded;
        return new Block(rounded);
    }

    private static int rounded(int capacity) {
        return capacity <= MIN_LIMIT ? MIN_LIMIT : capacity + Long.BYTES + CACHE_LINE - 1 & -CACHE_LINE;
    }

    private static boolean suits(int capacity, int byteSize) {
        return capacity <= byteSize + (byteSize >> 1) + MAX_EXCESS;
    }

    private static boolean suitsNew(int capacity, int byteSize) {
        return suits(capacity > MAX_STORES * Long.BYTES ? capacity : capacity - (CACHE_LINE - ALIGNMENT), byteSize);
    }

    private Block createLarge(long byteSize, Block last) {
        mallocs++;
        mallocBytes += byteSize;
        largerBlocks += exists ? 1 : 0;
        Block made = new Block(0);
        if (last != null) {
            made.link = last.link;
            last.link = made;
        }
        return made;
    }

    private Block extend(Block block, long end, int byteSize, int alignment) {
        int least = byteSize + Math.max(alignment - ALIGNMENT, 0);
        if (end == byteSize && block.link == null) {
            return exchange(block, least);
        }
        int wanted = Math.max(least, block.total(2 * MAX_GROWN) / 2);
        Block next;
        if (wanted <= size) {
            next = takeOther(least, wanted, false);
        } else {
            largerBlocks += exists ? 1 : 0;
            next = create(wanted);
        }
        return Block.linked(next, block);
    }

    private boolean isSlot(Block block) {
        return block.capacity != 0 && block.capacity <= size + CACHE_LINE;
    }
}
