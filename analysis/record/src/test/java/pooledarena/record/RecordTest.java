/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.record;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import pooledarena.CommandLine;
import pooledarena.histogram.Dropped;
import pooledarena.histogram.Histogram;
import pooledarena.histogram.HistogramReader;
import pooledarena.histogram.RecordedJvm;
import pooledarena.histogram.Tally;
import pooledarena.io.Tool;
import pooledarena.recordings.Histograms;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.DataFormatException;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The command with the recorder that make builds, in a process of its own where streams, signals or the environment matter. What
 * it runs elsewhere must print nothing, as the streams are those of the test.
 */
class RecordTest {

    private static final Path RECORDER = Path.of(System.getProperty("recorder"));
    private static final String JAVA = System.getProperty("java.home") + "/bin/java";
    private static final String QUIET = JAVA + " -XX:-UsePerfData -version 2>/dev/null";
    private static final String CLASS_PATH = System.getProperty("java.class.path");

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource
    void everyJvmThatItStarts(RecordCommand.Variable variable) throws Exception {
        Path out = directory.resolve("out");
        CommandLine result = run(command("--out", out.toString(), "--variable", variable.name(), "--", JAVA, "-cp", CLASS_PATH,
                Program.class.getName(), "3", "-x"));
        assertEquals(3, result.status(), result.err());
        assertEquals("-x\n", result.out());
        assertTrue(result.err().contains("record: 3 JVMs with 6 confined arenas recorded in " + out + "\n"), result.err());
        assertEquals(3, result.err().lines().filter(line -> line.contains("Picked up " + variable + ": ")).count(), result.err());
        assertEquals(List.of(1L, 2L, 3L), arenas(out));
    }

    @Test
    void whatTheVariableHadStaysThere() throws Exception {
        Path out = directory.resolve("a 'directory' with spaces");
        ProcessBuilder builder = command("--out", out.toString(), JAVA, "-XshowSettings:properties", "-version");
        builder.environment().put("JAVA_TOOL_OPTIONS", "-Dgiven=before");
        CommandLine result = run(builder);
        assertEquals(0, result.status(), result.err());
        assertTrue(result.err().contains("given = before"), result.err());
        assertEquals(List.of(0L), arenas(out));
    }

    @Test
    void earlierFilesAreNotCounted() throws Exception {
        Path out = directory.resolve("out");
        for (String files : List.of("", "; files of an earlier run are there, too: 1")) {
            CommandLine result = record("--out", out.toString(), "--", "sh", "-c", QUIET);
            assertEquals(0, result.status(), result.err());
            assertEquals("record: 1 JVM with 0 confined arenas recorded in " + out + files + "\nrecord: report " + out
                    + " and recommend " + out + " read it\n", result.err());
        }
    }

    /** What is to be typed next can be copied into a shell. */
    @Test
    void nextCommands() throws Exception {
        Path out = directory.resolve("it's a directory");
        String err = record("--out", out.toString(), "--", "sh", "-c", QUIET).err();
        String quoted = "'" + directory.resolve("it'\\''s a directory") + "'";
        assertTrue(err.endsWith("record: report " + quoted + " and recommend " + quoted + " read it\n"), err);
    }

    @Test
    void aCommandWithoutJava() throws Exception {
        CommandLine result = run(command("--out", directory.resolve("out").toString(), "--", "sh", "-c",
                "echo told >&2; exit 77"));
        assertEquals(new CommandLine(77, "", "told\nrecord: no JVM was recorded: the command started none of JDK 25 or later, or "
                + "did not pass JAVA_TOOL_OPTIONS on to it\n"), result);
    }

    @Test
    void aCommandThatIsKilled() throws Exception {
        assertEquals(128 + 9, record("--out", directory.resolve("out").toString(), "--", "sh", "-c", "kill -9 $$").status());
    }

    /** Whoever ends the recording ends the command, and is still told what was recorded. */
    @Test
    void interrupted() throws Exception {
        Path out = directory.resolve("out");
        Path err = Files.createTempFile(directory, "", ".err");
        ProcessBuilder builder = command("--out", out.toString(), "--", JAVA, "-cp", CLASS_PATH,
                "pooledarena.record.RecordTest$Sleeper");
        builder.command().add(1, "-Djava.io.tmpdir=" + directory);
        Process process = builder.redirectError(err.toFile()).start();
        assertEquals('.', process.getInputStream().read());
        process.destroy();
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        assertEquals(128 + 15, process.exitValue());
        assertTrue(Files.readString(err).contains("record: 1 JVM with 1 confined arena recorded in " + out), Files.readString(err));
        try (DirectoryStream<Path> left = Files.newDirectoryStream(directory, "*.faults")) {
            assertFalse(left.iterator().hasNext());
        }
    }

    /** A command that goes on all the same does not keep the recording from its end. */
    @Test
    void interruptedWithACommandThatIgnoresIt() throws Exception {
        Path err = Files.createTempFile(directory, "", ".err");
        Process process = command("--out", directory.resolve("out").toString(), "--", "sh", "-c",
                "trap '' TERM; sleep 3; echo .; sleep 600").redirectError(err.toFile()).start();
        assertEquals('.', process.getInputStream().read());
        List<ProcessHandle> started = process.descendants().toList();
        try {
            process.destroy();
            assertTrue(process.waitFor(60, TimeUnit.SECONDS));
            assertTrue(Files.readString(err).contains(" has not ended within 10 s of SIGTERM: it goes on"), Files.readString(err));
        } finally {
            started.forEach(ProcessHandle::destroyForcibly);
        }
    }

    /** Opens an arena, says so and sleeps. */
    static final class Sleeper {

        public static void main(String[] args) throws InterruptedException {
            Arena.ofConfined().close();
            System.out.print('.');
            System.out.flush();
            Thread.sleep(600_000);
        }
    }

    @Test
    void whatCannotBeRun() throws Exception {
        String out = directory.resolve("out").toString();
        assertEquals(new CommandLine(Tool.EXIT_BAD_INPUT, "", "record: Missing required parameter: 'COMMAND' or --pid (see arena-analysis "
                + "record --help)\n"), record("--out", out));
        assertEquals(new CommandLine(Tool.EXIT_BAD_INPUT, "", "record: --duration: accepted only with --pid (see arena-analysis "
                + "record --help)\n"), record("--duration", "5", "--out", out, "--", "true"));
        assertEquals(new CommandLine(Tool.EXIT_BAD_INPUT, "", "record: --variable: accepted only with a command (see arena-analysis "
                + "record --help)\n"), record("--pid", "1", "--variable", "JDK_JAVA_OPTIONS", "--out", out));
        for (String option : List.of("--frames=5", "--skip=a.")) {
            assertEquals(new CommandLine(Tool.EXIT_BAD_INPUT, "", "record: " + option.split("=")[0] + ": accepted only with call sites, "
                    + "not with --sites 0 (see arena-analysis record --help)\n"), record("--sites", "0", option, "--", "true"));
        }
        for (String prefix : List.of("j", "jdk.internal.foreign.", "jdk.internal.foreign.BufferStack")) {
            assertEquals(new CommandLine(Tool.EXIT_BAD_INPUT, "", "record: --skip " + prefix + ": would leave out "
                    + "jdk.internal.foreign.BufferStack; the beginning of other class names, as com.example., is accepted; nothing was "
                    + "run\n"), record("--skip", prefix, "--out", out, "--", "true"));
        }
        for (String sites : List.of("-1", "1000001")) {
            assertEquals(new CommandLine(Tool.EXIT_BAD_INPUT, "", "record: --sites " + sites + ": a number from 0 to 1000000 is "
                    + "accepted; nothing was run\n"), record("--sites", sites, "--out", out, "--", "true"));
        }
        for (String frames : List.of("0", "101")) {
            assertEquals(new CommandLine(Tool.EXIT_BAD_INPUT, "", "record: --frames " + frames + ": a number from 1 to 100 is "
                    + "accepted; nothing was run\n"), record("--frames", frames, "--out", out, "--", "true"));
        }
        for (String memory : List.of("x", "64km", "63k", "65535", "2g", "9999999999g")) {
            assertEquals(new CommandLine(Tool.EXIT_BAD_INPUT, "", "record: --memory " + memory + ": a size from 64k to 1g is "
                    + "accepted; nothing was run\n"), record("--memory", memory, "--out", out, "--", "true"));
        }
        for (String memory : List.of("65536", "64K", "1024M", "1g")) {
            assertEquals(Tool.EXIT_FAILED, record("--memory", memory, "--out", out, "--", "true").status(), memory);
        }
        for (String prefix : List.of("", "a,b", "a b", "it's")) {
            assertEquals(new CommandLine(Tool.EXIT_BAD_INPUT, "", "record: --skip " + prefix + ": the beginning of a class name, "
                    + "as com.example., is accepted; nothing was run\n"), record("--skip", prefix, "--out", out, "--", "true"));
        }
        Path none = directory.resolve("none.jar");
        assertEquals(new CommandLine(Tool.EXIT_BAD_INPUT, "", "record: --recorder " + none + ": not a file; the "
                + "arena-recorder.jar of the same build is accepted; nothing was run\n"), record("--recorder", none.toString(), "--", "true"));
        CommandLine missing = record("--out", out, "--", "no-such-command");
        assertEquals(Tool.EXIT_BAD_INPUT, missing.status());
        assertTrue(missing.err().matches("record: no-such-command: cannot be run \\(.*No such file or directory\\S*; nothing was run\n"),
                missing.err());
        assertFalse(missing.err().contains("Cannot run program"), missing.err());
    }

    /** The option that JVMs get, in quotes where it needs some. */
    @Test
    void theOption() throws Exception {
        Path told = directory.resolve("told");
        for (List<String> quoted : List.of(List.of("out", ""), List.of("a b", "'"), List.of("it's", "\""), List.of("\"", "'"))) {
            Path out = directory.resolve(quoted.getFirst());
            String quote = quoted.getLast();
            for (String sites : List.of("0", "1000000")) {
                CommandLine result = record("--out", out.toString(), "--sites", sites, "--variable", "JDK_JAVA_OPTIONS", "--",
                        "sh", "-c", "printf %s \"$JDK_JAVA_OPTIONS\" >\"$0\"", told.toString());
                assertEquals(Tool.EXIT_FAILED, result.status(), result.err());
                assertTrue(result.err().contains("did not pass JDK_JAVA_OPTIONS on"), result.err());
                String begin = quote + "-javaagent:" + RECORDER.toAbsolutePath() + "=out=" + out + ",sites=" + sites
                        + ",faults=";
                String option = Files.readString(told);
                assertTrue(option.startsWith(begin) && option.endsWith(quote), option + " for " + begin);
                assertTrue(Files.notExists(Path.of(option.substring(begin.length(), option.length() - quote.length()))));
            }
        }
    }

    @Test
    void framesAndWhatIsSkipped() throws Exception {
        for (String frames : List.of("2", "100")) {
            record("--out", directory.resolve("out").toString(), "--frames", frames, "--skip", "com.example.", "--skip", "A$B",
                    "--", "sh", "-c", "printf %s \"$JAVA_TOOL_OPTIONS\" >\"$0\"", directory.resolve("told").toString());
            String option = Files.readString(directory.resolve("told"));
            assertTrue(option.contains(",sites=1,frames=" + frames + ",skip=com.example.,skip=A$B,faults="), option);
        }
    }

    /** What a JVM cannot be given. */
    @Test
    void aPathThatCannotBeGiven() {
        CommandLine result = record("--out", directory.resolve("a,b").toString(), "--", "true");
        assertEquals(new CommandLine(Tool.EXIT_BAD_INPUT, "", "record: --out " + directory.resolve("a,b") + ": such a path cannot "
                + "be given to a JVM; one without , is accepted; nothing was run\n"), result);
        assertTrue(Files.notExists(directory.resolve("a,b")));
    }

    /** Of two paths, or of one. */
    @Test
    void quotesOfBothKinds() throws Exception {
        Path one = Files.copy(RECORDER, directory.resolve("recorder.jar"));
        Path other = Files.copy(RECORDER, directory.resolve("record\"er.jar"));
        for (List<Path> paths : List.of(List.of(other, directory.resolve("it's")), List.of(one, directory.resolve("'\"")))) {
            CommandLine result = record("--recorder", paths.getFirst().toString(), "--out", paths.getLast().toString(), "--", "true");
            assertEquals(Tool.EXIT_BAD_INPUT, result.status(), result.err());
            assertTrue(result.err().matches("record: -javaagent:\\Q" + paths.getFirst() + "=out=" + paths.getLast() + "\\E,\\S+: has "
                    + "quotes of both kinds, which no JVM can be given; paths with those of one kind are accepted; nothing was run\n"),
                    result.err());
            assertTrue(Files.notExists(paths.getLast()));
        }
    }

    /** A link is followed before what leads up from where it points to. */
    @Test
    void aPathThatLeadsUpFromALink() throws Exception {
        Files.createDirectories(directory.resolve("far/away"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), directory.resolve("far/away"));
        CommandLine result = record("--out", link.resolve("../out").toString(), "--", "sh", "-c", QUIET);
        assertEquals(0, result.status(), result.err());
        assertEquals(1, directory.resolve("far/out").toFile().list().length);
    }

    /** As that of a build that writes into the same directory. */
    @Test
    void jsonOfAnother() throws Exception {
        Path out = directory.resolve("out");
        for (int i = 0; i < 2; i++) {
            CommandLine result = record("--out", out.toString(), "--", "sh", "-c", QUIET + "; echo {} >" + out.resolve("package.json"));
            assertEquals(0, result.status(), result.err());
            assertEquals(i == 1, result.err().contains("files of an earlier run are there, too: 1\n"), result.err());
        }
    }

    /** Many JVMs that halted, and a file that is no histogram. */
    @Test
    void whatIsTold() throws Exception {
        Path out = directory.resolve("out");
        List<String> copies = new ArrayList<>(List.of("cp"));
        for (int pid = 1; pid <= 2; pid++) {
            RecordedJvm jvm = new RecordedJvm("host", pid, "2026-11-21T08:00:00Z", "2026-11-21T08:00:10Z", false, false, 1, 0, "",
                    "");
            copies.add(Histograms.write(new Histogram(List.of(jvm), Map.of(), Dropped.NOTHING), directory.resolve("arenas-" + pid + ".json"))
                    .toString());
        }
        copies.add(out.toString());
        CommandLine both = record(
                Stream.concat(Stream.of("--out", out.toString(), "--"), copies.stream()).toArray(String[]::new));
        assertEquals(Tool.EXIT_FAILED, both.status(), both.err());
        assertTrue(both.err().contains("record: 2 JVMs were killed or still ran, so what they did after their files were written "
                + "is missing.\n"), both.err());
        Path other = directory.resolve("other");
        CommandLine one = record("--out", other.toString(), "--", "cp", copies.get(1), other.toString());
        assertEquals(Tool.EXIT_FAILED, one.status(), one.err());
        assertTrue(one.err().contains("record: 1 JVM was killed or still ran, so what it did after its file was written, 10.0 s after "
                + "its start, is missing.\n"), one.err());
        CommandLine broken = record("--out", out.toString(), "--", "sh", "-c", ": >" + out.resolve("arenas-3.json"));
        assertEquals(Tool.EXIT_FAILED, broken.status(), broken.err());
        assertTrue(broken.err().startsWith("record: " + out.resolve("arenas-3.json") + ": is empty\n"), broken.err());
        CommandLine removed = record("--out", other.toString(), "--", "rm", "-r", other.toString());
        assertEquals(Tool.EXIT_FAILED, removed.status(), removed.err());
        assertTrue(removed.err().startsWith("record: " + other + ": cannot be read: "), removed.err());
    }

    /** What a file says must not control the terminal. */
    @Test
    void aFaultWithControlCharacters() throws Exception {
        Path out = directory.resolve("out");
        RecordedJvm jvm = new RecordedJvm("ho\033\nst", 1, "2026-11-21T08:00:00Z", "", true, false, 1, 0, "", "");
        Histogram histogram = new Histogram(List.of(jvm), Map.of(), Dropped.NOTHING);
        Path first = Histograms.write(histogram, directory.resolve("arenas-1.json"));
        Path second = Histograms.write(histogram, directory.resolve("arenas-2.json"));
        CommandLine result = record("--out", out.toString(), "--", "cp", first.toString(), second.toString(), out.toString());
        assertTrue(result.err().startsWith("record: " + out.resolve("arenas-2.json") + ": has process 1 of ho??st, started "), result.err());
    }

    /** Of what a command of another user can write, too. */
    @Test
    void theFileOfFaults() throws Exception {
        Path told = directory.resolve("told");
        record("--out", directory.resolve("out").toString(), "--", "sh", "-c",
                "stat -c %A \"${JAVA_TOOL_OPTIONS##*,faults=}\" >" + told);
        assertEquals("-rw--w--w-\n", Files.readString(told));
    }

    /** What JVMs said is then not known, but what was recorded is. */
    @Test
    void aFileOfFaultsThatIsGone() throws Exception {
        Path out = directory.resolve("out");
        CommandLine result = record("--out", out.toString(), "--", "sh", "-c", "rm \"${JAVA_TOOL_OPTIONS##*,faults=}\"; " + QUIET);
        assertEquals(Tool.EXIT_FAILED, result.status(), result.err());
        assertTrue(result.err().matches("record: \\S+\\.faults: cannot be read: there is no such file or directory; what JVMs said there "
                + "is not known\nrecord: 1 JVM with 0 confined arenas recorded in \\Q" + out + "\\E\n(?s:.*)"), result.err());
    }

    /** A JVM that runs already, twice; its own streams say nothing. No variable has the path, so it may have any quotes. */
    @Test
    void aRunningJvm() throws Exception {
        Path out = directory.resolve("'o\"ut");
        Path err = Files.createTempFile(directory, "", ".err");
        Process process = new ProcessBuilder(JAVA, "-XX:+EnableDynamicAgentLoading", "-cp", CLASS_PATH,
                "pooledarena.record.RecordTest$Opener").redirectError(err.toFile()).start();
        try {
            assertEquals('.', process.getInputStream().read());
            for (int i = 0; i < 2; i++) {
                long start = System.nanoTime();
                CommandLine result = record("--out", out.toString(), "--memory", "1m", "--pid", Long.toString(process.pid()),
                        "--duration", "2");
                assertEquals(0, result.status(), result.err());
                assertTrue(result.err().contains("JVM was recorded only from some time after the start on"), result.err());
                long arenas = arenas(out).getFirst();
                long most = (System.nanoTime() - start) / 1_000_000 + 1;
                assertTrue(arenas > 0 && arenas <= most, () -> arenas + " arenas in " + most + " ms, one in each");
            }
            process.destroy();
            assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        } finally {
            process.destroyForcibly();
        }
        assertEquals("", Files.readString(err));
        CommandLine none = record("--out", out.toString(), "--pid", Long.toString(process.pid()));
        assertEquals(Tool.EXIT_BAD_INPUT, none.status());
        assertTrue(none.err().startsWith("record: --pid " + process.pid() + ": cannot be recorded ("), none.err());
        assertEquals(1, none.err().lines().count(), none.err());
    }

    /** It is not loaded into a JVM that is too old: one that says so here, as the agent would believe it. */
    @Test
    void aRunningJvmThatIsOlder() throws Exception {
        for (String version : List.of("1.8", "17", "24")) {
            Process process = new ProcessBuilder(JAVA, "-XX:+EnableDynamicAgentLoading", "-cp", CLASS_PATH,
                    "pooledarena.record.RecordTest$Opener", version).redirectError(ProcessBuilder.Redirect.DISCARD).start();
            try {
                assertEquals('.', process.getInputStream().read());
                CommandLine result = record("--out", directory.resolve("out").toString(), "--pid", Long.toString(process.pid()),
                        "--duration", "1");
                assertEquals(new CommandLine(Tool.EXIT_BAD_INPUT, "", "record: --pid " + process.pid() + ": cannot be recorded "
                        + "(it is Java " + version + "); a running JVM of JDK 25 or later is accepted, of this user; nothing was "
                        + "recorded\n"), result);
            } finally {
                process.destroyForcibly();
            }
        }
    }

    /** Told to stop once, also when the command ends. The recorder here is one that prints what it is told, and takes its time. */
    @Test
    void theEndOfARecording() throws Exception {
        Path told = directory.resolve("told");
        Process process = sleeper(told);
        try {
            CommandLine result = run(tell(process));
            assertEquals(Tool.EXIT_FAILED, result.status(), result.err());
            assertTrue(Files.readString(told).endsWith(" stop=" + directory.resolve("out")), Files.readString(told));
            assertTrue(result.err().contains(": process " + process.pid() + " wrote no file in "), result.err());
            assertTrue(result.err().matches("(?s)record: \\d+ s, recording process " + process.pid() + " for 1 s\n.*"), result.err());
            assertEquals(2, Files.readString(told).split(" ").length - 1, Files.readString(told));
        } finally {
            process.destroyForcibly();
        }
    }

    /** Whoever ends the command while the JVM loads the recorder ends the recording, too. */
    @Test
    void interruptedAsItBegins() throws Exception {
        Path told = directory.resolve("told");
        Path err = Files.createTempFile(directory, "", ".err");
        Process process = sleeper(told);
        try {
            Process recording = tell(process).redirectError(err.toFile()).start();
            while (!Files.readString(told).contains(" out=")) {
                assertTrue(recording.isAlive(), Files.readString(err));
                Thread.sleep(10);
            }
            recording.destroy();
            assertTrue(recording.waitFor(60, TimeUnit.SECONDS));
            assertEquals(128 + 15, recording.exitValue());
            assertTrue(Files.readString(told).endsWith(" stop=" + directory.resolve("out")), Files.readString(told));
            assertTrue(Files.readString(err).contains("record: no JVM was recorded: "), Files.readString(err));
        } finally {
            process.destroyForcibly();
        }
    }

    private static Process sleeper(Path told) throws IOException {
        return new ProcessBuilder(JAVA, "-XX:+EnableDynamicAgentLoading", "-cp", CLASS_PATH, Sleeper.class.getName())
                .redirectOutput(told.toFile()).start();
    }

    /** {@return a command that has the running JVM load a {@link Teller} for a second} */
    private ProcessBuilder tell(Process process) throws IOException {
        Path jar = directory.resolve("teller.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Agent-Class", Teller.class.getName());
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
        return command("--recorder", jar.toString(), "--out", directory.resolve("out").toString(), "--pid", Long.toString(process.pid()),
                "--duration", "1");
    }

    /** Takes the place of the recorder, and its time. */
    static final class Teller {

        public static void agentmain(String arguments) throws InterruptedException {
            System.out.print(" " + arguments);
            System.out.flush();
            Thread.sleep(1000);
        }
    }

    /** Opens an arena each millisecond, in a JVM that says that it is of another version if one is given. */
    static final class Opener {

        public static void main(String[] args) throws InterruptedException {
            if (args.length > 0) {
                System.setProperty("java.specification.version", args[0]);
            }
            System.out.print('.');
            System.out.flush();
            while (true) {
                Arena.ofConfined().close();
                Thread.sleep(1);
            }
        }
    }

    /** What a user is to be told where the jars are, without building them. */
    @Test
    void thePathsThatMakePrints() throws Exception {
        Path top = RECORDER.toRealPath().getParent().getParent();
        ProcessBuilder builder = new ProcessBuilder("make", "--dry-run", "recorder").directory(top.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("MAKE") || name.equals("MFLAGS"));
        CommandLine result = run(builder);
        assertEquals(0, result.status(), result.err());
        String last = result.out().lines().toList().getLast();
        assertEquals("echo \"build/arena-recorder.jar build/arena-analysis.jar\"", last);
        assertTrue(Files.exists(top.resolve("build/arena-recorder.jar")), result.out());
    }

    /** As /proc is: a directory in which nobody can make a file, root included. */
    @Test
    void aDirectoryThatCannotBeWritten() throws Exception {
        CommandLine result = record("--out", "/proc", "--", "sh", "-c", "echo run");
        assertEquals(Tool.EXIT_BAD_INPUT, result.status(), result.err());
        assertEquals("", result.out());
        assertTrue(result.err().startsWith("record: --out /proc: cannot be written to ("), result.err());
        assertTrue(result.err().endsWith("; a directory is accepted, and made if missing; nothing was done\n"), result.err());
        assertEquals(1, result.err().lines().count());
    }

    /** Where the faults of JVMs would go. */
    @Test
    void aTemporaryDirectoryThatCannotBeWritten() throws Exception {
        ProcessBuilder builder = command("--out", directory.resolve("out").toString(), "--", "sh", "-c", "echo run");
        builder.command().add(1, "-Djava.io.tmpdir=/proc");
        CommandLine result = run(builder);
        assertEquals(Tool.EXIT_BAD_INPUT, result.status(), result.err());
        assertEquals("", result.out());
        assertTrue(result.err().startsWith("record: java.io.tmpdir /proc: cannot be written to ("), result.err());
        assertTrue(result.err().endsWith("; a directory is accepted; nothing was run\n"), result.err());
    }

    /** As where the command is run by a user who may not write there. */
    @Test
    void aDirectoryThatTheJvmCannotWrite() throws Exception {
        Path out = directory.resolve("out");
        CommandLine result = record("--out", out.toString(), "--", "sh", "-c", "mv " + out + " " + out + "2; : >" + out + "; "
                + QUIET + "; rm " + out + "; mv " + out + "2 " + out);
        assertEquals(Tool.EXIT_FAILED, result.status(), result.err());
        assertTrue(result.err().contains("record: a JVM said: out=" + out + ": cannot be written to ("), result.err());
        assertTrue(result.err().endsWith("record: no JVM was recorded\n"), result.err());
    }

    /** As on a disk that is full: a file can be made, but not written whole. */
    @Test
    void aDiskThatIsFull() throws Exception {
        Path out = directory.resolve("out");
        CommandLine result = record("--out", out.toString(), "--", "sh", "-c", "trap '' XFSZ; ulimit -f 1; exec " + QUIET);
        assertEquals(Tool.EXIT_FAILED, result.status(), result.err());
        assertTrue(result.err().contains("record: a JVM said: out=" + out + ": cannot be written to ("), result.err());
    }

    /** As on a disk that is full before anything is run. */
    @Test
    void noPlaceForAFile() throws Exception {
        List<String> words = command("--out", directory.resolve("out").toString(), "--", "sh", "-c", "echo run").command();
        words.addAll(0, List.of("sh", "-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" -XX:-UsePerfData \"$@\""));
        CommandLine result = run(new ProcessBuilder(words));
        assertEquals(Tool.EXIT_BAD_INPUT, result.status(), result.err());
        assertEquals("", result.out());
        assertTrue(result.err().startsWith("record: --out " + directory.resolve("out") + ": cannot be written to ("),
                result.err());
    }

    @Test
    void aCommandThatIsNotRecorded() throws Exception {
        Path out = directory.resolve("out");
        CommandLine result = record("--out", out.toString(), "--", "touch", out.resolve("dump").toString());
        assertEquals(Tool.EXIT_FAILED, result.status(), result.err());
        assertTrue(result.err().startsWith("record: no JVM was recorded: "), result.err());
    }

    /** What is told after the run counts arenas that no row has, as the report does. Then the status is not 0. */
    @Test
    void arenasThatAreMissingCount() throws Exception {
        missing(new Dropped(5, 0, 0, 0), 8, Tool.EXIT_FAILED);
        missing(new Dropped(0, 0, 0, 1), 3, Tool.EXIT_FAILED);
        missing(new Dropped(0, 5, 3, 0), 3, 0);
    }

    private void missing(Dropped dropped, int arenas, int status) throws Exception {
        Path out = directory.resolve("out");
        Path written = Histograms.write(new Histogram(List.of(Histograms.jvm(1)), Map.of(Histograms.shape(null, 8, 0),
                new Tally(3, 24, 3)), dropped), directory.resolve("arenas-1.json"));
        CommandLine result = record("--out", out.toString(), "--", "cp", written.toString(), out.toString());
        assertEquals(status, result.status(), result.err());
        assertTrue(result.err().contains("record: 1 JVM with " + arenas + " confined arenas recorded in " + out + "\n"), result.err());
    }

    private static CommandLine record(String... args) {
        return CommandLine.run(words(args).toArray(String[]::new));
    }

    private static ProcessBuilder command(String... args) {
        List<String> command = new ArrayList<>(List.of(JAVA, "-cp", CLASS_PATH, CommandLine.class.getName()));
        command.addAll(words(args));
        return new ProcessBuilder(command);
    }

    private static List<String> words(String... args) {
        List<String> words = new ArrayList<>(List.of("record"));
        if (!args[0].equals("--recorder")) {
            words.addAll(List.of("--recorder", RECORDER.toString()));
        }
        words.addAll(List.of(args));
        return words;
    }

    private CommandLine run(ProcessBuilder builder) throws Exception {
        Path out = Files.createTempFile(directory, "", ".out");
        Path err = Files.createTempFile(directory, "", ".err");
        Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        assertTrue(process.waitFor(120, TimeUnit.SECONDS), "it does not end");
        return new CommandLine(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    /** {@return the number of arenas in each file} */
    private static List<Long> arenas(Path directory) throws IOException, DataFormatException {
        List<Long> arenas = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Histogram histogram = HistogramReader.read(file);
                assertTrue(histogram.jvms().getFirst().finished());
                arenas.add(histogram.rows().values().stream().mapToLong(Tally::arenas).sum());
            }
        }
        return arenas.stream().sorted().toList();
    }
}
