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

import java.lang.reflect.Constructor;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;

/**
 * Virtual threads with a scheduler of the test's own, so that it is the test that decides on which carrier they go on,
 * how large its stack is, and when it ends: the default scheduler keeps idle carriers for 30 seconds.
 * Needs {@code --add-opens=java.base/java.lang=ALL-UNNAMED}.
 */
final class VirtualThreads {

    private VirtualThreads() {}

    static Thread.Builder scheduledBy(Executor scheduler) {
        try {
            Constructor<?> constructor = Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder")
                    .getDeclaredConstructor(Executor.class);
            constructor.setAccessible(true);
            return (Thread.Builder) constructor.newInstance(scheduler);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** {@return a scheduler whose every step is on a carrier that starts for it, is added to {@code carriers}, and ends} */
    static Executor onNewCarriers(Collection<Thread> carriers) {
        ThreadFactory factory = addedTo(carriers);
        return task -> factory.newThread(task).start();
    }

    /** {@return a factory of threads that adds each to {@code carriers}} */
    static ThreadFactory addedTo(Collection<Thread> carriers) {
        return task -> {
            Thread carrier = new Thread(task);
            carriers.add(carrier);
            return carrier;
        };
    }

    /** Runs the action in a new virtual thread on a new carrier, which has ended when this returns. */
    static void run(Task.Action action) throws InterruptedException {
        List<Thread> carriers = new CopyOnWriteArrayList<>();
        Task.run(scheduledBy(onNewCarriers(carriers)), action);
        join(carriers);
    }

    /** Waits until the carriers have ended: threads free memory while they end. */
    static void join(List<Thread> carriers) throws InterruptedException {
        for (Thread carrier : carriers) {
            carrier.join();
        }
    }

    /** {@return the name of the current virtual thread's carrier} */
    static String carrier() {
        String name = Thread.currentThread().toString();
        return name.substring(name.indexOf('@'));
    }
}
