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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The jtreg tests of the pool, run as their tags say, but without jtreg: that takes longer to start than most of them.
 */
final class PoolTests {

    private static final Path SOURCES = Path.of("test/jdk/java/foreign/pool");
    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

    private static final int NOT_ENDED = -1;
    private static final int TESTNG_SKIPPED = 2;

    private final MutantClasses mutants;
    private final String libraries;
    private final Path classes;
    private final Path logs;

    /** The source of each class. */
    private final Map<String, String> sources = new HashMap<>();

    record Result(boolean failed, boolean ended, double seconds) {}

    /** Compiles the tests. */
    PoolTests(MutantClasses mutants, Path libraries, Path out) throws IOException {
        this.mutants = mutants;
        this.libraries = jars(libraries);
        classes = out.resolve("tests");
        logs = Files.createDirectories(out.resolve("logs"));
        List<Path> files;
        try (Stream<Path> found = Files.walk(SOURCES)) {
            files = found.filter(file -> file.toString().endsWith(".java")).toList();
        }
        for (Path file : files) {
            sources.put(file.getFileName().toString().replace(".java", ""), Files.readString(file));
        }
        MutantClasses.compile(files, classes, "-cp", this.libraries, "--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED",
                "--add-exports", "java.base/jdk.internal.foreign=ALL-UNNAMED");
    }

    private static String jars(Path directory) throws IOException {
        try (Stream<Path> found = Files.list(directory.toAbsolutePath())) {
            return found.map(Path::toString).filter(file -> file.endsWith(".jar")).sorted().collect(Collectors.joining(":"));
        }
    }

    boolean contain(String test) {
        return !runs(name(test)).isEmpty();
    }

    /** Runs a test with a mutant, or without any: each of its runs until one fails. */
    Result run(Mutant mutant, String test, long limit) throws IOException, InterruptedException {
        String name = name(test);
        List<List<String>> runs = runs(name);
        long start = System.nanoTime();
        Path log = logs.resolve((mutant == null ? 0 : mutant.id()) + "-" + test.replaceAll("\\W+", "-") + ".log");
        int status = 0;
        for (int i = 0; i < runs.size() && status == 0; i++) {
            status = status(command(mutant, test, name, runs.get(i)), log, limit);
            status = isTestNG(runs.get(i)) && status == TESTNG_SKIPPED ? 0 : status;
        }
        return new Result(status != 0, status != NOT_ENDED, (System.nanoTime() - start) / 1e9);
    }

    /** {@return the exit status of the command, or that it did not end in so many seconds} */
    private int status(List<String> command, Path log, long limit) throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory(logs, "work");
        Process process = new ProcessBuilder(command).directory(directory.toFile())
                .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile())).start();
        // Second by second, as both may be stopped meanwhile.
        boolean ended = false;
        for (long waited = 0; !ended && waited < limit; waited++) {
            ended = process.waitFor(1, TimeUnit.SECONDS);
        }
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
        deleteAll(directory);
        return ended ? process.exitValue() : NOT_ENDED;
    }

    private List<String> command(Mutant mutant, String test, String name, List<String> run) {
        List<String> options = mutants.options(mutant);
        // What a test starts itself gets these, too.
        List<String> command = new ArrayList<>(List.of(JAVA.toString(), "-Dtest.vm.opts=" + String.join(" ", options),
                "-XX:-CreateCoredumpOnCrash", "-cp", classes + ":" + libraries));
        command.addAll(options);
        int main = run.indexOf(name);
        command.addAll(run.subList(1, main));
        if (run.getFirst().startsWith("junit")) {
            command.addAll(List.of("org.junit.platform.console.ConsoleLauncher", "execute", "--disable-banner",
                    "--fail-if-no-tests", test.contains("#") ? "--select-method" : "--select-class", test));
        } else if (isTestNG(run)) {
            command.addAll(List.of("org.testng.TestNG", "-usedefaultlisteners", "false", "-verbose", "2",
                    test.contains("#") ? "-methods" : "-testclass", test.replace('#', '.')));
        } else {
            command.addAll(run.subList(main, run.size()));
        }
        return command;
    }

    private static boolean isTestNG(List<String> run) {
        return run.getFirst().startsWith("testng");
    }

    private static String name(String test) {
        return test.replaceAll("#.*", "");
    }

    /** {@return the words of each run tag of a test, and before its options those for the modules that it needs} */
    private List<List<String>> runs(String name) {
        List<List<String>> runs = new ArrayList<>();
        String source = sources.getOrDefault(name, "");
        for (Matcher comment = Pattern.compile("(?s)/\\*\n \\* @test.*?\\*/").matcher(source); comment.find(); ) {
            List<String> modules = new ArrayList<>();
            for (String tag : comment.group().replaceAll("\n \\*\\s+(?!@)", " ").replace("*/", "").split("\n \\* @")) {
                List<String> words = new ArrayList<>(List.of(tag.strip().split("\\s+")));
                switch (words.removeFirst()) {
                    case "modules" -> words.stream().filter(word -> word.contains("/")).forEach(word -> modules.add(
                            (word.endsWith(":open") ? "--add-opens=" : "--add-exports=") + word.replace(":open", "")
                                    + "=ALL-UNNAMED"));
                    case "run" -> {
                        words.addAll(1, modules);
                        runs.add(words);
                    }
                }
            }
        }
        return runs;
    }

    static void deleteAll(Path directory) throws IOException {
        if (Files.exists(directory)) {
            try (Stream<Path> found = Files.walk(directory)) {
                for (Path file : found.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
