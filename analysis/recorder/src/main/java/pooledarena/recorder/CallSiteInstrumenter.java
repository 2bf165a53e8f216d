/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import pooledarena.histogram.Site;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * Has call sites tell the {@link pooledarena.recorder.hook.ArenaHook} who they are, by a constant, right before they open or may
 * close an arena. The calls branch nowhere and leave the stack as it was, so a method keeps its stack maps.
 */
final class CallSiteInstrumenter {

    private static final String ARENA = ArenaClasses.API;
    private static final String CLOSEABLE = "java/lang/AutoCloseable";
    private static final String KOTLIN = "kotlin/jdk7/AutoCloseableKt";

    private static final MethodTypeDesc OPENING = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);
    private static final MethodTypeDesc CLOSING = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_Object,
            ConstantDescs.CD_int);

    private final CallSites sites;

    CallSiteInstrumenter(CallSites sites) {
        this.sites = sites;
    }

    /** What a call may do with an arena. */
    private enum Call { OPENS, CLOSES, CLOSES_SECOND, OTHER }

    /** {@return the class with calls of the hook, or null if none belongs there} */
    byte[] instrument(byte[] bytes) {
        if (!mayCall(bytes)) {
            return null;
        }
        ClassFile classFile = ClassFile.of(ClassFile.StackMapsOption.DROP_STACK_MAPS);
        ClassModel model = classFile.parse(bytes);
        Methods methods = new Methods(model);
        byte[] instrumented = classFile.transformClass(model, methods);
        return methods.any ? instrumented : null;
    }

    /**
     * {@return whether the constants of a class name one that has such methods} That is asked of each class that is loaded, so
     * nothing is made of what it reads.
     */
    private static boolean mayCall(byte[] bytes) {
        int count = u2(bytes, 8);
        int at = 10;
        for (int i = 1; i < count; i++) {
            switch (bytes[at]) {
                case 1 -> { // Utf8
                    int length = u2(bytes, at + 1);
                    if ((length == ARENA.length() || length == KOTLIN.length()) && isName(new String(bytes, at + 3, length, ISO_8859_1))) {
                        return true;
                    }
                    at += 3 + length;
                }
                case 5, 6 -> { // Long and Double, which count twice
                    at += 9;
                    i++;
                }
                case 7, 8, 16, 19, 20 -> at += 3;
                case 15 -> at += 4;
                default -> at += 5;
            }
        }
        return false;
    }

    private static boolean isName(String s) {
        return s.equals(ARENA) || s.equals(CLOSEABLE) || s.equals(KOTLIN);
    }

    private static int u2(byte[] bytes, int at) {
        return (bytes[at] & 0xff) << 8 | bytes[at + 1] & 0xff;
    }

    private static Call call(InvokeInstruction call) {
        String owner = call.owner().asInternalName();
        if (!isName(owner)) {
            return Call.OTHER;
        }
        String name = call.name().stringValue();
        if (call.opcode() == Opcode.INVOKESTATIC) {
            return owner.equals(ARENA) && name.equals("ofConfined") ? Call.OPENS
                    : owner.equals(KOTLIN) && name.equals("closeFinally") ? Call.CLOSES_SECOND : Call.OTHER;
        }
        return call.opcode() == Opcode.INVOKEINTERFACE && name.equals("close") && call.type().equalsString("()V") ? Call.CLOSES
                : Call.OTHER;
    }

    /** Changes the methods that have such calls, and leaves all others as they are. */
    private final class Methods implements ClassTransform {

        private final String className;
        private final boolean closes;
        private boolean any;

        Methods(ClassModel model) {
            className = model.thisClass().asInternalName().replace('/', '.');
            closes = !Callers.isCloser(className);
        }

        @Override
        public void accept(ClassBuilder builder, ClassElement element) {
            if (element instanceof MethodModel method && method.code().isPresent() && hasCall(method.code().get())) {
                any = true;
                builder.transformMethod(method, MethodTransform.transformingCode(
                        new Calls(className, method, closes)));
            } else {
                builder.with(element);
            }
        }

        private static boolean hasCall(CodeModel code) {
            for (CodeElement element : code) {
                if (element instanceof InvokeInstruction invoke && call(invoke) != Call.OTHER) {
                    return true;
                }
            }
            return false;
        }
    }

    /** Puts a call of the hook before each such call of a method. */
    private final class Calls implements CodeTransform {

        private final String className;
        private final MethodModel method;
        private final boolean closes;
        private int line = -1;

        Calls(String className, MethodModel method, boolean closes) {
            this.className = className;
            this.method = method;
            this.closes = closes;
        }

        @Override
        public void accept(CodeBuilder code, CodeElement element) {
            if (element instanceof LineNumber number) {
                line = number.line();
            } else if (element instanceof InvokeInstruction invoke) {
                tell(code, call(invoke));
            }
            code.with(element);
        }

        private void tell(CodeBuilder code, Call call) {
            String name = method.methodName().stringValue();
            int number = switch (call) {
                case OPENS -> sites.number(new Site(className, name, line, false));
                case CLOSES, CLOSES_SECOND -> closes ? sites.method(className, name) : 0;
                case OTHER -> 0;
            };
            if (number == 0) {
                return;
            }
            if (call == Call.OPENS) {
                code.loadConstant(number).invokestatic(ArenaInstrumenter.CD_HOOK, "opening", OPENING);
            } else {
                if (call == Call.CLOSES) {
                    code.dup();
                } else {
                    code.dup2().pop();
                }
                code.loadConstant(number).invokestatic(ArenaInstrumenter.CD_HOOK, "closing", CLOSING);
            }
        }

        /** The stack maps refer to instructions, which have moved. */
        @Override
        public void atEnd(CodeBuilder code) {
            ((CodeAttribute) method.code().get()).findAttribute(Attributes.stackMapTable()).ifPresent(code::with);
        }
    }
}
