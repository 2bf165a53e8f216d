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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Programs that this one starts and reads. */
final class Child {

    private static final int TIMEOUT_SECONDS = 300;

    private Child() {}

    /**
     * {@return what a program prints}
     *
     * @param command     the program and its arguments
     * @param environment variables that it has beside this process's
     * @throws IOException if it cannot be run, ends with another status than 0, or does not end
     */
    static List<String> lines(List<String> command, Map<String, String> environment) throws IOException {
        String name = Path.of(command.getFirst()).getFileName().toString();
        Path output = Files.createTempFile("child", ".txt");
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            try {
                if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                    throw new IOException(name + " did not end within " + TIMEOUT_SECONDS + " s");
                }
            } finally {
                process.destroyForcibly();
            }
            List<String> lines = Files.readAllLines(output);
            if (process.exitValue() != 0) {
                throw new IOException(name + " ended with status " + process.exitValue()
                        + lines.stream().filter(line -> !line.isBlank()).findFirst().map(line -> ": " + line.strip()).orElse(""));
            }
            return lines;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(name + " was interrupted", e);
        } finally {
            Files.delete(output);
        }
    }
}
