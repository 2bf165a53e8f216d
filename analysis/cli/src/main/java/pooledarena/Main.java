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

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.util.*;
import java.util.jar.JarFile;

/**
 * Starts the analysis tools: each operation is a command in a module of its own. Alone of their classes this one is compiled for
 * Java 8, so that an older {@code java}, which many systems have as the default, says which one it takes. It must not load the
 * others before.
 */
public final class Main {

    /** The class file version of Java 25. */
    private static final double OLDEST = 69;

    private Main() {}

    public static void main(String[] args) throws IOException {
        System.exit(run(System.getProperty("java.class.version"), args));
    }

    /** {@return which Java is accepted, if there is one: that of the JDK with which the jar {@code self} was built} */
    static String hint(File self) throws IOException {
        if (!self.isFile()) {
            return "";
        }
        try (JarFile jar = new JarFile(self)) {
            File java = new File(jar.getManifest().getMainAttributes().getValue("Built-By-Jdk") + "/bin/java");
            return java.canExecute() ? ", such as " + java : "";
        }
    }

    static int run(String classVersion, String... args) throws IOException {
        if (Double.parseDouble(classVersion) < OLDEST) {
            File self = new File(URI.create(Main.class.getProtectionDomain().getCodeSource().getLocation().toString()));
            System.err.println("arena-analysis: this is Java " + System.getProperty("java.specification.version")
                    + " (" + System.getProperty("java.home") + "); 25 and later are accepted" + hint(self)
                    + "; nothing was done");
            return 2;
        }
        System.setProperty("java.awt.headless", "true");
        Locale.setDefault(Locale.ROOT); // reports are the same everywhere
        return Tool.run(commands(), args);
    }

    static List<Class<?>> commands() {
        return Arrays.asList(Compare.class, RecordCommand.class, Report.class, Recommend.class, Scan.class);
    }
}
