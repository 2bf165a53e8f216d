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
