/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import pooledarena.recorder.hook.ArenaHook;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;

/**
 * Makes the JDK's arenas call the {@link ArenaHook}: at the end of the constructor, when an allocation has been made, and when
 * the arena has been closed, be it that a cleanup action has thrown. Only arenas that have an owner call, which are the confined
 * ones. All calls are such that what is thrown ends there.
 */
final class ArenaInstrumenter {

    static final ClassDesc CD_HOOK = ClassDesc.of(ArenaHook.class.getName());

    private static final ClassDesc CD_ARENA = ClassDesc.ofInternalName(ArenaClasses.BASE);
    private static final ClassDesc CD_SESSION = ClassDesc.ofInternalName(ArenaClasses.SESSION);
    private static final ClassDesc CD_THREAD = ClassDesc.of("java.lang.Thread");

    private final ArenaClasses classes;

    ArenaInstrumenter(ArenaClasses classes) {
        this.classes = classes;
    }

    /** {@return the class of arenas with calls to the recorder} */
    byte[] instrument(ClassModel arena) {
        return ClassFile.of().transformClass(arena, new ClassTransform() {
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
        return classes.isConstructor(method) ? new Opened() : ArenaClasses.isAllocate(method) ? new Allocated()
                : ArenaClasses.isClose(method) ? new Closed() : null;
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

        static void session(CodeBuilder code) {
            code.aload(code.receiverSlot()).getfield(CD_ARENA, "session", CD_SESSION);
        }

        /** Goes to {@code otherwise} where the recorder is not to be called. */
        void condition(CodeBuilder code, Label otherwise) {}

        /** Calls the method of the recorder, which has been loaded together with the arena. */
        abstract void invoke(CodeBuilder code);

        static void owner(CodeBuilder code) {
            session(code);
            code.getfield(CD_SESSION, "owner", CD_THREAD);
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
            session(code);
            code.invokevirtual(CD_SESSION, "isAlive", MethodTypeDesc.of(ConstantDescs.CD_boolean))
                    .ifne(otherwise);
        }

        @Override
        void invoke(CodeBuilder code) {
            code.invokevirtual(CD_HOOK, "closed", MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_Object));
        }
    }
}
