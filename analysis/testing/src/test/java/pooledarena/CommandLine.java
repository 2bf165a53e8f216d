/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena;

import pooledarena.io.Tool;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * What a command line gave. Its first word is the name of a command, which is looked for by its name,
 * as the tests of a command's module do not see the others.
 *
 * @param status the exit status
 * @param out    standard output
 * @param err    standard error, but for progress, which a slow machine prints
 */
public record CommandLine(int status, String out, String err) {

    public static void main(String[] args) {
        System.exit(status(args));
    }

    public static CommandLine run(String... args) {
        return run(command(args[0]), args);
    }

    /** {@return what a command line gave whose first word is the name of that command} */
    public static CommandLine run(Class<?> command, String... args) {
        return of(() -> Tool.run(List.of(command), args));
    }

    /** {@return what {@code run} gave, whose result is the exit status} */
    public static CommandLine of(IntSupplier run) {
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
        ByteArrayOutputStream errBytes = new ByteArrayOutputStream();
        System.setOut(new PrintStream(outBytes, true, UTF_8));
        System.setErr(new PrintStream(errBytes, true, UTF_8));
        try {
            int status = run.getAsInt();
            return new CommandLine(status, outBytes.toString(UTF_8),
                    errBytes.toString(UTF_8).replaceAll("(?m)^[a-z]+: \\d+ s, .*\n", ""));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }

    /** {@return what a command line gave that prints on standard error what it does} Nobody takes its output before it tells the step. */
    public static CommandLine slow(String step, String... args) {
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream told = new ByteArrayOutputStream();
        System.setOut(new PrintStream(new OutputStream() {
            private int waits;

            @Override
            public void write(int b) {
                while (!told.toString(UTF_8).contains(step) && waits++ < 100) {
                    LockSupport.parkNanos(100_000_000);
                }
            }
        }, true, UTF_8));
        System.setErr(new PrintStream(told, true, UTF_8));
        try {
            return new CommandLine(status(args), "", told.toString(UTF_8));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }

    /** {@return the exit status of the command line {@code args}} */
    public static int status(String... args) {
        return Tool.run(List.of(command(args[0])), args);
    }

    private static Class<?> command(String word) {
        String name = word.equals("record")
                ? "record.RecordCommand" // java.lang has a Record
                : word + "." + word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
        try {
            return Class.forName("pooledarena." + name);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(word + " is no command of this module's", e);
        }
    }
}
