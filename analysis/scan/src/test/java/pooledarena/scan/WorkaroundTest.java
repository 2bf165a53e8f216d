/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import module java.base;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import pooledarena.model.Costs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What is taken for a workaround, and what a confined arena would cost there. */
class WorkaroundTest {

    /** Scanned, never run. */
    @SuppressWarnings({"restricted", "try", "unused"})
    static class Samples {

        record Buffers(Arena arena, MemorySegment first) {}

        record NoBuffers(int size) {
            static final MemorySegment EMPTY = MemorySegment.NULL;
        }

        static final ThreadLocal<Arena> ARENA = ThreadLocal.withInitial(Arena::ofConfined);
        static final InheritableThreadLocal<SegmentAllocator> ALLOCATOR = new InheritableThreadLocal<>();
        final ThreadLocal<MemorySegment> segment = new ThreadLocal<>();
        final ThreadLocal<Buffers> buffers = new ThreadLocal<>();
        final ThreadLocal<String> noMemory = new ThreadLocal<>();
        final ThreadLocal<NoBuffers> noMemoryEither = new ThreadLocal<>();

        private final MemorySegment scratch = Arena.ofAuto().allocate(24);
        private final MemorySegment onlyRead = Arena.ofAuto().allocate(24);
        private static final MemorySegment TEXT = Arena.global().allocateFrom("constant");
        private final MemorySegment filledOnce = Arena.ofAuto().allocate(24);
        private MemorySegment lazy;

        Samples() {
            filledOnce.fill((byte) 1);
        }

        void useScratch(int n) {
            scratch.set(ValueLayout.JAVA_INT, 0, n);
        }

        void useLazy(int n) {
            if (lazy == null) {
                lazy = Arena.global().allocate(ValueLayout.JAVA_INT, n);
            }
            MemorySegment.copy(TEXT, 0, lazy, 0, 4);
        }

        int read() {
            return onlyRead.get(ValueLayout.JAVA_INT, 0);
        }

        static long auto() {
            MemorySegment segment = Arena.ofAuto().allocate(100);
            segment.asSlice(8).set(ValueLayout.JAVA_INT, 0, 1);
            return sum(segment) + segment.byteSize() + Arrays.hashCode(segment.toArray(ValueLayout.JAVA_BYTE));
        }

        private static int sum(MemorySegment segment) {
            return segment.get(ValueLayout.JAVA_INT, 0) + segment.get(ValueLayout.JAVA_INT, 4);
        }

        static int shared() {
            try (Arena arena = Arena.ofShared()) {
                return arena.allocate(ValueLayout.JAVA_LONG, 3).get(ValueLayout.JAVA_INT, 8);
            }
        }

        static MemorySegment autoReturned() {
            return Arena.ofAuto().allocate(8).reinterpret(4);
        }

        void autoKept() {
            lazy = Arena.ofAuto().allocateFrom("abc").asSlice(1);
        }

        record Wrapper(MemorySegment segment) {}

        static MemorySegment autoWrapped() {
            return new Wrapper(Arena.ofAuto().allocate(8)).segment();
        }

        static void autoKeptInMemory(MemorySegment struct) {
            struct.set(ValueLayout.ADDRESS, 0, Arena.ofAuto().allocate(8));
        }

        static Runnable autoCaptured() {
            MemorySegment segment = Arena.ofAuto().allocate(8);
            return () -> segment.fill((byte) 1);
        }

        static void autoPassed(Consumer<MemorySegment> consumer) {
            consumer.accept(Arena.ofAuto().allocate(8));
        }

        static void sharedNotClosed() {
            Arena.ofShared().allocate(8);
        }

        static Object autoWithoutMemory() {
            return Arena.ofAuto().scope();
        }
    }

    @TempDir
    private Path directory;

    private LibraryScan scan() {
        return ScanFiles.scan(directory, ScanFiles.classFiles(WorkaroundTest.class));
    }

    private List<String> found(String kind) {
        return scan().workarounds().stream()
                .filter(workaround -> workaround.kind().equals(kind))
                .map(workaround -> workaround.site().replaceAll(".*\\.|:.*", "") + " " + workaround.bytes()).sorted().toList();
    }

    @Test
    void threadLocals() {
        assertEquals(List.of("ALLOCATOR null", "ARENA null", "buffers null", "segment null"), found(Workaround.THREAD_LOCAL));
    }

    /** The bytes are aligned as in a slot. */
    @Test
    void arenasOfOneMethod() {
        assertEquals(List.of("auto 100"), found("ofAuto in one method"));
        assertEquals(List.of("shared 24"), found("ofShared in one method"));
    }

    /** Of all call sites, whatever becomes of the arena. */
    @Test
    void otherArenas() {
        assertEquals(Map.of("ofAuto", 11, "ofShared", 2, "global", 2), scan().otherArenas());
    }

    @Test
    void segmentsInFields() {
        assertEquals(List.of("lazy null", "scratch 24"), found(Workaround.SCRATCH));
    }

    /** The instruction that stores the segment has as many lines as a class file can have. */
    @Test
    void manyLines() {
        String segment = "Ljava/lang/foreign/MemorySegment;";
        ClassWriter type = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        type.visit(Opcodes.V21, 0, "p/A", null, "java/lang/Object", null);
        type.visitField(Opcodes.ACC_STATIC, "scratch", segment, null, null);
        MethodVisitor code = type.visitMethod(Opcodes.ACC_STATIC, "fill", "()V", null, null);
        code.visitMethodInsn(Opcodes.INVOKESTATIC, "java/lang/foreign/Arena", "global", "()Ljava/lang/foreign/Arena;", true);
        code.visitLdcInsn(24L);
        code.visitMethodInsn(Opcodes.INVOKEINTERFACE, "java/lang/foreign/Arena", "allocate", "(J)" + segment, true);
        Label store = new Label();
        code.visitLabel(store);
        for (int line = 1; line <= 65_535; line++) {
            code.visitLineNumber(line, store);
        }
        code.visitFieldInsn(Opcodes.PUTSTATIC, "p/A", "scratch", segment);
        code.visitFieldInsn(Opcodes.GETSTATIC, "p/A", "scratch", segment);
        code.visitInsn(Opcodes.ICONST_1);
        code.visitMethodInsn(Opcodes.INVOKEINTERFACE, "java/lang/foreign/MemorySegment", "fill", "(B)" + segment, true);
        code.visitInsn(Opcodes.POP);
        code.visitInsn(Opcodes.RETURN);
        code.visitMaxs(0, 0);
        type.visitEnd();
        LibraryScan scan = ScanFiles.scan(directory, Map.of("p/A.class", type.toByteArray()));
        assertEquals(List.of(), scan.faults());
        assertEquals(List.of(new Workaround(Workaround.SCRATCH, "p.A.scratch", 24L)), scan.workarounds());
    }

    @Test
    void inTheReport() {
        String site = "p.A.m:3";
        String text = new ScanReport(List.of(new LibraryScan("l", 1, 1, Map.of(), List.of(), List.of(
                new Workaround("ofAuto in one method", site, 104L), new Workaround(Workaround.THREAD_LOCAL, site, null)), List.of())),
                new Costs("doc/x", new Costs.Times(times(27.5, 30.5), times(99, 99), 0, 0), new Costs.Times(times(2.5, 4.25),
                        times(9, 9), 0, 0), 0, 0, 0)).document().toText(Integer.MAX_VALUE);
        assertEquals(List.of("| `p.A.m:3` | ofAuto in one method | 104 | 4.25 ns for 256 B | 30.5 ns |",
                "| `p.A.m:3` | kept in a ThreadLocal | ? | ? | ? |"),
                text.lines().filter(line -> line.startsWith("| `p.A")).map(line -> line.replaceAll(" +", " ")).toList());
        assertTrue(text.contains("doc/x"), text);
    }

    private static NavigableMap<Long, Double> times(double of64Bytes, double of256Bytes) {
        return new TreeMap<>(Map.of(64L, of64Bytes, 256L, of256Bytes));
    }
}
