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
package pooledarena.recorder;

import pooledarena.recorder.hook.ArenaHook;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.FieldModel;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.reflect.AccessFlag;
import java.security.ProtectionDomain;

/**
 * Makes the JDK's arenas call the {@link ArenaHook}. Woven is {@code jdk.internal.foreign.ArenaImpl}, which is every arena there
 * is, or where that is not final, as in JDK 28, the class of confined arenas {@code ArenaImpl.OfConfined}: at the end of the
 * constructor, when an allocation has been made, and when the arena has been closed, be it that a cleanup action has thrown.
 * Only arenas that have an owner call, which are the confined ones. All calls are such that what is thrown ends there.
 * <p>
 * A JDK where arenas are made in another way is left as it is.
 */
final class Weaver implements ClassFileTransformer {

    /** The arena classes do not look as expected; the message says in what. */
    static final class LooksDifferent extends Exception {

        private static final long serialVersionUID = 1;

        LooksDifferent(String difference) {
            super(difference);
        }
    }

    private static final String API = "java/lang/foreign/Arena";
    private static final String ARENA = "jdk/internal/foreign/ArenaImpl";
    private static final String SESSION = "jdk/internal/foreign/MemorySessionImpl";
    private static final String CONFINED_ARENA = ARENA + "$OfConfined";
    private static final String CONFINED_SESSION = "jdk/internal/foreign/ConfinedSession";

    private static final ClassDesc CD_ARENA = ClassDesc.ofInternalName(ARENA);
    private static final ClassDesc CD_SESSION = ClassDesc.ofInternalName(SESSION);
    private static final ClassDesc CD_THREAD = ClassDesc.of("java.lang.Thread");
    private static final ClassDesc CD_HOOK = ClassDesc.of(ArenaHook.class.getName());

    private static final String ALLOCATE = "(JJ)";

    private final ClassModel api;
    private final ClassModel session;
    private final ClassModel base;
    private final String arenaName;
    /** The class whose {@code asArena} makes a confined arena, and passes itself. */
    private final ClassModel maker;
    private boolean woven;
    private LooksDifferent difference;

    private Weaver() throws LooksDifferent {
        api = read(API);
        session = read(SESSION);
        base = read(ARENA);
        if (base.flags().has(AccessFlag.FINAL)) {
            arenaName = ARENA;
            maker = session;
        } else {
            arenaName = read(CONFINED_ARENA).thisClass().asInternalName();
            maker = read(CONFINED_SESSION);
        }
    }

    /**
     * Weaves the arenas of this JVM.
     *
     * @throws LooksDifferent if that cannot be done; nothing is changed then
     */
    static void weave(Instrumentation instrumentation) throws LooksDifferent {
        Weaver weaver = new Weaver();
        instrumentation.addTransformer(weaver, true);
        try {
            // Not initialised: that is up to the program.
            instrumentation.retransformClasses(Class.forName(weaver.arenaName.replace('/', '.'), false, null));
        } catch (ClassNotFoundException | UnmodifiableClassException | RuntimeException | LinkageError | InternalError e) {
            weaver.woven = false;
            weaver.difference = new LooksDifferent(e.toString());
        } finally {
            // Or the JVM would call it for each class that is loaded, and complain when the stack overflows there.
            instrumentation.removeTransformer(weaver);
        }
        if (!weaver.woven) {
            throw weaver.difference != null ? weaver.difference : new LooksDifferent("the JVM does not give the arena class");
        }
    }

    @Override
    public byte[] transform(Module module, ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain,
                            byte[] bytes) {
        if (loader != null || !arenaName.equals(name)) {
            return null;
        }
        try {
            check(ClassFile.of().parse(bytes));
            byte[] arena = woven(bytes);
            woven = true;
            return arena;
        } catch (LooksDifferent e) {
            difference = e;
        } catch (Throwable t) {
            difference = new LooksDifferent(t.toString());
        }
        return null;
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

    private void check(ClassModel arena) throws LooksDifferent {
        String name = arenaName.substring(arenaName.lastIndexOf('/') + 1);
        require(arena.flags().has(AccessFlag.FINAL), name + " is not final");
        require(hasField(base, "session", CD_SESSION), "ArenaImpl has no field session");
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
        require(hasField(session, "owner", CD_THREAD), "MemorySessionImpl has no owner");
        require(hasIsAlive(session), "MemorySessionImpl has no isAlive");
        require(uses(api, "ofConfined", SESSION, "asArena"), "Arena.ofConfined does not call MemorySessionImpl.asArena");
        require(uses(maker, "asArena", arenaName, ConstantDescs.INIT_NAME), "asArena does not create an " + name);
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

    private boolean isConstructor(MethodModel method) {
        return method.methodName().equalsString(ConstantDescs.INIT_NAME)
                && method.methodType().equalsString("(L" + maker.thisClass().asInternalName() + ";)V");
    }

    private static boolean isClose(MethodModel method) {
        return method.methodName().equalsString("close") && method.methodType().equalsString("()V");
    }

    /** {@return whether it is one of the two that allocate; the compiler's bridges call these} */
    private static boolean isAllocate(MethodModel method) {
        return (method.methodName().equalsString("allocate") || method.methodName().equalsString("allocateNoInit"))
                && method.methodType().stringValue().startsWith(ALLOCATE) && !method.flags().has(AccessFlag.SYNTHETIC)
                && !method.flags().has(AccessFlag.STATIC) && method.methodTypeSymbol().returnType().isClassOrInterface();
    }

    /** {@return the class of arenas with calls to the recorder} */
    private byte[] woven(byte[] arena) {
        ClassFile classFile = ClassFile.of();
        return classFile.transformClass(classFile.parse(arena), new ClassTransform() {
            @Override
            public void accept(ClassBuilder builder, ClassElement element) {
                HookCall call = element instanceof MethodModel method ? hookCall(method) : null;
                if (call == null) {
                    builder.with(element);
                } else {
                    builder.transformMethod((MethodModel) element, MethodTransform.transformingCode(call));
                }
            }
        });
    }

    /** {@return what puts the call into the method, or null if none belongs there} */
    private HookCall hookCall(MethodModel method) {
        return isConstructor(method) ? new Opened() : isAllocate(method) ? new Allocated() : isClose(method) ? new Closed() : null;
    }

    // No lambdas, of which each would have to be linked before the program starts.

    /** Puts a call before each return of a method. What the recorder throws is counted and ends there. */
    private abstract static class HookCall implements CodeTransform {

        @Override
        public void accept(CodeBuilder code, CodeElement element) {
            if (element instanceof ReturnInstruction) {
                beforeReturn(code);
            }
            code.with(element);
        }

        void beforeReturn(CodeBuilder code) {
            call(code);
        }

        /** Calls the recorder if the arena has an owner. */
        final void call(CodeBuilder code) {
            Label start = code.newBoundLabel();
            Label handler = code.newLabel();
            Label after = code.newLabel();
            owner(code);
            code.ifnull(after);
            condition(code, after);
            code.getstatic(CD_HOOK, "target", CD_HOOK);
            code.aload(code.receiverSlot());
            invoke(code);
            code.goto_(after);
            code.exceptionCatchAll(start, handler, handler);
            code.labelBinding(handler);
            code.pop();
            code.getstatic(CD_HOOK, "failures", ConstantDescs.CD_int).iconst_1().iadd()
                    .putstatic(CD_HOOK, "failures", ConstantDescs.CD_int);
            code.labelBinding(after);
        }

        /** Goes to {@code otherwise} where the recorder is not to be called. */
        void condition(CodeBuilder code, Label otherwise) {}

        /** Calls the method of the recorder, which has been loaded together with the arena. */
        abstract void invoke(CodeBuilder code);

        static void owner(CodeBuilder code) {
            code.aload(code.receiverSlot()).getfield(CD_ARENA, "session", CD_SESSION).getfield(CD_SESSION, "owner", CD_THREAD);
        }
    }

    /** In the constructor. */
    private static final class Opened extends HookCall {

        @Override
        void invoke(CodeBuilder code) {
            owner(code);
            code.invokevirtual(CD_HOOK, "opened",
                    MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_Object, CD_THREAD));
        }
    }

    /** In the methods that allocate. The parameters are kept apart, in case that the method changes them. */
    private static final class Allocated extends HookCall {

        private int size;
        private int alignment;

        @Override
        public void atStart(CodeBuilder code) {
            size = code.allocateLocal(TypeKind.LONG);
            alignment = code.allocateLocal(TypeKind.LONG);
            code.lload(code.parameterSlot(0)).lstore(size);
            code.lload(code.parameterSlot(1)).lstore(alignment);
        }

        @Override
        void beforeReturn(CodeBuilder code) {
            int segment = code.allocateLocal(TypeKind.REFERENCE);
            code.astore(segment);
            call(code);
            code.aload(segment);
        }

        @Override
        void invoke(CodeBuilder code) {
            code.lload(size).lload(alignment).invokevirtual(CD_HOOK, "allocated", MethodTypeDesc.of(ConstantDescs.CD_void,
                    ConstantDescs.CD_Object, ConstantDescs.CD_long, ConstantDescs.CD_long));
        }
    }

    /** In close, which may throw when it has closed, and when it has not. */
    private static final class Closed extends HookCall {

        private Label start;

        @Override
        public void atStart(CodeBuilder code) {
            start = code.newBoundLabel();
        }

        @Override
        public void atEnd(CodeBuilder code) {
            Label end = code.newBoundLabel();
            int thrown = code.allocateLocal(TypeKind.REFERENCE);
            code.exceptionCatchAll(start, end, end);
            code.astore(thrown);
            call(code);
            code.aload(thrown);
            code.athrow();
        }

        @Override
        void condition(CodeBuilder code, Label otherwise) {
            code.aload(code.receiverSlot()).getfield(CD_ARENA, "session", CD_SESSION)
                    .invokevirtual(CD_SESSION, "isAlive", MethodTypeDesc.of(ConstantDescs.CD_boolean))
                    .ifne(otherwise);
        }

        @Override
        void invoke(CodeBuilder code) {
            code.invokevirtual(CD_HOOK, "closed", MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_Object));
        }
    }
}
