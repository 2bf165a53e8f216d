/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.benchmark;

import com.sun.management.OperatingSystemMXBean;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where the figures are from.
 *
 * @param cpu             the processor's model, or its architecture where the system does not tell the model
 * @param cores           how many processors the virtual machine may use
 * @param memoryMebibytes the memory that the virtual machine may use
 * @param system          the operating system
 */
public record Machine(String cpu, int cores, long memoryMebibytes, String system) {

    public static Machine current() {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        String kernel = system.getName() + " " + system.getVersion() + " " + system.getArch();
        return new Machine(
                value(Path.of("/proc/cpuinfo"), "model name", ':').orElse(system.getArch()),
                system.getAvailableProcessors(),
                system.getTotalMemorySize() >> 20,
                value(Path.of("/etc/os-release"), "PRETTY_NAME", '=')
                        .map(name -> name.replace("\"", "") + ", " + kernel)
                        .orElse(kernel));
    }

    @Override
    public String toString() {
        return "%s, %d core%s, %.0f GiB, %s".formatted(cpu, cores, cores == 1 ? "" : "s",
                memoryMebibytes / 1024.0, system);
    }

    private static Optional<String> value(Path file, String key, char separator) {
        try (var lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith(key))
                    .map(line -> line.substring(line.indexOf(separator) + 1).strip())
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
