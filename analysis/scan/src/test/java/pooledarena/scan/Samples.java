/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** Methods that open confined arenas, each in a way of its own. They are scanned, never run. */
@SuppressWarnings({"try", "unused"})
class Samples {

    static final GroupLayout POINT = MemoryLayout.structLayout(ValueLayout.JAVA_LONG.withName("x"),
            ValueLayout.JAVA_INT.withName("y"), MemoryLayout.paddingLayout(4));
    static final SequenceLayout POINTS = MemoryLayout.sequenceLayout(10, POINT);
    static final long COUNT = 3;

    interface Sink {
        void accept(Arena arena);
    }

    static class Base {
        MemorySegment make(Arena arena) {
            return arena.allocate(1);
        }
    }

    static class Derived extends Base {
        @Override
        MemorySegment make(Arena arena) {
            return arena.allocate(2);
        }
    }

    /** What a generator of bindings makes of a struct. */
    static class Point2d {
        private static final GroupLayout $LAYOUT = MemoryLayout.structLayout(Types.C_DOUBLE, Types.C_DOUBLE, Types.C_LONG);

        static GroupLayout layout() {
            return $LAYOUT;
        }

        static MemorySegment allocate(SegmentAllocator allocator) {
            return allocator.allocate(layout());
        }

        static long sizeof() {
            return layout().byteSize();
        }
    }

    /** What a generator of bindings makes of the types of C. */
    static class Types {
        static final ValueLayout.OfDouble C_DOUBLE = ValueLayout.JAVA_DOUBLE;
        static final ValueLayout.OfLong C_LONG = (ValueLayout.OfLong) Linker.nativeLinker().canonicalLayouts().get("long");
    }

    /** Initialises {@link Later}, which needs what this has stored by then. */
    static class Earlier {
        static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT;
        static final FunctionDescriptor DESCRIPTOR = FunctionDescriptor.of(Later.LAYOUT);
    }

    static class Later {
        static final GroupLayout LAYOUT = MemoryLayout.unionLayout(Earlier.SHORT, MemoryLayout.sequenceLayout(3, Earlier.SHORT));
    }

    @SuppressWarnings("restricted")
    static class Functions {
        static final FunctionDescriptor DESCRIPTOR = FunctionDescriptor.of(POINT, ValueLayout.JAVA_INT);
        static final MethodHandle HANDLE = Linker.nativeLinker().downcallHandle(MemorySegment.NULL, DESCRIPTOR);
    }

    private Arena arena;
    private Arena other;
    private static Arena shared;

    // Closed structurally

    static void tryWithResources() {
        try (Arena arena = Arena.ofConfined()) {
            arena.allocate(16);
            arena.allocate(100, 64);
            arena.allocate(ValueLayout.JAVA_INT);
            arena.allocateFrom("Grüße");
        }
    }

    static int returnsInside(int n) {
        try (Arena arena = Arena.ofConfined()) {
            if (n > 0) {
                return arena.allocateFrom(ValueLayout.JAVA_INT, n).get(ValueLayout.JAVA_INT, 0);
            }
            return -1;
        }
    }

    static void nested() {
        try (Arena outer = Arena.ofConfined()) {
            outer.allocate(8);
            try (Arena inner = Arena.ofConfined()) {
                inner.allocate(24);
                outer.allocate(16);
            }
        }
    }

    static void twoResources() {
        try (Arena first = Arena.ofConfined(); Arena second = Arena.ofConfined()) {
            first.allocate(1);
            second.allocate(2);
        }
    }

    static void tryFinally() {
        Arena arena = Arena.ofConfined();
        try {
            arena.allocate(8);
        } finally {
            arena.close();
        }
    }

    static void ternaryOrNull(boolean wanted) {
        try (Arena arena = wanted ? Arena.ofConfined() : null) {
            if (arena != null) {
                arena.allocate(8);
            }
        }
    }

    static void ternaryOfTwo(boolean first) {
        try (Arena arena = first
                ? Arena.ofConfined()
                : Arena.ofConfined()) {
            arena.allocate(first ? 8 : 16);
        }
    }

    static void ownOrGiven(Arena given) {
        boolean own = given == null;
        Arena arena = own ? Arena.ofConfined() : given;
        try {
            arena.allocate(8);
        } finally {
            if (own) {
                arena.close();
            }
        }
    }

    static void unlessGiven(Arena given) {
        boolean isGiven = given != null;
        Arena arena = isGiven ? given : Arena.ofConfined();
        try {
            arena.allocate(8);
        } finally {
            if (!isGiven) {
                arena.close();
            }
        }
    }

    static void closedByHelper() {
        Arena arena = Arena.ofConfined();
        try {
            arena.allocate(8);
        } finally {
            closeQuietly(arena);
        }
    }

    private static void closeQuietly(Arena arena) {
        if (arena != null) {
            arena.close();
        }
    }

    static void openedInLoop(int n) {
        for (int i = 0; i < n; i++) {
            try (Arena arena = Arena.ofConfined()) {
                if (i == 7) {
                    continue;
                }
                if (arena.allocate(8).get(ValueLayout.JAVA_LONG, 0) == i) {
                    break;
                }
            }
        }
    }

    static void allocatesInLoop(int n) {
        try (Arena arena = Arena.ofConfined()) {
            arena.allocate(32);
            for (int i = 0; i < n; i++) {
                arena.allocate(8);
            }
        }
    }

    static void inSwitch(int kind) {
        try (Arena arena = Arena.ofConfined()) {
            switch (kind) {
                case 1 -> arena.allocate(ValueLayout.JAVA_BYTE);
                case 1000 -> arena.allocate(ValueLayout.JAVA_SHORT);
                default -> throw new IllegalArgumentException();
            }
            arena.allocate(switch (kind) {
                case 1 -> 8;
                default -> 4 + 4;
            });
        }
    }

    static void inSynchronized(Object lock) {
        synchronized (lock) {
            try (Arena arena = Arena.ofConfined()) {
                arena.allocate(8);
            }
        }
    }

    static void onString(String kind) {
        try (Arena arena = Arena.ofConfined()) {
            switch (kind) {
                case "a" -> arena.allocateFrom("");
                case "b" -> arena.allocateFrom(kind);
                default -> { }
            }
        }
    }

    static void catchInside() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            try {
                arena.allocate(8);
                throw new IOException();
            } catch (IOException e) {
                arena.allocate(16);
            }
        }
    }

    // Sizes and layouts

    static void layouts() {
        try (Arena arena = Arena.ofConfined()) {
            arena.allocate(POINT);
            arena.allocate(POINT, COUNT);
            arena.allocate(POINTS);
            arena.allocate(ValueLayout.JAVA_INT_UNALIGNED, 5);
            arena.allocate(ValueLayout.JAVA_LONG.byteSize() * 3);
            arena.allocate(Linker.Option.captureStateLayout());
            arena.allocate(Earlier.SHORT);
            arena.allocate(Later.LAYOUT);
        }
    }

    static void values(int n) {
        try (Arena arena = Arena.ofConfined()) {
            arena.allocateFrom(ValueLayout.JAVA_LONG, n);
            arena.allocateFrom(ValueLayout.JAVA_SHORT, (short) 1, (short) 2, (short) 3);
            arena.allocateFrom(ValueLayout.JAVA_BYTE, new byte[20]);
            arena.allocateFrom(ValueLayout.JAVA_BYTE, new byte[n]);
            arena.allocateFrom("abc", StandardCharsets.UTF_16LE);
            arena.allocate(n);
        }
    }

    static void bindings() throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            Point2d.allocate(arena);
            arena.allocate(Point2d.sizeof());
            MemorySegment point = (MemorySegment) Functions.HANDLE.invokeExact((SegmentAllocator) arena, 1);
        }
    }

    static void view() {
        try (Arena arena = Arena.ofConfined()) {
            SegmentAllocator allocator = arena::allocate;
            allocator.allocate(48);
        }
    }

    static void slices() {
        try (Arena arena = Arena.ofConfined()) {
            SegmentAllocator slices = SegmentAllocator.slicingAllocator(arena.allocate(256));
            slices.allocate(16);
        }
    }

    @SuppressWarnings("restricted")
    static void lifetime(MemorySegment segment) {
        try (Arena arena = Arena.ofConfined()) {
            segment.reinterpret(8, arena, null);
        }
    }

    static void arraysAndChars(int unknown) {
        try (Arena arena = Arena.ofConfined()) {
            arena.allocateFrom(ValueLayout.JAVA_CHAR, 'a', 'b', 'c');
            arena.allocateFrom(ValueLayout.JAVA_CHAR, new char[5]);
            arena.allocateFrom(ValueLayout.JAVA_DOUBLE, new double[3]);
            arena.allocate(new String[7].length);
            int n = 0x10005;
            arena.allocate((char) n);
            arena.allocate((char) -n);
            arena.allocate((byte) (n + 0x107));
            arena.allocate((short) (n + 0x10));
            MemoryLayout[] members = {ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT};
            arena.allocate(MemoryLayout.structLayout(members));
            members[1] = ValueLayout.JAVA_SHORT;
            arena.allocate(MemoryLayout.structLayout(members));
            arena.allocate(members[0]);
            members[unknown] = ValueLayout.JAVA_BYTE;
            arena.allocate(MemoryLayout.structLayout(members));
        }
    }

    // Handed on

    static void passedToHelper() {
        try (Arena arena = Arena.ofConfined()) {
            helper(arena, 24);
            helper(arena, 40);
        }
    }

    private static MemorySegment helper(SegmentAllocator allocator, long size) {
        return size == 0 ? MemorySegment.NULL : allocator.allocate(size, 8);
    }

    static void passedThroughInLoop(int n) {
        try (Arena arena = Arena.ofConfined()) {
            Arena same = identity(arena);
            for (int i = 0; i < n; i++) {
                helper(same, 24);
            }
        }
    }

    private static Arena identity(Arena arena) {
        return arena;
    }

    static void passedToUnknown(Sink sink) {
        try (Arena arena = Arena.ofConfined()) {
            sink.accept(arena);
        }
    }

    static void passedToOverridden(Base base) {
        try (Arena arena = Arena.ofConfined()) {
            base.make(arena);
        }
    }

    static void recursive() {
        try (Arena arena = Arena.ofConfined()) {
            deeper(arena, 3);
        }
    }

    private static void deeper(Arena arena, int n) {
        arena.allocate(8);
        if (n > 0) {
            deeper(arena, n - 1);
        }
    }

    static void passedToUnrelated() {
        try (Arena arena = Arena.ofConfined()) {
            unrelated(arena);
        }
    }

    /** Needs no stack, not even for an exception. */
    private static void unrelated(Arena arena) {
        System.gc();
    }

    static void passedAndNotClosed(Sink sink) {
        sink.accept(Arena.ofConfined());
    }

    // Escapes

    static Arena returned() {
        Arena arena = Arena.ofConfined();
        arena.allocate(8);
        return arena;
    }

    static Arena returnedOrClosed() {
        Arena arena = Arena.ofConfined();
        try {
            arena.allocate(8);
        } catch (Throwable t) {
            arena.close();
            throw t;
        }
        return arena;
    }

    void storedInField() {
        arena = Arena.ofConfined();
        arena.allocate(40);
    }

    void closesField() {
        arena.close();
    }

    void storedAndClosed() {
        try (Arena opened = Arena.ofConfined()) {
            other = opened;
            other.allocate(8);
        } finally {
            other = null;
        }
    }

    void fieldSeenByHelper() {
        arena = Arena.ofConfined();
        useField();
    }

    private void useField() {
        arena.allocate(56);
    }

    static void storedInStatic() {
        shared = Arena.ofConfined();
    }

    static boolean storedByHandle(VarHandle handle, Samples object) {
        return handle.compareAndSet(object, (Arena) null, Arena.ofConfined());
    }

    static Arena[] storedInArray() {
        Arena[] arenas = {Arena.ofConfined(), null};
        return arenas;
    }

    static class Owner {
        private final Arena owned;

        Owner(Arena owned) {
            this.owned = owned;
        }
    }

    record Scratch(Arena arena) implements AutoCloseable {

        MemorySegment text(String text) {
            return arena.allocateFrom(text);
        }

        @Override
        public void close() {
            arena.close();
        }
    }

    static void wrapped() {
        try (Scratch scratch = new Scratch(Arena.ofConfined())) {
            scratch.text("abc");
            scratch.arena().allocate(40);
        }
    }

    record Twice(Arena arena, SegmentAllocator allocator) {
        Twice(Arena arena) {
            this(arena, arena);
        }
    }

    static void wrappedTwice() {
        try (Arena arena = Arena.ofConfined()) {
            new Twice(arena).allocator().allocate(8);
        }
    }

    static void wrappedInLoop(int n) {
        for (int i = 0; i < n; i++) {
            try (Scratch scratch = new Scratch(Arena.ofConfined())) {
                scratch.text("abc");
            }
        }
    }

    static void wrappedAndPassed(Consumer<Scratch> consumer) {
        try (Scratch scratch = new Scratch(Arena.ofConfined())) {
            consumer.accept(scratch);
        }
    }

    static void wrappedAndNotClosed() {
        new Scratch(Arena.ofConfined()).text("abc");
    }

    static Scratch wrappedAndReturned() {
        return new Scratch(Arena.ofConfined());
    }

    static final class Holder {
        private Arena held;

        void register(List<Holder> all, Arena arena) {
            all.add(this);
            arena.allocate(8);
        }
    }

    static void storedInWhatOthersHave(List<Holder> all) {
        Holder holder = new Holder();
        try (Arena arena = Arena.ofConfined()) {
            holder.register(all, arena);
            holder.held = arena;
        }
    }

    static Owner storedByConstructor() {
        return new Owner(Arena.ofConfined());
    }

    static Function<String, MemorySegment> captured() {
        Arena arena = Arena.ofConfined();
        return string -> {
            arena.allocate(8);
            return arena.allocateFrom(string);
        };
    }

    static Runnable capturedAndClosed() {
        try (Arena arena = Arena.ofConfined()) {
            Runnable runnable = () -> arena.allocate(8);
            runnable.run();
            return runnable;
        }
    }

    static Supplier<Arena> reference() {
        return Arena::ofConfined;
    }

    static Supplier<Arena> lambda() {
        return () -> Arena.ofConfined();
    }

    // Not closed on every way

    static void closedAtEnd() {
        Arena arena = Arena.ofConfined();
        arena.allocate(8);
        arena.close();
    }

    static void closedUnlessThrown(boolean bad) {
        Arena arena = Arena.ofConfined();
        if (bad) {
            throw new IllegalStateException();
        }
        arena.close();
    }

    static void closedSometimes(boolean wanted) {
        Arena arena = Arena.ofConfined();
        if (wanted) {
            arena.close();
        }
    }

    static void closedAfterWork(Runnable work) {
        Arena arena = Arena.ofConfined();
        try {
            arena.allocate(8);
        } finally {
            work.run();
            arena.close();
        }
    }

    static void lastIsLeftOpen(int n) {
        Arena arena = null;
        for (int i = 0; i < n; i++) {
            if (arena != null) {
                arena.close();
            }
            arena = Arena.ofConfined();
        }
    }

    static void leaked() {
        Arena.ofConfined().allocate(8);
    }

    static void unused() {
        try (Arena arena = Arena.ofConfined()) {
        }
    }

    static void manyWays(boolean[] wanted) {
        Arena a = wanted[0] ? Arena.ofConfined() : null;
        Arena b = wanted[1] ? Arena.ofConfined() : null;
        Arena c = wanted[2] ? Arena.ofConfined() : null;
        Arena d = wanted[3] ? Arena.ofConfined() : null;
        Arena e = wanted[4] ? Arena.ofConfined() : null;
        Arena f = wanted[5] ? Arena.ofConfined() : null;
        a.allocate(1);
        f.allocate(6);
        f.close();
        e.close();
        d.close();
        c.close();
        b.close();
        a.close();
    }
}
