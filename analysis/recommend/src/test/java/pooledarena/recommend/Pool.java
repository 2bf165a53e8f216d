/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import pooledarena.histogram.FreeSlots;
import pooledarena.text.PoolSource;

import java.util.ArrayList;
import java.util.List;

/**
 * The pool of one thread, step by step as {@code ConfinedSlotPool}, {@code ConfinedSession} and {@code Thread} do it, but without
 * memory. How large blocks are is tested by itself.
 */
final class Pool {

    private static final int PASSES = PoolSource.POOL.constant("PASSES");

    /** How many slots a thread creates before it has a pool. */
    private static final int WITHOUT_POOL = FreeSlots.FIRST_WITH_POOL - 1;

    /** A large allocation has capacity 0. */
    private static final class Block {

        private final int capacity;

        private Block(int capacity) {
            this.capacity = capacity;
        }

        private boolean isLarge() {
            return capacity > PoolRules.SMALL;
        }
    }

    /** An arena: its blocks, and how much of the last is allocated. */
    static final class Arena {

        private final List<Block> blocks = new ArrayList<>();
        private int used;

        /** What it took from malloc. */
        long mallocs;

        boolean hasMemory() {
            return !blocks.isEmpty();
        }

        private Block first() {
            return blocks.stream().filter(block -> block.capacity != 0).findFirst().orElse(blocks.getFirst());
        }

        private int total() {
            return blocks.stream().mapToInt(block -> block.capacity).sum();
        }
    }

    private final int size;
    private final int depth;
    private final int mostSmall;
    private final boolean carried;

    private int created;
    private boolean exists;

    private Block resident;
    private int claimed = PASSES;
    private int asked;
    private Block spare;
    private final List<Block> small = new ArrayList<>();
    private final List<Block> large = new ArrayList<>();

    /** @param carried whether the arenas are of virtual threads that the thread carries */
    Pool(int size, int depth, boolean carried) {
        this.size = size;
        this.depth = depth;
        this.carried = carried;
        mostSmall = PoolRules.mostSmall(size, depth);
    }

    void allocate(Arena arena, int byteSize) {
        int bytes = Math.max(1, byteSize);
        if (bytes > size) {
            allocateLarge(arena);
            return;
        }
        if (arena.blocks.isEmpty()) {
            arena.blocks.add(acquire(arena, bytes));
        }
        int alignment = bytes >= 16 ? 16 : 8;
        int end = Math.ceilDiv(arena.used, alignment) * alignment + bytes;
        if (end > arena.blocks.getLast().capacity) {
            int wanted = Math.max(bytes, PoolRules.growth(arena.total()));
            arena.blocks.add(wanted <= size ? takeOther(arena, wanted) : create(arena, wanted));
            end = bytes;
        }
        arena.used = end;
    }

    private void allocateLarge(Arena arena) {
        arena.mallocs++;
        if (exists && resident != null && arena.hasMemory() && arena.blocks.getLast() == resident) {
            vacate();
        }
        arena.blocks.add(Math.max(0, arena.blocks.size() - 1), new Block(0));
    }

    private Block acquire(Arena arena, int bytes) {
        if (exists && !carried && (claimed == 0 || ++claimed > PASSES && replace(arena, bytes))) {
            asked = bytes;
            claimed = 1;
            return resident;
        }
        Block slot = exists && bytes <= PoolRules.SMALL ? popSmall() : null;
        return slot != null ? slot : takeOther(arena, bytes);
    }

    private boolean replace(Arena arena, int bytes) {
        if (resident != null && !PoolRules.suits(resident.capacity, asked)) {
            claimed = Integer.MIN_VALUE;
            return false;
        }
        resident = takeOther(arena, bytes);
        return true;
    }

    private Block takeOther(Arena arena, int capacity) {
        exists |= created == WITHOUT_POOL;
        created += exists ? 0 : 1;
        Block slot = exists ? pop(capacity) : null;
        return slot != null ? slot : create(arena, capacity);
    }

    private Block create(Arena arena, int capacity) {
        arena.mallocs++;
        return new Block(PoolRules.capacity(capacity, size));
    }

    private Block popSmall() {
        Block slot = spare;
        spare = null;
        return slot != null ? slot : small.isEmpty() ? null : small.removeLast();
    }

    private Block pop(int capacity) {
        if (capacity > PoolRules.SMALL) {
            for (int i = large.size() - 1; i >= 0; i--) {
                Block slot = large.get(i);
                if (slot.capacity >= capacity && PoolRules.suits(slot.capacity, capacity)) {
                    Block last = large.removeLast();
                    if (i < large.size()) {
                        large.set(i, last);
                    }
                    return slot;
                }
            }
            return null;
        }
        Block slot = popSmall();
        if (slot != null && slot.capacity < capacity) {
            spare = slot;
            return null;
        }
        return slot;
    }

    void close(Arena arena) {
        if (!exists || arena.blocks.isEmpty()) {
            return;
        }
        Block last = arena.blocks.getLast();
        boolean single = arena.blocks.size() == 1;
        if (single && last == resident) {
            claimed = 0;
        } else if (single && last.capacity != 0 && !last.isLarge()
                && (spare == null || !carried && small.size() < mostSmall - 1)) {
            push(last);
        } else {
            release(arena);
        }
    }

    private void release(Arena arena) {
        Block first = arena.first();
        boolean settles = !carried && (resident == null || resident == first);
        if (settles) {
            vacate();
            int total = Math.min(size, arena.total());
            if (total > first.capacity) {
                resident = create(arena, total);
                claimed = 0;
            }
        } else if (arena.blocks.size() == 1 && isFullOf(first)) {
            return;
        }
        for (Block block : arena.blocks.reversed()) {
            if (block.capacity == 0 || block.capacity > size) {
                continue;
            }
            if (settles && block == first && resident == null) {
                resident = block;
                claimed = 0;
            } else {
                push(block);
            }
        }
    }

    private boolean isFullOf(Block slot) {
        List<Block> slots = slot.isLarge() ? large : small;
        return !slots.isEmpty() && slots.size() == most(slot) && (slot.isLarge() || spare != null)
                && slots.getFirst().capacity == slot.capacity;
    }

    private int most(Block slot) {
        return slot.isLarge() ? depth : mostSmall - 1;
    }

    private void push(Block slot) {
        if (!slot.isLarge() && spare == null) {
            spare = slot;
            return;
        }
        List<Block> slots = slot.isLarge() ? large : small;
        slots.add(slot);
        if (slots.size() > most(slot)) {
            slots.removeFirst();
        }
    }

    private void vacate() {
        resident = null;
        claimed = PASSES;
    }
}
