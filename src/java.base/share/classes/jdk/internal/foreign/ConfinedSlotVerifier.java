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

import jdk.internal.misc.Unsafe;

import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * Finds writes of native code that miss the memory allocated to it, in one slot. A debugging aid: pooled memory is
 * not freed when its arena is closed, so tools that replace {@code malloc} cannot find them.
 * <p>
 * Two kinds are found. A write beyond an allocation changes a guard or a byte that nobody allocated; that is found
 * when the arena is closed. A write after close changes a byte of a slot that is in the pool; that is found when the
 * slot is next taken, or when it is freed because a thread ends.
 * <p>
 * What is found is reported on the standard error stream. Then an {@link InternalError} is thrown, except at the end
 * of a thread, and the slot is retired: no arena gets it again. The program can go on.
 * <p>
 * An instance is used only by the owner of its slot.
 */
final class ConfinedSlotVerifier {

    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    /** The least number of guard bytes after each allocation. */
    static final int GUARD_SIZE = ConfinedPoolProperties.VERIFY ? 16 : 0;

    private static final byte GUARD = (byte) 0xA5;

    /** The most bytes shown of those that were changed. */
    private static final int SHOWN = 16;

    /** Where the confined arenas were opened that are not collected yet; empty unless that is asked for. */
    private static final Map<ArenaImpl, Throwable> OPENED = Collections.synchronizedMap(new WeakHashMap<>());

    private final ConfinedSlotPool.Slot slot;

    // The allocations of the arena that has the slot, or had it last: [2 * i] is the offset, [2 * i + 1] the size.
    private int[] allocations = new int[8];
    private int count;

    // Of that arena: its owner's name, and where it was opened if that is known.
    private String owner;
    private Throwable opened;

    /**
     * Creates the verifier of a slot.
     *
     * @param slot the slot, which may not have its memory yet
     */
    ConfinedSlotVerifier(ConfinedSlotPool.Slot slot) {
        this.slot = slot;
    }

    /**
     * Notes where an arena is opened.
     *
     * @param arena the arena
     */
    static void opened(ArenaImpl arena) {
        OPENED.put(arena, new Throwable("The arena was opened here"));
    }

    /**
     * Notes the arena that has just taken the slot.
     *
     * @param arena the arena
     * @throws InternalError if the slot was written to while it was in the pool
     */
    void taken(ArenaImpl arena) {
        InternalError error = check();
        if (error != null) {
            throw error;
        }
        count = 0;
        owner = Thread.currentThread().toString();
        opened = OPENED.get(arena);
    }

    /**
     * Notes an allocation, and guards what is not allocated.
     *
     * @param used     the end of the guard before, where the allocation is padded from
     * @param start    the start of the allocation
     * @param byteSize the size of the allocation
     * @param end      the end of the guard after it
     */
    void allocated(long used, long start, long byteSize, long end) {
        UNSAFE.setMemory(slot.address + used, start - used, GUARD);
        UNSAFE.setMemory(slot.address + start + byteSize, end - start - byteSize, GUARD);
        if (allocations.length == 2 * count) {
            allocations = Arrays.copyOf(allocations, 4 * count);
        }
        allocations[2 * count] = (int) start;
        allocations[2 * count + 1] = (int) byteSize;
        count++;
    }

    /**
     * Checks the slot of an arena that was just closed.
     *
     * @param used    up to here, what is not allocated is guarded
     * @param failure what the arena's cleanup actions have thrown, or null
     * @throws InternalError if the slot was written to outside its allocations; the failure is suppressed by it
     */
    void closed(long used, Throwable failure) {
        InternalError error = null;
        long end = 0;
        for (int i = 0; i < count && error == null; i++) {
            error = find(end, offset(i), GUARD, "outside its allocations");
            end = offset(i) + size(i);
        }
        if (error == null) {
            error = find(end, used, GUARD, "outside its allocations");
        }
        if (error == null) {
            error = find(used, ConfinedSlotPool.CAPACITY, (byte) 0, "outside its allocations");
        }
        if (error != null) {
            if (failure != null) {
                error.addSuppressed(failure);
            }
            throw error;
        }
    }

    /**
     * {@return null, or an error if the slot, which has been in the pool, was written to}
     */
    InternalError check() {
        return find(0, ConfinedSlotPool.CAPACITY, (byte) 0, "after it was closed");
    }

    private InternalError find(long from, long to, byte expected, String fault) {
        for (long at = from; at < to; at++) {
            if (UNSAFE.getByte(slot.address + at) != expected) {
                String report = report(at, Math.min(to, at + SHOWN), expected, fault);
                System.err.println(report);
                if (opened != null) {
                    opened.printStackTrace();
                }
                return new InternalError(report, opened);
            }
        }
        return null;
    }

    private String report(long at, long to, byte expected, String fault) {
        byte[] found = new byte[(int) (to - at)];
        for (int i = 0; i < found.length; i++) {
            found[i] = UNSAFE.getByte(slot.address + at + i);
        }
        HexFormat hex = HexFormat.ofDelimiter(" ");
        StringBuilder text = new StringBuilder("A confined arena's memory was written ").append(fault)
                .append(": at 0x").append(Long.toHexString(slot.address + at));
        int nearest = 0;
        while (nearest + 1 < count && offset(nearest + 1) <= at) {
            nearest++;
        }
        text.append(", offset ").append(at - offset(nearest))
                .append(" of allocation ").append(nearest + 1).append(" of ").append(count)
                .append(" (").append(size(nearest)).append(" bytes at 0x")
                .append(Long.toHexString(slot.address + offset(nearest)))
                .append("), found ").append(hex.formatHex(found))
                .append(" instead of ").append(hex.toHexDigits(expected))
                .append("; owner ").append(owner).append("; the slot is retired");
        return text.toString();
    }

    private int offset(int index) {
        return allocations[2 * index];
    }

    private int size(int index) {
        return allocations[2 * index + 1];
    }
}
