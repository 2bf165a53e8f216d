/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.io;

import module java.base;

public final class ProcessRunner {

    private static final int TIMEOUT_SECONDS = 300;

    /** A program did not do what it should; the message is the reason in one line. */
    public static final class Failed extends Exception {

        private static final long serialVersionUID = 1;

        public Failed(String reason) {
            super(reason);
        }
    }

    private ProcessRunner() {}

    /**
     * {@return the lines that {@code command} prints, also as errors}
     *
     * @param environment variables that it has beside this process's
     * @throws Failed if it cannot be run, ends with another status than 0, or does not end
     */
    public static List<String> lines(List<String> command, Map<String, String> environment) throws Failed {
        try {
            // A file holds all that it prints; a pipe would fill, and nobody reads it before the end.
            Path output = Files.createTempFile("output", ".txt");
            try {
                ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
                builder.environment().putAll(environment);
                Process process = builder.start();
                if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                    throw new Failed("did not end within " + TIMEOUT_SECONDS + " s");
                }
                List<String> lines = new String(Files.readAllBytes(output)).lines().toList();
                if (process.exitValue() != 0) {
                    throw new Failed("ended with status " + process.exitValue() + lines.stream().map(String::strip)
                            .filter(line -> !line.isEmpty()).findFirst().map(line -> ": " + line).orElse(""));
                }
                return lines;
            } finally {
                Files.delete(output);
            }
        } catch (IOException e) {
            throw new Failed("cannot be run");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BadInput("interrupted; no report was written");
        }
    }
}
