/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.record;

import picocli.CommandLine.*;
import picocli.CommandLine.Model.CommandSpec;
import pooledarena.histogram.*;
import pooledarena.io.*;
import pooledarena.recordings.Origin;
import pooledarena.recordings.Recordings;
import pooledarena.text.Document;
import pooledarena.text.Figures;

import module java.base;
import module jdk.attach;

/** Runs a command with the recorder in every JVM that it starts, or has a running JVM load it. */
@Command(name = "record",
        description = "Runs a command, and records what confined arenas each JVM uses that it starts, on JDK 25 and later; or "
                + "records a running JVM for some time.",
        footer = {"", "Examples:",
                "  java -jar arena-analysis.jar record -- java -jar app.jar",
                "  java -jar arena-analysis.jar record --out build/tests -- mvn verify",
                "  java -jar arena-analysis.jar record -- jtreg -e:JAVA_TOOL_OPTIONS test/",
                "  java -jar arena-analysis.jar record --pid 1234 --duration 60",
                "",
                "The JVMs find the recorder in the environment variable JAVA_TOOL_OPTIONS, which each of them says that it "
                        + "picked up, in one line on its standard error. A command that does not pass its environment on, as "
                        + "jtreg, must be told to. --variable JDK_JAVA_OPTIONS reaches only what is started with the launcher "
                        + "named java, and leaves alone javac, jar and JDK 8. A JVM older than 25 says in one line that it is not "
                        + "recorded, and runs as ever. A run-time image without the module java.instrument does not start with a "
                        + "recorder.",
                "", "Exit status: that of the command; if that is 0, 1 where a JVM of JDK 25 or later could not be recorded, "
                        + "none was, or counts are missing; 2 if it was not run."})
public final class RecordCommand implements Callable<Integer> {

    private static final String JAR = "arena-recorder.jar";
    private static final int OLDEST = 25;
    private static final int SECONDS_TO_END = 10;

    @Parameters(paramLabel = "COMMAND", arity = "0..*", description = "what to run, after --")
    private List<String> command = List.of();

    @Option(names = "--pid", paramLabel = "PID", description = "record this running JVM instead")
    private Long pid;

    @Option(names = "--duration", paramLabel = "SECONDS", defaultValue = "60",
            description = "for how long, with --pid (default: ${DEFAULT-VALUE})")
    private int duration;

    @Option(names = "--memory", paramLabel = "SIZE",
            description = "how much heap the recorder takes of each JVM at most, from 64k to 1g (default: 8m, or an eighth of the "
                    + "heap if that is less)")
    private String memory;

    @Option(names = "--out", paramLabel = "DIR", defaultValue = "build/record",
            description = "where the files go, one for each JVM; one directory for each command that records at the same time "
                    + "(default: ${DEFAULT-VALUE})")
    private Path out;

    @Option(names = "--sites", paramLabel = "N", defaultValue = "1",
            description = "tell the call site of one arena in N, chosen at random; 0 for none (default: ${DEFAULT-VALUE}, all)")
    private int sites;

    @Option(names = "--frames", paramLabel = "N", defaultValue = "1",
            description = "how many frames a call site has, the callers after the first, from 1 to 100; with more than one, "
                    + "opening an arena takes longer, which --sites limits (default: ${DEFAULT-VALUE})")
    private int frames;

    @Option(names = "--skip", paramLabel = "PREFIX",
            description = "leave out frames of classes whose names begin so, as those of a library that opens arenas for its "
                    + "callers; may be given several times")
    private List<String> skipped = List.of();

    @Option(names = "--recorder", paramLabel = "JAR",
            description = "the recorder (default: " + JAR + " beside this jar)")
    private Path recorder;

    @Option(names = "--variable", paramLabel = "NAME", defaultValue = "JAVA_TOOL_OPTIONS",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    private Variable variable;

    private CommandSpec spec;

    /** The environment variables that Java takes options from. */
    enum Variable { JAVA_TOOL_OPTIONS, JDK_JAVA_OPTIONS }

    @Spec
    void setSpec(CommandSpec spec) {
        this.spec = spec;
        spec.parser().stopAtPositional(true); // options of the command are not this one's
    }

    @Override
    public Integer call() throws IOException {
        if (command.isEmpty() == (pid == null)) {
            throw new ParameterException(spec.commandLine(), command.isEmpty() ? "Missing required parameter: 'COMMAND' or --pid"
                    : "--pid " + pid + ": either a command or --pid is accepted");
        }
        refuse(pid == null, "with --pid", "--duration");
        refuse(pid != null, "with a command", "--variable");
        refuse(sites == 0, "with call sites, not with --sites 0", "--frames", "--skip");
        Path faults = createFaults();
        CompletableFuture<Process> started = new CompletableFuture<>(); // null if there is no command
        CompletableFuture<Object> over = new CompletableFuture<>();
        CompletableFuture<Object> done = new CompletableFuture<>();
        try {
            // Whoever ends this program ends the command or the recording, and is told what was recorded.
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                Process process = started.join();
                if (process == null || ends(process)) {
                    over.complete(null);
                    done.join();
                }
            }));
            String agent = path("--recorder", jar(), "=");
            String options = options(faults);
            String option = pid == null ? option(agent, options) : null;
            Map<Path, FileTime> before = filesBefore();
            faults.toFile().setWritable(true, false); // a JVM may be another user's
            Process process = pid == null ? start(option) : null;
            started.complete(process);
            if (process != null) {
                process.onExit().join();
            } else {
                try (Progress _ = new Progress("recording process " + pid + " for " + duration + " s",
                        line -> spec.commandLine().getErr().println("record: " + line))) {
                    attach(agent, options, faults, over);
                }
            }
            int status = tell(before, faults) ? 0 : Tool.EXIT_FAILED;
            return process != null && process.exitValue() != 0 ? process.exitValue() : status;
        } finally {
            faults.toFile().delete();
            started.complete(null);
            done.complete(null);
        }
    }

    /** Refuses options that would be ignored. */
    private void refuse(boolean ignored, String accepted, String... options) {
        for (String option : options) {
            if (ignored && spec.commandLine().getParseResult().hasMatchedOption(option)) {
                throw new ParameterException(spec.commandLine(), option + ": accepted only " + accepted);
            }
        }
    }

    private Process start(String option) {
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        builder.environment().merge(variable.name(), option, (given, ours) -> given + " " + ours);
        try {
            return builder.start();
        } catch (IOException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause(); // which does not name the command again
            throw new BadInput(command.getFirst() + ": cannot be run (" + cause.getMessage().strip() + "); nothing was run");
        }
    }

    /** Ends a process, unless it takes too long or ignores that. */
    private boolean ends(Process process) {
        process.destroy();
        boolean ended = process.onExit().thenApply(_ -> true).completeOnTimeout(false, SECONDS_TO_END, TimeUnit.SECONDS).join();
        if (!ended) {
            spec.commandLine().getErr().println("record: process " + process.pid() + " has not ended within " + SECONDS_TO_END
                    + " s of SIGTERM: it goes on, and so does its recording");
        }
        return ended;
    }

    /** Records the running JVM until it or the time ends, or {@code over} is completed. */
    private void attach(String jar, String options, Path faults, CompletableFuture<Object> over) throws IOException {
        load(jar, options);
        if (Files.size(faults) > 0) { // another recording goes on, which must not be stopped
            return;
        }
        ProcessHandle.of(pid).ifPresentOrElse(jvm -> jvm.onExit().thenAccept(over::complete), () -> over.complete(null));
        over.completeOnTimeout(null, duration, TimeUnit.SECONDS).join();
        try {
            load(jar, "stop=" + path("--out", out, ","));
        } catch (BadInput e) {
            // The JVM has ended and has written its file, or it cannot be attached to any more and its recording goes on.
        }
    }

    private void load(String jar, String options) {
        try {
            VirtualMachine jvm = VirtualMachine.attach(Long.toString(pid));
            try {
                String version = jvm.getSystemProperties().getProperty("java.specification.version");
                if (Runtime.Version.parse(version).feature() < OLDEST) {
                    throw new AttachNotSupportedException("it is Java " + version);
                }
                jvm.loadAgent(jar, options);
            } finally {
                jvm.detach();
            }
        } catch (IOException | AttachNotSupportedException | AgentLoadException | AgentInitializationException e) {
            throw new BadInput("--pid " + pid + ": cannot be recorded (" + e.getMessage() + "); a running JVM of JDK 25 or later "
                    + "is accepted, of this user; nothing was recorded");
        }
    }

    private Path jar() {
        String self = RecordCommand.class.getProtectionDomain().getCodeSource().getLocation().toString();
        Path jar = recorder != null ? recorder : Path.of(URI.create(self)).resolveSibling(JAR);
        require(Files.isRegularFile(jar), "--recorder " + jar
                + ": not a file; the arena-recorder.jar of the same build is accepted");
        return jar;
    }

    private String options(Path faults) {
        require(duration >= 1, "--duration " + duration + ": a number of seconds from 1 is accepted");
        require(memory == null || memory.matches("\\d{1,10}[kKmMgG]?") && bytes(memory) >= 64 << 10 && bytes(memory) <= 1 << 30,
                "--memory " + memory + ": a size from 64k to 1g is accepted");
        require(sites >= 0 && sites <= 1_000_000, "--sites " + sites + ": a number from 0 to 1000000 is accepted");
        require(frames >= 1 && frames <= 100, "--frames " + frames + ": a number from 1 to 100 is accepted");
        for (String prefix : skipped) {
            require(prefix.matches("[\\p{javaJavaIdentifierPart}.]+"), "--skip " + prefix
                    + ": the beginning of a class name, as com.example., is accepted");
            require(!Site.BY_VALUE.startsWith(prefix), "--skip " + prefix + ": would leave out " + Site.BY_VALUE
                    + "; the beginning of other class names, as com.example., is accepted");
        }
        return "out=" + path("--out", out, ",") + ",sites=" + sites + (frames == 1 ? "" : ",frames=" + frames)
                + skipped.stream().map(",skip="::concat).collect(Collectors.joining()) + (memory == null ? "" : ",memory=" + memory)
                + ",faults=" + path("java.io.tmpdir", faults, ",");
    }

    private static long bytes(String size) {
        int unit = "_kmg".indexOf(size.replaceAll("\\d", "").toLowerCase(Locale.ROOT));
        return Long.parseLong(size.replaceAll("\\D", "")) << 10 * unit;
    }

    /** {@return the option that has a JVM load the recorder, as it must stand in an environment variable} */
    private static String option(String jar, String options) {
        String option = "-javaagent:" + jar + "=" + options;
        require(!option.contains("'") || !option.contains("\""), option + ": has quotes of both kinds, which no JVM can be given; "
                + "paths with those of one kind are accepted");
        // Java splits the variable at spaces that are not quoted, and takes quotes of either kind away.
        String quote = option.contains("'") ? "\"" : "'";
        return option.matches("[^\\s'\"]*") ? option : quote + option + quote;
    }

    /** {@return the absolute path, as JVMs may run in other directories} */
    private static String path(String option, Path path, String separator) {
        String absolute = path.toAbsolutePath().toString();
        require(!absolute.contains(separator), option + " " + absolute + ": such a path cannot be given to a JVM; one without "
                + separator + " is accepted");
        return absolute;
    }

    private static void require(boolean condition, String fault) {
        if (!condition) {
            throw new BadInput(fault + "; nothing was run");
        }
    }

    private static Path createFaults() {
        try {
            return Files.createTempFile("arena-recorder", ".faults");
        } catch (IOException e) {
            throw new BadInput("java.io.tmpdir " + System.getProperty("java.io.tmpdir") + ": cannot be written to ("
                    + Tool.reason(e) + "); a directory is accepted; nothing was run");
        }
    }

    /** Makes the directory for the files. {@return the {@link #files} in it} */
    private Map<Path, FileTime> filesBefore() {
        WholeFiles.makeDirectory("--out", out);
        try {
            return files();
        } catch (IOException | DirectoryIteratorException e) {
            throw new BadInput("--out " + out + ": cannot be read (" + Tool.reason(e) + "); a directory is accepted, and made if missing; "
                    + "nothing was run");
        }
    }

    /** {@return the files that are there, and when each was written} */
    private Map<Path, FileTime> files() throws IOException {
        Map<Path, FileTime> times = new TreeMap<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(out, "arenas-*.json")) {
            for (Path file : files) {
                times.put(file, Files.getLastModifiedTime(file));
            }
        }
        return times;
    }

    /** Tells on standard error what was recorded, and returns whether there is a JVM and no count of any is missing. */
    private boolean tell(Map<Path, FileTime> before, Path faults) {
        PrintWriter err = spec.commandLine().getErr();
        List<String> said;
        try {
            said = new String(Files.readAllBytes(faults), StandardCharsets.UTF_8).lines().distinct()
                    .map(line -> "a JVM said: " + Document.printable(line)).toList();
        } catch (IOException e) {
            said = List.of(faults + ": cannot be read: " + Tool.reason(e) + "; what JVMs said there is not known");
        }
        said.forEach(line -> err.println("record: " + line));
        Map<Path, FileTime> after;
        try {
            after = files();
        } catch (IOException | DirectoryIteratorException e) {
            err.println("record: " + out + ": cannot be read: " + Tool.reason(e));
            return false;
        }
        List<Path> written = after.keySet().stream().filter(file -> !after.get(file).equals(before.get(file))).toList();
        if (written.isEmpty()) {
            err.println("record: no JVM was recorded" + (!said.isEmpty() ? "" : pid != null ? ": process " + pid + " wrote no file "
                    + "in " + out + "; it may see other files than this command, or may not write there" : ": the command started "
                    + "none of JDK 25 or later, or did not pass " + variable + " on to it"));
            return false;
        }
        Recordings recordings = Recordings.read(written, _ -> { });
        recordings.faults().forEach(fault -> err.println("record: " + Document.printable(fault)));
        Histogram histogram = recordings.histogram();
        int older = after.size() - written.size();
        long others = histogram.allOthers();
        err.println("record: " + Figures.count(histogram.jvms().size(), "JVM") + " with "
                + Figures.count(Origin.arenas(histogram), "confined arena") + (others == 0 ? "" : " and " + Figures.count(others)
                + " of other kinds") + " recorded in " + out
                + (older == 0 ? "" : "; files of an earlier run are there, too: " + Figures.count(older)));
        Origin.warnings(histogram).forEach(warning -> err.println("record: " + warning));
        String argument = Tool.quoted(out.toString());
        err.println("record: report " + argument + " and recommend " + argument + " read it");
        return said.isEmpty() && recordings.isWhole();
    }
}
