/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import pooledarena.histogram.Site;

import module java.base;

/** What follows the {@code =} of {@code -javaagent:arena-recorder.jar=}, as the package's description has it. */
record Options(Path out, int every, int sites, int frames, List<String> skip, long memory, Path faults) {

    /** @throws IllegalArgumentException if that is not what is accepted; its message is one line */
    static Options parse(String arguments) {
        Path out = null;
        int every = 60;
        int sites = 1;
        int frames = 1;
        List<String> skip = new ArrayList<>();
        long memory = Math.min(8 << 20, Runtime.getRuntime().maxMemory() / 8);
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
                case "frames" -> frames = number(option, value, 1, 100);
                case "skip" -> {
                    require(!value.isEmpty(), option + ": not the beginning of a class name");
                    require(!Site.BY_VALUE.startsWith(value), option + ": " + Site.BY_VALUE + " must not be left out");
                    skip.add(value);
                }
                case "faults" -> faults = Path.of(value).toAbsolutePath();
                case "memory" -> memory = size(option, value);
                default -> require(option.isEmpty(), option + ": unknown");
            }
        }
        require(out != null, "out=DIR is missing");
        require(sites > 0 || frames == 1 && skip.isEmpty(), "sites=0: without call sites there are no frames, and none to skip");
        return new Options(out, every, sites, frames, List.copyOf(skip), memory, faults);
    }

    private static void require(boolean condition, String fault) {
        if (!condition) {
            throw new IllegalArgumentException(fault + "; accepted are out=DIR, every=SECONDS, sites=N, frames=N, skip=PREFIX and "
                    + "memory=SIZE, separated by commas, of which out is needed");
        }
    }

    /** {@return a number of bytes, or of what the letter after it says, as java has it} */
    private static long size(String option, String value) {
        int unit = "kmg".indexOf(Character.toLowerCase(value.isEmpty() ? ' ' : value.charAt(value.length() - 1)));
        String digits = unit < 0 ? value : value.substring(0, value.length() - 1);
        long size = digits.matches("\\d{1,10}") ? Long.parseLong(digits) << 10 * (unit + 1) : 0;
        require(size >= 64 << 10 && size <= 1 << 30, option + ": a size from 64k to 1g is accepted");
        return size;
    }

    private static int number(String option, String value, int least, int most) {
        int number = value.matches("\\d{1,9}") ? Integer.parseInt(value) : -1;
        require(number >= least && number <= most, option + ": a number from " + least + " to " + most + " is accepted");
        return number;
    }
}
