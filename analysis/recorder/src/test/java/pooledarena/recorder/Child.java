/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import com.google.common.io.Closer;
import kotlin.jdk7.AutoCloseableKt;
import pooledarena.histogram.Histogram;
import pooledarena.histogram.HistogramReader;
import pooledarena.program.Counted;
import scala.util.Using;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.DataFormatException;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

/** A JVM of its own that runs one of the programs, and what it printed. */
final class Child implements AutoCloseable {

    static final Path RECORDER = Path.of(System.getProperty("recorder"));
    static final Path STOCK = Path.of(System.getProperty("java.home"));
    static final Path IMAGE = Path.of(System.getProperty("image"));

    private static final Duration LIMIT = Duration.ofSeconds(120);

    final Process process;
    private final Path home;
    private final Path out;
    private final Path err;

    private Child(Process process, Path home, Path out, Path err) {
        this.process = process;
        this.home = home;
        this.out = out;
        this.err = err;
    }

    /** Starts the program with the JDK at {@code home}. */
    static Child start(Path home, List<String> options, Class<?> program, String... arguments) throws IOException {
        // The programs, and the libraries that they use.
        String classPath = Stream.of(Counted.class, AutoCloseableKt.class, Using.class, Closer.class)
                .map(type -> type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .collect(Collectors.joining(File.pathSeparator));
        return start(home, options, Path.of(classPath), program, arguments);
    }

    static Child start(Path home, List<String> options, Path classPath, Class<?> program, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(home.resolve("bin/java").toString()));
        command.addAll(options);
        command.addAll(List.of("-cp", classPath.toString(), "--enable-native-access=ALL-UNNAMED", program.getName()));
        command.addAll(List.of(arguments));
        return start(home, command);
    }

    private static Child start(Path home, List<String> command) throws IOException {
        assertTrue(Files.exists(RECORDER), RECORDER + " is missing; make test-java builds it");
        Path out = Files.createTempFile("child", ".out");
        Path err = Files.createTempFile("child", ".err");
        return new Child(new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile()).start(),
                home, out, err);
    }

    /** Runs it to its end and returns what it printed; it must not have printed an error. */
    static String run(Path home, List<String> options, Class<?> program, String... arguments) throws Exception {
        try (Child child = start(home, options, program, arguments)) {
            child.end();
            assertEquals("", child.err());
            return child.out();
        }
    }

    static String recorder(String options) {
        return "-javaagent:" + RECORDER + "=" + options;
    }

    /** {@return the one histogram in the directory} */
    static Histogram histogram(Path directory) throws IOException, DataFormatException {
        List<Path> files = files(directory);
        assertEquals(1, files.size(), files.toString());
        return HistogramReader.read(files.getFirst());
    }

    static List<Path> files(Path directory) throws IOException {
        if (Files.notExists(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".json")).toList();
        }
    }

    /** Loads the recorder into the running JVM. */
    void load(String options) throws Exception {
        String said = jcmd("JVMTI.agent_load", RECORDER.toAbsolutePath().normalize().toString(), '"' + options + '"');
        assertTrue(said.contains("return code: 0"), said);
    }

    /** {@return how many objects of the class there are, those included that were not collected yet} */
    int instances(String className) throws Exception {
        return jcmd("GC.class_histogram", "-all").lines().map(line -> line.strip().split(" +"))
                .filter(fields -> fields.length > 3 && fields[3].equals(className)).mapToInt(fields -> Integer.parseInt(fields[1])).sum();
    }

    private String jcmd(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(home.resolve("bin/jcmd").toString(), Long.toString(process.pid())));
        command.addAll(List.of(arguments));
        try (Child jcmd = start(home, command)) {
            jcmd.end();
            return jcmd.out() + jcmd.err();
        }
    }

    /** Has the program read a byte, which is to have it take a step. */
    void step() throws IOException {
        process.getOutputStream().write(1);
        process.getOutputStream().flush();
    }

    /** Lets the program end, without an error. */
    void end() throws Exception {
        process.getOutputStream().close();
        assertTrue(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS), "it does not end");
        assertEquals(0, process.exitValue(), out() + err());
    }

    /** Waits until a line of its output is there as often as {@code count} says. */
    void await(String line, int count) throws Exception {
        long limit = System.nanoTime() + LIMIT.toNanos();
        while (out().lines().filter(line::equals).count() < count) {
            if (System.nanoTime() > limit || !process.isAlive()) {
                fail("no line \"" + line + "\" but " + out() + err());
            }
            Thread.sleep(20);
        }
    }

    String out() throws IOException {
        return Files.readString(out);
    }

    String err() throws IOException {
        return Files.readString(err);
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        Files.delete(out);
        Files.delete(err);
    }
}
