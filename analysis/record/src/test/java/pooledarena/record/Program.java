/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.record;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.List;

/** Opens as many arenas as it is told, has a JVM of its own open one less, and so on; ends with that as the exit status. */
public final class Program {

    private Program() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        int arenas = Integer.parseInt(args[0]);
        if (args.length > 1) {
            System.out.println(args[1]);
        }
        for (int i = 0; i < arenas; i++) {
            try (Arena arena = Arena.ofConfined()) {
                arena.allocate(8);
            }
        }
        if (arenas > 1) {
            new ProcessBuilder(List.of(System.getProperty("java.home") + "/bin/java", "-cp", System.getProperty("java.class.path"),
                    Program.class.getName(), Integer.toString(arenas - 1))).inheritIO().start().waitFor();
        }
        System.exit(arenas);
    }
}
