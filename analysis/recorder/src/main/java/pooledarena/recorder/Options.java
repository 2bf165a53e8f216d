/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import java.nio.file.Path;

/** What follows the {@code =} of {@code -javaagent:arena-recorder.jar=}, as the package's description has it. */
record Options(Path out, int every, int sites, int limit, Path faults) {

    /** @throws IllegalArgumentException if that is not what is accepted; its message is one line */
    static Options parse(String arguments) {
        Path out = null;
        int every = 60;
        int sites = 1;
        int limit = 1 << 17;
        Path faults = null;
        for (String option : (arguments == null ? "" : arguments).split(",")) {
            int equals = option.indexOf('=');
            String value = option.substring(equals + 1);
            switch (option.substring(0, Math.max(0, equals))) {
                case "out" -> {
                    require(!value.isEmpty(), option + ": not the name of a directory");
                    out = Path.of(value).toAbsolutePath();
                }
                case "every" -> every = number(option, value, 0, 86_400);
                case "sites" -> sites = number(option, value, 0, 1_000_000);
                case "faults" -> faults = Path.of(value).toAbsolutePath();
                case "limit" -> limit = number(option, value, 1, 10_000_000);
                default -> require(option.isEmpty(), option + ": unknown");
            }
        }
        require(out != null, "out=DIR is missing");
        return new Options(out, every, sites, limit, faults);
    }

    private static void require(boolean condition, String fault) {
        if (!condition) {
            throw new IllegalArgumentException(fault + "; accepted are out=DIR, every=SECONDS, sites=N and limit=N, separated by "
                    + "commas, of which out is needed");
        }
    }

    private static int number(String option, String value, int least, int most) {
        boolean isNumber = value.matches("\\d{1,9}");
        require(isNumber && Integer.parseInt(value) >= least && Integer.parseInt(value) <= most,
                option + ": a number from " + least + " to " + most + " is accepted");
        return Integer.parseInt(value);
    }
}
