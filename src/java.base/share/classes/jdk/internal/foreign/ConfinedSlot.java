/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * DO NOT ALTER OR REMOVE COPYRIGHT NOTICES OR THIS FILE HEADER.
 *
 * This code is free software; you can redistribute it and/or modify it
 * under the terms of the GNU General Public License version 2 only, as
 * published by the Free Software Foundation.  The Pooled Confined Arena
 * authors designate this particular file as subject to the "Classpath"
 * exception as provided in the LICENSE file that accompanied this code.
 *
 * This code is distributed in the hope that it will be useful, but WITHOUT
 * ANY WARRANTY; without even the implied warranty of MERCHANTABILITY or
 * FITNESS FOR A PARTICULAR PURPOSE.  See the GNU General Public License
 * version 2 for more details (a copy is included in the LICENSE file that
 * accompanied this code).
 *
 * You should have received a copy of the GNU General Public License version
 * 2 along with this work; if not, write to the Free Software Foundation,
 * Inc., 51 Franklin St, Fifth Floor, Boston, MA 02110-1301 USA.
 */


package jdk.internal.foreign;

import jdk.internal.vm.annotation.Contended;
import jdk.internal.vm.annotation.ForceInline;

/**
 * A place for a slot in the pool of a platform thread, used by that thread only. The slot stays there while an arena has
 * it. Opening and closing an arena store constants into {@link #claimed}, so that the next arena need not wait for them.
 * <p>
 * An arena finds its place again by the slot's address. If it finds none, then the slot has left its place, and the arena
 * owns it.
 */
@Contended // written with every arena, and the collector may move those of two threads together
sealed class ConfinedSlot permits ConfinedSlotPool {

    /** From this value of {@link #claimed} on no arena has the slot, but it is not cleared, or there is none. */
    static final int UNCLEARED = 1 << 30;

    /** Added to {@link #address} while blocks are linked behind the slot, so that close releases these, too. */
    static final int LINKED = 1;

    /** The slot, or 0 if there is none. */
    long address;

    /**
     * 0 if the slot is free; 1 if an arena has it, plus 1 for each later arena that passed it and took the next place; or at
     * least {@link #UNCLEARED}.
     */
    int claimed = UNCLEARED;

    /** How much can be allocated from the slot, in bytes; 0 if there is none. */
    int capacity;

    private final int index;

    /** Creates an empty place, which is found again by its index. */
    ConfinedSlot(int index) {
        this.index = index;
    }

    /** Puts a free slot here. */
    void place(long slot) {
        ConfinedBlock.setPlace(slot, index);
        capacity = ConfinedBlock.capacity(slot);
        address = slot;
        claimed = 0;
    }

    /**
     * {@return true if more than 1 + n / 64 arenas have passed the slot of n bytes} So slots that are held cost at most 64 bytes
     * for each later arena.
     */
    @ForceInline
    boolean pass() {
        return ++claimed > 2 + (capacity >> 6);
    }

    /** Clears the slot, of which {@code used} bytes are allocated, and frees it. The caller has set it to uncleared. */
    @ForceInline
    void release(int used) {
        ConfinedBlock.clear(address, used);
        claimed = 0;
    }
}
