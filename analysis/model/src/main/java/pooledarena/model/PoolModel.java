/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.model;

import pooledarena.io.WholeFiles;

import module java.base;

/**
 * The pool of one thread, or of a carrier of virtual threads, without memory. It does step by step what {@code ConfinedSlotPool},
 * {@code ConfinedBlock}, {@code ConfinedSession} and {@code Thread} do, with methods of the same names, and reads its constants
 * from their sources. A test drives both with the same arenas. It has lists where the pool links blocks, does not verify writes,
 * and finds the worst address for an alignment above that of blocks.
 */
public final class PoolModel {

    // The pool's own sources, which the build puts beside this class.
    private static final String PROPERTIES = "ConfinedPoolProperties.java";
    private static final String POOL = "ConfinedSlotPool.java";
    private static final String BLOCK = "ConfinedBlock.java";

    public static final int MIN_SIZE = constant(PROPERTIES, "MIN_SIZE");
    public static final int MAX_SIZE = constant(PROPERTIES, "MAX_SIZE");
    public static final int DEFAULT_SIZE = constant(PROPERTIES, "DEFAULT_SIZE");
    public static final int MAX_DEPTH = constant(PROPERTIES, "MAX_DEPTH");
    public static final int DEFAULT_DEPTH = constant(PROPERTIES, "DEFAULT_DEPTH");

    private static final int SMALL = constant(POOL, "SMALL");
    private static final int SMALL_PER_DEPTH = constant(POOL, "SMALL_PER_DEPTH");
    private static final int PASSES = constant(POOL, "PASSES");
    private static final int MISSES = constant(POOL, "MISSES");
    private static final int SLOTS_BEFORE_POOL = constant(POOL, "SLOTS_BEFORE_POOL");
    private static final int SORTED = constant(POOL, "SORTED");
    private static final int ROOMY = constant(POOL, "ROOMY");
    private static final int ALIGNMENT = constant(BLOCK, "ALIGNMENT");
    private static final int MAX_ALIGNMENT = constant(POOL, "MAX_ALIGNMENT");
    private static final int CACHE_LINE = constant(BLOCK, "CACHE_LINE");
    private static final int MIN_SLOT = constant(BLOCK, "MIN_SLOT");
    private static final int MIN_LIMIT = constant(BLOCK, "MIN_LIMIT");
    private static final int MAX_STORES = constant(BLOCK, "MAX_STORES");
    private static final int MAX_GROWN = constant(BLOCK, "MAX_GROWN");
    private static final int MAX_EARLIER = constant(BLOCK, "MAX_EARLIER");
    private static final int MAX_EXCESS = constant(BLOCK, "MAX_EXCESS");

    /** What a pool takes of the heap beside the elements of its arrays, with compressed pointers. */
    private static final int HEAP = 424;

    /** From this many bytes on, an allocation is aligned to this, and to half of it below. */
    private static final int ALIGNED = number("ConfinedSession.java.patch", "byteSize >= # ");

    /** A block of one large allocation has capacity 0. */
    private static final class Block {

        private final int capacity;
        private final boolean isSlot;
        private boolean isPlain;

        private Block(int capacity, boolean isSlot) {
            this.capacity = capacity;
            this.isSlot = isSlot;
        }
    }

    /** An arena of the thread, open until it is given to {@link #close}. */
    public static final class Arena {

        /** The last one is that from which it allocates. */
        private final List<Block> blocks = new ArrayList<>(1);
        private int used;

        /** Looks at the last blocks only, until they have at least {@code most} bytes: an arena may have very many. */
        private int total(int most, int earlier) {
            int total = 0;
            for (int i = blocks.size() - 1; i >= Math.max(0, blocks.size() - earlier) && total < most; i--) {
                total += blocks.get(i).capacity;
            }
            return total;
        }

        private Block first() {
            return blocks.stream().filter(block -> block.capacity != 0).findFirst().orElse(blocks.getLast());
        }
    }

    private final int size;
    private final int maxCapacity;
    private final boolean carried;

    /** How many slots the thread created without a pool, and whether it has a pool. */
    private int slotsBefore;
    private boolean exists;

    private Block resident;
    private long claimed = PASSES + 1;
    private int asked;
    private int askedOfSpare = SMALL;
    private int sorted;
    private Block spare;
    private final List<Block> small = new ArrayList<>();
    private final int maxSmall;

    /** The free lists by size class. In each the slot that was returned last stands last. */
    private final List<List<Block>> lists;
    private int listedBytes;
    private int refused;
    private int hand;
    private int misses;
    private int roomy;
    private final int maxListed;

    private long mallocs;
    private long mallocBytes;
    private long slotsCreated;
    private long slotsFreed;
    private long largerBlocks;

    /** @param carried whether the arenas are of virtual threads, and this is the pool of their carrier */
    public PoolModel(int size, int depth, boolean carried) {
        this.size = size;
        maxCapacity = size + 2 * CACHE_LINE - 1 & -CACHE_LINE;
        this.carried = carried;
        maxSmall = SMALL_PER_DEPTH * depth - 1;
        maxListed = depth * (maxCapacity + CACHE_LINE);
        lists = Stream.generate(() -> (List<Block>) new ArrayList<Block>()).limit(sizeClass(maxCapacity) + 1).toList();
    }

    private static int constant(String file, String name) {
        return number(file, "int " + name + " = #;");
    }

    /** {@return the number that a source has in the place of the #, which may be shifted} */
    static int number(String file, String text) {
        String pattern = Pattern.quote(text).replace("#", "\\E(\\d+)(?: << (\\d+))?\\Q");
        MatchResult found = Pattern.compile(pattern).matcher(WholeFiles.resource(PoolModel.class, file)).results().findFirst()
                .orElseThrow(() -> new IllegalStateException(file + " has no number " + text));
        return Integer.parseInt(found.group(1)) << (found.group(2) == null ? 0 : Integer.parseInt(found.group(2)));
    }

    /** {@return how many blocks were created, and one more if the thread has a pool} */
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
        return listedBytes + Stream.concat(Stream.of(resident, spare), small.stream()).filter(Objects::nonNull)
                .mapToLong(slot -> slot.capacity + CACHE_LINE).sum();
    }

    /** {@return the bytes of heap that the thread's pool takes, 0 if it has none yet} */
    public int heap() {
        return exists ? HEAP + lists.size() * Long.BYTES : 0;
    }

    public boolean hasResident(Arena arena) {
        return !arena.blocks.isEmpty() && resident == arena.blocks.getLast();
    }

    /** {@return where an allocation ends in a block of which so much is used, or {@link Long#MAX_VALUE} if that is too much} */
    public static long end(long used, long byteSize, long byteAlignment) {
        long alignment = Math.max(byteAlignment, byteSize >= ALIGNED ? ALIGNED : ALIGNED / 2);
        return (used | byteSize | alignment) > Long.MAX_VALUE / 4 ? Long.MAX_VALUE
                : start(used, alignment) + Math.max(1, byteSize);
    }

    private static long start(long used, long alignment) {
        return (used + Math.min(alignment, ALIGNMENT) - 1 & -Math.min(alignment, ALIGNMENT)) + Math.max(0, alignment - ALIGNMENT);
    }

    /** Makes so many allocations alike. */
    public void allocate(Arena arena, long byteSize, long byteAlignment, long count) {
        boolean isLarge = byteSize > size
                || byteAlignment > ALIGNMENT && Math.max(1, byteSize) + byteAlignment > size + CACHE_LINE
                || byteAlignment > MAX_ALIGNMENT;
        if (isLarge && count > 0) {
            allocateLarge(arena, byteSize, count);
            return;
        }
        for (long left = count; left > 0; left--) {
            allocateSmall(arena, Math.max(1, (int) byteSize), (int) byteAlignment);
            long stride = end(arena.used, byteSize, byteAlignment) - arena.used;
            // Those that start where the first one's kind of place comes again fill the block alike.
            long fitting = Math.clamp((arena.blocks.getLast().capacity - arena.used) / stride, 0, left - 1);
            arena.used += (int) (fitting * stride);
            left -= fitting;
        }
    }

    /** Of these blocks, which are full, the arena keeps as many as are looked at. */
    private void allocateLarge(Arena arena, long byteSize, long count) {
        if (arena.blocks.isEmpty()) {
            arena.used = MIN_LIMIT;
        }
        mallocs += count;
        mallocBytes += byteSize * count;
        largerBlocks += exists ? count : 0;
        arena.blocks.addAll(Math.max(0, arena.blocks.size() - 1),
                Collections.nCopies((int) Math.min(count, MAX_EARLIER), new Block(0, false)));
    }

    private void allocateSmall(Arena arena, int byteSize, int byteAlignment) {
        int padded = byteSize + Math.max(byteAlignment - ALIGNMENT, 0);
        if (arena.blocks.isEmpty()) {
            arena.blocks.add(take(padded));
        } else if (end(arena.used, byteSize, byteAlignment) > arena.blocks.getLast().capacity) {
            extend(arena, end(arena.used, byteSize, byteAlignment), padded);
            arena.used = 0;
        }
        arena.used = (int) end(arena.used, byteSize, byteAlignment);
    }

    private Block take(int byteSize) {
        boolean isOwn = exists && !carried;
        boolean isFree = isOwn && claimed == 0;
        Block slot = exists && !isFree && !(isOwn && ++claimed > PASSES) ? popSmall(byteSize) : null;
        if (slot != null) {
            return slot;
        }
        if (!isFree && overflows(byteSize)) {
            boolean isRoomy = roomy > 0;
            roomy -= isRoomy ? 1 : 0;
            return createOverflow(byteSize, isRoomy);
        }
        Block replaced = null;
        if (isFree && byteSize > resident.capacity) {
            replaced = resident;
            resident = null;
            claimed = PASSES + 1;
        } else if (isOwn && claimed > PASSES && resident != null && resident.capacity > largest(asked)) {
            claimed = Long.MIN_VALUE;
        }
        slot = isOwn && claimed == 0 ? resident : takeOther(byteSize, byteSize, true, replaced);
        if (isOwn && (claimed == 0 || claimed > PASSES)) {
            resident = slot;
            asked = byteSize;
            claimed = 1;
        }
        return slot;
    }

    private boolean overflows(int byteSize) {
        return misses >= MISSES && refused != 0 && (byteSize > SMALL || last() == null)
                && lists(rounded(byteSize), largest(byteSize)).findFirst().isEmpty();
    }

    private Block createOverflow(int byteSize, boolean isRoomy) {
        slotsCreated++;
        slotsFreed++;
        return create(isRoomy ? rounded(byteSize) : Math.max((byteSize + 7 & -16) + 8, MIN_LIMIT), false);
    }

    private boolean isOverflow(Block block) {
        return block.capacity != 0 && block.capacity <= maxCapacity && !block.isSlot;
    }

    private Block last() {
        return spare != null ? spare : small.isEmpty() ? null : small.getLast();
    }

    private Block popSmall(int byteSize) {
        Block slot = last();
        if (slot == null || slot.capacity < byteSize) {
            return null;
        }
        if (spare != null) {
            spare = null;
            askedOfSpare = byteSize;
        } else {
            small.removeLast();
        }
        return slot;
    }

    private Block takeOther(int byteSize, int capacity, boolean isFirst, Block replaced) {
        if (slotsBefore == SLOTS_BEFORE_POOL && !exists) {
            exists = true;
            mallocs++; // the stack, which is not cleared
        }
        slotsBefore = Math.min(slotsBefore + 1, SLOTS_BEFORE_POOL);
        if (!exists) {
            return create(capacity);
        }
        Block slot = popSmall(capacity);
        if (slot == null) {
            int most = byteSize == capacity ? largest(byteSize) : rounded(capacity);
            slot = lists(rounded(capacity), most).findFirst().map(this::unlist).orElse(null);
        }
        if (slot == null) {
            makeRoom();
            if (capacity <= SMALL) {
                dropTop(byteSize, isFirst);
            }
            slotsCreated++;
            misses += isFirst ? 1 : 0;
        }
        if (replaced != null && (slot == null || !push(replaced, false))) {
            slotsFreed++;
        }
        return slot == null ? create(capacity) : slot;
    }

    private void dropTop(int byteSize, boolean isFirst) {
        int asked = askedOfSpare;
        Block top = popSmall(0);
        askedOfSpare = asked;
        if (top != null) {
            slotsFreed += list(top) ? 0 : 1;
        } else if (isFirst && !suitsNew(rounded(byteSize), askedOfSpare)) {
            sorted = SORTED;
            askedOfSpare = SMALL;
        }
    }

    /** Closes the arena, which the model's thread does, or one that the model's thread carries. */
    public void close(Arena arena) {
        List<Block> blocks = arena.blocks;
        if (hasResident(arena) && blocks.size() == 1) {
            claimed = 0;
        } else if (blocks.size() == 1 && blocks.getLast().isPlain) {
            putSmall(arena);
        } else if (!blocks.isEmpty()) {
            release(arena);
        }
        blocks.clear();
        arena.used = 0;
    }

    private void putSmall(Arena arena) {
        if (exists && spare == null) {
            spare = arena.blocks.getLast();
        } else if (exists && !carried && small.size() < maxSmall) {
            small.add(arena.blocks.getLast());
        } else {
            release(arena);
        }
    }

    private void release(Arena arena) {
        List<Block> blocks = arena.blocks;
        misses = Math.max(Math.min(misses, MISSES) - 1, 0);
        if (!exists || blocks.getLast().capacity == 0 || isOverflow(blocks.getLast())) {
            return;
        }
        Block first = arena.first();
        boolean becomesResident = !carried && (resident == null || resident == first);
        int most = rounded(size) - Long.BYTES;
        int total = Math.min(arena.total(most, Integer.MAX_VALUE), most);
        if (becomesResident) {
            claimed = PASSES + 1;
            resident = null;
        } else {
            total = sorted == 0 && total - first.capacity <= SMALL ? Math.min(total, SMALL) : 0;
        }
        boolean isReplaced = first.capacity < total;
        if (isReplaced && (becomesResident || hasRoom(rounded(total)))) {
            slotsCreated++;
            push(create(total), becomesResident);
        }
        for (Block block : blocks.reversed()) {
            if (block.isSlot && (isReplaced || !push(block, becomesResident && block == first))) {
                slotsFreed++;
            }
        }
    }

    private boolean isSmall(int capacity) {
        return capacity <= CACHE_LINE || capacity <= SMALL + Long.BYTES && (sorted == 0 || !hasListRoom(capacity));
    }

    private boolean hasRoom(int capacity) {
        return isSmall(capacity) && (spare == null || small.size() < maxSmall) || hasListRoom(capacity);
    }

    private boolean hasListRoom(int capacity) {
        boolean hasRoom = listedBytes + capacity + CACHE_LINE <= maxListed;
        refused = hasRoom ? refused : 2;
        return hasRoom;
    }

    private void makeRoom() {
        for (int i = 0; i < lists.size() && refused == 2; i++) {
            hand = hand == 0 ? lists.size() - 1 : hand - 1;
            if (!lists.get(hand).isEmpty()) {
                refused = 1;
                unlist(lists.get(hand));
                slotsFreed++;
            }
        }
        refused = Math.min(refused, 1);
    }

    private static int sizeClass(int capacity) {
        int lines = Math.max(capacity - CACHE_LINE, 0) / CACHE_LINE;
        int shift = Math.max(28 - Integer.numberOfLeadingZeros(lines), 0);
        return (shift << 3) + (lines >> shift);
    }

    /** {@return those of the lists that are not empty and have slots of such a capacity} */
    private Stream<List<Block>> lists(int least, int most) {
        return lists.subList(sizeClass(least), Math.min(sizeClass(most) + 1, lists.size())).stream().filter(list -> !list.isEmpty());
    }

    private boolean list(Block slot) {
        if (!hasListRoom(slot.capacity)) {
            return false;
        }
        listedBytes += slot.capacity + CACHE_LINE;
        lists.get(sizeClass(slot.capacity)).add(slot);
        return true;
    }

    private Block unlist(List<Block> list) {
        Block slot = list.removeLast();
        listedBytes -= slot.capacity + CACHE_LINE;
        return slot;
    }

    private boolean push(Block slot, boolean becomesResident) {
        if (!becomesResident && !hasRoom(slot.capacity)) {
            return false;
        }
        boolean isSmall = isSmall(slot.capacity);
        slot.isPlain = isSmall;
        sorted = Math.max(sorted - 1, 0);
        if (becomesResident) {
            resident = slot;
            claimed = 0;
        } else if (isSmall && spare == null) {
            spare = slot;
        } else if (isSmall && small.size() < maxSmall) {
            small.add(slot);
        } else {
            return list(slot);
        }
        return true;
    }

    public void end() {
        slotsFreed += small.size() + lists.stream().mapToInt(List::size).sum() + (claimed == 0 ? 1 : 0) + (spare != null ? 1 : 0);
    }

    private Block create(int capacity) {
        return create(rounded(capacity), rounded(capacity) <= maxCapacity);
    }

    private Block create(int capacity, boolean isSlot) {
        mallocs++;
        mallocBytes += capacity;
        return new Block(capacity, isSlot);
    }

    private int rounded(int byteSize) {
        if (byteSize <= MIN_SLOT) {
            return MIN_SLOT;
        }
        int rest = byteSize + Long.BYTES - CACHE_LINE;
        int step = byteSize > size ? CACHE_LINE : Math.max(Integer.highestOneBit(rest - 1) >> 3, CACHE_LINE);
        return (rest + step - 1 & -step) + CACHE_LINE;
    }

    private static int largest(int byteSize) {
        return byteSize + (byteSize >> 1) + MAX_EXCESS;
    }

    private static boolean suitsNew(int capacity, int byteSize) {
        return (capacity > MAX_STORES * Long.BYTES ? capacity : capacity - (CACHE_LINE - ALIGNMENT)) <= largest(byteSize);
    }

    private void extend(Arena arena, long end, int byteSize) {
        int total = arena.total(Math.max(2 * MAX_GROWN, maxListed / 2) + 1, MAX_EARLIER);
        int grown = Math.min(total / 2, MAX_GROWN);
        if (total <= maxListed / 2) {
            grown = Math.min(grown, size);
        }
        int wanted = Math.max(byteSize, grown);
        Block last = arena.blocks.getLast();
        if (rounded(wanted) <= maxCapacity && isOverflow(last)) {
            roomy = arena.blocks.size() == 1 && end <= rounded(last.capacity - Long.BYTES) ? ROOMY : roomy;
            arena.blocks.add(createOverflow(wanted, false));
        } else if (rounded(wanted) <= maxCapacity) {
            arena.blocks.add(takeOther(byteSize, wanted, false, null));
        } else {
            largerBlocks += exists ? 1 : 0;
            arena.blocks.add(create(wanted));
        }
    }
}
