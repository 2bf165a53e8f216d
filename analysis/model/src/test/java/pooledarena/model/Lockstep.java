/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.model;

import com.sun.management.ThreadMXBean;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Opens and closes arenas at random, in the pool of its JVM and in the model, and compares after each step what both have: the
 * blocks of the arena, and all fields of the pool. At last it compares the counters of the JVM.
 */
final class Lockstep {

    private static final int STEPS = 4000;

    private static final String FOREIGN = "jdk.internal.foreign.";

    private record Both(Arena real, PoolModel.Arena model) {}

    private final int size;
    private final int depth;
    private final boolean carried;
    private final Random random;
    private final PoolModel model;
    private final List<Both> open = new ArrayList<>();
    private final Thread thread;

    private Lockstep(int size, int depth, boolean carried, long seed) throws ReflectiveOperationException {
        this.size = size;
        this.depth = depth;
        this.carried = carried;
        random = new Random(seed);
        model = new PoolModel(size, depth, carried);
        thread = (Thread) method(Thread.class, "currentCarrierThread").invoke(null);
    }

    public static void main(String[] args) throws Exception {
        int size = Integer.parseInt(args[1]);
        int depth = Integer.parseInt(args[2]);
        boolean carried = args[0].equals("virtual");
        long[] counts = new long[3];
        for (int seed = 0; seed < (carried ? 1 : 12); seed++) {
            long number = seed;
            Throwable[] thrown = new Throwable[1];
            Runnable work = () -> {
                try {
                    Lockstep lockstep = new Lockstep(size, depth, carried, number);
                    lockstep.run(number == 0 ? STEPS : random(number));
                    if (!carried && number == 0) {
                        // The model has the layout of objects of 25. Later releases may save one word.
                        long expected = lockstep.model.heap();
                        long heap = heap();
                        boolean isSaved = Runtime.version().feature() > 25 && heap == expected - Long.BYTES;
                        compare("heap", (isSaved ? expected : heap) + " bytes", expected + " bytes");
                    }
                    for (int i = 0; i < counts.length; i++) {
                        counts[i] += lockstep.model.counts().get(i);
                    }
                } catch (Throwable t) {
                    thrown[0] = t;
                }
            };
            (carried ? Thread.ofVirtual() : Thread.ofPlatform()).start(work).join();
            if (thrown[0] != null) {
                thrown[0].printStackTrace(System.out);
                System.exit(1);
            }
        }
        String expected = IntStream.range(0, 3).mapToObj(i -> counts[i] + "").toList().toString();
        String counted = counters().toString();
        if (!carried && !counted.equals(expected)) {
            System.out.println("slots created, freed and larger blocks: " + counted + ", in the model " + expected);
            System.exit(1);
        }
        System.out.println("the same: " + expected);
    }

    /** Short and long lives. */
    private static int random(long seed) {
        return seed % 3 == 0 ? STEPS : (int) (seed * seed);
    }

    private static List<String> counters() throws IOException {
        Process jcmd = new ProcessBuilder(System.getProperty("java.home") + "/bin/jcmd",
                Long.toString(ProcessHandle.current().pid()), "PerfCounter.print").redirectErrorStream(true).start();
        List<String> lines = jcmd.inputReader().readAllLines();
        return List.of("slotsCreated", "slotsFreed", "largerBlocks").stream().map(name -> lines.stream()
                .filter(line -> line.contains("confinedPool." + name + "=")).findFirst().orElse("=0").replaceFirst(".*=",
                        "")).toList();
    }

    /** {@return how many bytes of heap a pool takes; at first, reflection allocates as well} */
    private static long heap() throws ReflectiveOperationException {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Constructor<?> constructor = Class.forName(FOREIGN + "ConfinedSlotPool").getDeclaredConstructor();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 10; i++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            constructor.newInstance();
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        return least;
    }

    private void run(int steps) throws ReflectiveOperationException {
        for (int step = 0; step < steps; step++) {
            int most = step / 500 % 3 == 0 ? 3 : step / 500 % 3 == 1 ? 30 : 250;
            boolean opens = open.isEmpty() || open.size() < most && random.nextInt(100) < (step % 300 < 150 ? 65 : 45);
            String what;
            Both both;
            if (opens) {
                both = new Both(Arena.ofConfined(), new PoolModel.Arena());
                open.add(both);
                what = allocate(both, random.nextInt(4) == 0 ? random.nextInt(1, 12) : 1);
            } else if (random.nextInt(10) == 0) {
                both = open.get(random.nextInt(open.size()));
                what = allocate(both, 1);
            } else {
                both = open.remove(random.nextInt(3) > 0 ? open.size() - 1 : random.nextInt(open.size()));
                both.real.close();
                model.close(both.model);
                what = "close";
                both = null;
            }
            check(step + ": " + what, both);
        }
        for (Both both : open) {
            both.real.close();
            model.close(both.model);
        }
        check("end", null);
        model.end();
    }

    private String allocate(Both both, int count) throws ReflectiveOperationException {
        StringBuilder what = new StringBuilder();
        for (int i = 0; i < count; i++) {
            int byteSize = switch (random.nextInt(8)) {
                case 0, 1, 2 -> random.nextInt(65);
                case 3, 4 -> random.nextInt(600);
                case 5, 6 -> random.nextInt(size + 1);
                default -> random.nextInt(2 * size);
            };
            int alignment = 1 << random.nextInt(5);
            both.real.allocate(byteSize, alignment);
            model.allocate(both.model, byteSize, alignment, 1);
            what.append("allocate ").append(byteSize).append(" at ").append(alignment).append("; ");
        }
        return what.toString();
    }

    private void check(String step, Both both) throws ReflectiveOperationException {
        Object real = method(Class.forName(FOREIGN + "ConfinedSlotPool"), "of", Thread.class).invoke(null, thread);
        compare(step, real == null ? "none" : pool(real), (boolean) field(model, "exists") ? pool(model) : "none");
        if (both != null) {
            compare(step, arena(both.real.scope(), "block"), arena(both.model, "blocks"));
        }
    }

    private static void compare(String step, String real, String model) {
        if (!real.equals(model)) {
            throw new AssertionError("step " + step + "\npool:  " + real + "\nmodel: " + model);
        }
    }

    private static String pool(Object pool) throws ReflectiveOperationException {
        long claimed = (long) field(pool, "claimed");
        return "resident " + capacity(field(pool, "resident")) + ", claimed " + claimed
                + ", asked " + (claimed == 1 ? field(pool, "asked") : "") + ", asked of spare " + field(pool, "askedOfSpare")
                + ", sorted " + field(pool, "sorted") + ", spare " + capacity(field(pool, "spare"))
                + ", small " + small(pool) + ", lists " + lists(field(pool, "lists")) + " of " + field(pool, "listedBytes")
                + ", hand " + field(pool, "hand")
                + ", refused " + field(pool, "refused") + ", misses " + field(pool, "misses")
                + ", roomy " + field(pool, "roomy");
    }

    @SuppressWarnings("restricted")
    private static String small(Object pool) throws ReflectiveOperationException {
        if (pool instanceof PoolModel) {
            return capacities(((List<?>) field(pool, "small")).reversed()) + " of " + field(pool, "maxSmall");
        }
        long stack = (long) field(pool, "stack"); // its first word is no slot
        MemorySegment words = MemorySegment.ofAddress(stack).reinterpret((long) field(pool, "stackEnd") - stack + Long.BYTES);
        List<Integer> capacities = new ArrayList<>();
        for (long at = Long.BYTES; at <= (long) field(pool, "stackTop") - stack; at += Long.BYTES) {
            capacities.add(capacity(words.get(ValueLayout.JAVA_LONG, at)));
        }
        return capacities + " of " + (words.byteSize() / Long.BYTES - 1);
    }

    private static List<List<Integer>> lists(Object lists) throws ReflectiveOperationException {
        List<List<Integer>> capacities = new ArrayList<>();
        for (Object last : lists instanceof List<?> model ? model : LongStream.of((long[]) lists).boxed().toList()) {
            capacities.add(capacities(last));
        }
        return capacities;
    }

    private static String arena(Object arena, String blocks) throws ReflectiveOperationException {
        return capacities(field(arena, blocks)) + ", used " + field(arena, "used");
    }

    /** {@return the capacities of a block and of those that it is linked to, or of those in a list of the model, from its end on} */
    private static List<Integer> capacities(Object last) throws ReflectiveOperationException {
        List<Integer> capacities = new ArrayList<>();
        if (last instanceof List<?> model) {
            for (Object block : model.reversed()) {
                capacities.add(capacity(block));
            }
            return capacities;
        }
        for (Object block = last; !isNone(block); block = method(Class.forName(FOREIGN + "ConfinedBlock"), "link", long.class)
                .invoke(null, block)) {
            capacities.add(capacity(block));
        }
        return capacities;
    }

    private static boolean isNone(Object block) {
        return block == null || block.equals(0L);
    }

    /** {@return the capacity of a block, or of that at an address; -1 for none} */
    private static int capacity(Object block) throws ReflectiveOperationException {
        return isNone(block) ? -1 : block instanceof Long address // the resident slot's may be tagged
                ? (int) method(Class.forName(FOREIGN + "ConfinedBlock"), "capacity", long.class).invoke(null, address & -16)
                : (int) field(block, "capacity");
    }

    private static Object field(Object of, String name) throws ReflectiveOperationException {
        Field field = of.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(of);
    }

    private static Method method(Class<?> of, String name, Class<?>... parameters) throws ReflectiveOperationException {
        Method method = of.getDeclaredMethod(name, parameters);
        method.setAccessible(true);
        return method;
    }
}
