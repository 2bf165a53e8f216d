/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.benchmark;

import pooledarena.io.BadInput;
import pooledarena.io.ProcessRunner;

import module java.base;

/**
 * A Java virtual machine that takes part.
 *
 * @param name     what its columns are called
 * @param launcher its {@code java}
 * @param options  its options beside those of a measurement
 * @param version  what {@code java -version} prints
 */
public record Jvm(String name, String launcher, List<String> options, List<String> version) {

    public static final String STOCK = "stock";
    public static final String POOLED = "pooled";

    /** The benchmarks are compiled for this release. */
    private static final int OLDEST = 25;
    private static final String JDK = "a JDK " + OLDEST + " or newer";

    private static final Pattern VERSION = Pattern.compile("version \"((\\d+)[^\"]*)\"");
    private static final Pattern PEER = Pattern.compile("(?:([^=/\\s][^=/]*)=)?(\\S*)(.*)", Pattern.DOTALL);
    private static final Pattern RUNTIME = Pattern.compile(".*Runtime Environment (?:(\\S.*) )?\\(build (.*)\\)");

    /** {@return the virtual machine of the JDK at {@code home}, which the user gave with {@code option}} */
    public static Jvm ofHome(String name, String option, Path home) {
        Path launcher = home.resolve("bin/java");
        if (!Files.isExecutable(launcher)) {
            throw bad(option, home, "not a JDK, it has no executable bin/java", "the home directory of " + JDK + " is accepted");
        }
        return probe(name, option, launcher, List.of());
    }

    /**
     * {@return a virtual machine that the user gave with {@code option}}
     *
     * @param peer a {@code java} or a JDK's home, after an optional {@code NAME=} and before optional Java options; without a
     *             name it is named after its version
     */
    public static Jvm ofPeer(String option, String peer) {
        Matcher parts = PEER.matcher(peer.strip());
        parts.matches();
        Path given = Path.of(parts.group(2));
        Path launcher = Files.isDirectory(given) ? given.resolve("bin/java") : given;
        if (Files.isDirectory(launcher) || !Files.isExecutable(launcher)) {
            throw bad(option, peer, "not an executable file", "the java of " + JDK + ", or its home directory, is accepted, "
                    + "with NAME= before and Java options after it if wanted");
        }
        return probe(parts.group(1), option, launcher,
                Stream.of(parts.group(3).split("\\s+")).filter(word -> !word.isEmpty()).toList());
    }

    public static Jvm named(String name, List<Jvm> jvms) {
        return jvms.stream().filter(jvm -> jvm.name.equals(name)).findFirst().orElseThrow();
    }

    public Jvm renamed(String newName) {
        return new Jvm(newName, launcher, options, version);
    }

    public List<String> command(String... arguments) {
        return Stream.of(List.of(launcher), options, List.of(arguments)).flatMap(List::stream).toList();
    }

    public String build() {
        return version.stream().map(RUNTIME::matcher).filter(Matcher::matches)
                .map(m -> m.group(1) != null ? m.group(1) : m.group(2)).findFirst().orElse(version.getFirst());
    }

    private static Jvm probe(String name, String option, Path launcher, List<String> options) {
        Jvm unknown = new Jvm(name, launcher.toAbsolutePath().normalize().toString(), options, List.of());
        List<String> lines;
        try {
            lines = ProcessRunner.lines(unknown.command("-version"), Map.of());
        } catch (ProcessRunner.Failed e) {
            throw bad(option, launcher, "java -version " + e.getMessage(), JDK + " is accepted");
        }
        Matcher version = VERSION.matcher(String.join("\n", lines));
        if (!version.find() || Integer.parseInt(version.group(2)) < OLDEST) {
            throw bad(option, launcher, version.hasMatch() ? "is Java " + version.group(1) : "java -version prints no version",
                    JDK + " is accepted");
        }
        return new Jvm(name != null ? name : "JDK " + version.group(1), unknown.launcher, options, lines);
    }

    private static BadInput bad(String option, Object value, String reason, String accepted) {
        return new BadInput(option + " " + value + ": " + reason + "; " + accepted + "; nothing was measured");
    }
}
