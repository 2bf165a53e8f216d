/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recordings;

import pooledarena.histogram.*;
import pooledarena.text.Figures;

import module java.base;

/** Where a histogram is from, in words. */
public final class Origin {

    private static final int NAMED = 3;

    private Origin() {}

    /** {@return two lines for under the title of a chart} */
    public static List<String> lines(Histogram histogram) {
        return List.of(Figures.count(histogram.jvms().size(), "JVM") + ", " + Figures.count(arenas(histogram), "confined arena")
                        + dates(histogram),
                frequent(histogram, RecordedJvm::java) + "; " + frequent(histogram, Origin::program));
    }

    /** {@return how many arenas there were, those that no row has included} */
    public static long arenas(Histogram histogram) {
        return histogram.rows().values().stream().mapToLong(Tally::arenas).reduce(histogram.dropped().arenas(), Tally::add);
    }

    private static String program(RecordedJvm jvm) {
        String name = jvm.program().substring(jvm.program().lastIndexOf('/') + 1);
        return name.isEmpty() ? "(no name)" : name;
    }

    /** {@return how long the virtual machines ran, all together, as far as their files tell} */
    public static Duration time(List<RecordedJvm> jvms) {
        Duration time = Duration.ZERO;
        for (RecordedJvm jvm : jvms) {
            try {
                time = time.plus(Duration.between(Instant.parse(jvm.started()), Instant.parse(jvm.written())));
            } catch (DateTimeException | ArithmeticException e) {
                // a file that does not tell, or more time than there can be
            }
        }
        return time;
    }

    /** {@return the processor time of the virtual machines, all together, or 0 if one does not tell} */
    public static Duration cpu(Histogram histogram) {
        LongSummaryStatistics millis = histogram.jvms().stream().mapToLong(RecordedJvm::cpuMillis).summaryStatistics();
        return Duration.ofMillis(millis.getMin() == 0 ? 0 : Math.max(0, millis.getSum()));
    }

    /** {@return what is missing or not exact in the figures, a sentence each} */
    public static List<String> warnings(Histogram histogram) {
        List<String> warnings = new ArrayList<>();
        Dropped dropped = histogram.dropped();
        warn(warnings, dropped.arenas(), "arena", "is|are missing, since too many were open or too different");
        warn(warnings, dropped.rounded(), "arena", "has|have its|their numbers rounded up to powers of two, since there were too "
                + "many shapes");
        warn(warnings, dropped.sites(), "arena", "has|have no call site, since there were too many");
        warn(warnings, dropped.failures(), "time", "the recorder failed, so an arena or an allocation may be missing");
        warn(warnings, unfinished(histogram), "JVM", "was|were killed or still ran, so what it|they did after its|their "
                + "file|files was|were written" + when(histogram) + " is missing");
        warn(warnings, count(histogram, RecordedJvm::attached), "JVM", "was|were recorded only from some time after the start on");
        warn(warnings, count(histogram, jvm -> jvm.sites() != 1), "JVM", "has|have call sites of a sample of the arenas only, or "
                + "of none");
        return warnings;
    }

    /** {@return when the only unfinished virtual machine wrote its file, as far as the file tells} */
    private static String when(Histogram histogram) {
        List<RecordedJvm> unfinished = histogram.jvms().stream().filter(jvm -> !jvm.finished()).toList();
        Duration time = time(unfinished);
        return unfinished.size() > 1 || time.isZero() ? ""
                : ", " + Figures.significant(time.toSeconds() + time.getNano() / 1e9) + " s after its start,";
    }

    /** {@return how many virtual machines may have opened arenas after their files were written} */
    public static long unfinished(Histogram histogram) {
        return count(histogram, jvm -> !jvm.finished());
    }

    private static long count(Histogram histogram, Predicate<RecordedJvm> which) {
        return histogram.jvms().stream().filter(which).count();
    }

    /** @param text has words for one and for many, with a bar between */
    private static void warn(List<String> warnings, long n, String what, String text) {
        if (n > 0) {
            warnings.add(Figures.count(n, what) + " " + text.replaceAll("(\\w+)\\|(\\w+)", n == 1 ? "$1" : "$2") + ".");
        }
    }

    private static String dates(Histogram histogram) {
        List<String> days = histogram.jvms().stream().map(jvm -> jvm.written().split("T", 2)[0])
                .filter(day -> !day.isEmpty()).sorted().distinct().toList();
        return days.isEmpty() ? "" : "; " + days.getFirst() + (days.size() > 1 ? " to " + days.getLast() : "");
    }

    /** {@return the values that occur most often, and how many others there are} */
    private static String frequent(Histogram histogram, Function<RecordedJvm, String> value) {
        List<String> values = histogram.jvms().stream()
                .collect(Collectors.groupingBy(value, TreeMap::new, Collectors.counting()))
                .entrySet().stream().sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .map(Map.Entry::getKey).toList();
        return values.stream().limit(NAMED).collect(Collectors.joining(", "))
                + (values.size() > NAMED ? " and " + Figures.count(values.size() - NAMED, "other") : "");
    }
}
