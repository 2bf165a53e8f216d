/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import pooledarena.io.BadInput;

import module java.base;

/**
 * A {@code java} that takes part in a measurement, with options.
 *
 * @param name    what its columns are called
 * @param options those beside the options of a measurement
 * @param version what {@code java -version} prints
 */
public record JavaCommand(String name, String launcher, List<String> options, List<String> version) {

    public static final String STOCK = "stock";
    public static final String PATCH = "patch";

    /** The benchmarks are compiled for this release. */
    private static final int OLDEST = 25;

    private static final Pattern VERSION = Pattern.compile("version \"((\\d+)[^\"]*)\"");
    private static final Pattern PEER = Pattern.compile("(?:([^=/\\s](?:(?!\\s-)[^=/])*)=)?(\\S*)\\s*(.*)", Pattern.DOTALL);

    /**
     * {@return the java that the user gave with {@code --peer}}
     *
     * @param peer a {@code java} or a JDK's home, after an optional {@code NAME=} and before optional Java options;
     *             without a name it is named after its version
     */
    public static JavaCommand ofPeer(String peer) {
        Matcher parts = PEER.matcher(peer.strip());
        parts.matches();
        return of(parts.group(1), "--peer", Path.of(parts.group(2)),
                parts.group(3).isEmpty() ? List.of() : List.of(parts.group(3).split("\\s+")));
    }

    /** {@return the java that the user gave with {@code option} as {@code given}: itself, or a JDK's home} */
    public static JavaCommand of(String name, String option, Path given, List<String> options) {
        Path launcher = Files.isDirectory(given) ? given.resolve("bin/java") : given;
        String absolute = launcher.toAbsolutePath().normalize().toString();
        JavaCommand unprobed = new JavaCommand(name, absolute, options, List.of());
        Process process;
        List<String> lines;
        try {
            process = new ProcessBuilder(unprobed.command("-version")).redirectErrorStream(true).start();
            lines = process.inputReader().readAllLines();
        } catch (IOException e) {
            throw bad(option, given, "java -version cannot be run");
        }
        int status = process.onExit().join().exitValue();
        if (status != 0) {
            throw bad(option, given, "java -version ended with status " + status + lines.stream().map(String::strip)
                    .filter(line -> !line.isEmpty()).findFirst().map(line -> ": " + line).orElse(""));
        }
        Matcher version = VERSION.matcher(String.join("\n", lines));
        if (!version.find() || Integer.parseInt(version.group(2)) < OLDEST) {
            throw bad(option, given, version.hasMatch() ? "Java " + version.group(1) : "java -version prints no version");
        }
        return new JavaCommand(name != null ? name : "JDK " + version.group(1), absolute, options, lines);
    }

    public List<String> command(String... arguments) {
        return Stream.of(List.of(launcher), options, List.of(arguments)).flatMap(List::stream).toList();
    }

    private static BadInput bad(String option, Path given, String reason) {
        return new BadInput(option + " " + given + ": " + reason + "; the java of a JDK " + OLDEST
                + " or newer, or its home directory, is accepted; nothing was measured");
    }
}
