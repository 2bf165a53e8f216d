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
 * @summary Virtual threads that yield wherever the pool of their carrier is used
 * @library ..
 * @build Stress JavaProcess
 * @run main/timeout=300 TestConfinedPoolStressYield
 */

import java.io.IOException;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Puts a yield after each access to a field and each call in the methods of the pool. As a virtual thread is pinned while it
 * takes a slot, no other one gets that slot (invariant 3), though all of them are on one carrier and yield all the time. The
 * same with the pins left out shows that it would be found.
 */
public class TestConfinedPoolStressYield {

    private static final String POOL = "jdk.internal.foreign.ConfinedSlotPool";

    public static void main(String[] args) throws Exception {
        CodeTransform yields = (code, element) -> {
            code.with(element);
            if (element instanceof FieldInstruction || element instanceof InvokeInstruction) {
                code.invokestatic(ClassDesc.of("java.lang.Thread"), "yield", MethodTypeDesc.of(ConstantDescs.CD_void));
            }
        };
        CodeTransform withoutPins = (code, element) -> {
            if (!(element instanceof InvokeInstruction call
                    && call.owner().asInternalName().equals("jdk/internal/vm/Continuation"))) {
                code.with(element);
            }
        };
        ClassTransform yielding = ClassTransform.transformingMethodBodies(
                method -> !method.methodName().stringValue().startsWith("<"), yields);
        ClassTransform unpinned = ClassTransform.transformingMethodBodies(withoutPins);

        Path patch = Path.of("yield-patch");
        JavaProcess.transform(patch, POOL, yielding);
        String owners = run(patch);
        Stress.check(owners.equals("one owner"), "invariant 3, with yields: " + owners);

        Path control = Path.of("yield-patch-without-pins");
        JavaProcess.transform(control, POOL, unpinned.andThen(yielding));
        owners = run(control);
        Stress.check(owners.equals("two owners") || owners.equals("not zero"),
                "without pins the test would find nothing: " + owners);
    }

    /** {@return what the child says last} */
    private static String run(Path patch) throws IOException, InterruptedException {
        JavaProcess child = JavaProcess.run(JavaProcess.TESTED_JDK, List.of(JavaProcess.patch(patch), "-Xmx128m",
                "-Djdk.virtualThreadScheduler.parallelism=1", "-Djdk.virtualThreadScheduler.maxPoolSize=1",
                "-Djdk.foreign.confinedPool.size=8192", "-Djdk.foreign.confinedPool.depth=16"),
                Child.class.getName(), "" + Stress.SCALE);
        Stress.check(child.status() == 0 && !child.out().isEmpty(), "the child failed: " + child);
        return child.out().getLast();
    }

    static final class Child {

        private static final int THREADS = 10;

        /** Of an allocation for which the spare slot is taken, and of one for which that is too small. */
        private static final long SPARE = 8;
        private static final long FROM_A_STACK = 1000;

        public static void main(String[] args) throws InterruptedException {
            int rounds = 300 * Integer.parseInt(args[0]);
            Set<Long> owned = ConcurrentHashMap.newKeySet();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                threads.add(Thread.ofVirtual().start(() -> {
                    for (int j = 0; j < rounds; j++) {
                        useArena(owned, SPARE);
                        useArena(owned, FROM_A_STACK);
                    }
                }));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            System.out.println("one owner");
        }

        private static void useArena(Set<Long> owned, long byteSize) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment segment = arena.allocate(byteSize);
                if (!owned.add(segment.address())) {
                    end("two owners");
                }
                if (segment.get(ValueLayout.JAVA_LONG, 0) != 0) {
                    end("not zero");
                }
                segment.set(ValueLayout.JAVA_LONG, 0, -1);
                Thread.yield();
                owned.remove(segment.address());
            }
        }

        /** Ends the process before two owners free the same memory. */
        private static void end(String finding) {
            System.out.println(finding);
            Runtime.getRuntime().halt(0);
        }
    }
}
