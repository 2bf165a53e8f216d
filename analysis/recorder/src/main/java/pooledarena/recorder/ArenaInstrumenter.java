/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import module java.base;

/**
 * Makes the JDK's class of confined arenas call the {@link pooledarena.recorder.hook.ArenaHook}: when the constructor and each
 * allocation return, and when {@code close} returns or throws. That class is {@code ArenaImpl}, or {@code ArenaImpl.OfConfined}
 * where the former is not final, as in JDK 28.
 *
 * @param hooks takes the hooks that methods call, as often as there are methods; null if it is {@code Runtime} or {@code Arena}, whose
 *              methods call the hook where they begin
 */
record ArenaInstrumenter(List<String> hooks) implements ClassTransform {

    static final ClassDesc HOOK = ClassDesc.ofInternalName(Transformer.HOOK);

    /** What calls the hook where it begins: what opens arenas in the order of their kinds, and at last what halts the JVM. */
    static final List<String> BEGIN = List.of("ofShared", "ofAuto", "global", "halt");

    private static final MethodTypeDesc AFTER = MethodTypeDesc.ofDescriptor("(L" + Transformer.API + ";)V");
    private static final MethodTypeDesc AFTER_ALLOCATE = MethodTypeDesc.ofDescriptor("(L" + Transformer.API + ";JJ)V");

    private static final String OPEN = "afterOpen";
    private static final String ALLOCATE = "afterAllocate";
    private static final String CLOSE = "afterClose";

    /**
     * {@return the class with calls of the hook, or null if confined arenas are of another class}
     *
     * @throws IllegalArgumentException if arenas do not look as expected; the message says in what
     */
    static byte[] instrument(String name, byte[] bytes) throws IOException {
        ClassModel arena = ClassFile.of().parse(bytes);
        boolean isFinal = arena.flags().has(AccessFlag.FINAL);
        if (name.equals(Transformer.BASE) && !isFinal) {
            try (InputStream confined = Object.class.getResourceAsStream("/" + Transformer.CONFINED + ".class")) {
                require(confined != null, "there is no class " + Transformer.CONFINED.replace('/', '.'));
            }
            return null;
        }
        String simpleName = name.substring(name.lastIndexOf('/') + 1);
        require(isFinal, simpleName + " is not final");
        List<String> hooks = new ArrayList<>();
        byte[] instrumented = ClassFile.of().transformClass(arena, new ArenaInstrumenter(hooks));
        Collections.sort(hooks);
        require(hooks.equals(List.of(ALLOCATE, ALLOCATE, CLOSE, OPEN)),
                simpleName + " has other ways to open, allocate and close");
        return instrumented;
    }

    /** {@return {@code Runtime} or {@code Arena} with a call of the hook where methods begin: {@code halt}, {@code ofShared} … } */
    static byte[] instrumentBegin(byte[] bytes) {
        return ClassFile.of().transformClass(ClassFile.of().parse(bytes), new ArenaInstrumenter(null));
    }

    private static void require(boolean condition, String difference) {
        if (!condition) {
            throw new IllegalArgumentException(difference);
        }
    }

    @Override
    public void accept(ClassBuilder builder, ClassElement element) {
        String hook = element instanceof MethodModel method ? hook(method) : null;
        if (hook == null) {
            builder.with(element);
        } else {
            if (hooks != null) {
                hooks.add(hook);
            }
            builder.transformMethod((MethodModel) element, MethodTransform.transformingCode(new HookCall(hook)));
        }
    }

    /** {@return what the method is to call, or null. The compiler's bridges call those that allocate.} */
    private String hook(MethodModel method) {
        String name = method.methodName().stringValue();
        if (hooks == null) {
            return BEGIN.contains(name) ? name : null;
        }
        return switch (name) {
            case ConstantDescs.INIT_NAME -> OPEN;
            case "close" -> CLOSE;
            case "allocate", "allocateNoInit" -> method.methodType().stringValue().startsWith("(JJ)")
                    && !method.flags().has(AccessFlag.SYNTHETIC) ? ALLOCATE : null;
            default -> null;
        };
    }

    /**
     * Puts a call of the hook before each return of a method, or where it begins. No lambdas: each would be linked before the
     * program starts.
     */
    private record HookCall(String hook) implements CodeTransform {

        @Override
        public void atStart(CodeBuilder code) {
            if (BEGIN.contains(hook)) {
                code.loadConstant(BEGIN.indexOf(hook)).invokestatic(HOOK, "begin", CallSiteInstrumenter.NUMBER);
            }
        }

        @Override
        public void accept(CodeBuilder code, CodeElement element) {
            if (element instanceof ReturnInstruction && !BEGIN.contains(hook)) {
                call(code);
            }
            code.with(element);
        }

        @Override
        public void atEnd(CodeBuilder code) {
            if (hook.equals(CLOSE)) {
                Label end = code.newBoundLabel();
                code.exceptionCatchAll(code.startLabel(), end, end);
                call(code);
                code.athrow();
            }
        }

        private void call(CodeBuilder code) {
            code.aload(code.receiverSlot());
            if (hook.equals(ALLOCATE)) {
                code.lload(code.parameterSlot(0)).lload(code.parameterSlot(1));
                code.invokestatic(HOOK, hook, AFTER_ALLOCATE);
            } else {
                code.invokestatic(HOOK, hook, AFTER);
            }
        }
    }
}
