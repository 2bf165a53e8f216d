/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import jdk.internal.access.SharedSecrets;
import jdk.internal.misc.InnocuousThread;
import pooledarena.histogram.Histogram;
import pooledarena.histogram.HistogramWriter;
import pooledarena.histogram.RecordedJvm;
import pooledarena.recorder.hook.ArenaHook;

import module java.base;

/**
 * The file of this JVM. It is always whole: it is written beside and then takes the place of the one before. Written at the
 * start, now and then, when the file {@code dump} in the directory is touched, and at the end.
 */
final class Output implements Runnable {

    /** A step of the shutdown that is not in use, after all shutdown hooks of the program. */
    private static final int LAST_STEP = 9;

    final Options options;
    private final Recorder recorder;
    private final boolean attached;
    private final String host = hostName();
    private final long pid = ProcessHandle.current().pid();
    private final Instant started = ProcessHandle.current().info().startInstant().orElse(Instant.now());
    private final Path file;

    private boolean withdrawn;
    private boolean finished;
    private boolean complained;

    Output(Options options, boolean attached, Recorder recorder) {
        this.options = options;
        this.recorder = recorder;
        this.attached = attached;
        // Of two JVMs that start at once in containers of the same host, both may be process 1.
        file = options.out().resolve("arenas-" + host + "-" + pid + "-" + Instant.now().toEpochMilli() + ".json");
    }

    /** Removes the file, as nothing is recorded after all. */
    void withdraw() {
        synchronized (recorder) {
            withdrawn = true;
            file.toFile().delete();
        }
    }

    /** Writes the file again; of failures, one is told. */
    void write() {
        try {
            writeFile();
        } catch (IOException | RuntimeException e) {
            if (!complained) {
                complained = true;
                Agent.fail(file + ": cannot be written: " + e + "; what was written before stays, and it is tried again");
            }
        }
    }

    void writeFile() throws IOException {
        synchronized (recorder) {
            if (withdrawn) {
                return;
            }
            Path aside = file.resolveSibling(file.getFileName() + ".tmp");
            try {
                Histogram histogram = recorder.histogram(jvm());
                Files.createDirectories(options.out());
                // Not by a channel, which would fail if the thread that ends the program had been interrupted.
                try (OutputStream out = new FileOutputStream(aside.toFile())) {
                    out.write(HistogramWriter.json(histogram));
                }
                Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                aside.toFile().delete();
            }
        }
    }

    /** {@return this JVM, as of now} */
    RecordedJvm jvm() {
        String java = System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version")
                + " (" + System.getProperty("java.vendor.version", System.getProperty("java.vendor")) + ")";
        // The main class, module or jar; its arguments may be secret.
        String program = System.getProperty("sun.java.command", "").split(" ", 2)[0];
        return new RecordedJvm(host, pid, iso(started), iso(Instant.now()), finished, attached, options.sites(), java, program);
    }

    /** {@return the time to milliseconds in ISO 8601} Java's formatters would have to be set up for it. */
    static String iso(Instant time) {
        String text = LocalDateTime.ofInstant(time.truncatedTo(ChronoUnit.MILLIS), ZoneOffset.UTC).toString();
        return text + (text.length() == "2026-11-21T08:00".length() ? ":00Z" : "Z");
    }

    /** From now on writes the file whenever it is due, and after all shutdown hooks of the program, which may close arenas. */
    void keepWriting() {
        Thread thread = InnocuousThread.newSystemThread("arena-recorder", this);
        thread.setDaemon(true);
        thread.start();
        SharedSecrets.getJavaLangAccess().registerShutdownHook(LAST_STEP, false, new Runnable() {
            @Override
            public void run() {
                finished = true;
                write();
            }
        });
    }

    /** Writes after 1, 4, 16 … seconds, and then as often as asked for, so that a JVM that halts leaves a quarter of its life. */
    @Override
    public void run() {
        long due = 1;
        long signalled = signal();
        for (long seconds = 1; true; seconds++) {
            try {
                recorder.transformer.retransformForASecond();
                recorder.collect();
                long signal = signal();
                if (signal > signalled || options.every() > 0 && seconds >= due) {
                    signalled = signal;
                    due = seconds + Math.clamp(3 * seconds, 1, Math.max(1, options.every()));
                    write();
                }
            } catch (Throwable t) {
                ArenaHook.failures++; // for instance no memory; there may be some later
            }
        }
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
