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
package pooledarena.recorder;

import jdk.internal.access.SharedSecrets;
import jdk.internal.misc.CarrierThreadLocal;

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

    /** What each platform thread has open; a thread may have all its locals erased, and then gets the same again. */
    private static final class OfCarrier extends CarrierThreadLocal<ThreadArenas> {

        static final OfCarrier ARENAS = new OfCarrier();

        @Override
        protected ThreadArenas initialValue() {
            return ThreadArenas.ofPlatformThread(SharedSecrets.getJavaLangAccess().currentCarrierThread());
        }
    }

    private Jdk() {}

    /** Lets the agent use what follows. */
    static void open(Instrumentation instrumentation) {
        instrumentation.redefineModule(Object.class.getModule(), Set.of(),
                Map.of("jdk.internal.access", Set.of(Agent.class.getModule()), "jdk.internal.misc", Set.of(Agent.class.getModule())),
                Map.of(), Set.of(), Map.of());
    }

    /** Defines a class of {@code java.base}. */
    static void define(String name, byte[] bytes) {
        SharedSecrets.getJavaLangAccess().defineClass(null, name, bytes, null, null);
    }

    /** {@return what the current thread has open, or its carrier if it is virtual} */
    static ThreadArenas carrier() {
        return OfCarrier.ARENAS.get();
    }

    /** Has the JVM run {@code action} when all shutdown hooks of the program have. */
    static void atExit(Runnable action) {
        SharedSecrets.getJavaLangAccess().registerShutdownHook(LAST_STEP, false, action);
    }
}
