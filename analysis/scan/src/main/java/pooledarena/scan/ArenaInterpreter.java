/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import module java.base;

import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.*;
import org.objectweb.asm.tree.analysis.*;
import pooledarena.scan.Opening.Escape;

/**
 * Tells what a method does with the one arena that is followed, and with values that sizes may come from: calculates with
 * constants, follows the arena into fields and calls, and notes where it is allocated from and what others get. An unknown
 * operand makes a result unknown.
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
    final Code code;
    /** The instruction that opens the arena that is followed; null if that is among the arguments. */
    final AbstractInsnNode opening;
    /** How others get it. */
    final Set<Escape> escapes = EnumSet.noneOf(Escape.class);
    /** The fates that the method leaves it to; 0 where it never leaves in that way. */
    int atReturn;
    int atThrow;
    /** What the method returns, null if nothing. */
    private Value result;
    /** What has become of the method's first argument when it returns; null if it never does. */
    private Value first;
    /** The instructions that open another arena while this one is open. */
    final Set<AbstractInsnNode> openAt = new HashSet<>();
    /** What each call allocates, from whatever arena. */
    final Map<AbstractInsnNode, Allocation> calls = new HashMap<>();
    /** What is allocated from this one, by the indexes of the instructions that lead to it, then by place and method. */
    private final Map<Integer, Map<String, Allocation>> allocations = new TreeMap<>();
    /** The instruction that is being executed, and in which state. */
    private AbstractInsnNode current;
    private State state;

    ArenaInterpreter(Program program, Code code, AbstractInsnNode opening) {
        super(ASM9);
        this.program = program;
        this.code = code;
        this.opening = opening;
    }

    List<Allocation> allocations() {
        return allocations.values().stream().flatMap(all -> all.values().stream()).toList();
    }

    static boolean opens(AbstractInsnNode instruction) {
        return instruction instanceof MethodInsnNode call && call.owner.equals(ARENA)
                && Set.of("ofConfined", "ofShared", "ofAuto").contains(call.name);
    }

    /**
     * Exceptions are reckoned with, but for those that the JVM may throw anywhere, and that of an object that is null
     * where its field is accessed; calls that cannot throw tell themselves.
     */
    void start(AbstractInsnNode instruction, State before) {
        current = instruction;
        state = before;
        int opcode = instruction.getOpcode();
        boolean mayThrow = switch (opcode) {
            case IDIV, LDIV, IREM, LREM, GETSTATIC, PUTSTATIC, MULTIANEWARRAY -> true;
            default -> opcode >= INVOKEVIRTUAL && opcode <= ATHROW || opcode >= IALOAD && opcode <= SALOAD
                    || opcode >= IASTORE && opcode <= SASTORE;
        };
        state.thrown = mayThrow ? state.fate : 0;
        state.fate = opcode == ATHROW ? 0 : state.fate;
    }

    /** Others may have the value from now on, and put arenas and elements into it. */
    void escape(Value value, Escape how) {
        switch (value) {
            case Value.Arena _ -> escapes.add(how);
            case Value.Array array -> state.replace(array, array.unknown());
            case Value.Instance made -> state.replace(made, Value.NOT_ZERO);
            default -> { }
        }
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
                state.replace(made, Value.NOT_ZERO); // what the same instruction made before
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
            escape(value, Escape.STORED_IN_A_FIELD);
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
            case Value _ when object == Value.THIS -> state.fields.getOrDefault(field.name, unknown);
            default -> unknown;
        };
    }

    private void put(Value object, FieldInsnNode field, Value value) {
        boolean isArena = value instanceof Value.Arena;
        if (isArena && object instanceof Value.Instance) {
            state.replace(object, value);
        } else if (!isArena || !(object instanceof Value.Arena)) {
            escape(value, Escape.STORED_IN_A_FIELD);
        }
        if (object == Value.THIS) {
            state.fields.put(field.name, isArena ? value : new Value.Unknown(value.getSize()));
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
        escape(value, Escape.STORED_IN_AN_ARRAY);
        if (array instanceof Value.Array known) {
            state.replace(known, known.with(at, value));
        }
        return null;
    }

    @Override
    public void returnOperation(AbstractInsnNode instruction, Value value, Value expected) {
        escape(value, Escape.RETURNED);
        result = result == null ? value : Value.join(result, value);
    }

    /** The method returns, in one of its ways. */
    void returns() {
        if (state.getLocals() > 0) {
            first = first == null ? state.getLocal(0) : Value.join(first, state.getLocal(0));
        }
        atReturn |= state.fate;
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
            case Value _ when opens(call) -> open(call);
            case Value _ when DO_NOTHING.matcher(method).matches() -> cannotThrow(null);
            case Value.Arena arena when CLOSE.matcher(method).matches() -> close(arena);
            case Value first when REQUIRE_NOT_NULL.matcher(method).matches() ->
                    first instanceof Value.Arena || first instanceof Value.Instance ? cannotThrow(first) : first;
            case Value first when onObject && call.name.startsWith("allocate")
                    && (call.owner.equals(ARENA) || call.owner.equals(ALLOCATOR)) -> allocate(first, call, arguments);
            case Value _ when method.matches("java/lang/invoke/MethodHandle\\.invoke(Exact)?") -> downcall(call, arguments);
            default -> ConstantFolding.call(call, arguments).orElseGet(() ->
                    KEEP_NOTHING.matcher(call.owner).matches() ? use(call, arguments) : follow(call, arguments));
        };
    }

    /** {@return the segment of the arena that a call gets, if any: the result may be a part of it} */
    private Value use(MethodInsnNode call, List<Value> arguments) {
        if (call.name.matches("set.*|.*(Set|Exchange).*")) {
            escape(arguments.getLast(), Escape.STORED_IN_A_FIELD); // or in memory: the address of a segment
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
        if (!(allocator instanceof Value.Arena arena)) {
            return null;
        }
        allocated(List.of(allocation));
        return arena.confined() ? null : new Value.Arena(false, true, false);
    }

    /** The current instruction allocates from the arena, perhaps again. */
    private void allocated(List<Allocation> all) {
        boolean again = !state.allocated.add(current);
        var here = allocations.computeIfAbsent(code.method().instructions.indexOf(current), _ -> new LinkedHashMap<>());
        all.forEach(allocation -> here.merge(allocation.place() + " " + allocation.method(),
                again ? allocation.again() : allocation, Allocation::join));
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

    /** Makes a lambda, and runs it if it has the arena. What else is called in this way, to join strings, say, keeps nothing. */
    private Value invokeDynamic(InvokeDynamicInsnNode call, List<Value> captured) {
        if (!call.bsm.getOwner().equals("java/lang/invoke/LambdaMetafactory") || !(call.bsmArgs[1] instanceof Handle body)) {
            return null;
        }
        if (captured.size() == 1 && Type.getReturnType(call.desc).getInternalName().equals(ALLOCATOR)) {
            return captured.getFirst();
        }
        captured.forEach(value -> escape(value, Escape.CAPTURED));
        if (captured.stream().anyMatch(Value.Arena.class::isInstance)) {
            State before = state;
            state = new State(state);
            state.allocated.add(current);
            boolean isStatic = body.getTag() == H_INVOKESTATIC;
            Stream<Value> others = Value.unknown(Type.getArgumentTypes(body.getDesc())).stream()
                    .skip(captured.size() - (isStatic ? 0 : 1));
            invoke(new MethodInsnNode(isStatic ? INVOKESTATIC : INVOKEVIRTUAL, body.getOwner(), body.getName(), body.getDesc()),
                    Stream.concat(captured.stream(), others).toList());
            state = before;
        }
        return null;
    }
}
