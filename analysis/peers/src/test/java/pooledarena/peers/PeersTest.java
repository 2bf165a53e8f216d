/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.peers;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import pooledarena.CommandLine;
import pooledarena.benchmark.MeasuringCommand.Experiment;
import pooledarena.benchmark.Results;
import pooledarena.io.Tool;
import pooledarena.peers.Peers.Part;
import pooledarena.text.Document;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Wrong input gets one line and status 2, and leaves no report. */
class PeersTest {

    private static final String JDK = System.getProperty("java.home");

    @TempDir
    private Path out;

    @Test
    void noSuchPart() throws IOException {
        assertOneLine("peers: mysql: no such part; rocksdb, netty, okio and arenas are accepted; nothing was measured", "mysql");
    }

    @Test
    void noSuchCase() throws IOException {
        assertOneLine("peers: --include nothing: matches nothing; labels such as \"Take 8 KiB, write one byte, give "
                + "them back, 1 thread, no pool\" and names such as SegmentPools.noPool are matched; nothing was measured", "okio", "--include", "nothing");
    }

    @Test
    void noExpression() throws IOException {
        assertOneLine("peers: Invalid value for option '--include': cannot convert '[' to Pattern "
                + "(java.util.regex.PatternSyntaxException: Unclosed character class near index 0 (see arena-analysis peers "
                + "--help)", "okio", "--include", "[");
    }

    @Test
    void noForks() throws IOException {
        assertOneLine("peers: --forks 0: a number from 1 to 99 is accepted; nothing was measured", "okio", "--forks", "0");
    }

    /** What the part's file says, with what can be counted here. */
    @Test
    void theExperiment() {
        Peers peers = new Peers();
        new picocli.CommandLine(peers).parseArgs("netty", "--stock", JDK, "--pooled", JDK, "--out", out.toString());
        Experiment experiment = peers.experiment();
        Part part = Part.of("netty");
        assertEquals(part.title(), experiment.title());
        assertEquals(part.cases(), experiment.cases());
        assertEquals(CountedTest.canBeRead() ? 1 : 0, experiment.extras().size());
        assertFalse(experiment.charts().isEmpty());
        Document document = new Document("Title");
        experiment.report().accept(document, new Results("", "", "", null, null, null, List.of(), List.of(), List.of()));
        document.paragraph("A detail.");
        String text = document.toText().replace('\n', ' ');
        assertTrue(text.contains("Not measured: " + part.groups().getFirst().name()), text);
        assertTrue(text.contains(Results.ERROR), text);
        assertFalse(text.contains("A detail."), text);
    }

    private void assertOneLine(String line, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of("peers", "--stock", JDK, "--pooled", JDK, "--out", out.toString(),
                "--command", "make"));
        all.addAll(List.of(arguments));
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream before = System.err;
        System.setErr(new PrintStream(printed, true, UTF_8));
        try {
            assertEquals(Tool.EXIT_BAD_INPUT, CommandLine.status(all.toArray(String[]::new)));
        } finally {
            System.setErr(before);
        }
        assertEquals(line + System.lineSeparator(), printed.toString(UTF_8));
        assertFalse(Files.exists(out.resolve("report.md")));
    }
}
