/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.peers;

import pooledarena.benchmark.Jvm;
import pooledarena.io.ProcessRunner;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Runs programs that measure without JMH.
 *
 * @param stock   the virtual machine to compare with
 * @param pooled  the one with the pool
 * @param options what every program gets
 * @param counter the library that counts allocations of native memory; null if there is none
 * @param out     the directory for what a part writes itself
 */
record Programs(Jvm stock, Jvm pooled, List<String> options, Path counter, Path out) {

    static final String PACKAGE = "org.openjdk.bench.java.lang.foreign.peers.";

    /** {@return what a program prints on {@code jvm}, with this process's class path} */
    List<String> run(Jvm jvm, Map<String, String> environment, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(jvm.command());
        command.addAll(options);
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow",
                "-cp", System.getProperty("java.class.path")));
        command.addAll(arguments);
        return lines(command, environment);
    }

    /** {@return what {@code command} prints} */
    static List<String> lines(List<String> command, Map<String, String> environment) throws IOException {
        try {
            return ProcessRunner.lines(command, environment);
        } catch (ProcessRunner.Failed e) {
            throw new IOException(Path.of(command.getFirst()).getFileName() + " " + e.getMessage(), e);
        }
    }
}
