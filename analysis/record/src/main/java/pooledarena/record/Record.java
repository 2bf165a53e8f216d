/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.record;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import pooledarena.histogram.Histogram;
import pooledarena.io.BadInput;
import pooledarena.io.Tool;
import pooledarena.recordings.Origin;
import pooledarena.recordings.Recordings;
import pooledarena.text.Figures;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs a command with the recorder in every JVM that it starts. */
@Command(name = "record",
        description = "Runs a command, and records what confined arenas each JVM uses that it starts, on JDK 25 and later.",
        footer = {"", "Examples:",
                "  java -jar arena-analysis.jar record -- java -jar app.jar",
                "  java -jar arena-analysis.jar record --out build/tests -- mvn verify",
                "  java -jar arena-analysis.jar record -- jtreg -e:JAVA_TOOL_OPTIONS test/",
                "",
                "The JVMs find the recorder in the environment variable JAVA_TOOL_OPTIONS, which each of them says that it picked "
                        + "up, in one line on its standard error. A command that does not pass its environment on, as jtreg, must be told to. "
                        + "--variable JDK_JAVA_OPTIONS reaches only what is started with the launcher named java, and leaves alone javac, "
                        + "jar and JDK 8. A JVM older than 25 says in one line that it is not recorded, and runs as ever. A run-time "
                        + "image without the module java.instrument does not start with a recorder.",
                "", "Exit status: that of the command; if that is 0, 1 where a JVM could not be recorded or none was; 2 if it was not run."})
public final class Record implements Callable<Integer> {

    private static final String JAR = "arena-recorder.jar";

    @Parameters(paramLabel = "COMMAND", arity = "1..*", description = "what to run, after --")
    private List<String> command;

    @Option(names = "--out", paramLabel = "DIR", defaultValue = "build/record",
            description = "where the files go, one for each JVM (default: ${DEFAULT-VALUE})")
    private Path out;

    @Option(names = "--sites", paramLabel = "N", defaultValue = "1",
            description = "tell the call site of one arena in N, chosen at random; 0 for none (default: ${DEFAULT-VALUE}, all)")
    private int sites;

    @Option(names = "--every", paramLabel = "SECONDS", defaultValue = "60",
            description = "how often a JVM writes its file before it ends (default: ${DEFAULT-VALUE})")
    private int every;

    @Option(names = "--recorder", paramLabel = "JAR",
            description = "the recorder (default: " + JAR + " beside this jar)")
    private Path recorder;

    @Option(names = "--variable", paramLabel = "NAME", defaultValue = "JAVA_TOOL_OPTIONS",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    private Variable variable;

    private CommandSpec spec;

    /** Whether all was recorded; set when the command has ended. */
    private boolean complete;

    /** The environment variables that Java takes options from. */
    enum Variable { JAVA_TOOL_OPTIONS, JDK_JAVA_OPTIONS }

    @Spec
    void setSpec(CommandSpec spec) {
        this.spec = spec;
        spec.parser().stopAtPositional(true); // options of the command are not this one's
    }

    @Override
    public Integer call() throws IOException {
        Path jar = recorder != null ? recorder : besideThisJar();
        Path faults = Files.createTempFile("arena-recorder", ".faults");
        try {
            String option = RecorderOption.of(jar, out, sites, every, faults);
            requireWritable();
            faults.toFile().setWritable(true, false); // a JVM may be another user's
            Set<Path> before = files();
            ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
            builder.environment().merge(variable.name(), option, (given, ours) -> given + " " + ours);
            int status = new Running(start(builder), () -> complete = tell(before, faults)).await();
            return status == 0 && !complete ? Tool.EXIT_FAILED : status;
        } finally {
            Files.deleteIfExists(faults);
        }
    }

    private Process start(ProcessBuilder builder) {
        try {
            return builder.start();
        } catch (IOException e) {
            throw new BadInput(command.getFirst() + ": cannot be run (" + e.getMessage() + "); nothing was run");
        }
    }

    /** Writes as much as the file of a small JVM has, since a disk may be full. */
    private void requireWritable() throws IOException {
        Path probe = null;
        try {
            Files.createDirectories(out);
            probe = Files.createTempFile(out, "arenas", ".probe");
            Files.write(probe, new byte[4096]);
        } catch (IOException e) {
            throw new BadInput("--out " + out + ": cannot be written to (" + e + "); a directory is accepted, and made if missing; "
                    + "nothing was run");
        } finally {
            if (probe != null) {
                Files.deleteIfExists(probe);
            }
        }
    }

    private Set<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(out)) {
            return files.filter(file -> file.toString().endsWith(".json")).collect(Collectors.toSet());
        }
    }

    /**
     * Tells what was recorded, on standard error, as standard output is the command's.
     *
     * @return whether there is a JVM and each was recorded that can be
     */
    private boolean tell(Set<Path> before, Path faults) {
        PrintWriter err = spec.commandLine().getErr();
        List<String> said = said(faults);
        said.forEach(line -> err.println("record: a JVM said: " + line));
        Set<Path> written;
        try {
            written = new HashSet<>(files());
        } catch (IOException | UncheckedIOException e) {
            err.println("record: " + out + ": cannot be read: " + e);
            return false;
        }
        written.removeAll(before);
        if (written.isEmpty()) {
            err.println("record: no JVM was recorded" + (said.isEmpty() ? ": the command started none of JDK 25 or later, or did "
                    + "not pass " + variable + " on to it" : ""));
            return false;
        }
        Recordings recordings = Recordings.read(written.stream().sorted().toList(), _ -> { });
        recordings.faults().forEach(fault -> err.println("record: " + fault));
        Histogram histogram = recordings.histogram();
        long arenas = Origin.arenas(histogram);
        long unfinished = histogram.jvms().stream().filter(jvm -> !jvm.finished()).count();
        err.println("record: " + Figures.count(histogram.jvms().size(), "JVM") + " with " + Figures.count(arenas, "confined arena")
                + " recorded in " + out
                + (unfinished == 0 ? "" : ", of which " + Figures.count(unfinished) + (unfinished == 1 ? " was" : " were")
                        + " killed or still " + (unfinished == 1 ? "runs" : "run"))
                + (before.isEmpty() ? "" : "; files of an earlier run are there, too: " + Figures.count(before.size())));
        err.println("record: the commands report and recommend read it");
        return said.isEmpty() && recordings.faults().isEmpty();
    }

    /** {@return what the recorders could not do} */
    private static List<String> said(Path faults) {
        try {
            return Files.readAllLines(faults).stream().distinct().toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    private static Path besideThisJar() {
        try {
            Path self = Path.of(Record.class.getProtectionDomain().getCodeSource().getLocation().toURI());
            return self.resolveSibling(JAR);
        } catch (URISyntaxException e) {
            return Path.of(JAR);
        }
    }
}
