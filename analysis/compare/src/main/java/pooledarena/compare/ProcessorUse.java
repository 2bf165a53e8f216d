/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import com.sun.management.OperatingSystemMXBean;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.*;

import java.lang.management.ManagementFactory;
import module java.base;

/**
 * Tells JMH how much processor time the whole process took for each operation, with garbage collector and cleaner, and
 * how many cores other programs kept busy meanwhile.
 */
public final class ProcessorUse implements InternalProfiler {

    static final String OWN = "cpu.norm";
    static final String OTHERS = "cpu.others";

    private final OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private long start;

    @Override
    public String getDescription() {
        return "Processor time of the process by operation, and cores that others keep busy";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        otherCores(); // the loads are those since the last call
        start = system.getProcessCpuTime();
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(BenchmarkParams benchmark, IterationParams iteration,
                                                          IterationResult result) {
        double time = system.getProcessCpuTime() - start;
        double each = time / result.getMetadata().getAllOps();
        return List.of(new ScalarResult(OWN, each, "ns/op", AggregationPolicy.AVG),
                new ScalarResult(OTHERS, otherCores(), "cores", AggregationPolicy.AVG));
    }

    private double otherCores() {
        return otherCores(system.getCpuLoad(), system.getProcessCpuLoad(), system.getAvailableProcessors());
    }

    /** Both loads count ticks of 10 ms, so an iteration may give less than 0. Without such ones the mean would be too high. */
    static double otherCores(double all, double own, int processors) {
        return (all - own) * processors;
    }
}
