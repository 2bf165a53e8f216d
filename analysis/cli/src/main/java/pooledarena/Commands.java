/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena;

import pooledarena.compare.Compare;
import pooledarena.io.Tool;
import pooledarena.recommend.Recommend;
import pooledarena.record.RecordCommand;
import pooledarena.report.Report;
import pooledarena.scan.Scan;

import module java.base;

/** The analysis tools: each operation is a command in a module of its own. */
final class Commands {

    static final List<Class<?>> ALL =
            List.of(Compare.class, RecordCommand.class, Report.class, Recommend.class, Scan.class);

    private Commands() {}

    /** {@return the exit status} */
    static int run(String... args) {
        return Tool.run(ALL, args);
    }
}
