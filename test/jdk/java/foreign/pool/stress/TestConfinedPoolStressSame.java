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
 * @summary Random programs see the same with a pool as without one
 * @library ..
 * @build Stress JavaProcess Slots Task
 * @run main/timeout=600 TestConfinedPoolStressSame
 */

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * Runs random programs in virtual machines with and without a pool, and compares all that the API tells them: values,
 * contents, exceptions with their messages, and when cleanup actions run. Addresses are left out, as is how many bytes
 * could not be allocated, which includes what the pool adds.
 * <p>
 * Without a pool runs the JDK of {@code -Dpool.stress.stock=DIR}, which is unpatched, or else the tested one with size 0. JDK 28's own
 * pool is off there: memory from it adds no cleanup action, so others run in another order than in 25 to 27.
 */
public class TestConfinedPoolStressSame {

    private static final String SIZE = "jdk.foreign.confinedPool.size";
    private static final String POOL = "-Djdk.foreign.confinedPool.";
    private static final int PROGRAMS = Stress.scaled(200);

    public static void main(String[] args) throws Exception {
        Stress.printSeed();
        String stock = System.getProperty("pool.stress.stock");
        Path baseline = stock == null ? JavaProcess.TESTED_JDK : Path.of(stock);
        List<String> off = List.of(POOL + "size=0", "-Djdk.internal.foreign.native.confined.pool.power.count=-1");
        for (String kind : List.of("platform", "virtual")) {
            List<String> expected = run(baseline, off, kind, Stress.SEED, PROGRAMS);
            Stress.check(expected.size() == PROGRAMS, expected.size() + " programs ran without a pool");
            for (List<String> options : List.of(List.<String>of(), List.of(POOL + "size=64", POOL + "depth=2"),
                    List.of(POOL + "verify=true"))) {
                List<String> found = run(JavaProcess.TESTED_JDK, options, kind, Stress.SEED, PROGRAMS);
                for (int i = 0; i < PROGRAMS; i++) {
                    if (!found.get(i).equals(expected.get(i))) {
                        long seed = Stress.SEED + i;
                        throw new AssertionError("program " + i + " on a " + kind + " thread with " + options + ": "
                                + Stress.difference(run(JavaProcess.TESTED_JDK, options, kind, seed, 1, "all"),
                                        run(baseline, off, kind, seed, 1, "all")));
                    }
                }
                Stress.report("programs that see the same", PROGRAMS);
            }
        }
    }

    private static List<String> run(Path jdk, List<String> options, String kind, long seed, int programs, String... all)
            throws Exception {
        List<String> given = new ArrayList<>(options);
        given.add("--enable-native-access=ALL-UNNAMED");
        List<String> main = new ArrayList<>(List.of(Programs.class.getName(), kind, "" + seed, "" + programs));
        main.addAll(List.of(all));
        JavaProcess process = JavaProcess.run(jdk, given, main.toArray(new String[0]));
        Stress.check(process.status() == 0, options + " failed: " + process.err());
        return process.out();
    }

    static final class Programs {
        /** Prints one line for each program, or all lines that one program has. */
        public static void main(String[] args) throws Exception {
            Thread.Builder builder = args[0].equals("virtual") ? Thread.ofVirtual() : Thread.ofPlatform();
            long seed = Long.parseLong(args[1]);
            for (int i = 0; i < Integer.parseInt(args[2]); i++) {
                Program program = new Program(seed + i);
                Task.run(builder, program::run);
                if (args.length > 3) {
                    program.told.forEach(System.out::println);
                } else {
                    System.out.println(program.told.size() + " lines, hash " + program.told.hashCode());
                }
            }
            if (Integer.getInteger(SIZE, -1) != 0) {
                Task.run(builder, Slots::checkPooled);
            }
        }
    }

    private static final class Program {

        private static final int STEPS = 600;

        private static final int[] SIZES = {0, 1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 450, 451,
            452, 511, 512, 513, 600, 1000, 1023, 1024, 1025, 1999, 2000, 2047, 2048, 2049, 3000, 4096, 8191, 8192, 8193, 10_000,
            20_000, 100_000};
        private static final int[] ALIGNMENTS = {1, 1, 1, 2, 4, 8, 8, 16, 32, 64, 128, 1024, 4096};

        private static final long[][] NOT_ACCEPTED = {{-1, 1}, {Long.MIN_VALUE, 8}, {Long.MAX_VALUE, 1}, {Long.MAX_VALUE - 100, 8},
            {1L << 62, 8}, {8, 0}, {8, -1}, {8, 3}, {8, -8}, {0, 12}, {600, Long.MIN_VALUE}};

        private final List<String> told = new ArrayList<>();
        private final List<Arena> arenas = new ArrayList<>();
        private final List<MemorySegment> segments = new ArrayList<>();
        private final Random random;
        private int actions;

        Program(long seed) {
            random = new Random(seed);
        }

        void run() {
            for (int i = 0; i < STEPS; i++) {
                step();
            }
            while (!arenas.isEmpty()) {
                Arena arena = arenas.removeLast();
                tell("close at the end", () -> close(arena));
            }
        }

        private void step() {
            int choice = random.nextInt(100);
            if (arenas.isEmpty() || choice < 15) {
                arenas.add(Arena.ofConfined());
                return;
            }
            // Mostly one of those opened last.
            int near = random.nextInt(4) == 0 ? arenas.size() : Math.min(4, arenas.size());
            int i = arenas.size() - 1 - random.nextInt(near);
            Arena arena = arenas.get(i);
            if (choice < 55) {
                tell("allocate", () -> allocate(arena, pick(SIZES), pick(ALIGNMENTS)));
            } else if (choice < 58) {
                long[] given = NOT_ACCEPTED[random.nextInt(NOT_ACCEPTED.length)];
                tell("allocate what is not accepted", () -> arena.allocate(given[0], given[1]));
            } else if (choice < 72) {
                tell("close", () -> close(arena));
                if (random.nextInt(5) != 0) { // the others stay, closed
                    arenas.remove(i);
                }
            } else if (choice < 80) {
                if (!segments.isEmpty()) {
                    MemorySegment segment = segments.get(random.nextInt(segments.size()));
                    tell("use", () -> use(segment, random.nextInt(6)));
                }
            } else if (choice < 84) {
                addAction(arena, actions++, random.nextInt(4) == 0);
            } else if (choice < 88) {
                tell("string", () -> {
                    MemorySegment segment = added(arena.allocateFrom("\u00e9".repeat(random.nextInt(600))));
                    return segment.byteSize() + segment.getString(0);
                });
            } else if (choice < 90) {
                int[] ints = random.ints(random.nextInt(400)).toArray();
                tell("ints", () -> Arrays.equals(ints, added(arena.allocateFrom(JAVA_INT, ints)).toArray(JAVA_INT)));
            } else if (choice < 92) {
                tell("longs", () -> isZero(added(arena.allocate(JAVA_LONG, random.nextInt(300)))));
            } else if (choice < 94) {
                tell("slices", () -> {
                    SegmentAllocator slices = SegmentAllocator.slicingAllocator(arena.allocate(500));
                    long bytes = 0;
                    while (true) {
                        bytes += slices.allocate(1 + random.nextInt(60), 8).byteSize();
                        told.add("slices of " + bytes + " bytes");
                    }
                });
            } else if (choice < 96) {
                tell("on another thread", () -> elsewhere(arena, random.nextInt(4)));
            } else if (choice < 98) {
                tell("two", () -> {
                    MemorySegment one = arena.allocate(24);
                    MemorySegment other = arena.allocate(24);
                    return one.asOverlappingSlice(other).isPresent() + " " + one.equals(other);
                });
            } else {
                int size = pick(SIZES);
                tell("nest", () -> nest(1 + random.nextInt(20), size));
            }
        }

        private void tell(String what, Callable<Object> step) {
            try {
                told.add(what + ": " + step.call());
            } catch (Throwable t) {
                told.add(what + ": " + told(t));
            }
        }

        private static String told(Throwable t) {
            String message = String.valueOf(t.getMessage()).replaceAll("address: \\w+|Thread\\[[^]]*]|@[0-9a-f]+", "...");
            StringBuilder all = new StringBuilder(t.getClass().getName());
            if (!(t instanceof OutOfMemoryError)) {
                all.append(": ").append(message);
            }
            for (Throwable suppressed : t.getSuppressed()) {
                all.append(", suppressed ").append(told(suppressed));
            }
            return all.toString();
        }

        private String allocate(Arena arena, int size, int alignment) {
            MemorySegment segment = added(arena.allocate(size, alignment));
            String seen = "%d bytes, zero %b, aligned %b, not null %b, native %b, read-only %b, mapped %b, scope %b, accessible %b"
                    .formatted(segment.byteSize(), isZero(segment), segment.address() % alignment == 0, segment.address() != 0,
                            segment.isNative(), segment.isReadOnly(), segment.isMapped(), segment.scope().equals(arena.scope()),
                            segment.isAccessibleBy(Thread.currentThread()));
            segment.fill((byte) random.nextInt());
            return seen;
        }

        private MemorySegment added(MemorySegment segment) {
            segments.add(segment);
            return segment;
        }

        private static boolean isZero(MemorySegment segment) {
            for (long i = 0; i < segment.byteSize(); i++) {
                if (segment.get(JAVA_BYTE, i) != 0) {
                    return false;
                }
            }
            return true;
        }

        private static boolean close(Arena arena) {
            arena.close();
            return arena.scope().isAlive();
        }

        private Object use(MemorySegment segment, int how) {
            return switch (how) {
                case 0 -> segment.get(JAVA_BYTE, random.nextLong(segment.byteSize() + 1));
                case 1 -> segment.scope().isAlive();
                case 2 -> segment.get(JAVA_BYTE, segment.byteSize());
                case 3 -> segment.asSlice(segment.byteSize() / 2).byteSize();
                case 4 -> segment.fill((byte) 3).mismatch(segment);
                default -> segment.asByteBuffer();
            };
        }

        private void addAction(Arena arena, int number, boolean throwsException) {
            tell("action", () -> MemorySegment.NULL.reinterpret(8, arena, _ -> {
                told.add("action " + number + " runs, the arena is alive: " + arena.scope().isAlive());
                if (throwsException) {
                    throw new IllegalStateException("action " + number);
                }
            }).byteSize());
        }

        private String elsewhere(Arena arena, int how) throws InterruptedException {
            AtomicReference<String> seen = new AtomicReference<>();
            Thread.ofPlatform().start(() -> {
                try {
                    seen.set("" + switch (how) {
                        case 0 -> arena.allocate(8);
                        case 1 -> close(arena);
                        case 2 -> arena.scope().isAlive();
                        default -> segments.isEmpty() || segments.getLast().get(JAVA_BYTE, 0) == 0;
                    });
                } catch (Throwable t) {
                    seen.set(told(t));
                }
            }).join();
            return seen.get();
        }

        private int nest(int arenas, int size) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment segment = arena.allocate(size, 1);
                int zero = isZero(segment) ? 1 : 0;
                segment.fill((byte) -1);
                return zero + (arenas == 1 ? 0 : nest(arenas - 1, size));
            }
        }

        private int pick(int[] values) {
            return values[random.nextInt(values.length)];
        }
    }
}
