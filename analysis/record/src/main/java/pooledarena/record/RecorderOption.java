/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * DO NOT ALTER OR REMOVE COPYRIGHT NOTICES OR THIS FILE HEADER.
 *
 * This code is free software; you can redistribute it and/or modify it
 * under the terms of the GNU General Public License version 2 only, as
 * published by the Free Software Foundation.  The authors designate this
 * particular file as subject to the "Classpath" exception as provided
 * in the LICENSE file that accompanied this code.
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
