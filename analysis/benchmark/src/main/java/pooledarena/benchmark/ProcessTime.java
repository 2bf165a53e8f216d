/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.benchmark;

import com.sun.management.OperatingSystemMXBean;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

import java.lang.management.ManagementFactory;
import module java.base;

/**
 * Tells JMH how much processor time the whole process took for each operation: also what the garbage collector and the
 * cleaner's thread did for it, on other cores.
 */
public final class ProcessTime implements InternalProfiler {

    static final String RESULT = "cpu.norm";

    private final OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private long start;

    @Override
    public String getDescription() {
        return "Processor time of the process by operation";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        start = system.getProcessCpuTime();
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(BenchmarkParams benchmark, IterationParams iteration,
                                                          IterationResult result) {
        double time = system.getProcessCpuTime() - start;
        double each = time / result.getMetadata().getAllOps();
        return List.of(new ScalarResult(RESULT, each, "ns/op", AggregationPolicy.AVG));
    }
}
