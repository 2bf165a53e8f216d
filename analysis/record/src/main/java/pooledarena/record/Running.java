/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.record;

import java.util.concurrent.TimeUnit;

/** A command that runs. However it and this program end, what comes at the end is done once, and after its end. */
final class Running {

    /** How long a command that is interrupted may take to end by itself, before it is asked to. */
    private static final long GRACE_SECONDS = 2;

    private final Process process;
    private final Runnable atEnd;
    private boolean ended;

    Running(Process process, Runnable atEnd) {
        this.process = process;
        this.atEnd = atEnd;
    }

    /** {@return the command's exit status} */
    int await() {
        // An interrupt from the terminal comes to the command as well as to this program, which would else end at once.
        Thread hook = new Thread(this::interrupted);
        Runtime.getRuntime().addShutdownHook(hook);
        int status = waitFor();
        end();
        return status;
    }

    private void interrupted() {
        try {
            if (!process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
                process.destroy();
            }
        } catch (InterruptedException e) {
            process.destroy();
        }
        waitFor();
        end();
    }

    /** Also waits until it is done. */
    private synchronized void end() {
        if (!ended) {
            ended = true;
            atEnd.run();
        }
    }

    private int waitFor() {
        while (true) {
            try {
                return process.waitFor();
            } catch (InterruptedException e) {
                // The command goes on.
            }
        }
    }
}
