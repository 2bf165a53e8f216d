/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import org.junit.jupiter.api.Test;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** The forks are threads here. */
class TurnsTest {

    private final Turns turns = new Turns();
    private final List<String> order = Collections.synchronizedList(new ArrayList<>());

    @Test
    void eachForkMeasuresOnceBeforeTheFirstMeasuresAgain() throws IOException, InterruptedException {
        Thread first = measure("a", turns.add(), 4);
        Thread second = measure("b", turns.add(), 4);
        Thread third = measure("c", turns.add(), 4);
        Thread.startVirtualThread(turns::run);
        // The others wait for the first, however long it takes to start.
        third.start();
        second.start();
        first.start();
        for (Thread each : List.of(first, second, third)) {
            each.join();
        }
        assertEquals("abcabcabcabc", String.join("", order));
    }

    /** One ends while it has its turn, one does not start, and one ends while another one has its turn. */
    @Test
    void theOthersGoOnWithoutAForkThatEnds() throws IOException, InterruptedException {
        Turns.Fork ends = turns.add();
        Turns.Fork doesNotStart = turns.add();
        Turns.Fork endsEarly = turns.add();
        Thread goesOn = measure("d", turns.add(), 3);
        Thread.startVirtualThread(turns::run);
        goesOn.start();
        new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(endsEarly.port())).close();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(ends.port()))) {
            assertEquals(0, socket.getInputStream().read());
            assertEquals(List.of(), order);
        }
        doesNotStart.close();
        goesOn.join();
        assertEquals("ddd", String.join("", order));
    }

    /** Else a fork could wait for a benchmark that broke off. */
    @Test
    void aForkWhoseTurnsAreGoneFails() throws IOException {
        Turns.Fork fork = turns.add();
        Turns.Turn turn = new Turns.Turn(fork.port());
        fork.close();
        assertThrows(UncheckedIOException.class, () -> turn.beforeIteration(null, null));
        assertFalse(turn.getDescription().isEmpty());
    }

    /** As it is if the turns end while it waits. */
    @Test
    void aForkWhoseTurnsEndFails() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Turns.Turn turn = new Turns.Turn(Integer.toString(server.getLocalPort()));
            Thread.startVirtualThread(() -> assertDoesNotThrow(() -> server.accept().close()));
            assertInstanceOf(EOFException.class,
                    assertThrows(UncheckedIOException.class, () -> turn.beforeIteration(null, null)).getCause());
        }
    }

    private Thread measure(String name, Turns.Fork fork, int iterations) {
        Turns.Turn turn = new Turns.Turn(fork.port());
        return Thread.ofPlatform().unstarted(() -> {
            for (int i = 0; i < iterations; i++) {
                turn.beforeIteration(null, null);
                order.add(name);
                assertEquals(List.of(), turn.afterIteration(null, null, null));
            }
        });
    }
}
