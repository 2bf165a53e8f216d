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
