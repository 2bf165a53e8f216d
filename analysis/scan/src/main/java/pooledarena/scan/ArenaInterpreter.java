/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import module java.base;

import org.objectweb.asm.Handle;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.*;
import pooledarena.scan.Opening.Escape;

/**
 * Tells what a method does with the one arena that is followed: what its calls do with it, which open it, allocate from it,
 * close it, or pass it to a method that is followed or is not. What is told, too, depends on the method's arguments.
 */
final class ArenaInterpreter extends ValueInterpreter {

    static final String ARENA = "java/lang/foreign/Arena";
    private static final String ALLOCATOR = "java/lang/foreign/SegmentAllocator";

    /** Beside those of java.lang.foreign, the classes whose methods keep no arena that they get, unless they set it. */
    private static final Set<String> KEEP_NOTHING =
            Set.of("java/lang/Object", "java/lang/invoke/VarHandle", "java/nio/channels/FileChannel");

    /** Methods that do nothing, so they never throw; Kotlin marks the code that it inlines with calls. */
    private static final Set<String> DO_NOTHING = Set.of("kotlin/jvm/internal/InlineMarker", "java/lang/Object.<init>",
            "java/lang/Record.<init>");

    /** Kotlin's {@code use} calls the last. */
    private static final Pattern CLOSE =
            Pattern.compile("java/lang/(foreign/Arena|AutoCloseable)\\.close|kotlin/.*\\.closeFinally");

    /** The instruction that opens the arena that is followed; null if that is among the arguments. */
    final AbstractInsnNode opening;
    /** The fates that the method leaves it to; 0 where it never leaves in that way. */
    int atReturn;
    int atThrow;
    /** What has become of the method's first argument when it returns; null if it never does. */
    Value first;
    /** The instructions that open another arena while this one is open. */
    final Set<AbstractInsnNode> openAt = new HashSet<>();
    /** What each call allocates, from whatever arena. */
    final Map<AbstractInsnNode, Allocation> calls = new HashMap<>();
    /** What is allocated from this one, by the indexes of the instructions that lead to it, then by place and method. */
    private final Map<Integer, Map<String, Allocation>> allocations = new TreeMap<>();

    ArenaInterpreter(Program program, Code code, AbstractInsnNode opening) {
        super(program, code);
        this.opening = opening;
    }

    static boolean opens(AbstractInsnNode instruction) {
        return instruction instanceof MethodInsnNode call && call.owner.equals(ARENA)
                && Set.of("ofConfined", "ofShared", "ofAuto").contains(call.name);
    }

    @Override
    public Value naryOperation(AbstractInsnNode instruction, List<? extends Value> values) {
        List<Value> arguments = List.copyOf(values);
        return switch (instruction) {
            case MethodInsnNode call -> result(call.desc, invoke(call, arguments));
            case InvokeDynamicInsnNode call -> result(call.desc, invokeDynamic(call, arguments));
            default -> Value.UNKNOWN; // MULTIANEWARRAY
        };
    }

    /** {@return what a call returns; null if that is unknown} */
    private Value invoke(MethodInsnNode call, List<Value> arguments) {
        boolean onObject = call.getOpcode() != INVOKESTATIC;
        String method = call.owner + "." + call.name;
        return switch (arguments.isEmpty() ? Value.UNKNOWN : arguments.getFirst()) {
            case Value _ when opens(call) -> open(call);
            case Value _ when DO_NOTHING.contains(call.owner) || DO_NOTHING.contains(method) -> cannotThrow(null);
            case Value.Arena arena when CLOSE.matcher(method).matches() -> close(arena);
            case Value first when method.startsWith("java/util/Objects.requireNonNull")
                    || method.startsWith("kotlin/jvm/internal/Intrinsics.check") ->
                    first instanceof Value.Arena || first instanceof Value.Instance ? cannotThrow(first) : first;
            case Value first when onObject && call.name.startsWith("allocate")
                    && (call.owner.equals(ARENA) || call.owner.equals(ALLOCATOR)) -> allocate(first, call, arguments);
            case Value _ when method.matches("java/lang/invoke/MethodHandle\\.invoke(Exact)?") -> downcall(call, arguments);
            default -> ConstantFolding.call(call, arguments).orElseGet(() ->
                    keepsNothing(call, arguments) ? segment(arguments) : follow(call, arguments));
        };
    }

    private boolean keepsNothing(MethodInsnNode call, List<Value> arguments) {
        boolean keepsNothing = call.owner.startsWith("java/lang/foreign/") || KEEP_NOTHING.contains(call.owner);
        if (keepsNothing && call.name.matches("set.*|.*(Set|Exchange).*")) {
            escape(arguments.getLast(), Escape.STORED_IN_A_FIELD); // or in memory: the address of a segment
        }
        return keepsNothing;
    }

    /** {@return the first of the values that may be a segment of the arena; null if none is} */
    private static Value segment(List<Value> values) {
        return values.stream().filter(value -> value instanceof Value.Arena arena && !arena.confined()).findFirst()
                .orElse(null);
    }

    /** {@return the result of a call, as far as it has the type that the call returns; null is unknown} */
    private static Value result(String descriptor, Value value) {
        Type type = Type.getReturnType(descriptor);
        boolean fits = value != null && (type.getSort() == Type.OBJECT || !(value instanceof Value.Arena));
        return fits ? value : new Value.Unknown(type.getSize());
    }

    private Value cannotThrow(Value result) {
        state.thrown = 0;
        return result;
    }

    private Value open(MethodInsnNode call) {
        if (call != opening) {
            if (state.fate == State.OPEN) {
                openAt.add(call);
            }
            return cannotThrow(Value.NOT_ZERO);
        }
        // One that is still open is left behind.
        atReturn |= state.fate & State.OPEN;
        state.fate = State.OPEN;
        state.allocated.clear();
        return cannotThrow(new Value.Arena(false, false, call.name.equals("ofConfined")));
    }

    /** A close that throws has closed all the same, unless there was nothing to close. */
    private Value close(Value.Arena arena) {
        int before = state.fate;
        state.fate = state.after(arena, State.CLOSED);
        state.thrown = arena.mayBeNull() ? before : state.fate;
        return null;
    }

    private Value allocate(Value allocator, MethodInsnNode call, List<Value> arguments) {
        Allocation allocation = Allocation.of(call, arguments, code.place(current));
        calls.put(call, allocation);
        if (allocator instanceof Value.Arena arena) {
            allocated(List.of(allocation));
            return arena.confined() ? null : new Value.Arena(false, true, false);
        }
        return null;
    }

    /** The current instruction allocates from the arena, perhaps again. */
    private void allocated(List<Allocation> all) {
        boolean again = !state.allocated.add(current);
        var here = allocations.computeIfAbsent(code.method().instructions.indexOf(current), _ -> new LinkedHashMap<>());
        all.forEach(allocation -> here.merge(allocation.place() + " " + allocation.method(),
                again ? allocation.again() : allocation, Allocation::join));
    }

    List<Allocation> allocations() {
        return allocations.values().stream().flatMap(all -> all.values().stream()).toList();
    }

    /** The method returns, in one of its ways. */
    void returns() {
        if (state.getLocals() > 0) {
            first = first == null ? state.getLocal(0) : Value.join(first, state.getLocal(0));
        }
        atReturn |= state.fate;
    }

    /** A native function that returns a struct has it allocated; it gets segments, but keeps no other arena. */
    private Value downcall(MethodInsnNode call, List<Value> arguments) {
        Type[] types = Type.getArgumentTypes(call.desc);
        boolean returnsObject = Type.getReturnType(call.desc).getSort() >= Type.ARRAY;
        for (int i = 0; i < types.length; i++) {
            Value argument = arguments.get(i + 1);
            String type = types[i].getInternalName();
            if (argument instanceof Value.Arena && returnsObject && type.matches(ARENA + "|" + ALLOCATOR)) {
                allocated(List.of(Allocation.of(Allocation.DOWNCALL, code.place(current), arguments.getFirst(), 1L)));
            } else if (!type.equals("java/lang/foreign/MemorySegment")) {
                escape(argument, Escape.PASSED_ON);
            }
        }
        return null;
    }

    private Value follow(MethodInsnNode call, List<Value> arguments) {
        Value.Arena arena = (Value.Arena) arguments.stream().filter(Value.Arena.class::isInstance).reduce(Value::join)
                .orElse(null);
        Value receiver = call.getOpcode() == INVOKESTATIC ? null : arguments.getFirst();
        // Only a receiver can be made to keep the arena.
        List<Value> given = arguments.stream()
                .map(value -> value instanceof Value.Instance && value != receiver ? Value.NOT_ZERO : value).toList();
        Optional<ArenaInterpreter> followed = program.target(call.owner, call.name, call.desc, call.getOpcode())
                .filter(target -> arena != null || Program.tells(target))
                .flatMap(target -> program.follow(target, given));
        if (followed.isEmpty()) {
            arguments.forEach(argument -> escape(argument, Escape.PASSED_ON));
            return null;
        }
        ArenaInterpreter callee = followed.get();
        for (Value argument : arguments) {
            if (argument == receiver && argument instanceof Value.Instance) {
                state.replace(argument, callee.first == null ? argument : callee.first);
            } else if (!(argument instanceof Value.Arena)) {
                escape(argument, Escape.PASSED_ON);
            }
        }
        if (arena != null) {
            allocated(callee.allocations());
            callee.escapes.stream().filter(escape -> escape != Escape.RETURNED).forEach(escapes::add);
        }
        state.thrown = state.after(arena, callee.atThrow);
        state.fate = state.after(arena, callee.atReturn);
        return switch (callee.result) {
            case Value.Array array -> new Value.Array(call, array.length(), array.layouts());
            case Value.Instance instance when !arguments.contains(instance) -> null;
            case null, default -> callee.result;
        };
    }

    /** Makes a lambda. What else is called in this way, to join strings, say, keeps nothing. */
    private Value invokeDynamic(InvokeDynamicInsnNode call, List<Value> captured) {
        if (call.bsm.getOwner().equals("java/lang/invoke/LambdaMetafactory") && call.bsmArgs[1] instanceof Handle body) {
            if (captured.size() == 1 && Type.getReturnType(call.desc).getInternalName().equals(ALLOCATOR)) {
                return captured.getFirst();
            }
            captured.forEach(value -> escape(value, Escape.CAPTURED));
            if (captured.stream().anyMatch(Value.Arena.class::isInstance)) {
                State before = state;
                state = new State(state);
                state.allocated.add(current);
                run(body, captured);
                state = before;
            }
        }
        return null;
    }

    /** Runs a lambda, of whose arguments only those that it has captured are known. */
    private void run(Handle body, List<Value> captured) {
        boolean isStatic = body.getTag() == H_INVOKESTATIC;
        Stream<Value> others = Value.unknown(Type.getArgumentTypes(body.getDesc())).stream()
                .skip(captured.size() - (isStatic ? 0 : 1));
        int opcode = isStatic ? INVOKESTATIC : INVOKEVIRTUAL;
        invoke(new MethodInsnNode(opcode, body.getOwner(), body.getName(), body.getDesc()),
                Stream.concat(captured.stream(), others).toList());
    }
}
