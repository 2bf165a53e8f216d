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
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.reflect.AccessFlag;
import java.security.ProtectionDomain;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Makes the JDK's arenas call the {@link ArenaHook}. Woven is {@code jdk.internal.foreign.ArenaImpl}, which is every arena there
 * is: at the end of its constructor, when an allocation has been made, and when it has been closed, be it that a cleanup
 * action has thrown. Only arenas that have an owner call, which are the confined ones. All calls are such that what is thrown
 * ends there.
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

    private static final ClassDesc CD_ARENA = ClassDesc.ofInternalName(ARENA);
    private static final ClassDesc CD_SESSION = ClassDesc.ofInternalName(SESSION);
    private static final ClassDesc CD_THREAD = ClassDesc.of("java.lang.Thread");
    private static final ClassDesc CD_HOOK = ClassDesc.of(ArenaHook.class.getName());

    private static final String CONSTRUCTOR = "(L" + SESSION + ";)V";
    private static final String ALLOCATE = "(JJ)";

    private final ClassModel api;
    private final ClassModel session;
    private boolean woven;
    private LooksDifferent difference;

    private Weaver() throws LooksDifferent {
        api = read(API);
        session = read(SESSION);
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
            instrumentation.retransformClasses(Class.forName(ARENA.replace('/', '.'), false, null));
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
        if (loader != null || !ARENA.equals(name)) {
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
        require(arena.flags().has(AccessFlag.FINAL), "ArenaImpl is not final");
        require(arena.fields().stream().anyMatch(field -> field.fieldName().equalsString("session")
                && field.fieldTypeSymbol().equals(CD_SESSION)), "ArenaImpl has no field session");
        require(arena.methods().stream().filter(m -> m.methodName().equalsString(ConstantDescs.INIT_NAME)).count() == 1
                && arena.methods().stream().anyMatch(Weaver::isConstructor), "ArenaImpl has other constructors");
        require(arena.methods().stream().filter(Weaver::isClose).count() == 1, "ArenaImpl has no close");
        require(arena.methods().stream().filter(Weaver::isAllocate).count() == 2, "ArenaImpl has other ways to allocate");
        require(session.fields().stream().anyMatch(field -> field.fieldName().equalsString("owner")
                && field.fieldTypeSymbol().equals(CD_THREAD)), "MemorySessionImpl has no owner");
        require(session.methods().stream().anyMatch(method -> method.methodName().equalsString("isAlive")
                && method.methodType().equalsString("()Z")), "MemorySessionImpl has no isAlive");
        require(has(api, "ofConfined", element -> element instanceof InvokeInstruction call
                && call.owner().name().equalsString(SESSION) && call.name().equalsString("asArena")),
                "Arena.ofConfined does not call MemorySessionImpl.asArena");
        require(has(session, "asArena", element -> element instanceof NewObjectInstruction creation
                && creation.className().name().equalsString(ARENA)), "MemorySessionImpl.asArena does not create an ArenaImpl");
    }

    private static boolean has(ClassModel model, String method, Predicate<CodeElement> element) {
        return model.methods().stream().filter(m -> m.methodName().equalsString(method))
                .anyMatch(m -> m.code().isPresent() && m.code().get().elementStream().anyMatch(element));
    }

    private static void require(boolean condition, String difference) throws LooksDifferent {
        if (!condition) {
            throw new LooksDifferent(difference);
        }
    }

    private static boolean isConstructor(MethodModel method) {
        return method.methodName().equalsString(ConstantDescs.INIT_NAME) && method.methodType().equalsString(CONSTRUCTOR);
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

    /** {@return the class ArenaImpl with calls to the recorder} */
    static byte[] woven(byte[] arena) {
        ClassFile classFile = ClassFile.of();
        return classFile.transformClass(classFile.parse(arena), (builder, element) -> {
            CodeTransform transform = element instanceof MethodModel method ? transform(method) : null;
            if (transform == null) {
                builder.with(element);
            } else {
                builder.transformMethod((MethodModel) element, MethodTransform.transformingCode(transform));
            }
        });
    }

    /** {@return what puts the call into the method, or null if none belongs there} */
    private static CodeTransform transform(MethodModel method) {
        return isConstructor(method) ? new Opened() : isAllocate(method) ? new Allocated() : isClose(method) ? new Closed() : null;
    }

    /** In the constructor. */
    private static final class Opened implements CodeTransform {

        @Override
        public void accept(CodeBuilder code, CodeElement element) {
            if (element instanceof ReturnInstruction) {
                call(code, "opened", MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_Object, CD_THREAD),
                        false, arguments -> owner(arguments));
            }
            code.with(element);
        }
    }

    /** In the methods that allocate. The parameters are kept apart, in case that the method changes them. */
    private static final class Allocated implements CodeTransform {

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
        public void accept(CodeBuilder code, CodeElement element) {
            if (element instanceof ReturnInstruction) {
                int segment = code.allocateLocal(TypeKind.REFERENCE);
                code.astore(segment);
                call(code, "allocated", MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_Object,
                        ConstantDescs.CD_long, ConstantDescs.CD_long), false,
                        arguments -> arguments.lload(size).lload(alignment));
                code.aload(segment);
            }
            code.with(element);
        }
    }

    /** In close, which may throw when it has closed, and when it has not. */
    private static final class Closed implements CodeTransform {

        private Label start;

        @Override
        public void atStart(CodeBuilder code) {
            start = code.newBoundLabel();
        }

        @Override
        public void accept(CodeBuilder code, CodeElement element) {
            if (element instanceof ReturnInstruction) {
                closed(code);
            }
            code.with(element);
        }

        @Override
        public void atEnd(CodeBuilder code) {
            Label end = code.newBoundLabel();
            int thrown = code.allocateLocal(TypeKind.REFERENCE);
            code.exceptionCatchAll(start, end, end);
            code.astore(thrown);
            closed(code);
            code.aload(thrown);
            code.athrow();
        }

        private static void closed(CodeBuilder code) {
            call(code, "closed", MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_Object), true, _ -> { });
        }
    }

    /**
     * Calls the recorder if the arena has an owner, and counts a failure if that throws.
     *
     * @param onlyClosed whether to call only if the arena is closed
     * @param arguments  loads what follows the arena
     */
    private static void call(CodeBuilder code, String method, MethodTypeDesc type, boolean onlyClosed,
                             Consumer<CodeBuilder> arguments) {
        Label start = code.newBoundLabel();
        Label handler = code.newLabel();
        Label after = code.newLabel();
        owner(code);
        code.ifnull(after);
        if (onlyClosed) {
            code.aload(code.receiverSlot()).getfield(CD_ARENA, "session", CD_SESSION)
                    .invokevirtual(CD_SESSION, "isAlive", MethodTypeDesc.of(ConstantDescs.CD_boolean))
                    .ifne(after);
        }
        code.getstatic(CD_HOOK, "target", CD_HOOK);
        code.aload(code.receiverSlot());
        arguments.accept(code);
        code.invokevirtual(CD_HOOK, method, type);
        code.goto_(after);
        code.exceptionCatchAll(start, handler, handler);
        code.labelBinding(handler);
        code.pop();
        code.getstatic(CD_HOOK, "failures", ConstantDescs.CD_int).iconst_1().iadd()
                .putstatic(CD_HOOK, "failures", ConstantDescs.CD_int);
        code.labelBinding(after);
    }

    private static void owner(CodeBuilder code) {
        code.aload(code.receiverSlot()).getfield(CD_ARENA, "session", CD_SESSION).getfield(CD_SESSION, "owner", CD_THREAD);
    }
}
