/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena;

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import java.util.concurrent.TimeUnit;

/** What the tests measure. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Fork(jvmArgsAppend = "-Dpooledarena.fork=true")
public class MeasuredBenchmarks {

    private static final int BYTES = Integer.getInteger("pooledarena.bytes", 0);

    private static int calls;

    /** What is measured in place of time. */
    @AuxCounters(AuxCounters.Type.EVENTS)
    @State(Scope.Thread)
    public static class Counter {

        public double bytes;
    }

    /** The sizes of arrays. */
    @State(Scope.Thread)
    public static class Size {

        @Param({"16", "1024"})
        public int size;
    }

    /** Allocates an array of {@link Size#size} bytes, and works only in the fork that the annotation asks for. */
    @Benchmark
    public byte[] array(Size size) {
        if (!Boolean.getBoolean("pooledarena.fork")) {
            throw new IllegalStateException("not in the fork that was asked for");
        }
        return new byte[size.size];
    }

    /** Counts how often it runs in a process. */
    @Benchmark
    @BenchmarkMode(Mode.SingleShotTime)
    @Warmup(iterations = 0)
    @Measurement(iterations = 1)
    public void once(Counter counter) {
        counter.bytes = ++calls;
    }

    @Benchmark
    public void broken(Size size) {
        throw new IllegalStateException("broken on purpose");
    }

    /** Allocates an array as large as an option of the virtual machine says. */
    @Benchmark
    public byte[] options() {
        return new byte[BYTES];
    }
}
