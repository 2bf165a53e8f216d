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
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.attribute.StackMapTableAttribute;
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

    private static final String CLOSEABLE = "java/lang/AutoCloseable";
    private static final String KOTLIN = "kotlin/jdk7/AutoCloseableKt";

    private static final MethodTypeDesc OPEN = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);
    private static final MethodTypeDesc CLOSE = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_Object,
            ConstantDescs.CD_int);

    private final CallSites sites;

    CallSiteInstrumenter(CallSites sites) {
        this.sites = sites;
    }

    /** {@return the class with calls of the hook, or null if none belongs there} It is asked of each class that is loaded. */
    byte[] instrument(byte[] bytes) {
        String text = new String(bytes, ISO_8859_1);
        if (!text.contains(Transformer.API) && !text.contains("AutoCloseable")) {
            return null;
        }
        ClassFile classFile = ClassFile.of(ClassFile.StackMapsOption.DROP_STACK_MAPS);
        ClassModel model = classFile.parse(bytes);
        Methods methods = new Methods(model.thisClass().asInternalName().replace('/', '.'));
        byte[] instrumented = classFile.transformClass(model, methods);
        return methods.any ? instrumented : null;
    }

    private static boolean opens(InvokeInstruction call) {
        return call.opcode() == Opcode.INVOKESTATIC && call.name().equalsString("ofConfined")
                && call.owner().name().equalsString(Transformer.API);
    }

    private static boolean closes(InvokeInstruction call) {
        String owner = call.owner().asInternalName();
        return call.opcode() == Opcode.INVOKEINTERFACE && call.name().equalsString("close") && call.type().equalsString("()V")
                && (owner.equals(Transformer.API) || owner.equals(CLOSEABLE));
    }

    private static boolean closesInKotlin(InvokeInstruction call) {
        return call.opcode() == Opcode.INVOKESTATIC && call.name().equalsString("closeFinally")
                && call.owner().name().equalsString(KOTLIN);
    }

    /** Changes the methods that have such calls, and leaves all others as they are. */
    private final class Methods implements ClassTransform {

        private final String className;
        private boolean any;

        Methods(String className) {
            this.className = className;
        }

        @Override
        public void accept(ClassBuilder builder, ClassElement element) {
            if (element instanceof MethodModel method && method.code().isPresent() && hasCall(method)) {
                any = true;
                builder.transformMethod(method, MethodTransform.transformingCode(new Calls(className, method)));
            } else {
                builder.with(element);
            }
        }

        private static boolean hasCall(MethodModel method) {
            for (CodeElement element : method.code().get()) {
                if (element instanceof InvokeInstruction call && (opens(call) || closes(call) || closesInKotlin(call))) {
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
        private int line = -1;

        Calls(String className, MethodModel method) {
            this.className = className;
            this.method = method;
        }

        @Override
        public void accept(CodeBuilder code, CodeElement element) {
            if (element instanceof LineNumber number) {
                line = number.line();
            } else if (element instanceof InvokeInstruction call) {
                beforeCall(code, call);
            }
            code.with(element);
        }

        private void beforeCall(CodeBuilder code, InvokeInstruction call) {
            String name = method.methodName().stringValue();
            if (opens(call)) {
                int site = sites.number(new Site(className, name, line, false));
                code.loadConstant(site).invokestatic(ArenaInstrumenter.HOOK, "beforeOpen", OPEN);
            } else if ((closes(call) || closesInKotlin(call)) && !CallSites.isCloser(className)) {
                if (closes(call)) {
                    code.dup();
                } else {
                    code.dup2().pop(); // the cause is above what is closed
                }
                code.loadConstant(sites.method(className, name)).invokestatic(ArenaInstrumenter.HOOK, "beforeClose", CLOSE);
            }
        }

        /** The stack maps refer to instructions, which have moved. */
        @Override
        public void atEnd(CodeBuilder code) {
            StackMapTableAttribute maps = ((CodeAttribute) method.code().get()).findAttribute(Attributes.stackMapTable()).orElse(null);
            if (maps != null) {
                code.with(maps);
            }
        }
    }
}
