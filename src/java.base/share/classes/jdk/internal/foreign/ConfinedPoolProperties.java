/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * DO NOT ALTER OR REMOVE COPYRIGHT NOTICES OR THIS FILE HEADER.
 *
 * This code is free software; you can redistribute it and/or modify it
 * under the terms of the GNU General Public License version 2 only, as
 * published by the Free Software Foundation.  The Pooled Confined Arena
 * authors designate this particular file as subject to the "Classpath"
 * exception as provided in the LICENSE file that accompanied this code.
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

package jdk.internal.foreign;

import jdk.internal.misc.Unsafe;
import jdk.internal.misc.VM;

import java.io.PrintStream;
import java.util.Objects;

/**
 * The system properties of the confined arenas' slot pool, read once when this class is initialized, that is
 * when a confined arena is opened, or any arena allocates, for the first time. The values are those of the command line: later changes
 * of the system properties have no effect.
 * <p>
 * A value that is not accepted is reported with one line on the standard error stream, and the default is used.
 */
final class ConfinedPoolProperties {

    private ConfinedPoolProperties() {}

    private static final String SIZE_PROPERTY = "jdk.foreign.confinedPool.size";
    private static final int MIN_SIZE = 8;
    private static final int MAX_SIZE = 1 << 20;
    private static final int DEFAULT_SIZE = 8192;

    private static final String DEPTH_PROPERTY = "jdk.foreign.confinedPool.depth";
    private static final int MAX_DEPTH = 16;
    private static final int DEFAULT_DEPTH = 8;

    private static final String VERIFY_PROPERTY = "jdk.foreign.confinedPool.verify";

    private static final String AGENTS_PROPERTY = "jdk.foreign.confinedPool.agents";

    /** The largest allocation from a slot, in bytes: a power of two, or 0 if pooling is off. */
    static final int SIZE;

    /** How many slots of the largest capacity fit in the free lists of a pool, or 0 if pooling is off. */
    static final int DEPTH;

    /**
     * Whether an agent may open arenas in its callback for a heap allocation: see invariant 8 of {@link ConfinedSlotPool}. By default
     * that is so if the JVM was started with a native agent. The debugger's agent is not counted, since it has no such callback.
     */
    static final boolean AGENTS;

    /** Whether blocks are checked for writes outside allocations and after close, see {@link ConfinedBlockVerifier}. */
    static final boolean VERIFY;

    /** Whether a report shows where the arena was opened. Only with {@link #VERIFY}. */
    static final boolean TRACE;

    /** How many guard bytes are before the first allocation of a block, and at least after each: a multiple of 16, or 0. */
    static final int GUARD_SIZE;

    // Not read by System.getProperty, which may run code of a program's own Properties: that could throw, open arenas or wait for a thread
    // that does.
    static {
        String sizeText = VM.getSavedProperty(SIZE_PROPERTY);
        int size = number(sizeText, DEFAULT_SIZE);
        if (size != 0 && (size < MIN_SIZE || size > MAX_SIZE || Integer.bitCount(size) != 1)) {
            reject(SIZE_PROPERTY, sizeText, "a power of two from 8 to 1048576, or 0 to switch pooling off", DEFAULT_SIZE);
            size = DEFAULT_SIZE;
        }
        String depthText = VM.getSavedProperty(DEPTH_PROPERTY);
        int depth = number(depthText, DEFAULT_DEPTH);
        if (depth < 0 || depth > MAX_DEPTH) {
            reject(DEPTH_PROPERTY, depthText, "a number from 1 to 16, or 0 to switch pooling off", DEFAULT_DEPTH);
            depth = DEFAULT_DEPTH;
        }
        String verify = Objects.requireNonNullElse(VM.getSavedProperty(VERIFY_PROPERTY), "false");
        if (!verify.equals("true") && !verify.equals("trace") && !verify.equals("false")) {
            reject(VERIFY_PROPERTY, verify, "true, trace or false", false);
            verify = "false";
        }
        String agents = VM.getSavedProperty(AGENTS_PROPERTY);
        boolean isAccepted = "true".equals(agents) || "false".equals(agents);
        AGENTS = isAccepted ? agents.equals("true") : hasNativeAgent();
        if (agents != null && !isAccepted) {
            reject(AGENTS_PROPERTY, agents, "true or false", AGENTS);
        }
        // Page-aligned allocations cannot be bumped from a slot, so that flag switches pooling off.
        // Headers of slots need a malloc that aligns to 16, which 32-bit ports do not guarantee.
        boolean enabled = size != 0 && depth != 0 && Unsafe.ADDRESS_SIZE == 8 && !VM.isDirectMemoryPageAligned();
        SIZE = enabled ? size : 0;
        DEPTH = enabled ? depth : 0;
        TRACE = enabled && verify.equals("trace");
        VERIFY = enabled && !verify.equals("false");
        GUARD_SIZE = VERIFY ? 16 : 0;
    }

    /** {@return the number in the value of a property, the default if that is not set, or -1 if it is no number} */
    private static int number(String value, int defaultValue) {
        if (value == null) {
            return defaultValue;
        }
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private static boolean hasNativeAgent() {
        String[] arguments = VM.getRuntimeArguments();
        if (arguments != null) {
            for (String argument : arguments) {
                boolean isAgent = argument.startsWith("-agent") || argument.startsWith("-Xrun"); // no other option starts so
                if (isAgent && !(argument + '=').startsWith("-agentlib:jdwp=") && !(argument + ':').startsWith("-Xrunjdwp:")) {
                    return true;
                }
            }
        }
        return false;
    }

    // Not on System.err, which may be a program's own stream: it could open arenas or wait for a thread that does.
    private static void reject(String name, String value, String accepted, Object defaultValue) {
        PrintStream err = VM.initialErr();
        if (err != null) { // early in boot there is none
            err.println("WARNING: " + name + "=" + value.replace('\n', ' ').replace('\r', ' ')
                    + " is not accepted: it takes " + accepted + "; the default " + defaultValue + " is used");
        }
    }
}
