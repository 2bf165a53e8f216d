/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import pooledarena.histogram.Site;

import java.lang.classfile.Attributes;

import module java.base;

/**
 * Has the call sites of a class tell the {@link pooledarena.recorder.hook.ArenaHook} who they are, by a constant, right before
 * they open or may close an arena. The calls branch nowhere and leave the stack as it was, so a method keeps its stack maps.
 */
final class CallSiteInstrumenter implements ClassTransform {

    private static final String CLOSEABLE = "java/lang/AutoCloseable";
    private static final String KOTLIN = "kotlin/jdk7/AutoCloseableKt";

    static final MethodTypeDesc NUMBER = MethodTypeDesc.ofDescriptor("(I)V");
    private static final MethodTypeDesc CLOSE = MethodTypeDesc.ofDescriptor("(Ljava/lang/Object;I)V");

    private final CallSites sites;
    private final String className;
    private boolean any;

    private CallSiteInstrumenter(CallSites sites, String className) {
        this.sites = sites;
        this.className = className;
    }

    /**
     * {@return the class with calls of the hook, or null if none belongs there} It is asked of each class that is loaded.
     *
     * @throws IllegalArgumentException if a method would become too large, or a jump in it too long
     */
    static byte[] instrument(CallSites sites, byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        if (!text.contains(Transformer.API) && !text.contains("AutoCloseable")) {
            return null;
        }
        // A jump that the calls make too long would need further instructions, for which there are no stack maps.
        ClassFile classFile = ClassFile.of(ClassFile.StackMapsOption.DROP_STACK_MAPS,
                ClassFile.ShortJumpsOption.FAIL_ON_SHORT_JUMPS);
        ClassModel model = classFile.parse(bytes);
        CallSiteInstrumenter calls = new CallSiteInstrumenter(sites, model.thisClass().asInternalName().replace('/', '.'));
        byte[] instrumented = classFile.transformClass(model, calls);
        return calls.any ? instrumented : null;
    }

    @Override
    public void accept(ClassBuilder builder, ClassElement element) {
        if (element instanceof MethodModel method && method.code().isPresent()) {
            builder.transformMethod(method, MethodTransform.transformingCode(new Calls(method)));
        } else {
            builder.with(element);
        }
    }

    private static boolean isCall(InvokeInstruction call, String owner, String name) {
        return call.name().equalsString(name) && call.owner().name().equalsString(owner);
    }

    private final class Calls implements CodeTransform {

        private final MethodModel method;
        private int line = -1;

        Calls(MethodModel method) {
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
            boolean inKotlin = isCall(call, KOTLIN, "closeFinally");
            boolean closes = inKotlin || isCall(call, Transformer.API, "close") || isCall(call, CLOSEABLE, "close");
            if (call.owner().name().equalsString(Transformer.API) && (call.name().equalsString("ofConfined")
                    || ArenaInstrumenter.BEGIN.contains(call.name().stringValue()))) {
                any = true;
                code.loadConstant(sites.number(new Site(className, name, line)));
                code.invokestatic(ArenaInstrumenter.HOOK, "beforeOpen", NUMBER);
            } else if (closes && !CallSites.isCloser(className)) {
                any = true;
                if (inKotlin) {
                    code.dup2().pop(); // the cause is above what is closed
                } else {
                    code.dup();
                }
                code.loadConstant(CallSites.method(className, name));
                code.invokestatic(ArenaInstrumenter.HOOK, "beforeClose", CLOSE);
            }
        }

        /** The stack maps refer to instructions, which have moved. */
        @Override
        public void atEnd(CodeBuilder code) {
            var maps = ((CodeAttribute) method.code().get()).findAttribute(Attributes.stackMapTable());
            if (maps.isPresent()) {
                code.with(maps.get());
            }
        }
    }
}
