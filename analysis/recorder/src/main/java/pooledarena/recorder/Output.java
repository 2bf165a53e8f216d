/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import jdk.internal.misc.InnocuousThread;
import pooledarena.histogram.RecordedJvm;
import pooledarena.recorder.hook.ArenaHook;

import module java.base;

/**
 * The file of this JVM. It is always whole: it is written beside and then takes the place of the one before. Written at the
 * start, now and then, when the file {@code dump} in the directory is touched, and at the end.
 */
final class Output implements Runnable {

    private static final long SECOND = 1_000_000_000;

    /** How often it is tried to write at the end. */
    private static final int LAST_ATTEMPTS = 20;

    private static final int RESERVE = 400 << 10;

    private static final String NO_MEMORY = "no memory to write the file; what was written before stays";

    private static final byte[] NO_MEMORY_LINE = Entry.bytes(NO_MEMORY);

    final Options options;
    final Recorder recorder;
    private final boolean attached;
    private final String host = hostName();
    private final long pid = ProcessHandle.current().pid();
    private final Instant started = ProcessHandle.current().info().startInstant().orElse(Instant.now());
    private final Path file;
    private final long cpuBefore;

    /** Memory that is set aside for writing when there is no other. */
    private byte[] reserve = new byte[RESERVE];

    /** Why nothing is recorded after all, or null. */
    volatile String withdrawn;

    private volatile boolean finished;
    private boolean complained;

    Output(Options options, boolean attached, Recorder recorder) {
        this.options = options;
        this.recorder = recorder;
        this.attached = attached;
        cpuBefore = attached ? cpu() : 0;
        // A process that replaces its JVM with another one, as launchers do, has one file: that of the last.
        file = options.out().resolve("arenas-" + host + "-" + pid + "-" + started.toEpochMilli() + ".json");
    }

    void withdraw(String why) {
        synchronized (recorder) {
            withdrawn = why;
            file.toFile().delete();
        }
    }

    /** Writes the file again; for the last time if {@code finished}. Before that, only the first failure is told. */
    void write() {
        boolean isLast = finished; // now, as the end may come meanwhile
        try {
            writeFile();
        } catch (IOException | RuntimeException e) {
            String fault = file + ": cannot be written: " + e + "; what was written before stays";
            if (isLast) {
                Agent.fail(fault, options.faults());
            } else if (!complained) { // a failure that a later attempt makes good is none of the whole recording
                complained = true;
                Entry.say(fault + ", and it is tried again");
            }
        }
    }

    void writeFile() throws IOException {
        synchronized (recorder) {
            if (withdrawn != null) {
                return;
            }
            Path aside = file.resolveSibling(file.getFileName() + ".tmp");
            try {
                if (!options.out().toFile().isDirectory()) { // else an exception would be created each time, and its class loaded
                    Files.createDirectories(options.out());
                }
                // Not by a channel, which would fail if the thread that ends the program had been interrupted.
                // Nor as a resource: without memory its close may throw the same error again, which cannot suppress itself.
                OutputStream out = new FileOutputStream(aside.toFile());
                try {
                    recorder.write(out, jvm());
                } catch (UncheckedIOException e) {
                    throw e.getCause();
                } finally {
                    out.close();
                }
                Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                aside.toFile().delete();
            }
        }
    }

    RecordedJvm jvm() {
        String java = System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version")
                + " (" + System.getProperty("java.vendor.version", System.getProperty("java.vendor")) + ")";
        // The main class, module or jar; its arguments may be secret.
        String program = System.getProperty("sun.java.command", "").split(" ", 2)[0];
        return new RecordedJvm(host, pid, iso(started), iso(Instant.now()), finished, attached, options.sites(), cpu() - cpuBefore,
                java, program);
    }

    private static long cpu() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toMillis();
    }

    /** {@return the time to milliseconds in ISO 8601} Java's formatters would have to be set up for it. */
    static String iso(Instant time) {
        String text = LocalDateTime.ofInstant(time.truncatedTo(ChronoUnit.MILLIS), ZoneOffset.UTC).toString();
        return text + (text.length() == "2026-11-21T08:00".length() ? ":00Z" : "Z");
    }

    /** From now on writes the file whenever it is due. */
    void keepWriting() {
        Thread thread = InnocuousThread.newSystemThread("arena-recorder", this);
        thread.setDaemon(true);
        thread.start();
    }

    /** Writes the file for the last time, when there may be no memory but what was set aside. */
    void finish() {
        finished = true;
        reserve = null;
        for (int attempt = 1; attempt <= LAST_ATTEMPTS; attempt++) {
            try {
                write();
                return;
            } catch (OutOfMemoryError | LinkageError e) {
                // Other threads may have taken what was set aside. A class may lack memory to be loaded.
            }
        }
        Entry.say(NO_MEMORY_LINE);
        Agent.report(NO_MEMORY, options.faults());
    }

    /**
     * Writes after 1/16, 1/4, 1, 4, 16 … seconds, and then as often as asked for, so that a JVM that is killed leaves a quarter of
     * its life.
     */
    @Override
    public void run() {
        LockSupport.parkNanos(0); // resolves the call below, for which there may be no memory then
        long begin = System.nanoTime();
        long due = SECOND / 16;
        long signalled = signal();
        while (!finished) {
            try {
                recorder.transformer.retransformFor(Math.clamp(due - (System.nanoTime() - begin), 1, SECOND));
                recorder.collect();
                long signal = signal();
                long now = System.nanoTime() - begin;
                boolean isDue = options.every() > 0 && now >= due;
                due = next(due, now, options.every());
                if (!finished && (signal > signalled || isDue)) {
                    signalled = signal;
                    write();
                }
            } catch (OutOfMemoryError e) {
                // There may be memory later; what was written before stays, and what is collected then counts as open.
                LockSupport.parkNanos(SECOND); // each attempt may be a collection
            } catch (Throwable t) {
                ArenaHook.failures++;
            }
        }
    }

    /** {@return when the file is due next} What was missed while the process was stopped is not made up for. */
    static long next(long due, long now, int every) {
        long next = due;
        while (next <= now) {
            next += Math.min(3 * next, Math.max(1, every) * SECOND);
        }
        return next;
    }

    /** {@return when the signal to write was given last, or 0} */
    private long signal() {
        return options.out().resolve("dump").toFile().lastModified();
    }

    private static String hostName() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname"))
                    .strip().replaceAll("[^A-Za-z0-9.-]", "_"); // InetAddress would ask the network
        } catch (IOException | RuntimeException e) {
            return "unknown"; // not Linux
        }
    }
}
