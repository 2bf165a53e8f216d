/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.io;

import org.junit.jupiter.api.Test;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ToolTest {

    @Command(name = "end")
    static final class End implements Callable<Integer> {

        @Parameters
        private String way;

        @Override
        public Integer call() throws IOException {
            return switch (way) {
                case "bad" -> throw new BadInput("what was wrong");
                case "io" -> throw new IOException("no space");
                case "unchecked" -> throw new UncheckedIOException(new IOException("no space"));
                case "missing" -> throw new NoSuchFileException("a/b.csv.tmp");
                case "denied" -> throw new AccessDeniedException("a/b.csv.tmp");
                case "full" -> throw new FileSystemException("a/b.csv", null, "no space");
                case "print" -> {
                    System.out.println("a line");
                    yield 0;
                }
                default -> way.startsWith("@") ? 7 : 0;
            };
        }
    }

    @Test
    void theStatusOfTheCommand() {
        assertEquals(0, run("", "end", "well"));
        assertEquals(7, run("", "end", "@file")); // not an argument file of the tool's
    }

    @Test
    void whyNothingWasDone() {
        assertEquals(Tool.EXIT_BAD_INPUT, run("end: what was wrong\n", "end", "bad"));
        assertEquals(Tool.EXIT_BAD_INPUT, run("end: .*'--other'.* \\(see arena-analysis end --help\\)\n", "end", "a", "--other"));
        assertEquals(Tool.EXIT_BAD_INPUT, run("arena-analysis: .*'other'.* \\(see arena-analysis --help\\)\n", "other"));
    }

    @Test
    void whatAShellTakes() {
        assertEquals("/a-b/c_d.e=f:g,h@i+j", Tool.quoted("/a-b/c_d.e=f:g,h@i+j"));
        assertEquals("'a b'", Tool.quoted("a b"));
        assertEquals("'it'\\''s $1'", Tool.quoted("it's $1"));
        assertEquals("''", Tool.quoted(""));
    }

    @Test
    void whatFailed() {
        Map.of("io", "no space", "unchecked", "no space", "missing", "a/b.csv: there is no such file or directory",
                "denied", "a/b.csv: no permission", "full", "a/b.csv: no space").forEach((way, what) ->
                assertEquals(Tool.EXIT_FAILED, run("end: the files could not be written: " + what + "; .*\n", "end", way)));
    }

    /** As on a full disk, which a PrintStream does not tell. */
    @Test
    void theOutputIsLost() {
        PrintStream before = System.out;
        System.setOut(new PrintStream(new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("no space");
            }
        }));
        try {
            assertEquals(Tool.EXIT_FAILED, run("arena-analysis: not all of the standard output could be written\n", "end", "print"));
        } finally {
            System.setOut(before);
        }
    }

    @Test
    void whyAFileCannotBeRead() {
        assertEquals("no permission", Tool.reason(new UncheckedIOException(new AccessDeniedException("a"))));
        assertEquals("it is there already, and is no directory",
                Tool.reason(new DirectoryIteratorException(new FileAlreadyExistsException("a"))));
        assertEquals("java.io.IOException", Tool.reason(new IOException()));
    }

    /** {@return the status; what is printed as an error matches {@code error}} */
    private static int run(String error, String... args) {
        PrintStream before = System.err;
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        System.setErr(new PrintStream(err, true, UTF_8));
        try {
            return Tool.run(List.of(End.class), args);
        } finally {
            System.setErr(before);
            assertTrue(err.toString(UTF_8).matches(error), err.toString(UTF_8));
        }
    }
}
