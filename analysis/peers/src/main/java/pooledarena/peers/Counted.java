/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.peers;

import pooledarena.benchmark.Case;
import pooledarena.benchmark.JavaCommand;
import pooledarena.benchmark.Sampler;
import pooledarena.io.ProcessRunner.Failed;

import module java.base;

/**
 * What is counted in processes, one for each row.
 *
 * @param rows by name: a virtual machine, one of the two programs, and what the program does
 */
record Counted(List<String> columns, Map<String, String> rows) {

    /** Counts native allocations where it is preloaded; missing where nothing could compile it. */
    private static final Path MALLOC_COUNTER = Path.of("build/peers/libcountmalloc.so");

    private boolean isCode() {
        return rows.values().iterator().next().contains("HotPath");
    }

    boolean canBe() {
        return isCode() ? CompiledMethod.canBeRead() : Files.exists(MALLOC_COUNTER);
    }

    void measure(String group, List<JavaCommand> jvms, Path out, Sampler sampler) {
        Function<String, JavaCommand> jvm = row -> JavaCommand.named(rows.get(row).replaceFirst(" .*", ""), jvms);
        sampler.measure(List.copyOf(rows.keySet()), 1, "", columns,
                (row, column) -> Case.ofProcess(group, row, column, jvm.apply(row)),
                row -> count(jvm.apply(row), rows.get(row).replaceFirst(".* ", ""), out));
    }

    private double[] count(JavaCommand jvm, String what, Path out) throws Failed, IOException {
        return isCode() ? CompiledMethod.count(jvm, what, out.resolve("hot-path"))
                : jvm.values(columns.size(), Map.of("LD_PRELOAD", MALLOC_COUNTER.toAbsolutePath().toString()),
                        List.of("--enable-native-access=ALL-UNNAMED", Group.PACKAGE + "MallocCount", "mixed", what));
    }
}
