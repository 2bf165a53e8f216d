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

import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Checks one block for writes by native code outside the arena's allocations. This is a debugging aid: a tool that replaces
 * {@code malloc} sees a slot as one allocation, so it cannot find these writes.
 * <p>
 * A write outside an allocation is found when the arena is closed. A write after close is found when the slot is next taken or
 * freed. Only bytes below the block's limit are checked. Neither an allocation with a block of its own is checked, nor the one byte
 * of an empty allocation. A write into the block's header, which is before the first guard, may crash the JVM.
 * <p>
 * A fault is reported on the standard error stream while no lock is held. Then an {@link InternalError} is thrown, except when a
 * slot is freed. No arena gets a damaged block again.
 */
final class ConfinedBlockVerifier {

    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    private static final byte GUARD = (byte) 0xA5;

    /**
     * One verifier for each block that was taken and is not freed. The key is the address divided by the alignment. With addresses,
     * whose low bits are all 0, threads would contend for the monitors of a few bins. Virtual threads that wait for such a monitor
     * keep their carriers, so that the one that owns the monitor might get none.
     */
    private static final Map<Long, ConfinedBlockVerifier> BLOCKS = new ConcurrentHashMap<>();

    /**
     * Where each confined arena that is not collected yet was opened. Used only if that is asked for: all threads share its lock, and
     * a virtual thread that waits for it needs a scheduler, which may open arenas itself.
     */
    private static final Map<ConfinedSession, Throwable> OPENED = Collections.synchronizedMap(new WeakHashMap<>());

    private final long block;

    private record Allocation(int start, int byteSize) {}

    // The allocations of the arena that has the block, or had it last.
    private final List<Allocation> allocations = new ArrayList<>();

    // The end of the last guard.
    private int used;

    // Up to where guards may have been written: beyond the last one, if an allocation failed because the stack overflowed here.
    private int guarded;

    // Of that arena: its owner's name and number, and where it was opened if that is known. A thread's toString could open arenas.
    private final String owner = '"' + Thread.currentThread().getName() + "\" #" + Thread.currentThread().threadId();
    private final Throwable opened;

    private ConfinedBlockVerifier(long block, Throwable opened) {
        this.block = block;
        this.opened = opened;
    }

    /** Notes where an arena is opened. */
    static void opened(ConfinedSession arena) {
        OPENED.put(arena, new Throwable("The arena was opened here"));
    }

    /** Notes that an arena takes a block, or throws an {@code InternalError} if that was written to after close. */
    static void taken(ConfinedSession arena, long block) {
        checkCleared(block);
        BLOCKS.put(key(block), new ConfinedBlockVerifier(block, ConfinedPoolProperties.TRACE ? OPENED.get(arena) : null));
    }

    /** Notes an allocation at an offset, with its guard up to the offset {@code end}, and guards the bytes before it and after it. */
    static void allocated(long block, int start, int end) {
        int byteSize = end - start - ConfinedPoolProperties.GUARD_SIZE;
        ConfinedBlockVerifier verifier = BLOCKS.get(key(block));
        // An asynchronous exception may have lost the last allocations.
        while (!verifier.allocations.isEmpty() && verifier.allocations.getLast().start >= start) {
            verifier.allocations.removeLast();
        }
        verifier.used = Math.min(verifier.used, start);
        UNSAFE.setMemory(block + verifier.used, verifier.guarded - verifier.used, (byte) 0);
        verifier.guarded = end;
        UNSAFE.setMemory(block + verifier.used, start - verifier.used, GUARD);
        UNSAFE.setMemory(block + start + byteSize, end - start - byteSize, GUARD);
        verifier.allocations.add(new Allocation(start, byteSize));
        verifier.used = end;
    }

    /** Checks and clears the blocks of an arena that was closed, of which {@code last} is the last. */
    static void closed(long last) {
        for (long block = last; block != 0; block = ConfinedBlock.link(block)) {
            ConfinedBlockVerifier verifier = BLOCKS.get(key(block));
            if (verifier != null) {
                verifier.checkGuards();
                UNSAFE.setMemory(block, ConfinedBlock.limit(block), (byte) 0);
            }
        }
    }

    /** Checks a cleared block that is about to be freed. */
    static void freed(long block) {
        try {
            checkCleared(block);
        } catch (InternalError | OutOfMemoryError | StackOverflowError e) {
            // it is reported if there was memory for that, and freeing it does no harm
        }
        BLOCKS.remove(key(block));
    }

    private static void checkCleared(long block) {
        BLOCKS.getOrDefault(key(block), new ConfinedBlockVerifier(block, null)) // no arena has had a slot that replaced others
                .check(0, ConfinedBlock.limit(block), (byte) 0, "after it was closed");
    }

    private static long key(long block) {
        return block / ConfinedBlock.ALIGNMENT;
    }

    private void checkGuards() {
        int end = 0;
        for (Allocation allocation : allocations) {
            check(end, allocation.start, GUARD, "outside its allocations");
            end = allocation.start + allocation.byteSize;
        }
        check(end, used, GUARD, "outside its allocations");
        check(guarded, ConfinedBlock.limit(block), (byte) 0, "outside its allocations");
    }

    private void check(int from, int to, byte expected, String fault) {
        for (int at = from; at < to; at++) {
            if (UNSAFE.getByte(block + at) != expected) {
                String report = report(at, Math.min(to, at + 16), expected, fault);
                try {
                    System.err.println(report);
                    if (opened != null) {
                        opened.printStackTrace();
                    }
                } catch (RuntimeException | Error e) {
                    // of a program's own stream, or there is none
                }
                throw new InternalError(report, opened);
            }
        }
    }

    private String report(int at, int to, byte expected, String fault) {
        byte[] found = new byte[to - at];
        UNSAFE.copyMemory(null, block + at, found, Unsafe.ARRAY_BYTE_BASE_OFFSET, found.length);
        HexFormat hex = HexFormat.ofDelimiter(" ");
        StringBuilder text = new StringBuilder("A confined arena's memory was written ").append(fault)
                .append(": at 0x").append(Long.toHexString(block + at));
        int nearest = 0;
        while (nearest + 1 < allocations.size() && allocations.get(nearest + 1).start <= at) {
            nearest++;
        }
        if (!allocations.isEmpty()) {
            Allocation allocation = allocations.get(nearest);
            text.append(", offset ").append(at - allocation.start)
                    .append(" of allocation ").append(nearest + 1).append(" of ").append(allocations.size())
                    .append(" (").append(allocation.byteSize).append(" bytes at 0x")
                    .append(Long.toHexString(block + allocation.start)).append(')');
        }
        return text.append(", found ").append(hex.formatHex(found)).append(" instead of ").append(hex.toHexDigits(expected))
                .append(allocations.isEmpty() ? "" : "; owner " + owner).append("; the block is retired").toString();
    }
}
