/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena;

import java.util.ArrayList;
import java.util.List;

/**
 * The analysis tools: each operation is a command in a module of its own. Alone of the tools' classes this one is
 * compiled for Java 8, so that an older {@code java}, which many systems have as the default, says which one it takes.
 * It must not refer to the others.
 */
public final class Main {

    /** The class file version of Java 25. */
    private static final double OLDEST = 69;

    private static final String[] COMMANDS = {"compare.Compare", "record.RecordCommand", "report.Report",
        "recommend.Recommend", "scan.Scan"};

    private Main() {}

    public static void main(String[] args) throws ReflectiveOperationException {
        System.exit(run(System.getProperty("java.class.version"), args));
    }

    /** {@return the exit status} */
    static int run(String classVersion, String... args) throws ReflectiveOperationException {
        if (Double.parseDouble(classVersion) < OLDEST) {
            System.err.println("arena-analysis: this is Java " + System.getProperty("java.specification.version")
                    + " (" + System.getProperty("java.home") + "); 25 and later are accepted; nothing was done");
            return 2;
        }
        System.setProperty("java.awt.headless", "true");
        return (int) Class.forName("pooledarena.io.Tool").getMethod("run", List.class, String[].class)
                .invoke(null, commands(), args);
    }

    static List<Class<?>> commands() throws ClassNotFoundException {
        List<Class<?>> commands = new ArrayList<>();
        for (String command : COMMANDS) {
            commands.add(Class.forName("pooledarena." + command));
        }
        return commands;
    }
}
