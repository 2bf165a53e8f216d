/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.benchmark;

import pooledarena.io.BadInput;
import pooledarena.io.ProcessRunner;

import module java.base;

/**
 * A {@code java} that takes part in a measurement, with options.
 *
 * @param name     what its columns are called
 * @param launcher its {@code java}
 * @param options  its options beside those of a measurement
 * @param version  what {@code java -version} prints
 */
public record JavaCommand(String name, String launcher, List<String> options, List<String> version) {

    public static final String STOCK = "stock";
    public static final String POOLED = "pooled";

    /** The benchmarks are compiled for this release. */
    private static final int OLDEST = 25;

    private static final Pattern VERSION = Pattern.compile("version \"((\\d+)[^\"]*)\"");
    private static final Pattern PEER = Pattern.compile("(?:([^=/\\s][^=/]*)=)?(\\S*)\\s*(.*)", Pattern.DOTALL);
    private static final Pattern VALUE = Pattern.compile("\\w+ (-?\\d[\\d.E-]*)");

    /**
     * {@return the java that the user gave with {@code option}}
     *
     * @param peer a {@code java} or a JDK's home, after an optional {@code NAME=} and before optional Java options;
     *             without a name it is named after its version
     */
    public static JavaCommand ofPeer(String option, String peer) {
        Matcher parts = PEER.matcher(peer.strip());
        parts.matches();
        return of(parts.group(1), option, Path.of(parts.group(2)),
                parts.group(3).isEmpty() ? List.of() : List.of(parts.group(3).split("\\s+")));
    }

    /** {@return the java that the user gave with {@code option} as {@code given}: itself, or a JDK's home} */
    static JavaCommand of(String name, String option, Path given, List<String> options) {
        Path launcher = Files.isDirectory(given) ? given.resolve("bin/java") : given;
        String absolute = launcher.toAbsolutePath().normalize().toString();
        JavaCommand unprobed = new JavaCommand(name, absolute, options, List.of());
        List<String> lines;
        try {
            lines = ProcessRunner.lines(unprobed.command("-version"), Map.of());
        } catch (IOException e) {
            throw bad(option, given, "java -version " + e.getMessage());
        }
        Matcher version = VERSION.matcher(String.join("\n", lines));
        if (!version.find() || Integer.parseInt(version.group(2)) < OLDEST) {
            throw bad(option, given,
                    version.hasMatch() ? "Java " + version.group(1) : "java -version prints no version");
        }
        return new JavaCommand(name != null ? name : "JDK " + version.group(1), absolute, options, lines);
    }

    public List<String> command(String... arguments) {
        return Stream.of(List.of(launcher), options, List.of(arguments)).flatMap(List::stream).toList();
    }

    /** {@return what a program prints that has this process's class path} {@code arguments} are Java's and its own. */
    public List<String> lines(Map<String, String> environment, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(command("-cp", System.getProperty("java.class.path")));
        command.addAll(arguments);
        return ProcessRunner.lines(command, environment);
    }

    /** {@return the {@code count} values that such a program prints, each in a line with its name before} */
    public double[] values(int count, Map<String, String> environment, List<String> arguments) throws IOException {
        double[] values = lines(environment, arguments).stream().map(VALUE::matcher).filter(Matcher::matches)
                .mapToDouble(line -> Double.parseDouble(line.group(1))).toArray();
        if (values.length != count) {
            throw new IOException("printed " + values.length + " values, not " + count);
        }
        return values;
    }

    private static BadInput bad(String option, Path given, String reason) {
        return new BadInput(option + " " + given + ": " + reason + "; the java of a JDK " + OLDEST
                + " or newer, or its home directory, is accepted; nothing was measured");
    }
}
