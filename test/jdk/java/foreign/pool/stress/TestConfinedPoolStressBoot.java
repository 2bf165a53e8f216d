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
 * @summary Arenas opened in each boot phase, in agents, and what boot initializes without them
 * @library ..
 * @modules java.instrument
 * @build Stress JavaProcess Slots
 * @run main/timeout=600 TestConfinedPoolStressBoot
 */

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Starts virtual machines whose {@code java.lang.System} opens arenas in each of its boot phases, and one with an agent
 * that does so before main (invariant 7).
 * <p>
 * Also checks that none of the pool's classes is initialized by a main that opens no arena, and that {@code MemorySegment} is
 * initialized before its implementation, as in the stock JDK, so that two threads cannot wait for each other there. With
 * {@code -Dpool.stress.stock=DIR}, an unpatched JDK of the same build, it is checked as well that boot initializes the
 * same classes as there and in the same order.
 */
public class TestConfinedPoolStressBoot {

    private static final String INITIALIZATION = "-Xlog:class+init=info";

    private static final ClassDesc PROBE = ClassDesc.of("java.lang.EarlyArena");

    public static void main(String[] args) throws Exception {
        Path patch = Path.of("boot-patch");
        Files.createDirectories(patch.resolve("java/lang"));
        Path jdk = JavaProcess.TESTED_JDK;
        writeProbe(patch.resolve("java/lang/EarlyArena.class"));

        // Before this, an arena cannot be opened with pooling off either.
        String stock = System.getProperty("pool.stress.stock");
        Path baseline = stock == null ? jdk : Path.of(stock);
        int low = 0;
        int high = writeSystem(patch, "initPhase1", 0) - 1;
        while (low < high) {
            int middle = (low + high) / 2;
            writeSystem(patch, "initPhase1", middle);
            started++;
            if (boots(baseline, patch, false, 0)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        System.out.println("earliest arena: after call " + low + " of initPhase1");
        opensArenas(jdk, patch, "initPhase1", low);
        for (String method : List.of("initPhase1", "initPhase2", "initPhase3")) {
            if (!method.equals("initPhase1")) {
                opensArenas(jdk, patch, method, 0);
            }
            opensArenas(jdk, patch, method, writeSystem(patch, method, 0) - 1);
        }

        Path jar = JavaProcess.agent(Agent.class);
        List<String> output = run(jdk, List.of("-javaagent:" + jar, "-Djdk.foreign.confinedPool.size=64",
                "-Djdk.foreign.confinedPool.depth=2"), Main.class);
        Stress.check(output.contains("premain") && output.contains("main"), "agent: " + output);
        started++;

        List<String> opening = initialized(jdk, Opening.class);
        int segment = opening.indexOf("java/lang/foreign/MemorySegment");
        Stress.check(segment >= 0 && segment < opening.indexOf("jdk/internal/foreign/AbstractMemorySegmentImpl"),
                "MemorySegment is not initialized first: " + opening);
        started++;

        List<String> order = initialized(jdk, Empty.class);
        List<String> own = order.stream().filter(name -> name.startsWith("jdk/internal/foreign/")).toList();
        Stress.check(order.contains("java/lang/Module"), "no classes in the log: " + order);
        Stress.check(own.isEmpty(), "initialized although no arena is opened: " + own);
        started++;
        if (stock != null) {
            List<String> stockOrder = initialized(Path.of(stock), Empty.class);
            Stress.check(order.equals(stockOrder), "another order of initialization than in the stock JDK: "
                    + Stress.difference(order, stockOrder));
            System.out.println(order.size() + " classes are initialized in the order of the stock JDK");
        }
        Stress.report("virtual machines started", started);
    }

    private static int started;

    /** Checks that arenas can be opened at a point of boot, and are pooled unless pooling is off. */
    private static void opensArenas(Path jdk, Path patch, String method, int call) throws Exception {
        writeSystem(patch, method, call);
        boolean booted = method.equals("initPhase3") && call > 0;
        for (int size : new int[] {64, 1 << 20, 0}) {
            Stress.check(boots(jdk, patch, booted, size), "no arena after call " + call + " of " + method + " with size " + size);
            started++;
        }
        for (String option : List.of("verify=trace", "agents=true", "depth=wrong")) {
            Stress.check(boots(jdk, patch, booted, 64, "-Djdk.foreign.confinedPool." + option),
                    "no arena after call " + call + " of " + method + " with " + option);
            started++;
        }
    }

    /** {@return whether the virtual machine boots and its arenas are pooled} The process has no counters then, unless it was booted. */
    private static boolean boots(Path jdk, Path patch, boolean booted, int size, String... further)
            throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(List.of(JavaProcess.patch(patch),
                "-Djdk.foreign.confinedPool.size=" + size, "-Djdk.foreign.confinedPool.depth=2", INITIALIZATION));
        options.addAll(List.of(further));
        JavaProcess process = start(jdk, options, Main.class);
        boolean boots = process.status() == 0
                && process.out().containsAll(List.of("main", "opened in boot: true", "pooled: " + (size != 0)));
        if (!boots && size != 0) {
            System.out.println(process);
        }
        Stress.check(booted || process.out().stream().takeWhile(line -> !line.equals("main"))
                .noneMatch(line -> line.contains("ConfinedPoolCounters$Totals'")), "the process's counters are initialized in boot");
        return boots;
    }

    /**
     * Writes java.lang.System with a call of the probe after one of the calls in one of its methods.
     *
     * @return how many calls there are in the method
     */
    private static int writeSystem(Path patch, String method, int call) throws IOException {
        int[] calls = {0};
        CodeTransform insertion = (code, element) -> {
            code.with(element);
            if (element instanceof InvokeInstruction && calls[0]++ == call) {
                code.invokestatic(PROBE, "use", MethodTypeDesc.of(ConstantDescs.CD_void));
            }
        };
        JavaProcess.transform(patch, "java.lang.System",
                ClassTransform.transformingMethodBodies(model -> model.methodName().equalsString(method), insertion));
        Stress.check(calls[0] > call, "no call " + call + " in " + method);
        return calls[0];
    }

    /**
     * Writes the probe. Its method opens the arenas that have no pool, and two more. It keeps in fields whether there is
     * a pool then, and how far two allocations of one arena are apart. It is written without a compiler, since a class of
     * java.lang is not among what jtreg compiles here.
     */
    private static void writeProbe(Path file) throws IOException {
        ClassDesc arena = ClassDesc.of("java.lang.foreign.Arena");
        ClassDesc segment = ClassDesc.of("java.lang.foreign.MemorySegment");
        Files.write(file, ClassFile.of().build(PROBE, builder -> builder
                .withFlags(ClassFile.ACC_PUBLIC | ClassFile.ACC_FINAL)
                .withField("count", ConstantDescs.CD_int, ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC)
                .withField("gap", ConstantDescs.CD_long, ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC)
                .withMethodBody("use", MethodTypeDesc.of(ConstantDescs.CD_void),
                        ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC, code -> {
                            for (int i = 0; i < Slots.WITHOUT_POOL; i++) {
                                code.invokestatic(arena, "ofConfined", MethodTypeDesc.of(arena), true).astore(0);
                                code.aload(0).loadConstant(1L).loadConstant(1L)
                                        .invokeinterface(arena, "allocate", MethodTypeDesc.of(segment,
                                                ConstantDescs.CD_long, ConstantDescs.CD_long)).pop();
                                code.aload(0).invokeinterface(arena, "close", MethodTypeDesc.of(ConstantDescs.CD_void));
                            }
                            code.invokestatic(arena, "ofConfined", MethodTypeDesc.of(arena), true).astore(0);
                            code.invokestatic(arena, "ofConfined", MethodTypeDesc.of(arena), true).astore(1);
                            for (int i = 0; i < 2; i++) {
                                code.aload(0).loadConstant(i == 0 ? 32L : 1L).loadConstant(1L)
                                        .invokeinterface(arena, "allocate", MethodTypeDesc.of(segment,
                                                ConstantDescs.CD_long, ConstantDescs.CD_long))
                                        .invokeinterface(segment, "address", MethodTypeDesc.of(ConstantDescs.CD_long))
                                        .lstore(2 + 2 * i);
                            }
                            code.aload(1).loadConstant(5L).loadConstant(1L)
                                    .invokeinterface(arena, "allocate", MethodTypeDesc.of(segment,
                                            ConstantDescs.CD_long, ConstantDescs.CD_long)).pop();
                            code.lload(4).lload(2).lsub().putstatic(PROBE, "gap", ConstantDescs.CD_long);
                            code.aload(0).invokeinterface(arena, "close", MethodTypeDesc.of(ConstantDescs.CD_void));
                            code.aload(1).invokeinterface(arena, "close", MethodTypeDesc.of(ConstantDescs.CD_void));
                            code.getstatic(PROBE, "count", ConstantDescs.CD_int).iconst_1().iadd()
                                    .putstatic(PROBE, "count", ConstantDescs.CD_int);
                            code.return_();
                        })));
    }

    /** {@return what the class prints} */
    private static List<String> run(Path jdk, List<String> options, Class<?> main)
            throws IOException, InterruptedException {
        JavaProcess process = start(jdk, options, main);
        Stress.check(process.status() == 0, options + " failed: " + process);
        return process.out();
    }

    private static JavaProcess start(Path jdk, List<String> options, Class<?> main)
            throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(options);
        all.add("-XX:NativeMemoryTracking=summary");
        return JavaProcess.run(jdk, all, main.getName());
    }

    /** {@return the classes that the main thread initializes, in order} */
    private static List<String> initialized(Path jdk, Class<?> main) throws IOException, InterruptedException {
        // What an archive holds is initialized in an order that the archive's own layout gives.
        return run(jdk, List.of("-Xshare:off", INITIALIZATION), main).stream()
                .filter(line -> line.contains("Initializing '") && line.contains("by thread \"main\""))
                .map(line -> line.replaceAll(".*Initializing '([^']*)'.*", "$1"))
                .collect(Collectors.toList());
    }

    static final class Empty {
        public static void main(String[] args) {}
    }

    static final class Opening {
        public static void main(String[] args) {
            Slots.nest(2, 8);
        }
    }

    static final class Main {
        public static void main(String[] args) throws ReflectiveOperationException {
            System.out.println("main");
            Class<?> probe;
            try {
                probe = Class.forName("java.lang.EarlyArena");
            } catch (ClassNotFoundException e) {
                return; // with an agent
            }
            long gap = probe.getField("gap").getLong(null);
            System.out.println("opened in boot: " + (probe.getField("count").getInt(null) > 0));
            boolean verified = !System.getProperty("jdk.foreign.confinedPool.verify", "false").equals("false");
            System.out.println("pooled: " + (gap == (verified ? 48 : 32)));
        }
    }

    static final class Agent {
        public static void premain(String arguments) {
            Slots.openFirst();
            Slots.checkPooled();
            System.out.println("premain");
        }
    }
}
