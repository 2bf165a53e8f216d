/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;

import module java.base;

/** Waits in the fork until it has its turn, before each iteration. */
public final class Turn implements InternalProfiler {

    private final int port;

    /** Connected with the first iteration, since JMH makes profilers in its own process too. */
    private Socket socket;

    /** @param port that of the {@link Turns.Fork} */
    public Turn(String port) {
        this.port = Integer.parseInt(port);
    }

    @Override
    public String getDescription() {
        return "Waits for other forks";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        try {
            if (socket == null) {
                socket = new Socket(InetAddress.getLoopbackAddress(), port);
            }
            if (socket.getInputStream().read() < 0) {
                throw new EOFException("no turns any more");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(BenchmarkParams benchmark, IterationParams iteration,
                                                          IterationResult result) {
        try {
            socket.getOutputStream().write(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return List.of();
    }
}
