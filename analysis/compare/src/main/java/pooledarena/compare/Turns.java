/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

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
}
