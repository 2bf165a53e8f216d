/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * DO NOT ALTER OR REMOVE COPYRIGHT NOTICES OR THIS FILE HEADER.
 *
 * This code is free software; you can redistribute it and/or modify it
 * under the terms of the GNU General Public License version 2 only, as
 * published by the Free Software Foundation.  The authors designate this
 * particular file as subject to the "Classpath" exception as provided
 * in the LICENSE file that accompanied this code.
 *
 * This code is distributed in the hope that it will be useful, but WITHOUT
 * ANY WARRANTY; without even the implied warranty of MERCHANTABILITY or
 * FITNESS FOR A PARTICULAR PURPOSE.  See the GNU General Public License
 * version 2 for more details (a copy is included in the LICENSE file that
 * accompanied this code).
 *
 * You should have received a copy of the GNU General Public License version
 * 2 along with this work; if not, write to the Free Software Foundation,
 * Inc., 51 Franklin St, Fifth Floor, Boston, MA 02110-1301 USA.
 */
package pooledarena.compare;

import pooledarena.benchmark.Jvm;
import pooledarena.io.BadInput;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Runs small programs of this tool on the virtual machines that are compared. */
final class Program {

    private static final int TIMEOUT_SECONDS = 300;

    private static final Pattern VALUE = Pattern.compile("(\\w+) (\\d+)");

    /** The class path of this process, for other directories too. */
    static final String CLASS_PATH = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(entry -> Path.of(entry).toAbsolutePath().toString())
            .collect(Collectors.joining(File.pathSeparator));

    /** A program did not do what it should; the message is the reason in one line. */
    static final class Failed extends Exception {

        private static final long serialVersionUID = 1;

        Failed(String reason) {
            super(reason);
        }
    }

    private Program() {}

    /** {@return the values that the program prints, each in a line with its name before} */
    static Map<String, Long> values(Jvm jvm, String... arguments) throws IOException, Failed {
        Path output = Files.createTempFile("program", ".txt");
        try {
            run(new ProcessBuilder(jvm.command(arguments)).redirectErrorStream(true).redirectOutput(output.toFile()), output);
            Map<String, Long> values = new HashMap<>();
            for (String line : Files.readAllLines(output)) {
                Matcher value = VALUE.matcher(line);
                if (value.matches()) {
                    values.put(value.group(1), Long.valueOf(value.group(2)));
                }
            }
            return values;
        } finally {
            Files.delete(output);
        }
    }

    /** Runs the program and forgets what it prints. */
    static void run(Jvm jvm, String... arguments) throws Failed {
        run(new ProcessBuilder(jvm.command(arguments)).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD), null);
    }

    private static void run(ProcessBuilder program, Path output) throws Failed {
        Process process = null;
        try {
            process = program.start();
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                throw new Failed("did not end within " + TIMEOUT_SECONDS + " s");
            }
            if (process.exitValue() != 0) {
                throw new Failed("ended with status " + process.exitValue() + firstLine(output));
            }
        } catch (IOException e) {
            throw new Failed("cannot be run");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BadInput("interrupted; no report was written");
        } finally {
            if (process != null) {
                process.destroyForcibly();
            }
        }
    }

    private static String firstLine(Path output) throws IOException {
        if (output == null) {
            return "";
        }
        return new String(Files.readAllBytes(output), UTF_8).lines().filter(line -> !line.isBlank()).findFirst()
                .map(line -> ": " + line.strip()).orElse("");
    }
}
