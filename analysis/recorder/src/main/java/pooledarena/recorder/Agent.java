/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import jdk.internal.access.SharedSecrets;

import module java.base;

import java.lang.instrument.Instrumentation;

/** Begins recording. What {@link Entry} calls. */
final class Agent {

    private static final String HOOK = "pooledarena.recorder.hook.ArenaHook";

    private static final String STOP = "stop=";

    /** A step of the shutdown that is not in use, after all shutdown hooks of the program, which may close arenas. */
    private static final int LAST_STEP = 9;

    static volatile Output output;

    /** The numbers that instrumented code has, also from an earlier recording. */
    private static CallSites sites;

    private Agent() {}

    static synchronized void run(String arguments, Instrumentation instrumentation, boolean attached) {
        Output before = output;
        Path faults = null;
        try {
            if (arguments != null && arguments.startsWith(STOP)) {
                end(Path.of(arguments.substring(STOP.length())).toAbsolutePath().normalize());
                return;
            }
            Options options = Options.parse(arguments);
            faults = options.faults();
            if (output != null) {
                fail(output.withdrawn != null ? output.withdrawn
                        : "already recording into " + output.options.out() + "; recording goes on", faults);
                return;
            }
            start(options, instrumentation, attached);
        } catch (Throwable t) {
            fail((t instanceof IllegalArgumentException ? t.getMessage() : t) + "; " + afterFailure(before), faults);
        }
    }

    /** {@return what happens now that no recording, or only a part of one, has begun after {@code before}} */
    private static String afterFailure(Output before) {
        if (output != before) {
            return "the recording is written only at the end";
        }
        return before == null || before.withdrawn != null ? "nothing is recorded" : "recording goes on";
    }

    private static void start(Options options, Instrumentation instrumentation, boolean attached) throws IOException {
        if (sites == null) {
            defineHook(instrumentation);
            sites = new CallSites();
            SharedSecrets.getJavaLangAccess().registerShutdownHook(LAST_STEP, false, new Runnable() {
                @Override
                public void run() {
                    finish();
                }
            });
        }
        Recorder recorder = Recorder.begin(options, sites, instrumentation);
        Output first = new Output(options, attached, recorder);
        try {
            first.writeFile();
        } catch (IOException e) {
            Recorder.end();
            throw new IllegalArgumentException("out=" + options.out() + ": cannot be written to (" + e
                    + "); a directory is accepted, and made if missing");
        }
        output = first;
        recorder.transformer.begin();
        output.keepWriting();
        try {
            FlightEvents.offer(recorder);
        } catch (LinkageError e) {
            // a JVM without the module jdk.jfr
        }
    }

    /** Writes the file for the last time, as the JVM ends. */
    static void finish() {
        if (output != null) {
            output.finish();
        }
    }

    /** Ends the recording into that directory, if it is the one that goes on. */
    private static void end(Path out) {
        if (output != null && output.options.out().normalize().equals(out)) {
            output.recorder.transformer.end();
            Recorder.end();
            output.finish();
            output = null;
        }
    }

    static void stop(Throwable t) {
        String why = (t instanceof IllegalArgumentException
                ? "the arenas of this JVM look different from those of JDK 25 to 28: " + t.getMessage()
                : "the arenas of this JVM cannot be instrumented: " + t) + "; nothing is recorded";
        fail(why, output.options.faults());
        output.withdraw(why);
    }

    /**
     * Defines the class that instrumented code calls. This comes before anything that needs it, or there would be a second one.
     * The class loader does not give what is in a package of {@code java.base}, so it is read from the jar. What only the JDK's
     * own code may do is exported to the agent and called directly: reflection takes a tenth of a second when a JVM starts.
     */
    private static void defineHook(Instrumentation instrumentation) throws IOException {
        Set<Module> agent = Set.of(Agent.class.getModule());
        instrumentation.redefineModule(Object.class.getModule(), Set.of(),
                Map.of("jdk.internal.access", agent, "jdk.internal.misc", agent), Map.of(), Set.of(), Map.of());
        try {
            Class.forName(HOOK, false, null); // an earlier attempt may have got as far as this
        } catch (ClassNotFoundException e) {
            String jar = URI.create(Agent.class.getProtectionDomain().getCodeSource().getLocation().toString()).getPath();
            try (ZipFile file = new ZipFile(jar);
                 InputStream stream = file.getInputStream(file.getEntry(HOOK.replace('.', '/') + ".class"))) {
                SharedSecrets.getJavaLangAccess().defineClass(null, HOOK, stream.readAllBytes(), null, null);
            }
        }
    }

    /** Says why something is not recorded, also to the command {@code record}, which reads {@code faults} if that is not null. */
    static void fail(String line, Path faults) {
        Entry.say(line);
        report(line, faults);
    }

    static void report(String line, Path faults) {
        if (faults != null) {
            // Not made if it is missing: who does not own a file in /tmp may be refused to make it.
            try {
                Files.writeString(faults, line + "\n", StandardOpenOption.WRITE, StandardOpenOption.APPEND);
            } catch (IOException | OutOfMemoryError e) {
                // It was said.
            }
        }
    }
}
