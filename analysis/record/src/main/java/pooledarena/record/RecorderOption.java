/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.record;

import pooledarena.io.BadInput;

import java.nio.file.Files;
import java.nio.file.Path;

/** The option that has a JVM load the recorder. */
final class RecorderOption {

    private RecorderOption() {}

    /**
     * {@return the option, as it must stand in an environment variable}
     *
     * @throws BadInput if there is no such option
     */
    static String of(Path recorder, Path out, int sites, int every, Path faults) {
        if (!Files.isRegularFile(recorder)) {
            throw new BadInput("--recorder " + recorder + ": not a file; the arena-recorder.jar of the same build is accepted; "
                    + "nothing was run");
        }
        requireRange("--sites", sites, 1_000_000);
        requireRange("--every", every, 86_400);
        String jar = path("--recorder", recorder, "=");
        String directory = path("--out", out, ",");
        return quoted("-javaagent:" + jar + "=out=" + directory + ",sites=" + sites + ",every=" + every
                + ",faults=" + path("java.io.tmpdir", faults, ","));
    }

    private static void requireRange(String option, int value, int most) {
        if (value < 0 || value > most) {
            throw new BadInput(option + " " + value + ": a number from 0 to " + most + " is accepted; nothing was run");
        }
    }

    /** {@return the absolute path, as JVMs may run in other directories} */
    private static String path(String option, Path path, String separator) {
        String absolute = path.toAbsolutePath().normalize().toString();
        if (absolute.contains(separator) || absolute.contains("'") && absolute.contains("\"")) {
            throw new BadInput(option + " " + absolute + ": such a path cannot be given to a JVM; one without " + separator
                    + " and without quotes is accepted; nothing was run");
        }
        return absolute;
    }

    /** Java splits the variable at spaces that are not quoted, and takes quotes of either kind away. */
    private static String quoted(String option) {
        if (option.chars().noneMatch(c -> Character.isWhitespace(c) || c == '\'' || c == '"')) {
            return option;
        }
        String quote = option.contains("'") ? "\"" : "'";
        return quote + option + quote;
    }
}
