/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The pool of one thread, step by step as {@code ConfinedSlotPool} and {@code ConfinedSession} do it from the thread's second arena on,
 * but without memory. How large blocks are is tested by itself.
 */
final class Pool {

    private static final int PASSES = PoolRules.constant(PoolRules.POOL, "PASSES");
    private static final int SHARE = PoolRules.constant(PoolRules.POOL, "SHARE");
    private static final int UNCLEARED = PoolRules.constant(PoolRules.POOL, "UNCLEARED");

    private static final class Block {

        private final int capacity;

        private Block(int capacity) {
            this.capacity = capacity;
        }

        private boolean isLarge() {
            return capacity > PoolRules.SMALL;
        }

        private boolean suits(int bytes) {
            return capacity >= bytes && capacity <= Math.max(PoolRules.SMALL, SHARE * bytes);
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
    }

    private final int size;
    private final int depth;
    private final int mostSmall;
    private final boolean carried;
    private Block place;
    private int claimed = UNCLEARED;
    private Block held;
    private final List<Block> small = new ArrayList<>();
    private final List<Block> large = new ArrayList<>();

    /** @param carried whether the arenas are of virtual threads that the thread carries */
    Pool(int size, int depth, boolean carried) {
        this.size = size;
        this.depth = depth;
        this.carried = carried;
        mostSmall = PoolRules.mostSmall(size, depth);
    }

    void allocate(Arena arena, int bytes) {
        if (bytes == 0 || bytes > size) {
            arena.mallocs++;
            return;
        }
        if (arena.blocks.isEmpty()) {
            arena.blocks.add(acquire(arena, bytes));
        }
        int alignment = bytes >= 16 ? 16 : 8;
        int end = Math.ceilDiv(arena.used, alignment) * alignment + bytes;
        if (end > arena.blocks.getLast().capacity) {
            arena.blocks.add(next(arena, bytes));
            end = bytes;
        }
        arena.used = end;
    }

    private Block acquire(Arena arena, int bytes) {
        if (!carried && (claimed == 0 || ++claimed > PASSES && replace(arena, bytes))) {
            claimed = 1;
            return place;
        }
        return bytes <= PoolRules.SMALL && !small.isEmpty() ? small.removeLast() : takeOther(arena, bytes);
    }

    private boolean replace(Arena arena, int bytes) {
        if (place != null && claimed <= PASSES + place.capacity / PoolRules.LINE) {
            return false;
        }
        Block leaving = place != null && place.isLarge() ? place : held;
        place = takeOther(arena, leaving == null ? bytes : Math.min(bytes, PoolRules.SMALL / SHARE));
        held = leaving;
        return true;
    }

    /** {@return the block that an arena goes on in: a free slot or a new one} */
    private Block next(Arena arena, int bytes) {
        int last = arena.blocks.getLast().capacity;
        int capacity = PoolRules.next(last, bytes, size);
        return capacity <= size ? takeOther(arena, Math.max(bytes, Math.min(capacity, 2 * last))) : create(arena, capacity);
    }

    private Block takeOther(Arena arena, int bytes) {
        Block slot = pop(bytes);
        return slot != null ? slot : create(arena, PoolRules.first(bytes, size));
    }

    private static Block create(Arena arena, int capacity) {
        arena.mallocs++;
        return new Block(capacity);
    }

    private Block pop(int bytes) {
        if (bytes <= PoolRules.SMALL) {
            return small.isEmpty() || small.getLast().capacity < bytes ? null : small.removeLast();
        }
        for (int i = large.size() - 1; i >= 0; i--) {
            if (large.get(i).suits(bytes)) {
                Collections.swap(large, i, large.size() - 1);
                return large.removeLast();
            }
        }
        return null;
    }

    void close(Arena arena) {
        if (arena.blocks.isEmpty()) {
            return;
        }
        Block first = arena.blocks.getFirst();
        if (place == first && arena.blocks.size() == 1) {
            claimed = 0;
            return;
        }
        boolean inPlace = place == first;
        if (inPlace) {
            place = null;
            claimed = UNCLEARED;
        }
        if (held == first) {
            held = null;
        }
        List<Block> slots = arena.blocks.stream().filter(block -> block.capacity <= size).toList();
        for (Block slot : slots) {
            if (inPlace && (held == null || !slot.isLarge())) {
                place = slot;
                claimed = 0;
            } else {
                push(slot);
            }
        }
    }

    private void push(Block slot) {
        List<Block> slots = slot.isLarge() ? large : small;
        slots.add(slot);
        if (slots.size() > (slot.isLarge() ? depth : mostSmall)) {
            slots.removeFirst();
        }
    }
}
