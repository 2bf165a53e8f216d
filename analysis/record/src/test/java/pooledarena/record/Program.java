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
