/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.program;

import com.google.common.io.Closer;
import kotlin.jdk7.AutoCloseableKt;
import scala.util.Using;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.function.Supplier;

/** Opens and closes arenas in all the ways there are to call a method. Each way has a method and a size of its own. */
public final class Sites {

    private Sites() {}

    public static void main(String[] args) throws Throwable {
        for (int i = 0; i < 2; i++) {
            reflection();
            handle();
            reference(Arena::ofConfined);
            closeable();
            sameName();
            kotlin();
            scala();
            scalaLazily();
            guava();
            large();
        }
        Runnable hidden = (Runnable) MethodHandles.lookup().defineHiddenClass(bytes(Hidden.class), true).lookupClass()
                .getDeclaredConstructor().newInstance();
        hidden.run();
        hidden.run();
        // Nothing but what the JDK has is found by this one.
        Class<?> isolated = new ClassLoader(ClassLoader.getPlatformClassLoader()) {
            Class<?> define(byte[] bytes) {
                return defineClass(null, bytes, 0, bytes.length);
            }
        }.define(bytes(Isolated.class));
        ((Runnable) isolated.getDeclaredConstructor().newInstance()).run();
        System.out.println("done");
    }

    /** Opens arenas in code, when it has read a byte again, and after another one by reflection. */
    public static final class Thousand {

        public static final int COUNT = 1000;

        public static void main(String[] args) throws Exception {
            for (int round = 1; round <= 2; round++) {
                for (int i = 0; i < COUNT; i++) {
                    direct();
                }
                System.out.println("direct");
                System.in.read();
            }
            for (int i = 0; i < COUNT; i++) {
                reflection();
            }
            System.out.println("reflection");
            System.in.read();
        }
    }

    /** Opens very many by reflection, and a third as many directly. */
    public static final class Often {

        public static final int COUNT = 60_000;

        public static void main(String[] args) throws ReflectiveOperationException {
            for (int i = 0; i < COUNT; i++) {
                reflection();
                if (i % 3 == 0) {
                    direct();
                }
            }
        }
    }

    private static void direct() {
        try (Arena arena = Arena.ofConfined()) {
            arena.allocate(1);
        }
    }

    private static final Method OF_CONFINED;

    /** What scalac passes along; javac does not find it. */
    private static final Using.Releasable<Arena> RELEASABLE;

    static {
        try {
            OF_CONFINED = Arena.class.getMethod("ofConfined");
            @SuppressWarnings("unchecked")
            Using.Releasable<Arena> releasable = (Using.Releasable<Arena>) Class.forName(
                    "scala.util.Using$Releasable$AutoCloseableIsReleasable$").getField("MODULE$").get(null);
            RELEASABLE = releasable;
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static void reflection() throws ReflectiveOperationException {
        try (Arena arena = (Arena) OF_CONFINED.invoke(null)) {
            arena.allocate(2);
        }
    }

    private static void handle() throws Throwable {
        MethodHandle handle = MethodHandles.lookup().findStatic(Arena.class, "ofConfined", MethodType.methodType(Arena.class));
        try (Arena arena = (Arena) handle.invokeExact()) {
            arena.allocate(3);
        }
    }

    private static void reference(Supplier<Arena> supplier) {
        try (Arena arena = supplier.get()) {
            arena.allocate(4);
        }
    }

    private static void closeable() throws Exception {
        Arena arena = Arena.ofConfined();
        try (AutoCloseable _ = arena) {
            arena.allocate(5);
        }
    }

    /** Opened here, and closed in the method of the same name of another class. */
    private static void sameName() {
        Arena arena = Arena.ofConfined();
        arena.allocate(6);
        Other.sameName(arena);
    }

    private static final class Other {

        private static void sameName(Arena arena) {
            arena.close();
        }
    }

    /** What kotlinc makes of {@code use}. */
    private static void kotlin() {
        Arena arena = Arena.ofConfined();
        arena.allocate(7);
        AutoCloseableKt.closeFinally(arena, null);
    }

    private static void scala() {
        Using.resource(Arena.ofConfined(), arena -> arena.allocate(8), RELEASABLE);
    }

    private static void scalaLazily() {
        Using.apply(() -> Arena.ofConfined(), arena -> arena.allocate(9), RELEASABLE);
    }

    private static void guava() throws IOException {
        try (Closer closer = Closer.create()) {
            Arena arena = Arena.ofConfined();
            closer.register(arena::close);
            arena.allocate(10);
        }
    }

    /** A method that is replaced by one that leaves no room for more instructions. */
    private static void large() throws ReflectiveOperationException {
        byte[] bytes = ClassFile.of().build(ClassDesc.of("pooledarena.program.Large"), type -> type
                .withMethodBody("large", MethodTypeDesc.ofDescriptor("()Ljava/lang/foreign/Arena;"),
                        ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC, code -> {
                            for (int i = 0; i < 65_535 - 4; i++) {
                                code.nop();
                            }
                            code.invokestatic(ClassDesc.of("java.lang.foreign.Arena"), "ofConfined",
                                    MethodTypeDesc.ofDescriptor("()Ljava/lang/foreign/Arena;"), true);
                            code.areturn();
                        }));
        Class<?> large = new ClassLoader() {
            Class<?> define() {
                return defineClass(null, bytes, 0, bytes.length);
            }
        }.define();
        try (Arena arena = (Arena) large.getMethod("large").invoke(null)) {
            arena.allocate(11);
        }
    }

    /** Defined as a hidden class, which is not instrumented. */
    public static final class Hidden implements Runnable {

        public Hidden() {}

        @Override
        public void run() {
            try (Arena arena = Arena.ofConfined()) {
                arena.allocate(12);
            }
        }
    }

    /** Defined by a class loader that has only the JDK's. */
    public static final class Isolated implements Runnable {

        public Isolated() {}

        @Override
        public void run() {
            try (Arena arena = Arena.ofConfined()) {
                arena.allocate(13);
            }
        }
    }

    private static byte[] bytes(Class<?> type) throws IOException {
        try (InputStream stream = type.getResourceAsStream("/" + type.getName().replace('.', '/') + ".class")) {
            return stream.readAllBytes();
        }
    }
}
