/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * DO NOT ALTER OR REMOVE COPYRIGHT NOTICES OR THIS FILE HEADER.
 *
 * This code is free software; you can redistribute it and/or modify it
 * under the terms of the GNU General Public License version 2 only, as
 * published by the Free Software Foundation.  The authors designate this
 * particular file as subject to the "Classpath" exception as provided
 * in the LICENSE file that accompanied this code.
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

/*
 * @test
 * @summary If slots found no room, then arenas that find no free slot get overflow blocks of their own sizes, which are freed at close
 * @modules java.base/java.lang:open
 *          java.management
 *          jdk.management
 * @build Slots NativeMemory Task VirtualThreads
 * @run testng/othervm -XX:NativeMemoryTracking=summary --enable-native-access=ALL-UNNAMED
 *      -Djdk.foreign.confinedPool.size=8192 -Djdk.foreign.confinedPool.depth=2 TestConfinedPoolOverflow
 */

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

import org.testng.annotations.*;

import static org.testng.Assert.*;

/**
 * Each test has a pool of its own. Most have that of a carrier: an arena of a virtual thread takes no resident slot.
 */
@SuppressWarnings("try") // arenas that only keep a block
public class TestConfinedPoolOverflow {

    @DataProvider
    public static Object[][] sizes() {
        return new Object[][] {{1}, {8}, {16}, {17}, {24}, {25}, {56}, {57}, {100}, {130}, {192}, {193}, {568},
                {569}, {2000}, {8191}, {8192}};
    }

    /** {@return so many open arenas, each with one allocation, which was zero and is filled} */
    private static List<Arena> open(int count, int byteSize) {
        List<Arena> arenas = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Arena arena = Arena.ofConfined();
            arenas.add(arena);
            fill(arena.allocate(byteSize));
        }
        return arenas;
    }

    private static void fill(MemorySegment segment) {
        Slots.checkZero(segment, "an allocation");
        segment.fill((byte) -1);
    }

    /** Closes the youngest one first. */
    private static void close(List<Arena> arenas) {
        arenas.reversed().forEach(Arena::close);
    }

    /** One slot of so many bytes finds no room. */
    private static void overflow(int byteSize) {
        close(open(Slots.mostKept(byteSize) + 1, byteSize));
    }

    /** {@return so many open arenas that the next one gets an overflow block, if slots found no room before} */
    private static List<Arena> openAll(int byteSize) {
        return open(Slots.mostKept(byteSize) + Slots.MISSES, byteSize);
    }

    /** {@return the same, after one slot found no room} */
    private static List<Arena> exhaust(int byteSize) {
        overflow(byteSize);
        return openAll(byteSize);
    }

    /** {@return what an overflow block for so many bytes takes of native memory, less 16 of its own: all that a chunk of glibc has} */
    private static int capacity(int byteSize) {
        return Math.max((byteSize + 7 & -16) + 8, Slots.LEAST_OVERFLOW);
    }

    private static long overflowBytes(int byteSize) {
        return capacity(byteSize) + 16;
    }

    @Test(dataProvider = "sizes")
    public void allThatFindNoSlotAfterSoManyInARow(int byteSize) throws Exception {
        int kept = Slots.mostKept(byteSize);
        long bytes = Slots.nativeBytes(byteSize);
        VirtualThreads.run(() -> {
            long before = NativeMemory.allocatedWithStack();
            List<Arena> arenas = open(kept + 1, byteSize);
            NativeMemory.checkGrown((kept + 1) * bytes, before);
            close(arenas);
            NativeMemory.checkGrown(kept * bytes, before);
            arenas = openAll(byteSize);
            NativeMemory.checkGrown((kept + Slots.MISSES) * bytes, before);
            arenas.addAll(open(100, byteSize));
            NativeMemory.checkGrown((kept + Slots.MISSES) * bytes + 100 * overflowBytes(byteSize), before);
            close(arenas);
            NativeMemory.checkGrown(kept * bytes, before);
        });
    }

    // What overflow blocks leave behind is not cleared.
    @Test(dataProvider = "sizes")
    public void allAreZero(int byteSize) throws Exception {
        VirtualThreads.run(() -> {
            for (int i = 0; i < 20; i++) {
                List<Arena> arenas = open(Slots.mostKept(byteSize) + Slots.MISSES + 10, byteSize);
                for (Arena arena : arenas) {
                    fill(arena.allocate(8, 8));
                }
                close(arenas);
            }
        });
    }

    // If a slot would have had room for the out-parameter.
    @Test(dataProvider = "sizes")
    public void theNextOnesAreAsLargeAsSlots(int byteSize) throws Exception {
        VirtualThreads.run(() -> {
            List<Arena> arenas = exhaust(byteSize);
            arenas.addAll(open(1, byteSize));
            long before = NativeMemory.allocated();
            for (int end = byteSize + 7 & -8; end < capacity(byteSize); end += 8) {
                fill(arenas.getLast().allocate(8, 8));
            }
            NativeMemory.checkGrown(0, before);
            fill(arenas.getLast().allocate(8, 8));
            NativeMemory.checkGrown(overflowBytes(Math.max(8, capacity(byteSize) / 2)), before);
            int roomy = Math.max(capacity(byteSize), Slots.capacity(byteSize));
            before = NativeMemory.allocated();
            arenas.addAll(open(20, byteSize));
            NativeMemory.checkGrown(20 * (roomy + 16L), before);
            for (int end = byteSize + 7 & -8; end < roomy; end += 8) {
                fill(arenas.getLast().allocate(8, 8));
            }
            NativeMemory.checkGrown(20 * (roomy + 16L), before);
            close(arenas);
        });
    }

    // Also if an arena outgrows one that is as large as a slot.
    @Test
    public void laterOnesAreSmallAgain() throws Exception {
        VirtualThreads.run(() -> {
            List<Arena> arenas = exhaust(100);
            arenas.addAll(open(1, 100));
            fill(arenas.getLast().allocate(8));
            long before = NativeMemory.allocated();
            arenas.addAll(open(Slots.ROOMY, 100));
            NativeMemory.checkGrown(Slots.ROOMY * Slots.nativeBytes(100), before);
            before = NativeMemory.allocated();
            fill(arenas.getLast().allocate(40));
            arenas.addAll(open(1, 100));
            NativeMemory.checkGrown(overflowBytes(64) + overflowBytes(100), before); // at least half of the last one
            close(arenas);
        });
    }

    // An overflow block, since nothing of the arena may be kept.
    @Test
    public void anArenaGoesOnInOverflowBlocks() throws Exception {
        VirtualThreads.run(() -> {
            List<Arena> arenas = exhaust(2000);
            arenas.addAll(open(1, 2000));
            long before = NativeMemory.allocated();
            fill(arenas.getLast().allocate(2000));
            NativeMemory.checkGrown(overflowBytes(2000), before);
            fill(arenas.getFirst().allocate(2000));
            NativeMemory.checkGrown(overflowBytes(2000) + Slots.nativeBytes(2000), before);
            close(arenas);
            NativeMemory.checkGrown(-Slots.MISSES * Slots.nativeBytes(2000) - overflowBytes(2000), before);
        });
    }

    // A slot would be one more than the pool has room for once the other arenas are closed.
    @Test
    public void noSlotReplacesThem() throws Exception {
        VirtualThreads.run(() -> {
            List<Arena> arenas = exhaust(8);
            long kept = NativeMemory.allocated();
            arenas.addAll(open(1, 8));
            fill(arenas.getLast().allocate(8, 8));
            fill(arenas.getLast().allocate(8, 8)); // ends with the block
            NativeMemory.checkGrown(overflowBytes(8), kept);
            fill(arenas.getLast().allocate(8, 8));
            NativeMemory.checkGrown(2 * overflowBytes(8), kept);
            arenas.removeLast().close();
            NativeMemory.checkGrown(0, kept);
            close(arenas);
        });
    }

    // The large block is linked to the overflow block, which still has room.
    @Test
    public void aLargeAllocationStandsBesideIt() throws Exception {
        VirtualThreads.run(() -> {
            List<Arena> arenas = exhaust(90);
            long before = NativeMemory.allocated();
            arenas.addAll(open(1, 90));
            fill(arenas.getLast().allocate(10_000));
            fill(arenas.getLast().allocate(8, 8));
            NativeMemory.checkGrown(overflowBytes(90) + 10_000 + Slots.BLOCK_OVERHEAD, before);
            arenas.removeLast().close();
            NativeMemory.checkGrown(0, before);
            close(arenas);
        });
    }

    // A large block is no overflow block.
    @Test
    public void anArenaThatBeginsWithALargeAllocationGoesOnInASlot() throws Exception {
        VirtualThreads.run(() -> {
            Slots.openFirst();
            close(open(1, 8));
            long before = NativeMemory.allocated();
            try (Arena arena = Arena.ofConfined()) {
                fill(arena.allocate(10_000));
                fill(arena.allocate(8));
                NativeMemory.checkGrown(10_000 + Slots.BLOCK_OVERHEAD, before);
            }
            NativeMemory.checkGrown(0, before);
        });
    }

    // Nor is a block that is too large to be a slot. The slots before it are kept, also while the stack is full.
    @Test
    public void slotsBeforeALargerBlockAreKept() throws Exception {
        VirtualThreads.run(() -> {
            close(open(Slots.MAX_SMALL, 8));
            long before = NativeMemory.allocated();
            try (Arena arena = Arena.ofConfined()) {
                for (int i = 0; i < 2; i++) {
                    fill(arena.allocate(Slots.SIZE));
                }
                NativeMemory.checkGrown(2 * Slots.nativeBytes(Slots.SIZE), before);
                fill(arena.allocate(Slots.SIZE));
                assertTrue(NativeMemory.allocated() - before > 3 * Slots.nativeBytes(Slots.SIZE), "no larger block");
            }
            NativeMemory.checkGrown(2 * Slots.nativeBytes(Slots.SIZE), before);
        });
    }

    // A virtual thread that goes on from one on a carrier without a pool.
    @Test
    public void anArenaGoesOnWhereThereIsNoPool() throws Exception {
        VirtualThreads.run(() -> {
            List<Arena> arenas = exhaust(100);
            arenas.addAll(open(1, 100));
            Thread.yield(); // to a new carrier
            long before = NativeMemory.allocated();
            fill(arenas.getLast().allocate(200));
            NativeMemory.checkGrown(overflowBytes(200), before);
            close(arenas);
        });
    }

    // Its large allocations hide the blocks before that one, so a slot is wanted.
    @Test
    public void anArenaGoesOnInASlotAfterALargerBlock() throws Exception {
        VirtualThreads.run(() -> {
            try (Arena arena = Arena.ofConfined()) {
                for (int i = 0; i < 3; i++) {
                    fill(arena.allocate(Slots.SIZE));
                }
                for (int i = 0; i < 63; i++) {
                    arena.allocate(10_000);
                }
                long before = NativeMemory.allocated();
                fill(arena.allocate(Slots.SIZE));
                NativeMemory.checkGrown(Slots.nativeBytes(Slots.SIZE), before);
            }
        });
    }

    // Short arenas beside others that stay open hit the slot that the first of them got.
    @Test
    public void onlyManyInARowGetThem() throws Exception {
        VirtualThreads.run(() -> {
            overflow(2000);
            List<Arena> arenas = open(Slots.mostKept(2000), 2000);
            long before = NativeMemory.allocated();
            for (int i = 1; i < Slots.MISSES; i++) {
                List<Arena> others = open(i, 2000);
                NativeMemory.checkGrown(i * Slots.nativeBytes(2000), before);
                close(others);
            }
            close(arenas);
        });
    }

    // It neither counts nor ends the row.
    @Test
    public void aFurtherSlotIsNoMiss() throws Exception {
        VirtualThreads.run(() -> {
            overflow(2000);
            List<Arena> arenas = open(Slots.mostKept(2000) + Slots.MISSES - 1, 2000);
            long before = NativeMemory.allocated();
            fill(arenas.getFirst().allocate(2000));
            arenas.addAll(open(1, 2000));
            NativeMemory.checkGrown(2 * Slots.nativeBytes(2000), before);
            fill(arenas.get(1).allocate(2000));
            arenas.addAll(open(1, 2000));
            NativeMemory.checkGrown(3 * Slots.nativeBytes(2000) + overflowBytes(2000), before);
            close(arenas);
        });
    }

    // Whether that had a slot or an overflow block.
    @Test
    public void afterACloseOneGetsASlot() throws Exception {
        VirtualThreads.run(() -> {
            List<Arena> arenas = exhaust(2000);
            long before = NativeMemory.allocated();
            arenas.addAll(open(2, 2000));
            NativeMemory.checkGrown(2 * overflowBytes(2000), before);
            arenas.removeLast().close();
            arenas.addAll(open(3, 2000));
            NativeMemory.checkGrown(3 * overflowBytes(2000) + Slots.nativeBytes(2000), before);
            close(arenas);
        });
    }

    // However many slots were created before the lists refused one.
    @Test
    public void shortOnesBesideManyGetASlot() throws Exception {
        VirtualThreads.run(() -> {
            List<Arena> arenas = open(Slots.mostKept(2000) + 10 * Slots.MISSES, 2000);
            for (int i = 0; i <= Slots.mostKept(2000); i++) {
                arenas.removeLast().close(); // the last one finds no room
            }
            long before = NativeMemory.allocated();
            arenas.addAll(open(Slots.mostKept(2000) + 1, 2000));
            NativeMemory.checkGrown(Slots.nativeBytes(2000), before);
            close(arenas);
        });
    }

    // The miss of a small arena makes room, and counts.
    @Test
    public void missesOfAllSizesCount() throws Exception {
        VirtualThreads.run(() -> {
            overflow(2000);
            long before = NativeMemory.allocated();
            List<Arena> arenas = open(1, 8);
            NativeMemory.checkGrown(Slots.nativeBytes(8) - Slots.nativeBytes(2000), before);
            arenas.addAll(openAll(2000));
            arenas.addAll(open(1, 2000));
            NativeMemory.checkGrown(Slots.nativeBytes(8) + (Slots.MISSES - 2) * Slots.nativeBytes(2000) + 3 * overflowBytes(2000), before);
            close(arenas);
        });
    }

    // Else a thread's first nest would leave it few slots.
    @Test(dataProvider = "sizes")
    public void noneWhileAllSlotsFoundRoom(int byteSize) throws Exception {
        VirtualThreads.run(() -> {
            int count = Slots.mostKept(byteSize) + 2 * Slots.MISSES;
            long before = NativeMemory.allocatedWithStack();
            List<Arena> arenas = open(count, byteSize);
            NativeMemory.checkGrown(count * Slots.nativeBytes(byteSize), before);
            close(arenas);
        });
    }

    // A platform thread's arena that finds the resident slot free, but too small, exchanges it.
    @Test
    public void theResidentSlotComesFirst() throws Exception {
        Task.run(() -> {
            close(open(Slots.mostKept(2000) + 2, 2000)); // one is resident, another finds no room
            List<Arena> arenas = openAll(2000);
            arenas.addAll(open(1, 2000)); // the first one has the resident slot
            long before = NativeMemory.allocated();
            arenas.addAll(open(1, 2000));
            NativeMemory.checkGrown(overflowBytes(2000), before);
            arenas.remove(Slots.PASSES).close(); // got a new resident slot, since so many passed the first one's
            arenas.addAll(open(1, 3000));
            NativeMemory.checkGrown(overflowBytes(2000) + Slots.nativeBytes(3000) - Slots.nativeBytes(2000), before);
            close(arenas);
        });
    }

    // Small ones that were returned the fast way, which does not end the row.
    @Test
    public void freeSlotsComeFirst() throws Exception {
        Task.run(() -> {
            close(open(Slots.mostKept(100) + Slots.MISSES, 100));
            List<Arena> arenas = open(1 + Slots.mostKept(100) + Slots.MISSES, 100);
            long before = NativeMemory.allocated();
            arenas.addAll(open(Slots.MISSES + 1, 100));
            NativeMemory.checkGrown((Slots.MISSES + 1) * overflowBytes(100), before);
            for (int i = 0; i < 5; i++) {
                arenas.remove(1).close();
            }
            before = NativeMemory.allocated();
            arenas.addAll(open(5, 100));
            NativeMemory.checkGrown(0, before);
            arenas.addAll(open(1, 100));
            NativeMemory.checkGrown(overflowBytes(100), before);
            close(arenas);
        });
    }

    // Large ones are in the free lists, where nothing but these suits.
    @Test
    public void slotsOfOtherSizesAreNoHindrance() throws Exception {
        VirtualThreads.run(() -> {
            overflow(1000);
            List<Arena> arenas = open(Slots.MISSES, 5000);
            long before = NativeMemory.allocated();
            arenas.addAll(open(3, 5000));
            NativeMemory.checkGrown(3 * overflowBytes(5000), before);
            arenas.addAll(open(3, 1000));
            NativeMemory.checkGrown(3 * overflowBytes(5000), before);
            close(arenas);
        });
    }

    // Small slots that were too small were moved to the free lists.
    @Test
    public void smallerSlotsAreNoHindrance() throws Exception {
        VirtualThreads.run(() -> {
            overflow(150);
            close(openAll(200));
            List<Arena> arenas = openAll(200);
            long before = NativeMemory.allocated();
            arenas.addAll(open(100, 200));
            NativeMemory.checkGrown(100 * overflowBytes(200), before);
            close(arenas);
        });
    }

    // No slot is free for them.
    @Test
    public void largerOnesGetThemBesideAFreeSmallSlot() throws Exception {
        Task.run(() -> {
            close(open(Slots.mostKept(2000) + Slots.MISSES, 2000));
            close(open(3, 8));
            List<Arena> arenas = open(1 + Slots.mostKept(2000) + Slots.MISSES, 2000);
            long before = NativeMemory.allocated();
            arenas.addAll(open(10, 2000));
            NativeMemory.checkGrown(10 * overflowBytes(2000), before);
            close(arenas);
        });
    }

    // In any order of closing.
    @Test(dataProvider = "sizes")
    public void noneIsKept(int byteSize) throws Exception {
        VirtualThreads.run(() -> {
            long before = NativeMemory.allocatedWithStack();
            overflow(byteSize);
            for (int i = 0; i < 3; i++) {
                List<Arena> arenas = open(Slots.mostKept(byteSize) + Slots.MISSES + 5, byteSize);
                arenas.subList(0, 5).forEach(Arena::close);
                close(arenas.subList(5, arenas.size()));
                NativeMemory.checkGrown(Slots.mostKept(byteSize) * Slots.nativeBytes(byteSize), before);
            }
        });
    }

    // A free small slot has room for 8 bytes more than a new small one is made for. The arena of 576 bytes is the 16th that finds the
    // resident slot taken.
    @Test
    public void aFreeSmallSlotThatHasRoomComesFirst() throws Exception {
        Task.run(() -> {
            close(open(2, 568)); // resident one, spare one
            close(open(Slots.mostKept(2000) + 2, 2000)); // one finds no room
            List<Arena> arenas = open(1, 2000); // has the resident slot
            List<Arena> small = open(1, 568); // the spare one
            int more = Slots.mostKept(2000) + Slots.MISSES;
            arenas.addAll(open(more, 2000));
            arenas.addAll(open(2 * Slots.PASSES - 3 - more, 2000));
            close(small); // the fast way: misses stay
            long before = NativeMemory.allocated();
            arenas.addAll(open(1, 576));
            NativeMemory.checkGrown(0, before);
            close(arenas);
        });
    }
}
