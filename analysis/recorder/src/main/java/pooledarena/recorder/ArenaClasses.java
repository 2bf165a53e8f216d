/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.reflect.AccessFlag;

/**
 * The JDK's classes of confined arenas, and whether they look as the recorder expects. Every arena is an {@code ArenaImpl}; where
 * that is not final, as in JDK 28, a confined one is an {@code ArenaImpl.OfConfined}.
 */
final class ArenaClasses {

    /** The arena classes do not look as expected; the message says in what. */
    static final class LooksDifferent extends Exception {

        private static final long serialVersionUID = 1;

        LooksDifferent(String difference) {
            super(difference);
        }
    }

    static final String API = "java/lang/foreign/Arena";
    static final String SESSION = "jdk/internal/foreign/MemorySessionImpl";
    static final String BASE = "jdk/internal/foreign/ArenaImpl";
    private static final String CONFINED_ARENA = BASE + "$OfConfined";
    private static final String CONFINED_SESSION = "jdk/internal/foreign/ConfinedSession";

    private final ClassModel session = read(SESSION);
    private final ClassModel base = read(BASE);
    private final String confined;
    /** The class whose {@code asArena} makes a confined arena, and passes itself. */
    private final ClassModel maker;

    ArenaClasses() throws LooksDifferent {
        if (base.flags().has(AccessFlag.FINAL)) {
            confined = BASE;
            maker = session;
        } else {
            confined = read(CONFINED_ARENA).thisClass().asInternalName();
            maker = read(CONFINED_SESSION);
        }
    }

    /** {@return whether confined arenas are of that class, in this or another JDK} */
    static boolean isArena(String name) {
        return name.equals(BASE) || name.equals(CONFINED_ARENA);
    }

    /** {@return whether that class takes part in opening and closing an arena} */
    static boolean isPartOfArena(String name) {
        return isArena(name) || name.equals(API) || name.equals(SESSION) || name.equals(CONFINED_SESSION);
    }

    /** {@return the name of the class of confined arenas} */
    String confined() {
        return confined;
    }

    private static ClassModel read(String name) throws LooksDifferent {
        try (InputStream stream = Object.class.getModule().getResourceAsStream(name + ".class")) {
            if (stream != null) {
                return ClassFile.of().parse(stream.readAllBytes());
            }
            throw new LooksDifferent("there is no class " + name.replace('/', '.'));
        } catch (IOException | RuntimeException e) {
            throw new LooksDifferent(name.replace('/', '.') + " cannot be read: " + e);
        }
    }

    /** @param arena the class of confined arenas */
    void check(ClassModel arena) throws LooksDifferent {
        String name = confined.substring(confined.lastIndexOf('/') + 1);
        require(arena.flags().has(AccessFlag.FINAL), name + " is not final");
        require(hasField(base, "session", ClassDesc.ofInternalName(SESSION)), "ArenaImpl has no field session");
        int constructors = 0;
        int expected = 0;
        int closes = 0;
        int allocates = 0;
        for (MethodModel method : arena.methods()) {
            constructors += method.methodName().equalsString(ConstantDescs.INIT_NAME) ? 1 : 0;
            expected += isConstructor(method) ? 1 : 0;
            closes += isClose(method) ? 1 : 0;
            allocates += isAllocate(method) ? 1 : 0;
        }
        require(constructors == 1 && expected == 1, name + " has other constructors");
        require(closes == 1, name + " has no close");
        require(allocates == 2, name + " has other ways to allocate");
        require(hasField(session, "owner", ClassDesc.of("java.lang.Thread")), "MemorySessionImpl has no owner");
        require(hasIsAlive(session), "MemorySessionImpl has no isAlive");
        require(uses(read(API), "ofConfined", SESSION, "asArena"), "Arena.ofConfined does not call MemorySessionImpl.asArena");
        require(uses(maker, "asArena", confined, ConstantDescs.INIT_NAME), "asArena does not create an " + name);
    }

    private static boolean hasField(ClassModel model, String name, ClassDesc type) {
        for (FieldModel field : model.fields()) {
            if (field.fieldName().equalsString(name) && field.fieldTypeSymbol().equals(type)) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasIsAlive(ClassModel model) {
        for (MethodModel method : model.methods()) {
            if (method.methodName().equalsString("isAlive") && method.methodType().equalsString("()Z")) {
                return true;
            }
        }
        return false;
    }

    /** {@return whether a method of that name calls the method {@code calledName} of {@code owner}} */
    private static boolean uses(ClassModel model, String name, String owner, String calledName) {
        for (MethodModel method : model.methods()) {
            if (method.methodName().equalsString(name) && method.code().isPresent()) {
                for (CodeElement element : method.code().get()) {
                    if (element instanceof InvokeInstruction call && call.owner().name().equalsString(owner)
                            && call.name().equalsString(calledName)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private static void require(boolean condition, String difference) throws LooksDifferent {
        if (!condition) {
            throw new LooksDifferent(difference);
        }
    }

    boolean isConstructor(MethodModel method) {
        return method.methodName().equalsString(ConstantDescs.INIT_NAME)
                && method.methodType().equalsString("(L" + maker.thisClass().asInternalName() + ";)V");
    }

    static boolean isClose(MethodModel method) {
        return method.methodName().equalsString("close") && method.methodType().equalsString("()V");
    }

    /** {@return whether it is one of the two that allocate; the compiler's bridges call these} */
    static boolean isAllocate(MethodModel method) {
        return (method.methodName().equalsString("allocate") || method.methodName().equalsString("allocateNoInit"))
                && method.methodType().stringValue().startsWith("(JJ)") && !method.flags().has(AccessFlag.SYNTHETIC)
                && !method.flags().has(AccessFlag.STATIC) && method.methodTypeSymbol().returnType().isClassOrInterface();
    }
}
