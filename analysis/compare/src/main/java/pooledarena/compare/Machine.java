/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import com.sun.management.OperatingSystemMXBean;

import module java.base;
import java.lang.management.ManagementFactory;

/** Where the figures are from: the processor's model, or its architecture, and what of the machine Java may use. */
public record Machine(String cpu, int cores, long memoryMebibytes, String system) {

    public static Machine current() {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        String name = value(Path.of("/etc/os-release"), "PRETTY_NAME=\"?([^\"]*)\"?", "");
        return new Machine(value(Path.of("/proc/cpuinfo"), "model name\\s*: (.*)", system.getArch()),
                system.getAvailableProcessors(), system.getTotalMemorySize() >> 20, name + (name.isEmpty() ? "" : ", ")
                + system.getName() + " " + system.getVersion() + " " + system.getArch());
    }

    @Override
    public String toString() {
        return "%s, %d core%s, %.0f GiB, %s".formatted(
                cpu, cores, cores == 1 ? "" : "s", memoryMebibytes / 1024.0, system);
    }

    /** {@return the group of {@code line} in the first line of {@code file} that matches it, else {@code otherwise}} */
    static String value(Path file, String line, String otherwise) {
        try (var lines = Files.lines(file)) {
            return lines.filter(each -> each.matches(line)).findFirst()
                    .map(each -> each.replaceFirst(line, "$1")).orElse(otherwise);
        } catch (IOException e) {
            return otherwise;
        }
    }
}
