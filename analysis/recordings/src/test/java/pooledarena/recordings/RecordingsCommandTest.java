/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recordings;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Command;
import pooledarena.CommandLine;
import pooledarena.histogram.Histogram;
import pooledarena.io.Progress;
import pooledarena.io.Tool;
import pooledarena.text.Document;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What is common to the commands that read recordings, by one that tells how many JVMs there are. */
class RecordingsCommandTest {

    @TempDir
    private Path directory;

    @Command(name = "jvms")
    static final class Jvms extends RecordingsCommand {

        @Override
        protected int run(Progress progress) throws IOException {
            Recordings recordings = read(inputs, _ -> { });
            Document document = new Document("JVMs: " + recordings.histogram().jvms().size());
            return publish(recordings, document, Map.of("more", new byte[1]), List.of("more", "old"));
        }
    }

    @Test
    void whatIsWritten() throws IOException {
        Path in = Histograms.write(histogram(), directory.resolve("in/1.json")).getParent();
        Path out = Files.createDirectory(directory.resolve("out"));
        Files.createFile(out.resolve("old"));
        CommandLine result = run(in.toString(), "--out", out.toString());
        assertEquals(0, result.status(), result.err());
        assertEquals("", result.err());
        assertTrue(result.out().startsWith("# JVMs: 1\n"), result.out());
        for (String file : List.of("jvms.md", "jvms.html", "more")) {
            assertTrue(Files.exists(out.resolve(file)), file);
            assertTrue(result.out().contains(out.resolve(file).toString()), result.out());
        }
        assertTrue(Files.notExists(out.resolve("old")), "of the run before");
    }

    @Test
    void whatIsLeftOut() throws IOException {
        Path good = Histograms.write(histogram(), directory.resolve("1.json"));
        Path bad = Files.createFile(directory.resolve("2.json"));
        CommandLine result = run(good.toString(), bad.toString(), "--out", directory.resolve("out").toString());
        assertEquals(Tool.EXIT_FAILED, result.status(), result.err());
        assertEquals("jvms: " + bad + ": is empty; it is left out\n", result.err());
        assertTrue(result.out().startsWith("# JVMs: 1\n"), result.out());
    }

    /** What a file says must not control the terminal. */
    @Test
    void aFaultWithControlCharacters() throws IOException {
        String json = Files.readString(Histograms.write(histogram(), directory.resolve("1.json")));
        Files.writeString(directory.resolve("2.json"), json.replace("\"host\"", "\"ho\\u001b\\nst\"")
                .replace("\"ho\\u001b\\nst\":", "\"host\":"));
        Files.copy(directory.resolve("2.json"), directory.resolve("3.json"));
        CommandLine result = run(directory.toString(), "--out", directory.resolve("out").toString());
        assertTrue(result.err().startsWith("jvms: " + directory.resolve("3.json") + ": has process 1 of ho??st, started "), result.err());
    }

    /** A command whose work is not wanted. */
    @Command(name = "work")
    static final class Work extends RecordingsCommand {

        @Override
        protected int run(Progress progress) throws IOException {
            read(inputs, _ -> { });
            throw new AssertionError("too late");
        }
    }

    /** It is told before the work. */
    @Test
    void anOutputThatIsAFile() throws IOException {
        Path in = Histograms.write(histogram(), directory.resolve("1.json"));
        assertEquals(new CommandLine(Tool.EXIT_BAD_INPUT, "", "work: --out " + in + ": cannot be written to "
                + "(it is there already, and is no directory); a directory is accepted, and made if missing; nothing was done\n"),
                CommandLine.run(Work.class, "work", in.toString(), "--out", in.toString()));
    }

    @Test
    void nothingToRead() {
        CommandLine result = run(directory.resolve("missing").toString(), "--out", directory.resolve("out").toString());
        assertEquals(Tool.EXIT_BAD_INPUT, result.status());
        assertEquals("", result.out());
        assertEquals(2, result.err().lines().count(), result.err());
        assertTrue(Files.notExists(directory.resolve("out")));
    }

    private static Histogram histogram() {
        return Histograms.of(1, Map.of(Histograms.shape(null, 8, 0), 3L));
    }

    private static CommandLine run(String... arguments) {
        List<String> words = new ArrayList<>(List.of(arguments));
        words.addFirst("jvms");
        return CommandLine.run(Jvms.class, words.toArray(String[]::new));
    }
}
