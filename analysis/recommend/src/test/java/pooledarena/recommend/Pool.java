/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The pool of one thread, step by step as {@code ConfinedSlotPool} and {@code ArenaImpl} do it, but without memory. How large
 * blocks are is tested by itself.
 */
final class Pool {

    private static final int SMALL = PoolRules.constant("ConfinedSlotPool.java", "SMALL");
    private static final int SHARE = PoolRules.constant("ConfinedSlotPool.java", "SHARE");

    private static final class Block {

        private final int capacity;
        private int place;

        /** Whether it left its place with an arena, and is not small. */
        private boolean left;

        private Block(int capacity) {
            this.capacity = capacity;
        }

        private int freeSize() {
            return capacity + PoolRules.LINE;
        }

        private boolean suits(int bytes) {
            return capacity <= SMALL || capacity <= SHARE * bytes;
        }
    }

    private static final class Place {

        private Block slot;
        private int capacity;
        private int claimed = 1 << 30;
    }

    /** An arena: its blocks, and how much of the last is allocated. */
    static final class Arena {

        private final List<Block> blocks = new ArrayList<>();
        private int used;
        private boolean borrowed;

        /** What it took from malloc. */
        long mallocs;

        boolean hasMemory() {
            return !blocks.isEmpty();
        }
    }

    private final int size;
    private final int depth;
    private final boolean carried;
    private final int most;
    private final List<Place> places = new ArrayList<>(List.of(new Place()));
    private final Deque<Block> free = new ArrayDeque<>();
    private int kept;
    private Block spare;
    private int lent;
    private int left;

    /** @param carried whether the arenas are of virtual threads that the thread carries */
    Pool(int size, int depth, boolean carried) {
        this.size = size;
        this.depth = depth;
        this.carried = carried;
        most = size * (depth + 1) + PoolRules.LINE;
        kept = size;
    }

    void allocate(Arena arena, int bytes) {
        if (bytes == 0 || bytes > size) {
            arena.mallocs++;
            return;
        }
        if (arena.blocks.isEmpty()) {
            arena.blocks.add(carried ? takeCarried(arena, bytes) : acquire(arena, bytes));
        }
        int alignment = bytes >= 16 ? 16 : 8;
        int end = Math.ceilDiv(arena.used, alignment) * alignment + bytes;
        int capacity = arena.blocks.getLast().capacity;
        if (end > capacity) {
            arena.blocks.add(next(arena, PoolRules.next(capacity, bytes, size), bytes));
            end = bytes;
        }
        arena.used = end;
    }

    void close(Arena arena) {
        if (arena.blocks.isEmpty()) {
            return;
        }
        Block first = arena.blocks.getFirst();
        Place place = carried ? null : places.get(first.place).slot == first ? places.get(first.place) : null;
        Deque<Block> slots = arena.blocks.reversed().stream().filter(block -> block.capacity <= size)
                .collect(Collectors.toCollection(ArrayDeque::new));
        if (first.left) {
            first.left = false;
            left--;
        }
        if (place != null && (left < depth || slots.peek().capacity <= SMALL)) {
            keep(place, slots.pop());
        } else if (place != null) {
            place.slot = null;
            place.claimed = 1 << 30;
            put(slots);
        } else if (carried) {
            lent = Math.max(lent - (arena.borrowed ? 1 : 0), -depth);
            Block before = spare;
            spare = slots.pop();
            if (before != null) {
                slots.push(before);
            }
            put(slots);
        } else {
            put(slots);
        }
    }

    /** {@return the block that an arena goes on in: a free slot or a new one} */
    private Block next(Arena arena, int capacity, int bytes) {
        int wanted = Math.max(bytes, Math.min(capacity, 2 * arena.blocks.getLast().capacity));
        if (capacity <= size && spare != null && spare.capacity >= wanted && spare.suits(wanted)) {
            Block slot = spare;
            spare = null;
            return slot;
        }
        boolean found = capacity <= size && !free.isEmpty() && free.peek().capacity >= wanted && free.peek().suits(wanted);
        return found ? pop() : create(arena, capacity);
    }

    private static Block create(Arena arena, int capacity) {
        arena.mallocs++;
        return new Block(capacity);
    }

    private Block acquire(Arena arena, int bytes) {
        if (places.getFirst().claimed == 0) {
            places.getFirst().claimed = 1;
            return places.getFirst().slot;
        }
        int index = 1;
        while (index < places.size() && places.get(index).claimed != 0) {
            index++;
        }
        Place before = places.get(index - 1);
        Place found;
        if (++before.claimed > 2 + before.capacity / 64) {
            found = before;
            replace(found, arena, bytes);
        } else if (index < places.size()) {
            found = places.get(index);
        } else if (index < depth) {
            found = new Place();
            places.add(found);
            replace(found, arena, bytes);
        } else {
            return take(arena, bytes);
        }
        found.claimed = 1;
        return found.slot;
    }

    private void replace(Place place, Arena arena, int bytes) {
        Block slot = take(arena, left < depth ? bytes : Math.min(bytes, SMALL / SHARE));
        if (place.slot != null && place.capacity > SMALL) {
            place.slot.left = true;
            left++;
        }
        keep(place, slot);
    }

    private void keep(Place place, Block slot) {
        kept += place == places.getFirst() ? 0 : slot.capacity - place.capacity;
        place.capacity = slot.capacity;
        slot.place = places.indexOf(place);
        place.slot = slot;
        place.claimed = 0;
        while (kept > most && !free.isEmpty()) {
            pop();
        }
    }

    private Block pop() {
        kept -= free.peek().freeSize();
        return free.pop();
    }

    private Block take(Arena arena, int bytes) {
        return free.isEmpty() || !free.peek().suits(bytes) ? create(arena, PoolRules.first(bytes, size)) : pop();
    }

    private Block takeCarried(Arena arena, int bytes) {
        Block slot = spare != null ? spare : free.peek();
        boolean suits = slot != null && slot.suits(bytes);
        if (slot == null || !suits && lent >= depth) {
            return take(arena, bytes);
        }
        arena.borrowed = !suits;
        lent += suits ? 0 : 1;
        if (slot == spare) {
            spare = null;
            return slot;
        }
        return pop();
    }

    /** Keeps what there is room for. Free slots of another size make room. */
    private void put(Deque<Block> slots) {
        int sum = slots.stream().mapToInt(Block::freeSize).sum();
        while (kept + sum > most && !free.isEmpty() && free.peek().capacity != slots.peek().capacity) {
            pop();
        }
        for (Block slot : slots) {
            if (kept + slot.freeSize() <= most) {
                free.push(slot);
                kept += slot.freeSize();
            }
        }
    }
}
