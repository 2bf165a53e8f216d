/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import java.io.*;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;

/**
 * Where the JVM enters the recorder, with {@code -javaagent} and whenever a running JVM loads it. Alone of the recorder's classes
 * this one is compiled for Java 8, so that an older JVM, which would end when it could not load the agent, only says that it is
 * too old. It refers to the others only where that JVM does not get to.
 */
public final class Entry {

    private static final int OLDEST = 25;

    private static final OutputStream ERR = new FileOutputStream(FileDescriptor.err);

    private Entry() {}

    public static void premain(String arguments, Instrumentation instrumentation) {
        enter(arguments, instrumentation, false);
    }

    public static void agentmain(String arguments, Instrumentation instrumentation) {
        enter(arguments, instrumentation, true);
    }

    private static void enter(String arguments, Instrumentation instrumentation, boolean attached) {
        String version = System.getProperty("java.specification.version");
        if (isOld(version)) {
            say("this is Java " + version + "; " + OLDEST + " and later are accepted; nothing is recorded");
            return;
        }
        Agent.run(arguments, instrumentation, attached);
    }

    /** {@return whether the version, as "1.8" or "17", is too old} */
    static boolean isOld(String version) {
        return version.startsWith("1.") || Integer.parseInt(version) < OLDEST;
    }

    /** Writes one line to the standard error of the process, which {@code System.err} may not be. */
    static void say(String line) {
        say(bytes(line));
    }

    /** {@return what {@link #say(byte[])} writes for the line} */
    static byte[] bytes(String line) {
        return ("arena-recorder: " + line + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /** Writes a line without allocating anything. */
    static void say(byte[] line) {
        try {
            ERR.write(line);
        } catch (IOException e) {
            // There is nobody left to tell.
        }
    }
}
