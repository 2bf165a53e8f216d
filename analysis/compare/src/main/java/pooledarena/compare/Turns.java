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

    private final BitSet forks = new BitSet();
    private int next;

    /** {@return a fork that has its turn after those that were added before} */
    synchronized Fork add() throws IOException {
        int index = forks.length();
        forks.set(index);
        return new Fork(index);
    }

    private synchronized void await(int fork) throws InterruptedException {
        while (next != fork) {
            wait();
        }
    }

    private synchronized void pass(int fork) {
        if (next == fork) {
            next = Math.max(forks.nextSetBit(fork + 1), forks.nextSetBit(0));
            notifyAll();
        }
    }

    private synchronized void leave(int fork) {
        forks.clear(fork);
        pass(fork);
    }

    /** Holds a turn for a fork until the fork ends. */
    final class Fork implements AutoCloseable {

        private final int index;
        private final ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());

        private Fork(int index) throws IOException {
            this.index = index;
            Thread.startVirtualThread(this::serve);
        }

        /** {@return what the fork's {@link Turn} needs to know} */
        String port() {
            return Integer.toString(server.getLocalPort());
        }

        private void serve() {
            try (Socket socket = server.accept()) {
                int done = 0;
                while (done >= 0 && !server.isClosed()) { // a fork may connect while the server is closed
                    await(index);
                    socket.getOutputStream().write(0);
                    done = socket.getInputStream().read();
                    pass(index);
                }
            } catch (IOException | InterruptedException e) {
                // the fork has ended, or did not start
            } finally {
                leave(index);
            }
        }

        /** To be called when the fork has ended, or could not be started. */
        @Override
        public void close() throws IOException {
            server.close();
        }
    }
}
