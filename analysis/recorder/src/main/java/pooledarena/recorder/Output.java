/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import pooledarena.histogram.Histogram;
import pooledarena.histogram.HistogramWriter;
import pooledarena.histogram.Jvm;

import java.io.BufferedWriter;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Optional;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The file of this JVM. It is always whole: it is written beside and then takes the place of the one before. Written at the
 * start, now and then, when the file {@code dump} in the directory is touched, on request, and at the end.
 */
final class Output {

    private static final String SIGNAL = "dump";

    private static final long SECOND = 1_000_000_000;

    private final Options options;
    private final Transformer transformer;
    private final String host = hostName();
    private final long pid = ProcessHandle.current().pid();
    private final Instant started;
    private final boolean attached;
    private final String java = System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version")
            + " (" + System.getProperty("java.vendor.version", System.getProperty("java.vendor")) + ")";
    private final String program = program();
    private final Path file;

    private boolean withdrawn;
    private boolean finished;
    private boolean complained;

    Output(Options options, boolean attached, Transformer transformer) {
        this.options = options;
        this.transformer = transformer;
        this.attached = attached;
        Optional<Instant> start = ProcessHandle.current().info().startInstant();
        started = start.isPresent() ? start.get() : Instant.now();
        // Of two JVMs that start at once in containers of the same host, both may be process 1.
        file = options.out().resolve("arenas-" + host + "-" + pid + "-" + Instant.now().toEpochMilli() + ".json");
    }

    Path directory() {
        return options.out();
    }

    /** Writes the file for the first time; throws if that cannot be done. */
    void first() throws IOException {
        writeFile();
    }

    /** Removes the file, as nothing is recorded after all. */
    void withdraw() {
        synchronized (Recorder.class) {
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

    /** What this does with arenas is not recorded. */
    private void writeFile() throws IOException {
        synchronized (Recorder.class) {
            if (withdrawn) {
                return;
            }
            Recorder.beginWriting();
            try {
                replaceFile();
            } finally {
                Recorder.endWriting();
            }
        }
    }

    private void replaceFile() throws IOException {
        Histogram histogram = Recorder.histogram(jvm());
        Files.createDirectories(options.out());
        Path aside = file.resolveSibling(file.getFileName() + ".tmp");
        try {
            // Not by a channel, which would fail if the thread that ends the program had been interrupted.
            try (Writer writer = new BufferedWriter(new OutputStreamWriter(new FileOutputStream(aside.toFile()), UTF_8))) {
                HistogramWriter.write(histogram, writer);
            }
            Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(aside);
        }
    }

    /** {@return this JVM, as of now} */
    Jvm jvm() {
        return new Jvm(host, pid, iso(started), iso(Instant.now()), finished, attached, options.sites(), java, program);
    }

    /** {@return the time to milliseconds in ISO 8601} Java's formatters would have to be set up for it. */
    private static String iso(Instant time) {
        String text = LocalDateTime.ofEpochSecond(time.getEpochSecond(), time.getNano() / 1_000_000 * 1_000_000, ZoneOffset.UTC)
                .toString();
        return text + (text.length() == "2026-11-21T08:00".length() ? ":00Z" : "Z");
    }

    /** From now on writes the file whenever it is due. */
    void keepWriting() {
        Thread thread = new Thread(rootGroup(), new Runnable() {
            @Override
            public void run() {
                writeWhenDue();
            }
        }, "arena-recorder", 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
        thread.start();
        atExit(new Runnable() {
            @Override
            public void run() {
                finished = true;
                write();
            }
        });
    }

    /** Writes after 1, 4, 16 … seconds, and then as often as asked for, so that a JVM that halts leaves a quarter of its life. */
    private void writeWhenDue() {
        long begun = System.nanoTime();
        long due = 1;
        long signalled = signal();
        while (true) {
            try {
                transformer.await(SECOND);
                Recorder.collect();
                long signal = signal();
                long seconds = (System.nanoTime() - begun) / SECOND;
                if (signal > signalled || options.every() > 0 && seconds >= due) {
                    signalled = signal;
                    due = seconds + Math.clamp(3 * seconds, 1, Math.max(1, options.every()));
                    write();
                }
            } catch (Throwable t) {
                Recorder.failed(); // for instance no memory; there may be some later
            }
        }
    }

    private long signal() {
        return options.out().resolve(SIGNAL).toFile().lastModified(); // 0 if there is none
    }

    /**
     * Has the JVM run {@code action} after all shutdown hooks of the program, which may close arenas, or else among them.
     */
    private static void atExit(Runnable action) {
        try {
            Jdk.atExit(action);
        } catch (RuntimeException | LinkageError e) {
            Runtime.getRuntime().addShutdownHook(new Thread(rootGroup(), action, "arena-recorder at exit", 0, false));
        }
    }

    /** {@return the group that no program looks into for its own threads} */
    private static ThreadGroup rootGroup() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        return group;
    }

    /** {@return the main class, module or jar, without its arguments, which may be secret} */
    private static String program() {
        String command = System.getProperty("sun.java.command", "");
        int end = command.indexOf(' ');
        return end < 0 ? command : command.substring(0, end);
    }

    private static String hostName() {
        String name = null;
        try {
            // InetAddress would ask the network.
            name = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        } catch (IOException | RuntimeException e) {
            // not Linux
        }
        for (String variable : new String[] {"HOSTNAME", "COMPUTERNAME"}) {
            if (name == null || name.isEmpty()) {
                name = System.getenv(variable);
            }
        }
        return name == null || name.isEmpty() ? "unknown" : name.replaceAll("[^A-Za-z0-9.-]", "_");
    }
}
