/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import jdk.internal.access.SharedSecrets;

import java.lang.instrument.Instrumentation;
import java.util.Map;
import java.util.Set;

/**
 * What only the JDK's own code may do. It is called directly, as calling it by reflection takes a tenth of a second when a JVM
 * starts; a JDK that has it no more gives a {@link LinkageError}.
 */
final class Jdk {

    /** A step of the shutdown that is not in use, after all shutdown hooks of the program. */
    private static final int LAST_STEP = 9;

    private Jdk() {}

    /** Lets the agent use what follows. */
    static void open(Instrumentation instrumentation) {
        Set<Module> agent = Set.of(Agent.class.getModule());
        instrumentation.redefineModule(Object.class.getModule(), Set.of(),
                Map.of("jdk.internal.access", agent, "jdk.internal.misc", agent), Map.of(), Set.of(), Map.of());
    }

    static void define(String name, byte[] bytes) {
        SharedSecrets.getJavaLangAccess().defineClass(null, name, bytes, null, null);
    }

    /** Has the JVM run {@code action} when all shutdown hooks of the program have. */
    static void atExit(Runnable action) {
        SharedSecrets.getJavaLangAccess().registerShutdownHook(LAST_STEP, false, action);
    }
}
