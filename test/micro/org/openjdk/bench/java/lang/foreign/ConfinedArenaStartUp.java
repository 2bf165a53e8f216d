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
package org.openjdk.bench.java.lang.foreign;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Does a JDK start later because of the pool? The time of a process of the JDK that the benchmark runs on, with its properties
 * of the JDK, from its start to its end. Its main is empty, and there is no jar to open.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@State(Scope.Benchmark)
@Warmup(iterations = 2)
@Measurement(iterations = 20)
@Fork(5)
public class ConfinedArenaStartUp {

    private Path classes;
    private ProcessBuilder builder;

    @Setup
    public void writeMain() throws IOException {
        classes = Files.createTempDirectory("start-up");
        ClassFile.of().buildTo(classes.resolve("EmptyMain.class"), ClassDesc.of("EmptyMain"), type -> type.withMethodBody(
                "main", MethodTypeDesc.ofDescriptor("([Ljava/lang/String;)V"), ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                CodeBuilder::return_));
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        // Not what JMH gives to its forks.
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream().filter(each -> each.startsWith("-Djdk.")).forEach(command::add);
        // Fails without a CDS archive that it can use.
        command.addAll(List.of("-Xshare:on", "-cp", classes.toString(), "EmptyMain"));
        builder = new ProcessBuilder(command).inheritIO();
    }

    @TearDown
    public void deleteMain() throws IOException {
        Files.delete(classes.resolve("EmptyMain.class"));
        Files.delete(classes);
    }

    @Benchmark
    public void emptyMain() throws IOException, InterruptedException {
        int status = builder.start().waitFor();
        if (status != 0) {
            throw new IllegalStateException("ended with status " + status);
        }
    }
}
