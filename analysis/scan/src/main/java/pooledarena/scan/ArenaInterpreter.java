/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import module java.base;

import org.objectweb.asm.*;
import org.objectweb.asm.tree.*;
import org.objectweb.asm.tree.analysis.*;
import pooledarena.scan.Opening.Escape;

/**
 * Tells what values are, as far as that matters to arenas, and what instructions make of them: calculates with constants,
 * follows the arena into fields and calls, and recognizes the calls that concern it; {@link MethodEffects} notes what those do.
 * An unknown operand makes a result unknown.
 */
final class ArenaInterpreter extends Interpreter<Value> implements Opcodes {

    static final String ARENA = "java/lang/foreign/Arena";
    private static final String ALLOCATOR = "java/lang/foreign/SegmentAllocator";

    /** The types of the fields that an object keeps a confined arena in. */
    private static final String KEEPER = "Ljava/lang/(AutoCloseable|foreign/(Arena|SegmentAllocator));";

    /** The classes whose methods keep no arena that they get, unless they set it. */
    private static final Pattern KEEP_NOTHING = Pattern.compile(
            "java/lang/foreign/.*|java/lang/Object|java/lang/invoke/VarHandle|java/nio/channels/FileChannel");

    /** Methods that do nothing, so they never throw; Kotlin marks the code that it inlines with calls. */
    private static final Pattern DO_NOTHING =
            Pattern.compile("kotlin/jvm/internal/InlineMarker\\..*|java/lang/(Object|Record)\\.<init>");

    /** Kotlin's {@code use} calls the last. */
    private static final Pattern CLOSE =
            Pattern.compile("java/lang/(foreign/Arena|AutoCloseable)\\.close|kotlin/.*\\.closeFinally");

    private static final Pattern REQUIRE_NOT_NULL =
            Pattern.compile("java/util/Objects\\.requireNonNull.*|kotlin/jvm/internal/Intrinsics\\.check.*");

    /** Knows the types of results. */
    private static final BasicInterpreter TYPES = new BasicInterpreter();

    private final Program program;
    private final MethodEffects effects;

    ArenaInterpreter(Program program, MethodEffects effects) {
        super(ASM9);
        this.program = program;
        this.effects = effects;
    }

    static boolean opens(AbstractInsnNode instruction) {
        return instruction instanceof MethodInsnNode call && call.owner.equals(ARENA)
                && Set.of("ofConfined", "ofShared", "ofAuto").contains(call.name);
    }

    /** {@return the number as a value of that type; unknown if it is null} */
    private static Value value(BasicValue type, Long number) {
        return type == null ? null
                : number == null ? new Value.Unknown(type.getSize())
                : new Value.Constant(type.getSize() == 2 ? (Object) number : (Object) number.intValue());
    }

    @Override
    public Value newValue(Type type) {
        return Value.UNKNOWN; // the variable that is the second half of a long value
    }

    @Override
    public Value newOperation(AbstractInsnNode instruction) throws AnalyzerException {
        int opcode = instruction.getOpcode();
        return switch (instruction) {
            case FieldInsnNode field -> program.constant(field);
            case IntInsnNode push -> new Value.Constant(push.operand);
            case LdcInsnNode ldc when !(ldc.cst instanceof ConstantDynamic) -> new Value.Constant(ldc.cst);
            case AbstractInsnNode _ when opcode == ACONST_NULL -> Value.ZERO;
            case AbstractInsnNode _ when opcode >= ICONST_M1 && opcode <= ICONST_5 -> new Value.Constant(opcode - ICONST_0);
            case AbstractInsnNode _ when opcode == LCONST_0 || opcode == LCONST_1 -> new Value.Constant((long) opcode - LCONST_0);
            case AbstractInsnNode _ when opcode == NEW -> {
                Value made = new Value.Instance(instruction);
                effects.state.replace(made, Value.NOT_ZERO); // what the same instruction made before
                yield made;
            }
            default -> value(TYPES.newOperation(instruction), null);
        };
    }

    @Override
    public Value copyOperation(AbstractInsnNode instruction, Value value) {
        return value;
    }

    @Override
    public Value unaryOperation(AbstractInsnNode instruction, Value value) throws AnalyzerException {
        int opcode = instruction.getOpcode();
        if (opcode == PUTSTATIC) {
            effects.escape(value, Escape.STORED_IN_A_FIELD);
            program.store((FieldInsnNode) instruction, value);
        }
        BasicValue type = TYPES.unaryOperation(instruction, null);
        return switch (opcode) {
            case CHECKCAST -> value;
            case GETFIELD -> get(value, (FieldInsnNode) instruction, value(type, null));
            case ARRAYLENGTH -> value instanceof Value.Array array ? new Value.Constant(array.length()) : Value.UNKNOWN;
            case NEWARRAY, ANEWARRAY -> value instanceof Value.Constant(Integer length)
                    ? new Value.Array(instruction, length, Map.of()) : Value.UNKNOWN;
            default -> value(type, opcode == I2L || opcode == L2I ? Value.number(value) : null);
        };
    }

    /** {@return the arena, if it is in a field of {@code this}, or of an object made to keep it} */
    private Value get(Value object, FieldInsnNode field, Value unknown) {
        return switch (object) {
            case Value.Arena arena when field.desc.matches(arena.confined() ? KEEPER : "L.*") -> arena;
            case Value _ when object == Value.THIS -> effects.state.fields.getOrDefault(field.name, unknown);
            default -> unknown;
        };
    }

    private void put(Value object, FieldInsnNode field, Value value) {
        boolean isArena = value instanceof Value.Arena;
        if (isArena && object instanceof Value.Instance) {
            effects.state.replace(object, value);
        } else if (!isArena || !(object instanceof Value.Arena)) {
            effects.escape(value, Escape.STORED_IN_A_FIELD);
        }
        if (object == Value.THIS) {
            effects.state.fields.put(field.name, isArena ? value : new Value.Unknown(value.getSize()));
        }
    }

    @Override
    public Value binaryOperation(AbstractInsnNode instruction, Value left, Value right) throws AnalyzerException {
        int opcode = instruction.getOpcode();
        if (opcode == AALOAD && left instanceof Value.Array array) {
            return array.layouts().getOrDefault(right, Value.UNKNOWN);
        }
        if (opcode == PUTFIELD) {
            put(left, (FieldInsnNode) instruction, right);
        }
        return value(TYPES.binaryOperation(instruction, null, null), ConstantFolding.calculate(opcode, left, right));
    }

    @Override
    public Value ternaryOperation(AbstractInsnNode instruction, Value array, Value at, Value value) {
        effects.escape(value, Escape.STORED_IN_AN_ARRAY);
        if (array instanceof Value.Array known) {
            effects.state.replace(known, known.with(at, value));
        }
        return null;
    }

    @Override
    public void returnOperation(AbstractInsnNode instruction, Value value, Value expected) {
        effects.returned(value);
    }

    @Override
    public Value merge(Value a, Value b) {
        return Value.join(a, b);
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
            case Value _ when opens(call) -> effects.open(call);
            case Value _ when DO_NOTHING.matcher(method).matches() -> effects.cannotThrow(null);
            case Value.Arena arena when CLOSE.matcher(method).matches() -> effects.close(arena);
            case Value first when REQUIRE_NOT_NULL.matcher(method).matches() ->
                    first instanceof Value.Arena || first instanceof Value.Instance ? effects.cannotThrow(first) : first;
            case Value _ when onObject && call.name.startsWith("allocate")
                    && (call.owner.equals(ARENA) || call.owner.equals(ALLOCATOR)) -> effects.allocate(call, arguments);
            case Value _ when method.matches("java/lang/invoke/MethodHandle\\.invoke(Exact)?") ->
                    effects.downcall(call, arguments);
            default -> ConstantFolding.call(call, arguments).orElseGet(() ->
                    KEEP_NOTHING.matcher(call.owner).matches() ? use(call, arguments) : follow(call, arguments));
        };
    }

    /** {@return the segment of the arena that a call gets, if any: the result may be a part of it} */
    private Value use(MethodInsnNode call, List<Value> arguments) {
        if (call.name.matches("set.*|.*(Set|Exchange).*")) {
            effects.escape(arguments.getLast(), Escape.STORED_IN_A_FIELD); // or in memory: the address of a segment
        }
        return arguments.stream().filter(value -> value instanceof Value.Arena arena && !arena.confined()).findFirst()
                .orElse(null);
    }

    /** {@return the result of a call, as far as it has the type that the call returns; null is unknown} */
    private static Value result(String descriptor, Value value) {
        Type type = Type.getReturnType(descriptor);
        boolean fits = value != null && (type.getSort() == Type.OBJECT || !(value instanceof Value.Arena));
        return fits ? value : new Value.Unknown(type.getSize());
    }

    private Value follow(MethodInsnNode call, List<Value> arguments) {
        var arena = (Value.Arena) arguments.stream().filter(Value.Arena.class::isInstance).reduce(Value::join).orElse(null);
        Value receiver = call.getOpcode() == INVOKESTATIC ? null : arguments.getFirst();
        // Only a receiver can be made to keep the arena.
        List<Value> given = arguments.stream()
                .map(value -> value instanceof Value.Instance && value != receiver ? Value.NOT_ZERO : value).toList();
        MethodEffects callee = program.target(call)
                .filter(target -> arena != null || Program.tells(target))
                .flatMap(target -> program.follow(target, given)).orElse(null);
        if (callee == null) {
            arguments.forEach(argument -> effects.escape(argument, Escape.PASSED_ON));
            return null;
        }
        for (Value argument : arguments) {
            if (argument == receiver && argument instanceof Value.Instance) {
                effects.state.replace(argument, callee.first == null ? argument : callee.first);
            } else if (!(argument instanceof Value.Arena)) {
                effects.escape(argument, Escape.PASSED_ON);
            }
        }
        effects.called(callee, arena);
        return switch (callee.result) {
            case Value.Array array -> new Value.Array(call, array.length(), array.layouts());
            case Value.Instance instance when !arguments.contains(instance) -> null;
            case null, default -> callee.result;
        };
    }

    /** Makes a lambda, and runs it if it has the arena. What else is called in this way, to join strings, say, keeps nothing. */
    private Value invokeDynamic(InvokeDynamicInsnNode call, List<Value> captured) {
        if (!call.bsm.getOwner().equals("java/lang/invoke/LambdaMetafactory") || !(call.bsmArgs[1] instanceof Handle body)) {
            return null;
        }
        boolean isView = body.getOwner().equals(ARENA) || body.getOwner().equals(ALLOCATOR); // not a lambda, which may do anything
        if (isView && captured.size() == 1 && Type.getReturnType(call.desc).getInternalName().equals(ALLOCATOR)) {
            return captured.getFirst();
        }
        captured.forEach(value -> effects.escape(value, Escape.CAPTURED));
        if (captured.stream().anyMatch(Value.Arena.class::isInstance)) {
            boolean isStatic = body.getTag() == H_INVOKESTATIC;
            Stream<Value> others = Value.unknown(Type.getArgumentTypes(body.getDesc())).stream()
                    .skip(captured.size() - (isStatic ? 0 : 1));
            List<Value> arguments = Stream.concat(captured.stream(), others).toList();
            effects.capture(() -> invoke(new MethodInsnNode(isStatic ? INVOKESTATIC : INVOKEVIRTUAL,
                    body.getOwner(), body.getName(), body.getDesc()), arguments));
        }
        return null;
    }
}
