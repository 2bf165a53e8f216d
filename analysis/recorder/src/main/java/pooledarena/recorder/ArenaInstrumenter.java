/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import module java.base;

/**
 * Makes the JDK's class of confined arenas call the {@link pooledarena.recorder.hook.ArenaHook}: when the constructor and each
 * allocation return, and when {@code close} returns or throws. That class is {@code ArenaImpl}, or {@code ArenaImpl.OfConfined}
 * where the former is not final, as in JDK 28. What the hook throws is counted and ends there.
 */
final class ArenaInstrumenter implements ClassTransform {

    static final ClassDesc HOOK = ClassDesc.ofInternalName(Transformer.HOOK);

    private static final ClassDesc ARENA = ClassDesc.ofInternalName(Transformer.API);

    /** The hooks that methods call, as often as there are methods. */
    private final List<String> hooks = new ArrayList<>();

    private ArenaInstrumenter() {}

    /**
     * {@return the class with calls of the hook, or null if confined arenas are of another class}
     *
     * @throws IllegalArgumentException if arenas do not look as expected; the message says in what
     */
    static byte[] instrument(String name, byte[] bytes) throws IOException {
        ClassModel arena = ClassFile.of().parse(bytes);
        boolean isFinal = arena.flags().has(AccessFlag.FINAL);
        if (name.equals(Transformer.BASE) && !isFinal) {
            read(Transformer.CONFINED);
            return null;
        }
        String simpleName = name.substring(name.lastIndexOf('/') + 1);
        require(isFinal, simpleName + " is not final");
        require(calls(Transformer.API, "ofConfined", Transformer.SESSION, "asArena"),
                "Arena.ofConfined does not call MemorySessionImpl.asArena");
        String session = name.equals(Transformer.BASE) ? Transformer.SESSION : Transformer.CONFINED_SESSION;
        require(calls(session, "asArena", name, ConstantDescs.INIT_NAME), "asArena does not create an " + simpleName);
        ArenaInstrumenter instrumenter = new ArenaInstrumenter();
        byte[] instrumented = ClassFile.of().transformClass(arena, instrumenter);
        require(Collections.frequency(instrumenter.hooks, HookCall.OPEN) == 1, simpleName + " has other constructors");
        require(Collections.frequency(instrumenter.hooks, HookCall.CLOSE) == 1, simpleName + " has no close");
        require(Collections.frequency(instrumenter.hooks, HookCall.ALLOCATE) == 2, simpleName + " has other ways to allocate");
        return instrumented;
    }

    private static ClassModel read(String name) throws IOException {
        try (InputStream stream = Object.class.getModule().getResourceAsStream(name + ".class")) {
            require(stream != null, "there is no class " + name.replace('/', '.'));
            return ClassFile.of().parse(stream.readAllBytes());
        }
    }

    private static boolean calls(String caller, String name, String owner, String called) throws IOException {
        for (MethodModel method : read(caller).methods()) {
            if (method.methodName().equalsString(name) && method.code().isPresent()) {
                for (CodeElement element : method.code().get()) {
                    if (element instanceof InvokeInstruction call && call.owner().name().equalsString(owner)
                            && call.name().equalsString(called)) {
                        return true;
                    }
                }
            }
        }
        return false;
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
            hooks.add(hook);
            builder.transformMethod((MethodModel) element, MethodTransform.transformingCode(new HookCall(hook)));
        }
    }

    /** {@return what the method is to call, or null. The compiler's bridges call those that allocate.} */
    private static String hook(MethodModel method) {
        String name = method.methodName().stringValue();
        String type = method.methodType().stringValue();
        boolean allocates = (name.equals("allocate") || name.equals("allocateNoInit")) && type.startsWith("(JJ)")
                && !method.flags().has(AccessFlag.SYNTHETIC);
        return name.equals(ConstantDescs.INIT_NAME) ? HookCall.OPEN : name.equals("close") && type.equals("()V") ? HookCall.CLOSE
                : allocates ? HookCall.ALLOCATE : null;
    }

    /** Puts a call of the hook before each return of a method. No lambdas: each would be linked before the program starts. */
    private static final class HookCall implements CodeTransform {

        static final String OPEN = "afterOpen";
        static final String ALLOCATE = "afterAllocate";
        static final String CLOSE = "afterClose";

        private final String hook;
        private Label start;

        HookCall(String hook) {
            this.hook = hook;
        }

        @Override
        public void atStart(CodeBuilder code) {
            start = code.newBoundLabel();
        }

        @Override
        public void accept(CodeBuilder code, CodeElement element) {
            if (element instanceof ReturnInstruction instruction) {
                if (instruction.typeKind() == TypeKind.VOID) {
                    call(code);
                } else {
                    callAround(code, instruction.typeKind());
                }
            }
            code.with(element);
        }

        @Override
        public void atEnd(CodeBuilder code) {
            if (hook.equals(CLOSE)) {
                Label end = code.newBoundLabel();
                code.exceptionCatchAll(start, end, end);
                callAround(code, TypeKind.REFERENCE);
                code.athrow();
            }
        }

        /** Calls the hook with one value on the stack, which a handler would take away. */
        private void callAround(CodeBuilder code, TypeKind kind) {
            int value = code.allocateLocal(kind);
            code.storeLocal(kind, value);
            call(code);
            code.loadLocal(kind, value);
        }

        private void call(CodeBuilder code) {
            Label begin = code.newBoundLabel();
            Label handler = code.newLabel();
            Label after = code.newLabel();
            code.aload(code.receiverSlot());
            if (hook.equals(ALLOCATE)) {
                code.lload(code.parameterSlot(0)).lload(code.parameterSlot(1));
                code.invokestatic(HOOK, hook, MethodTypeDesc.of(ConstantDescs.CD_void, ARENA, ConstantDescs.CD_long,
                        ConstantDescs.CD_long));
            } else {
                code.invokestatic(HOOK, hook, MethodTypeDesc.of(ConstantDescs.CD_void, ARENA));
            }
            code.goto_(after);
            code.exceptionCatchAll(begin, handler, handler);
            code.labelBinding(handler).pop();
            code.getstatic(HOOK, "failures", ConstantDescs.CD_int).iconst_1().iadd()
                    .putstatic(HOOK, "failures", ConstantDescs.CD_int);
            code.labelBinding(after);
        }
    }
}
