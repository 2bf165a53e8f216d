/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.peers;

import pooledarena.benchmark.Case;
import pooledarena.benchmark.Outcome;
import pooledarena.benchmark.Results.Row;
import pooledarena.text.Figures;

import module java.base;

/**
 * What a table says of a column in a row.
 *
 * @param compared how it is compared with the column {@code base} of the same row, in whose name an asterisk stands for
 *                 the column's; null if it is not
 */
record Figure(String unit, Quantity of, Comparison compared, String base) {

    enum Comparison { TIMES_AS_FAST, LESS, MORE }

    /** What is known of a case, or follows from it. */
    enum Quantity {
        SIZE, THREADS, SCORE, COUNT, MILLIONS, THOUSANDS, BYTES, MEBIBYTES, GC_MILLIS, CPU;

        double of(Case what, Outcome outcome) {
            return switch (this) {
                case SIZE -> what.number("size");
                case THREADS -> what.threads();
                case SCORE, COUNT -> outcome.score();
                case MILLIONS -> what.threads() * 1e3 / outcome.score(); // how often all threads do it in a second
                case THOUSANDS -> outcome.score() / 1e3;
                case BYTES -> outcome.bytesPerOp();
                case MEBIBYTES -> outcome.score() * outcome.bytesPerOp() / (1 << 20);
                case GC_MILLIS -> outcome.gcMillisPerSecond();
                case CPU -> outcome.cpuNsPerOp();
            };
        }

        private String text(Case what, Outcome outcome) {
            double value = of(what, outcome);
            return switch (this) {
                case SCORE -> outcome.scoreWithError();
                case CPU -> Figures.decimals(value, outcome.score());
                case COUNT, BYTES -> String.format(Locale.ROOT, "%.0f", value);
                case MEBIBYTES -> String.format(Locale.ROOT, "%.1f", value);
                case GC_MILLIS -> String.format(Locale.ROOT, "%.2f", value);
                default -> Figures.significant(value);
            };
        }
    }

    String cell(Row row, String column) {
        if (compared == null) {
            return row.cell(column, outcome -> of.text(row.what(), outcome));
        }
        return row.cell(column, base.replace("*", column), (outcome, other) -> {
            double value = of.of(row.what(), outcome);
            double against = of.of(row.what(), other);
            return switch (compared) {
                case TIMES_AS_FAST -> Outcome.times(against / value);
                case LESS -> Figures.decimals(against - value, against);
                case MORE -> Figures.decimals(value - against, value);
            };
        });
    }
}
