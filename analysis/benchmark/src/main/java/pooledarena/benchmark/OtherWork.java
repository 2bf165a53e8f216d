/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.benchmark;

import module java.base;

/**
 * How much other programs work on this machine while this process and its children measure; the load average would
 * count the measurement itself. Known on Linux only, from {@code /proc}, in ticks since the system started: {@code own}
 * are those of this process and of its children that have ended.
 */
record OtherWork(long busy, long all, long own, int cores) {

    /** From this many cores on, figures are said to be spoilt; a system at rest takes less. */
    static final double TOO_MUCH = 0.1;

    static Optional<OtherWork> now() {
        try {
            return Optional.of(
                    parse(Files.readString(Path.of("/proc/stat")), Files.readString(Path.of("/proc/self/stat"))));
        } catch (IOException | RuntimeException e) { // the latter if the files look different from Linux's
            return Optional.empty();
        }
    }

    static OtherWork parse(String system, String process) {
        // user nice system idle iowait irq softirq steal; what follows is contained in user and nice.
        long[] ticks = numbers(system.lines().findFirst().orElseThrow().substring("cpu".length()), 0, 8);
        int cores = (int) system.lines().filter(line -> line.matches("cpu\\d+ .*")).count();
        long all = LongStream.of(ticks).sum();
        // The second field is the program's name in parentheses; utime, stime, cutime and cstime are 14th to 17th.
        long own = LongStream.of(numbers(process.substring(process.lastIndexOf(')') + 1), 11, 4)).sum();
        return new OtherWork(all - ticks[3] - ticks[4], all, own, cores);
    }

    double coresUntil(OtherWork later) {
        long elapsed = later.all - all;
        return elapsed <= 0 ? 0 : Math.max(0, (double) (later.busy - busy - (later.own - own)) * cores / elapsed);
    }

    /** {@return how many cores other programs kept busy since {@code before}; null if the system does not tell} */
    static Double coresSince(Optional<OtherWork> before) {
        return before.flatMap(then -> now().map(then::coresUntil)).orElse(null);
    }

    private static long[] numbers(String line, int from, int count) {
        return Stream.of(line.strip().split("\\s+")).skip(from).limit(count).mapToLong(Long::parseLong).toArray();
    }
}
