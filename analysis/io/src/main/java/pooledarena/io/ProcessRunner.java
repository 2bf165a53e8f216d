/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.io;

import module java.base;

public final class ProcessRunner {

    private static final int TIMEOUT_SECONDS = 300;

    private ProcessRunner() {}

    /**
     * {@return the lines that {@code command} prints, also as errors}
     *
     * @param environment variables that it has beside this process's
     * @throws IOException if it cannot be run, ends with another status than 0, or does not end; says why in one line
     */
    public static List<String> lines(List<String> command, Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new IOException("cannot be run", e);
        }
        // The handle kills a process that still runs, which ends its lines. Process.destroyForcibly closes them.
        CompletableFuture<Process> end = process.onExit().orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        end.whenComplete((_, _) -> process.toHandle().destroyForcibly());
        List<String> lines = process.inputReader().readAllLines();
        int status = process.onExit().join().exitValue();
        if (end.isCompletedExceptionally()) {
            throw new IOException("did not end within " + TIMEOUT_SECONDS + " s");
        }
        if (status != 0) {
            throw new IOException("ended with status " + status + lines.stream().map(String::strip)
                    .filter(line -> !line.isEmpty()).findFirst().map(line -> ": " + line).orElse(""));
        }
        return lines;
    }
}
