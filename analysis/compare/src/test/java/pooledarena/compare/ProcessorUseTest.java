/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.IterationResultMetaData;
import org.openjdk.jmh.results.Result;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ProcessorUseTest {

    private static final int OPERATIONS = 1000;

    private static long processorTime() {
        return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class).getProcessCpuTime();
    }

    /** What the process took meanwhile lies between what it took inside and outside of the two calls. */
    @Test
    void processorTimeOfAnOperation() {
        ProcessorUse use = new ProcessorUse();
        long outside = processorTime();
        use.beforeIteration(null, null);
        long inside = processorTime();
        while (processorTime() - inside < 50_000_000) {
            Thread.onSpinWait();
        }
        long least = processorTime() - inside;
        List<? extends Result<?>> results = List.copyOf(use.afterIteration(null, null,
                new IterationResult(null, null, new IterationResultMetaData(OPERATIONS, 1))));
        long most = processorTime() - outside;
        assertEquals(List.of("cpu.norm", "cpu.others"), results.stream().map(Result::getLabel).toList());
        double all = results.getFirst().getScore() * OPERATIONS;
        assertTrue(all >= least - 1 && all <= most + 1, () -> least + " <= " + all + " <= " + most);
        double others = results.getLast().getScore();
        assertTrue(Math.abs(others) <= Runtime.getRuntime().availableProcessors(), () -> others + " cores");
        assertFalse(use.getDescription().isEmpty());
    }

    /** Another process works, and this one sleeps meanwhile, again if the other had no core for long. */
    @Test
    void coresThatOthersKeepBusy() throws IOException, InterruptedException {
        Process busy = new ProcessBuilder("sh", "-c", "while :; do :; done").start();
        try {
            double others = 0;
            for (int i = 0; i < 100 && others <= 0.5; i++) {
                others = otherCores();
            }
            assertTrue(others > 0.5, others + " cores");
        } finally {
            busy.destroyForcibly();
        }
    }

    /** One iteration has a tick too few, another one a tick too many: nothing else ran. */
    @Test
    void ticksThatAreCountedLaterAreNoOtherPrograms() {
        assertEquals(0, ProcessorUse.otherCores(0.5, 0.75, 2) + ProcessorUse.otherCores(0.75, 0.5, 2));
    }

    private static double otherCores() throws InterruptedException {
        ProcessorUse use = new ProcessorUse();
        use.beforeIteration(null, null);
        Thread.sleep(500);
        return List.copyOf(use.afterIteration(null, null,
                new IterationResult(null, null, new IterationResultMetaData(1, 1)))).getLast().getScore();
    }
}
