/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.program;

import java.lang.foreign.Arena;

/** Opens arenas of all kinds, also by reflection, on two threads. */
public final class Kinds {

    private Kinds() {}

    public static void main(String[] args) throws Exception {
        Thread thread = new Thread(Kinds::all);
        thread.start();
        all();
        thread.join();
        for (int i = 0; i < 3; i++) {
            ((Arena) Arena.class.getMethod("ofShared").invoke(null)).close();
        }
    }

    private static void all() {
        for (int i = 0; i < 10; i++) {
            Arena.ofConfined().close();
            Arena.ofShared().close();
            Arena.ofAuto().allocate(8);
            if (i % 2 == 0) {
                Arena.global().scope();
            }
        }
    }
}
