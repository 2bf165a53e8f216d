/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.program;

/** Ends while another of its threads takes all memory that there is. */
public final class Hog {

    private static Object[] last;

    private Hog() {}

    public static void main(String[] args) throws Exception {
        Thread hog = new Thread(Hog::take);
        hog.setDaemon(true);
        hog.start();
        Thread.sleep(1000);
        System.exit(0);
    }

    private static void take() {
        while (true) {
            try {
                Object[] object = new Object[16];
                object[0] = last;
                last = object;
            } catch (OutOfMemoryError e) {
                // There may be more later.
            }
        }
    }
}
