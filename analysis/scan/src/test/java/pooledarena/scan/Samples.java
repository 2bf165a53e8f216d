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
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;
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

    /** What it calls is not what {@link Hides} has, which looks like it. */
    static class Hidden {
        Hidden(Arena arena) {
            arena.allocate(1);
        }

        MemorySegment makeAll(Arena arena) {
            return make(arena);
        }

        private MemorySegment make(Arena arena) {
            return arena.allocate(2);
        }

        MemorySegment ofOtherArguments(Arena arena) {
            return arena.allocate(3);
        }

        MemorySegment overriddenFarBelow(Arena arena) {
            return arena.allocate(4);
        }
    }

    static class Hides extends Hidden {
        Hides(Arena arena) {
            super(arena);
        }

        MemorySegment make(Arena arena) {
            return arena.allocate(5);
        }

        MemorySegment ofOtherArguments(Arena arena, int n) {
            return arena.allocate(n);
        }
    }

    static class FarBelow extends Hides implements Maker {
        FarBelow(Arena arena) {
            super(arena);
        }

        @Override
        MemorySegment overriddenFarBelow(Arena arena) {
            return arena.allocate(6);
        }
    }

    interface Maker {
        default MemorySegment makeByDefault(Arena arena) {
            return arena.allocate(7);
        }
    }

    /** Classes that the caller may have from another library, where others may have made subclasses of them. */
    static final class MakerOfAFinalClass {
        MemorySegment make(Arena arena) {
            return arena.allocate(1);
        }
    }

    static class MakerOfAFinalMethod {
        final MemorySegment makeFinally(Arena arena) {
            return arena.allocate(2);
        }

        MemorySegment make(Arena arena) {
            return arena.allocate(3);
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

    private long count;
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

    static void noSuchSize() {
        try (Arena arena = Arena.ofConfined()) {
            arena.allocate(-1);
            arena.allocate(ValueLayout.JAVA_LONG, Long.MAX_VALUE);
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

    static void onlyIfNotGiven(Arena given) {
        Arena arena = null;
        if (given == null) {
            arena = Arena.ofConfined();
        }
        if (given == null) {
            arena.close();
        }
    }

    static void besideAnother() {
        Arena arena = Arena.ofConfined();
        Arena another = Arena.ofConfined();
        if (another != null) {
            arena.close();
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

    static void inDenseSwitch(int kind) {
        try (Arena arena = Arena.ofConfined()) {
            switch (kind) {
                case 1 -> arena.allocate(1);
                case 2 -> arena.allocate(2);
                case 3 -> arena.allocate(3);
                default -> arena.allocate(4);
            }
        }
    }

    static void allocatesWhile(BooleanSupplier more) {
        try (Arena arena = Arena.ofConfined()) {
            while (more.getAsBoolean()) {
                arena.allocate(8);
            }
        }
    }

    static Object scope() {
        try (Arena arena = Arena.ofConfined()) {
            return arena.scope();
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

    static void calculated(int n) {
        try (Arena arena = Arena.ofConfined()) {
            int sum;
            int five = 5;
            int minus = -1;
            int six = five - minus;
            sum = five + minus;
            arena.allocate(sum);
            arena.allocate(five);
            arena.allocate(six);
            arena.allocate(five * six);
            arena.allocate(six & five);
            arena.allocate(n + five);
            arena.allocate(n & five);
            arena.allocateFrom(ValueLayout.JAVA_BYTE, new byte[(int) POINT.byteSize()]);
        }
    }

    static void layoutsMadeOfOthers(String name, int n) {
        try (Arena arena = Arena.ofConfined()) {
            arena.allocate(POINT.withName(name));
            arena.allocate(POINTS.reshape(n));
            arena.allocate(ValueLayout.JAVA_INT.equals(ValueLayout.JAVA_LONG) ? 4 : 8);
            arena.allocate(ValueLayout.JAVA_INT.equals(ValueLayout.JAVA_INT) ? 16 : 4);
        }
    }

    static void layoutsOfArrays(boolean flag) {
        try (Arena arena = Arena.ofConfined()) {
            MemoryLayout[] first = {ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT};
            MemoryLayout[] second = {ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT};
            second[1] = ValueLayout.JAVA_SHORT;
            arena.allocate(MemoryLayout.structLayout(first));
            arena.allocate(MemoryLayout.structLayout(second));
            MemoryLayout[] either = flag ? first : second;
            arena.allocate(MemoryLayout.structLayout(either));
            arena.allocate(either.length);
            change(first, arena);
            arena.allocate(MemoryLayout.structLayout(first));
            List<MemoryLayout> list = Arrays.asList(second);
            arena.allocate(MemoryLayout.structLayout(second));
        }
    }

    private static void change(MemoryLayout[] layouts, Arena arena) {
        layouts[0] = ValueLayout.JAVA_BYTE;
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

    static MemorySegment downcalls(MethodHandle handle, MemorySegment segment) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            handle.invokeExact(segment);
            return (MemorySegment) handle.invokeExact((SegmentAllocator) arena, segment, 1);
        }
    }

    static int passedToHandle(MethodHandle handle) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            return (int) handle.invokeExact((SegmentAllocator) arena, 1);
        }
    }

    static Object passedToHandleAsObject(MethodHandle handle) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            return handle.invokeExact((Object) arena);
        }
    }

    static void view() {
        try (Arena arena = Arena.ofConfined()) {
            SegmentAllocator allocator = arena::allocate;
            allocator.allocate(48);
        }
    }

    static void viewAsFunction() {
        try (Arena arena = Arena.ofConfined()) {
            LongFunction<MemorySegment> allocate = arena::allocate;
            allocate.apply(24);
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

    static void passedToHelperOfTwo() {
        try (Arena arena = Arena.ofConfined()) {
            two(arena);
        }
    }

    private static void two(Arena arena) {
        arena.allocate(8); arena.allocate(8); // on one line
    }

    static class Sized {
        static final long SIZE = 16;
    }

    static class SizedByProperty extends Sized {
        static final long SIZE = Long.getLong("size", 4096);
    }

    static void sizeThatHidesAnother() {
        try (Arena arena = Arena.ofConfined()) {
            arena.allocate(SizedByProperty.SIZE);
        }
    }

    static void allocatorThatAddsToIt() {
        try (Arena arena = Arena.ofConfined()) {
            SegmentAllocator more = (size, alignment) -> arena.allocate(size + 16, alignment);
            more.allocate(8);
        }
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

    static void passedToInherited(Hides hides, FarBelow farBelow) {
        try (Arena arena = Arena.ofConfined()) {
            new Hidden(arena);
            hides.makeAll(arena);
            farBelow.ofOtherArguments(arena);
            farBelow.makeByDefault(arena);
        }
    }

    static void passedToOverriddenFarBelow(Hidden hidden) {
        try (Arena arena = Arena.ofConfined()) {
            hidden.overriddenFarBelow(arena);
        }
    }

    static void passedToAFinalClass(MakerOfAFinalClass maker) {
        try (Arena arena = Arena.ofConfined()) {
            maker.make(arena);
        }
    }

    static void passedToAFinalMethod(MakerOfAFinalMethod maker) {
        try (Arena arena = Arena.ofConfined()) {
            maker.makeFinally(arena);
        }
    }

    static void passedToAConstructor() {
        try (Arena arena = Arena.ofConfined()) {
            new Hidden(arena);
        }
    }

    static void passedToAnOpenMethod(MakerOfAFinalMethod maker) {
        try (Arena arena = Arena.ofConfined()) {
            maker.make(arena);
        }
    }

    static void eightDeep() {
        try (Arena arena = Arena.ofConfined()) {
            two(arena, 8);
        }
    }

    static void nineDeep() {
        try (Arena arena = Arena.ofConfined()) {
            one(arena, 9);
        }
    }

    /** After the one above, which does not come to what this calls. */
    static void lastTwoOfNine() {
        try (Arena arena = Arena.ofConfined()) {
            eight(arena, 9);
        }
    }

    private static void one(Arena arena, long size) {
        two(arena, size);
    }

    private static void two(Arena arena, long size) {
        three(arena, size);
    }

    private static void three(Arena arena, long size) {
        four(arena, size);
    }

    private static void four(Arena arena, long size) {
        five(arena, size);
    }

    private static void five(Arena arena, long size) {
        six(arena, size);
    }

    private static void six(Arena arena, long size) {
        seven(arena, size);
    }

    private static void seven(Arena arena, long size) {
        eight(arena, size);
    }

    private static void eight(Arena arena, long size) {
        nine(arena, size);
    }

    private static void nine(Arena arena, long size) {
        arena.allocate(size);
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

    /** Gets an arena, and another to keep. */
    static class Late {
        private Arena held;

        Late(Arena arena) {
            arena.allocate(8);
        }

        static Late of(Arena arena) {
            return new Late(arena);
        }
    }

    static void storedInWhatAnotherMade() {
        try (Arena arena = Arena.ofConfined()) {
            Late late = Late.of(arena);
            late.held = arena;
            late.held.allocate(16);
        }
    }

    /** The object that keeps the arena is not the one that the same call site made last. */
    static void storedInTheObjectBefore(int n) {
        Arena arena = Arena.ofConfined();
        Late before = null;
        for (int i = 0; i < n; i++) {
            Late made = new Late(arena);
            if (before == null) {
                before = made;
                arena.close();
            } else {
                before.held = arena;
                made.held.allocate(16);
            }
        }
    }

    static void storedByHelper() {
        store(Arena.ofConfined());
    }

    private static void store(Arena arena) {
        shared = arena;
    }

    void closedIfStored(boolean wanted, int n) {
        Arena opened = Arena.ofConfined();
        if (wanted) {
            other = opened;
        } else {
            n = n * n + n * n + n * n; // longer, so that it is followed last
        }
        other.close();
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

    /** With more variables than are captured, one of them wide. */
    LongFunction<MemorySegment> capturedWithThis() {
        Arena arena = Arena.ofConfined();
        return n -> {
            count = n;
            long same;
            long size = same = n;
            return arena.allocate(size + same);
        };
    }

    static Supplier<Arena> reference() {
        return Arena::ofConfined;
    }

    static Supplier<Arena> lambda() {
        return () -> Arena.ofConfined();
    }

    // What may throw

    static void nothingThrows(int n) {
        Object made = new Object();
        Arena arena = Objects.requireNonNull(Arena.ofConfined());
        Object lock = Objects.requireNonNull(made);
        int m = n * n + n;
        arena.close();
    }

    static void mayBeNull(String text) {
        Arena arena = Arena.ofConfined();
        Objects.requireNonNull(text);
        arena.close();
    }

    static void calls(String text) {
        Arena arena = Arena.ofConfined();
        int length = text.length();
        arena.close();
    }

    static void throwsWhatItGets(boolean bad, RuntimeException e) {
        Arena arena = Arena.ofConfined();
        if (bad) {
            throw e;
        }
        arena.close();
    }

    static void loadsInt(int[] values) {
        Arena arena = Arena.ofConfined();
        int value = values[0];
        arena.close();
    }

    static void loadsShort(short[] values) {
        Arena arena = Arena.ofConfined();
        int value = values[0];
        arena.close();
    }

    static void storesInt(int[] values) {
        Arena arena = Arena.ofConfined();
        values[0] = 1;
        arena.close();
    }

    static void storesShort(short[] values) {
        Arena arena = Arena.ofConfined();
        values[0] = 1;
        arena.close();
    }

    // Closed by way of a variable that may have something else

    static void orNull(boolean same) {
        Arena arena = Arena.ofConfined();
        Arena closed = same ? arena : null;
        closed.close();
    }

    static void nullOr(boolean same) {
        Arena arena = Arena.ofConfined();
        Arena closed = same ? null : arena;
        closed.close();
    }

    static void orAnother(boolean same, Arena given) {
        Arena arena = Arena.ofConfined();
        Arena closed = same ? arena : given;
        closed.close();
    }

    static void orNullOrTheSame(int n) {
        Arena arena = Arena.ofConfined();
        Arena closed = n < 0 ? arena : n == 0 ? arena : null;
        closed.close();
    }

    static void nullOrTheSameOrTheSame(int n) {
        Arena arena = Arena.ofConfined();
        Arena closed = n == 0 ? null : arena;
        closed = n > 0 ? closed : arena;
        closed.close();
    }

    static void orTheSameOrAnother(int n, Arena given) {
        Arena arena = Arena.ofConfined();
        Arena closed = n == 0 ? given : arena;
        closed = n > 0 ? arena : closed;
        closed.close();
    }

    static void orAnotherOrTheSame(int n, Arena given) {
        Arena arena = Arena.ofConfined();
        Arena closed = n == 0 ? given : arena;
        closed = n > 0 ? closed : arena;
        closed.close();
    }

    static void orAnotherOrNull(int n, Arena given) {
        Arena arena = Arena.ofConfined();
        Arena closed = n == 0 ? given : arena;
        closed = n > 0 ? closed : null;
        closed.close();
    }

    static void nullOrAnother(int n, Arena given) {
        Arena arena = Arena.ofConfined();
        Arena closed = n == 0 ? given : arena;
        closed = n > 0 ? null : closed;
        closed.close();
    }

    /** The value that is tested is not always that of the variable which is loaded last. */
    static void eitherIsTested(boolean first, Object given) {
        Arena arena = Arena.ofConfined();
        if ((first ? given : arena) == null) {
            System.nanoTime();
        }
        arena.close();
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
