/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.benchmark;

import org.junit.jupiter.api.Test;
import pooledarena.benchmark.Results.Effort;
import pooledarena.benchmark.Results.Measured;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Samples that are taken without JMH. */
class TurnsTest {

    private static final List<JavaCommand> JVMS = List.of(new JavaCommand("stock", "/a", List.of(), List.of("1")),
            new JavaCommand("pooled", "/b", List.of(), List.of("2")));

    private final Measurement measurement = new Measurement(JVMS, new Effort(1, 1, 1, 1, 1),
            new PrintStream(OutputStream.nullOutputStream()), _ -> { });

    private static Case place(String row, String column) {
        return Case.ofProcess("group", row, column, JVMS.getFirst());
    }

    @Test
    void eachHasItsTurnInEachRound() {
        List<String> taken = new ArrayList<>();
        measurement.processes(List.of("a", "b"), 3, "B", List.of("first", "second"), TurnsTest::place, each -> {
            taken.add(each);
            return new double[] {taken.size(), -taken.size()};
        });
        assertEquals(List.of("a", "b", "a", "b", "a", "b"), taken);
        assertEquals(List.of(
                new Measured(place("a", "first"), Outcome.of("B", 1, 3, 5)),
                new Measured(place("a", "second"), Outcome.of("B", -1, -3, -5)),
                new Measured(place("b", "first"), Outcome.of("B", 2, 4, 6)),
                new Measured(place("b", "second"), Outcome.of("B", -2, -4, -6))),
                measurement.measured());
        assertEquals(List.of(), measurement.failures());
    }

    @Test
    void whatFailedOnceIsNotTakenAgain() {
        List<String> taken = new ArrayList<>();
        measurement.processes(List.of("a", "b"), 2, "B", List.of("first"), TurnsTest::place, each -> {
            taken.add(each);
            if (each.equals("a")) {
                throw new IOException("broken");
            }
            return new double[] {7};
        });
        assertEquals(List.of("a", "b", "b"), taken);
        assertEquals(List.of("group, a, first: broken"), measurement.failures());
        assertEquals(List.of(new Measured(place("b", "first"), Outcome.of("B", 7, 7))), measurement.measured());
    }

    @Test
    void theResults() {
        measurement.processes(List.of("a"), 1, "B", List.of("first"), TurnsTest::place, _ -> new double[] {7});
        Results results = measurement.results("A title", "make");
        assertEquals(List.of("A title", "make"), List.of(results.title(), results.command()));
        assertEquals(measurement.measured(), results.measured());
        assertEquals(JVMS, results.jvms());
        assertNull(results.otherCores());
        assertTrue(results.date().startsWith("20"), results.date());
        assertEquals(JVMS.getLast(), measurement.jvm("pooled"));
        assertThrows(NoSuchElementException.class, () -> measurement.jvm("other"));
    }
}
