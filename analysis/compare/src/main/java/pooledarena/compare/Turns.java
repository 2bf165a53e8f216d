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

/**
 * Lets forks that run at the same time measure in turn, one iteration each. All others wait meanwhile. So a change of the
 * machine's speed that lasts longer than one turn of each affects them alike.
 */
final class Turns {

    private final List<Fork> forks = new ArrayList<>();

    /** {@return a fork that has its turn after those that were added before} */
    Fork add() throws IOException {
        Fork fork = new Fork();
        forks.add(fork);
        return fork;
    }

    void run() {
        while (!forks.isEmpty()) {
            forks.removeIf(fork -> !fork.takesTurn());
        }
    }

    /** Holds a turn for a fork until the fork ends. */
    static final class Fork implements AutoCloseable {

        private final ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        private volatile Socket socket;

        private Fork() throws IOException {}

        String port() {
            return Integer.toString(server.getLocalPort());
        }

        /** {@return false if the fork has ended} Waits until it has measured. */
        private boolean takesTurn() {
            try {
                socket = socket == null ? server.accept() : socket;
                socket.getOutputStream().write(0);
                return socket.getInputStream().read() >= 0;
            } catch (IOException e) {
                return false; // the fork has ended, or did not start
            }
        }

        @Override
        public void close() throws IOException {
            server.close();
            if (socket != null) {
                socket.close();
            }
        }
    }

    /** Waits in the fork until it has its turn, before each iteration. */
    public static final class Turn implements InternalProfiler {

        private final int port;

        /** Connected with the first iteration, since JMH makes profilers in its own process too. */
        private Socket socket;

        /** @param port that of the {@link Fork} */
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
}
