/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.benchmark;

import pooledarena.io.BadInput;
import pooledarena.io.ProcessRunner;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A Java virtual machine that takes part.
 *
 * @param name     how the columns call it
 * @param launcher its {@code java}
 * @param options  what it gets beside what a measurement needs
 * @param version  what {@code java -version} prints
 */
public record Jvm(String name, String launcher, List<String> options, List<String> version) {

    public static final String STOCK = "stock";
    public static final String POOLED = "pooled";

    /** The benchmarks are compiled for this release. */
    private static final int OLDEST = 25;

    private static final Pattern VERSION = Pattern.compile("version \"((\\d+)[^\"]*)\"");
    private static final Pattern PEER = Pattern.compile("(?:([^=/\\s][^=/]*)=)?(\\S+)((?:\\s.*)?)");
    private static final Pattern RUNTIME = Pattern.compile(".*Runtime Environment (?:(\\S.*) )?\\(build (.*)\\)");

    /** {@return the virtual machine of the JDK at {@code home}, given with {@code option}} */
    public static Jvm ofHome(String name, String option, Path home) {
        Path launcher = home.resolve("bin/java");
        if (!Files.isExecutable(launcher)) {
            throw new BadInput(option + " " + home + ": not a JDK, it has no executable bin/java; "
                    + "the home directory of a JDK " + OLDEST + " or newer is accepted; nothing was measured");
        }
        return probe(name, option, launcher, List.of());
    }

    /**
     * {@return the virtual machine of {@code peer}}
     *
     * @param option how {@code peer} was given
     * @param peer   a {@code java} or a JDK's home, with {@code NAME=} before and Java options after it if wanted; without
     *               a name it is named after its version
     */
    public static Jvm ofPeer(String option, String peer) {
        Matcher parts = PEER.matcher(peer.strip());
        if (!parts.matches()) {
            throw notAPeer(option, peer, "names no java");
        }
        Path launcher = Path.of(parts.group(2));
        List<String> options = parts.group(3).isBlank() ? List.of() : List.of(parts.group(3).strip().split("\\s+"));
        if (Files.isDirectory(launcher)) {
            launcher = launcher.resolve("bin/java");
        }
        if (Files.isDirectory(launcher) || !Files.isExecutable(launcher)) {
            throw notAPeer(option, peer, "not an executable file");
        }
        return probe(parts.group(1), option, launcher, options);
    }

    public Jvm renamed(String newName) {
        return new Jvm(newName, launcher, options, version);
    }

    /** {@return what starts it with {@code arguments}} */
    public List<String> command(String... arguments) {
        return Stream.of(List.of(launcher), options, List.of(arguments)).flatMap(List::stream).toList();
    }

    /** {@return the build, as the virtual machine's vendor writes it, in one short piece} */
    public String build() {
        return version.stream()
                .map(RUNTIME::matcher)
                .filter(Matcher::matches)
                .map(m -> m.group(1) != null ? m.group(1) : m.group(2))
                .findFirst()
                .orElse(version.getFirst());
    }

    private static Jvm probe(String name, String option, Path launcher, List<String> options) {
        String path = launcher.toAbsolutePath().normalize().toString();
        List<String> lines;
        try {
            lines = ProcessRunner.lines(new Jvm(name, path, options, List.of()).command("-version"), Map.of());
        } catch (ProcessRunner.Failed e) {
            throw notJava(option, launcher, "java -version " + e.getMessage());
        }
        Matcher version = VERSION.matcher(String.join("\n", lines));
        if (!version.find()) {
            throw notJava(option, launcher, "java -version prints no version");
        }
        if (Integer.parseInt(version.group(2)) < OLDEST) {
            throw notJava(option, launcher, "is Java " + version.group(1));
        }
        return new Jvm(name != null ? name : "JDK " + version.group(1), path, options, lines);
    }

    private static BadInput notAPeer(String option, String peer, String reason) {
        return new BadInput(option + " " + peer + ": " + reason + "; the java of a JDK " + OLDEST + " or newer, or its home "
                + "directory, is accepted, with NAME= before and Java options after it if wanted; nothing was measured");
    }

    private static BadInput notJava(String option, Path launcher, String reason) {
        return new BadInput(option + " " + launcher + ": " + reason + "; a JDK " + OLDEST
                + " or newer is accepted; nothing was measured");
    }
}
