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

/*
 * @test
 * @key randomness
 * @summary An asynchronous exception at each bytecode of opening, allocating and closing
 * @library ..
 * @modules java.base/jdk.internal.misc jdk.jdi
 * @build Stress Slots ArenaStack DebuggedProcess
 * @run main/othervm/timeout=900 TestConfinedPoolStressAsyncEach
 */

import com.sun.jdi.Method;
import com.sun.jdi.OpaqueFrameException;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.EventRequest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Debugs a virtual machine in which a thread opens two arenas, allocates from them, in their slots and beyond, and closes
 * them. Stops the thread before one bytecode of the pool, throws an exception into it there, and lets it look at its pool:
 * what is handed out then is zero and nobody else's (invariants 1, 2 and 6). Then the next bytecode. Native memory tracking finds
 * what was written beyond a block.
 * <p>
 * Platform threads and virtual ones; threads that have a slot already, one that is too small, and threads, or carriers, that have
 * none; arenas that fill their slot before they go on in a smaller block, arenas whose first allocation is larger than a slot, and
 * such a block linked to a resident slot; an arena that goes on in another block after few bytes of its slot; one with a cleanup action;
 * one whose slot joins others on the stack; one whose slot finds no room, and one whose new slot makes the pool free others; one that
 * is closed with a block smaller than its slot.
 * An arena that is open after the exception allocates once more. Where a thread does not come by, nothing is thrown. In verify mode
 * that is tried at the bytecodes of its class alone.
 * A carrier that has no slot needs a new process for each bytecode, so short forms leave bytecodes out there: from the seed on, one
 * of so many is tried.
 */
public class TestConfinedPoolStressAsyncEach {

    private static final List<String> CLASSES = List.of("jdk.internal.foreign.ArenaImpl",
            "jdk.internal.foreign.ConfinedSession",
            "jdk.internal.foreign.ConfinedSlotPool",
            "jdk.internal.foreign.ConfinedPoolCounters",
            "jdk.internal.foreign.ConfinedBlock");

    private static final List<String> VERIFIER = List.of("jdk.internal.foreign.ConfinedBlockVerifier");

    /** Of so many bytecodes the short form tries one where each needs a process of its own. */
    private static final int SHORT_FORM = 64;

    /** Of so many bytecodes that are tried at least one is reached. */
    private static final int TRIED_PER_REACHED = 30;

    private record Bytecode(String type, String method, String descriptor, int index) {}

    public static void main(String[] args) throws Exception {
        Stress.printSeed();
        List<Bytecode> all = bytecodes(CLASSES);
        for (String thread : List.of("platform", "virtual")) {
            for (String pool : List.of("new", "used", "small", "full", "large", "linked", "outgrown", "dropped", "actions",
                    "stack", "overfull", "shrunk")) {
                if (thread.equals("virtual") && List.of("linked", "actions", "stack", "overfull", "shrunk").contains(pool)) {
                    continue; // its arenas have no resident slot, and those that are closed there do not use the stack
                }
                // A carrier's pool is new once.
                boolean once = thread.equals("virtual") && pool.equals("new");
                tryEach(all, once ? sample(all) : all, thread, pool, once);
            }
        }
        List<Bytecode> verifier = bytecodes(VERIFIER);
        tryEach(verifier, verifier, "platform", "verified", false);
    }

    private static List<Bytecode> sample(List<Bytecode> all) {
        int step = Math.max(1, SHORT_FORM / Stress.SCALE);
        List<Bytecode> chosen = new ArrayList<>();
        for (int i = (int) Math.floorMod(Stress.SEED, (long) step); i < all.size(); i += step) {
            chosen.add(all.get(i));
        }
        return chosen;
    }

    private static void tryEach(List<Bytecode> all, List<Bytecode> chosen, String thread, String pool, boolean once) throws Exception {
        String where = thread + " thread, " + pool + " pool: ";
        Stress.report(where + "bytecodes tried, of " + all.size(), chosen.size());
        int thrown = 0;
        Debugged debugged = null;
        try {
            for (Bytecode bytecode : chosen) {
                if (debugged == null) {
                    debugged = new Debugged(pool.equals("verified"));
                }
                try {
                    thrown += debugged.tryAt(bytecode, thread, pool) ? 1 : 0;
                } catch (AssertionError e) {
                    throw new AssertionError(bytecode + ", " + thread + " thread, " + pool + " pool: " + e.getMessage(), e);
                }
                if (once) {
                    debugged.process.quit();
                    debugged = null;
                }
            }
            if (debugged != null) {
                debugged.process.quit();
            }
        } finally {
            if (debugged != null) {
                debugged.process.close();
            }
        }
        Stress.report(where + "bytecodes at which an exception was thrown", thrown);
        Stress.check(thrown * TRIED_PER_REACHED >= chosen.size(), where + "only " + thrown + " bytecodes were reached");
    }

    private static List<Bytecode> bytecodes(List<String> classes) throws IOException {
        List<Bytecode> bytecodes = new ArrayList<>();
        for (String type : classes) {
            try (InputStream in = Object.class.getModule().getResourceAsStream(type.replace('.', '/') + ".class")) {
                for (MethodModel method : ClassFile.of().parse(in.readAllBytes()).methods()) {
                    if (method.code().isEmpty() || method.methodName().equalsString("<clinit>")) {
                        continue;
                    }
                    int index = 0;
                    for (CodeElement element : method.code().get()) {
                        if (element instanceof Instruction instruction) {
                            bytecodes.add(new Bytecode(type, method.methodName().stringValue(),
                                    method.methodType().stringValue(), index));
                            index += instruction.sizeInBytes();
                        }
                    }
                }
            }
        }
        return bytecodes;
    }

    /** The debugger's side of a debugged process. */
    private static final class Debugged {

        final DebuggedProcess process;
        private volatile boolean thrown;

        Debugged(boolean verifies) throws Exception {
            process = new DebuggedProcess(Debuggee.class,
                    "--add-opens=java.base/java.lang=ALL-UNNAMED --add-opens=java.base/jdk.internal.foreign=ALL-UNNAMED"
                            + " -Djdk.virtualThreadScheduler.parallelism=1 -Djdk.virtualThreadScheduler.maxPoolSize=1"
                            + " -Djdk.foreign.confinedPool.verify=" + verifies, "");
            Thread.ofPlatform().daemon().start(this::handleEvents);
        }

        private void handleEvents() {
            try {
                while (true) {
                    EventSet events = process.vm.eventQueue().remove();
                    for (Event event : events) {
                        if (event instanceof BreakpointEvent hit) {
                            hit.request().disable();
                            try {
                                hit.thread().stop(process.exception);
                                thrown = true;
                            } catch (OpaqueFrameException e) {
                                // not there, in a virtual thread
                            }
                        }
                    }
                    events.resume();
                }
            } catch (VMDisconnectedException e) {
                // the process has ended
            } catch (Exception e) {
                e.printStackTrace();
                process.close();
            }
        }

        /** {@return true if a thread came by there and an exception was thrown} */
        boolean tryAt(Bytecode bytecode, String thread, String pool) throws IOException {
            Method method = process.vm.classesByName(bytecode.type()).get(0)
                    .methodsByName(bytecode.method(), bytecode.descriptor()).get(0);
            BreakpointRequest request = process.vm.eventRequestManager()
                    .createBreakpointRequest(method.locationOfCodeIndex(bytecode.index()));
            request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
            thrown = false;
            process.say(thread + " " + pool);
            process.expect("started");
            request.enable();
            process.say("go");
            process.expect("done");
            request.disable();
            process.vm.eventRequestManager().deleteEventRequest(request);
            process.say("check");
            process.expect("fine");
            return thrown;
        }
    }

    /** The process that is debugged. It does what it is told to on its standard input. */
    static final class Debuggee {

        static final RuntimeException EXCEPTION = new RuntimeException("asynchronous", null, false, false) {
            private static final long serialVersionUID = 1;
        };

        private static final BufferedReader IN = new BufferedReader(new InputStreamReader(System.in));

        public static void main(String[] args) throws Exception {
            new ArenaStack(1, 1, true).settle();
            System.out.println("ready");
            for (String line; !(line = IN.readLine()).equals("quit"); ) {
                String pool = line.substring(line.lastIndexOf(' ') + 1);
                Thread.Builder builder = line.startsWith("virtual") ? Thread.ofVirtual() : Thread.ofPlatform();
                builder.uncaughtExceptionHandler((_, e) -> {
                    e.printStackTrace();
                    System.exit(1);
                });
                builder.start(() -> {
                    switch (pool) {
                        case "actions" -> workWithAction();
                        case "outgrown" -> outgrow();
                        case "dropped" -> outgrowAndDrop();
                        case "stack" -> stack();
                        case "overfull" -> overfill();
                        case "shrunk" -> shrink();
                        case "verified" -> verify();
                        default -> work(pool);
                    }
                }).join();
            }
        }

        private static void work(String pool) {
            int first = switch (pool) {
                case "full" -> Slots.SIZE;
                case "large" -> 2 * Slots.SIZE;
                default -> ArenaStack.SMALL;
            };
            int second = switch (pool) {
                case "full" -> Slots.SIZE / 2;
                case "large" -> ArenaStack.ALIGNED;
                case "linked" -> 2 * Slots.SIZE;
                default -> Slots.SIZE;
            };
            ArenaStack arenas = new ArenaStack(1, 2, true, first, second);
            Slots.openFirst(); // so the next arena uses the pool
            if (pool.equals("used") || pool.equals("full") || pool.equals("linked")) {
                arenas.open();
                arenas.close();
            } else if (pool.equals("small")) {
                Slots.nest(1, 8);
            }
            breakOff(() -> {
                arenas.open();
                if (pool.equals("linked")) {
                    arenas.grow();
                }
                arenas.open();
                arenas.grow();
                arenas.close();
                arenas.close();
            });
            checkResident(pool.equals("new") || pool.equals("large"));
            arenas.growAll();
            arenas.settle();
            checkResident(false);
            System.out.println("fine");
        }

        private static void workWithAction() {
            Slots.openFirst();
            Slots.nest(1, 8); // creates the slot that is resident
            work(arena -> {
                MemorySegment.NULL.reinterpret(arena, _ -> {});
                arena.allocate(8);
            });
            checkResident(false);
            Slots.drain();
            System.out.println("fine");
        }

        // The pool may have a slot then whose limit has fallen below what arenas allocate without a look at it.
        private static void outgrow() {
            Slots.openFirst();
            Slots.nest(1, 100);
            work(Debuggee::goOn);
            try (Arena next = Arena.ofConfined()) {
                checkNotCleared(next, Slots.LEAST - 6);
            }
            Slots.drain();
            System.out.println("fine");
        }

        // The next arena then finds it too small, so it goes to the free lists.
        private static void outgrowAndDrop() {
            Slots.openFirst();
            Slots.nest(1, 8);
            try (Arena held = Arena.ofConfined(); Arena tooLarge = Arena.ofConfined(); Arena next = Arena.ofConfined()) {
                held.allocate(8); // has the resident slot
                Slots.nest(1, 100);
                work(Debuggee::goOn);
                tooLarge.allocate(100);
                checkNotCleared(next, 100);
            }
            Slots.drain();
            System.out.println("fine");
        }

        // More is allocated in the slot than the further block has.
        private static void shrink() {
            Slots.openFirst();
            Slots.nest(1, Slots.SIZE);
            work(arena -> {
                arena.allocate(Slots.SIZE);
                arena.allocate(Slots.SIZE / 2);
            });
            checkResident(false);
            Slots.drain();
            System.out.println("fine");
        }

        private static void goOn(Arena arena) {
            arena.allocate(8);
            arena.allocate(Slots.SIZE);
        }

        private static void checkNotCleared(Arena arena, int byteSize) {
            MemorySegment first = arena.allocate(byteSize).fill((byte) 1);
            arena.allocate(8);
            Slots.checkFilled(first, 1, "invariant 6: an open arena's memory was cleared");
        }

        // The second of those that are closed finds a spare slot, so its own goes where the open arena's slot was in the stack.
        private static void stack() {
            Slots.openFirst();
            Slots.nest(4, 8); // creates their slots
            Arena[] arenas = new Arena[4];
            MemorySegment last = null;
            for (int i = 0; i < arenas.length; i++) {
                arenas[i] = Arena.ofConfined();
                last = arenas[i].allocate(8).fill((byte) 1);
            }
            breakOff(() -> {
                arenas[1].close();
                arenas[2].close();
            });
            for (long address : Slots.nest(4, 8)) {
                Stress.check(address != last.address(), "invariant 1: an open arena's slot was handed out");
            }
            Slots.checkFilled(last, 1, "invariant 1: another owner wrote to it");
            closeRest(arenas);
        }

        // The pool has no room for the slots of the first two that are closed. The third finds all free slots too small, so one makes
        // room, and another goes from the stack to the free lists.
        private static void overfill() {
            Slots.openFirst();
            Arena[] arenas = new Arena[Slots.mostKept(8) + 4];
            Slots.nest(arenas.length, 8); // creates their slots
            MemorySegment[] segments = new MemorySegment[arenas.length];
            for (int i = 0; i < arenas.length; i++) {
                arenas[i] = Arena.ofConfined();
                segments[i] = arenas[i].allocate(8).fill((byte) 1);
            }
            for (int i = 3; i < arenas.length; i++) {
                arenas[i].close(); // all that the pool keeps
            }
            breakOff(() -> {
                arenas[1].close();
                arenas[2].close();
                arenas[3] = Arena.ofConfined();
                arenas[3].allocate(Slots.SIZE);
                arenas[3].close();
            });
            checkResident(false);
            long[] addresses = Slots.nest(arenas.length, 8);
            Stress.check(Arrays.stream(addresses).distinct().count() == addresses.length, "invariant 1: a slot was handed out twice");
            Stress.check(Arrays.stream(addresses).noneMatch(address -> address == segments[0].address()),
                    "invariant 1: an open arena's slot was handed out");
            Slots.checkFilled(segments[0], 1, "invariant 1: another owner wrote to it");
            closeRest(arenas);
        }

        private static void closeRest(Arena[] arenas) {
            for (Arena arena : arenas) {
                if (arena.scope().isAlive()) {
                    arena.close();
                }
            }
            Slots.drain();
            System.out.println("fine");
        }

        private static void verify() {
            Slots.openFirst();
            Slots.nest(1, 100);
            Arena arena = Arena.ofConfined();
            arena.allocate(8);
            breakOff(() -> {
                arena.allocate(8, 64);
                arena.close();
            });
            if (arena.scope().isAlive()) {
                Slots.checkZero(arena.allocate(16), "invariant 2"); // before the other one, if that was lost
                arena.close();
            }
            Slots.nest(3, 64);
            System.out.println("fine");
        }

        private static void work(Consumer<Arena> allocations) {
            Arena[] arena = new Arena[1];
            breakOff(() -> {
                arena[0] = Arena.ofConfined();
                allocations.accept(arena[0]);
                arena[0].close();
            });
            if (arena[0] != null && arena[0].scope().isAlive()) {
                arena[0].close();
            }
        }

        // The debugger throws the exception while the action runs, or never.
        private static void breakOff(Runnable action) {
            System.out.println("started");
            expect("go");
            try {
                action.run();
            } catch (RuntimeException e) {
                Stress.check(e == EXCEPTION, "thrown was " + e);
            }
            System.out.println("done");
            expect("check");
        }

        // If the resident slot were in the stack, too, then the pool could free it and still have it. Arenas would notice that only by
        // chance, so this reads the fields.
        private static void checkResident(boolean mayHaveNoPool) {
            if (Thread.currentThread().isVirtual()) {
                return; // has none
            }
            try {
                Object holder = field(Thread.class, "holder").get(Thread.currentThread());
                Object pool = field(holder.getClass(), "confinedSlotPool").get(holder);
                Stress.check(pool != null || mayHaveNoPool, "the thread has no pool");
                if (pool == null) {
                    return;
                }
                long resident = (long) field(pool.getClass(), "resident").get(pool);
                List<Long> stack = new ArrayList<>(List.of((long) field(pool.getClass(), "spare").get(pool)));
                MemorySegment words = MemorySegment.ofAddress((long) field(pool.getClass(), "stack").get(pool));
                long end = (long) field(pool.getClass(), "stackTop").get(pool) + Long.BYTES - words.address();
                stack.addAll(Arrays.stream(words.reinterpret(end).toArray(ValueLayout.JAVA_LONG)).skip(1).boxed().toList());
                Stress.check(resident == 0 || !stack.contains(resident & -16), "invariant 1: the resident slot is in the stack, too");
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }

        private static Field field(Class<?> type, String name) throws ReflectiveOperationException {
            Field field = type.getDeclaredField(name);
            field.setAccessible(true);
            return field;
        }

        private static void expect(String expected) {
            try {
                String line = IN.readLine();
                Stress.check(expected.equals(line), "the debugger said " + line + " instead of " + expected);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }
}
