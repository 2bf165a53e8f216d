/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.program;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Opens arenas of each kind; {@code RecorderTest} has them counted by hand. Each kind has a method of its own. */
public final class Counted {

    private static final List<Arena> KEPT = new ArrayList<>();

    private Counted() {}

    public static void main(String[] args) throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            empty();
        }
        for (int i = 0; i < 5; i++) {
            small();
        }
        several();
        several();
        nested();
        closeElsewhere(openElsewhere());
        string();
        throwingCleanup();
        refusedCloses();
        refusedAllocation();
        otherKinds();
        lambda();
        for (int i = 0; i < 2; i++) {
            unclosed();
        }
        Thread.ofVirtual().start(() -> {
            for (int i = 0; i < 4; i++) {
                virtual();
            }
        }).join();
        Runtime.getRuntime().addShutdownHook(new Thread(Counted::atExit));
        System.out.println("done");
    }

    private static void empty() {
        try (Arena arena = Arena.ofConfined()) {
            use(arena.scope());
        }
    }

    private static void small() {
        System.out.println("line " + line()); try (Arena arena = Arena.ofConfined()) {
            use(arena.allocate(5, 1));
        }
    }

    private static int line() {
        return new Throwable().getStackTrace()[1].getLineNumber();
    }

    private static void several() {
        try (Arena arena = Arena.ofConfined()) {
            use(arena.allocate(5, 1));
            use(arena.allocate(100, 16));
            use(arena.allocate(0, 1));
        }
    }

    private static void nested() {
        try (Arena outer = Arena.ofConfined();
             Arena between = Arena.ofConfined()) {
            use(between.scope());
            use(outer.allocate(8, 8));
            inner();
        }
    }

    private static void inner() {
        try (Arena arena = Arena.ofConfined()) {
            use(arena.allocate(16, 8));
            innermost();
        }
    }

    private static void innermost() {
        try (Arena arena = Arena.ofConfined()) {
            use(arena.allocate(24, 8));
        }
    }

    private static Arena openElsewhere() {
        Arena arena = Arena.ofConfined();
        use(arena.allocate(70_000, 4096));
        return arena;
    }

    private static void closeElsewhere(Arena arena) {
        arena.close();
    }

    private static void string() {
        try (Arena arena = Arena.ofConfined()) {
            use(arena.allocateFrom("abc"));
        }
    }

    @SuppressWarnings("restricted")
    private static void throwingCleanup() {
        Arena arena = Arena.ofConfined();
        use(arena.allocate(11, 1));
        MemorySegment.ofAddress(64).reinterpret(8, arena, _ -> {
            throw new IllegalStateException("cleanup");
        });
        expect("cleanup", arena::close);
    }

    /** A close that is refused does not count, nor does a second one. */
    private static void refusedCloses() throws InterruptedException {
        Arena arena = Arena.ofConfined();
        use(arena.allocate(12, 1));
        Thread other = new Thread(() -> expect("Attempted access outside owning thread", arena::close));
        other.start();
        other.join();
        arena.close();
        expect("Already closed", arena::close);
    }

    private static void refusedAllocation() {
        try (Arena arena = Arena.ofConfined()) {
            expect("The provided allocation size is negative: -1", () -> arena.allocate(-1, 1));
        }
    }

    private static void otherKinds() {
        try (Arena arena = Arena.ofShared()) {
            use(arena.allocate(13, 1));
        }
        use(Arena.ofAuto().allocate(14, 1));
        use(Arena.global().allocate(15, 1));
    }

    private static void lambda() {
        Runnable runnable = () -> {
            try (Arena arena = Arena.ofConfined()) {
                use(arena.allocate(17, 1));
            }
        };
        runnable.run();
    }

    private static void unclosed() {
        Arena arena = Arena.ofConfined();
        use(arena.allocate(32, 1));
        KEPT.add(arena);
    }

    private static void virtual() {
        try (Arena arena = Arena.ofConfined()) {
            use(arena.allocate(6, 1));
            Thread.yield();
        }
    }

    private static void atExit() {
        try (Arena arena = Arena.ofConfined()) {
            use(arena.allocate(7, 1));
        }
    }

    private static void use(Object object) {
        if (object == null) {
            throw new AssertionError();
        }
    }

    private static void expect(String message, Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            if (message.equals(e.getMessage())) {
                return;
            }
            System.out.println(e);
        }
        System.out.println("expected: " + message);
    }
}
