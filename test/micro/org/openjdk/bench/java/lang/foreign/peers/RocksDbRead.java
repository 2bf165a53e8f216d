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
package org.openjdk.bench.java.lang.foreign.peers;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;
import org.rocksdb.RocksDBException;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * How long does a request to RocksDB take, and what does it allocate, by the way that the key takes to it
 * and the value back? A request encodes a key that it picked at random, reads, and makes an object of the value.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 3, jvmArgsAppend = {"-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch", "--enable-native-access=ALL-UNNAMED"})
public class RocksDbRead {

    private static final int BATCH = 256;
    private static final int WARM_UP_REQUESTS = 200_000;

    @Param({"jniArrays", "jniPooledBuffers", "ffmArena"})
    public String path;

    /** Bytes in each value. */
    @Param({"16", "512", "8192", "mixed"})
    public String values;

    /** How much a thread has to do between two requests, in JMH's unit of work, which is of the order of a nanosecond. */
    @Param({"0", "400", "1000", "2000", "4000", "8000"})
    public long pause;

    private PathTimeKey[] keys;
    private ReadPath reads;

    /** Chooses the keys of one thread. */
    @State(Scope.Thread)
    public static class Choice {
        private SplittableRandom random;

        @Setup
        public void setup() {
            random = new SplittableRandom(Thread.currentThread().threadId());
        }

        PathTimeKey of(PathTimeKey[] keys) {
            return keys[random.nextInt() & keys.length - 1];
        }
    }

    @Setup
    public void setup() throws RocksDBException {
        keys = Database.keys(values);
        reads = ReadPath.of(path);
        // Often enough to be compiled even if the warm-up has few requests because of its pauses.
        for (int i = 0; i < WARM_UP_REQUESTS; i++) {
            if (reads.read(keys[i & keys.length - 1]) == null) {
                throw new IllegalStateException(Database.directory() + " lacks values of the kind " + values);
            }
        }
    }

    @TearDown
    public void tearDown() {
        reads.close();
    }

    @Benchmark
    public Reading request(Choice choice) throws RocksDBException {
        if (pause > 0) {
            Blackhole.consumeCPU(pause);
        }
        return reads.read(choice.of(keys));
    }

    /** A virtual thread for each request. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public Reading[] requestsOnVirtualThreads(Choice choice) throws InterruptedException {
        Reading[] readings = new Reading[BATCH];
        Thread[] threads = new Thread[BATCH];
        for (int i = 0; i < BATCH; i++) {
            int request = i;
            PathTimeKey key = choice.of(keys);
            threads[i] = Thread.startVirtualThread(() -> {
                try {
                    readings[request] = reads.read(key);
                } catch (RocksDBException e) {
                    throw new IllegalStateException(e);
                }
            });
        }
        for (int i = 0; i < BATCH; i++) {
            threads[i].join();
            if (readings[i] == null) {
                throw new IllegalStateException("a request failed, or found no value");
            }
        }
        return readings;
    }
}
