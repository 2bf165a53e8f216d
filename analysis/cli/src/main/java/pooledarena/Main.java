/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena;

import pooledarena.compare.Compare;
import pooledarena.io.Tool;
import pooledarena.peers.Peers;
import pooledarena.recommend.Recommend;
import pooledarena.record.RecordCommand;
import pooledarena.report.Report;
import pooledarena.scan.Scan;

import java.util.List;

/** The analysis tools: each operation is a command in a module of its own. */
public final class Main {

    static final List<Class<?>> COMMANDS = List.of(Compare.class, RecordCommand.class, Report.class,
            Recommend.class, Peers.class, Scan.class);

    private Main() {}

    public static void main(String[] args) {
        System.setProperty("java.awt.headless", "true");
        System.exit(Tool.run(COMMANDS, args));
    }
}
