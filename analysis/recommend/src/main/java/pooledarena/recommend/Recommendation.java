/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import pooledarena.recommend.Replay.Estimate;

import module java.base;

/**
 * The default, unless another setting saves so much more that a run of the program shows it. Then it is, of those that save nearly
 * all time that there is to save, the one with the least memory, by pages, that is nearest to the default.
 *
 * @param setting what to set
 * @param smaller one that saves nearly as much as the recommended default and takes fewer pages; null if there is none
 * @param share   what the default saves of the processor time of the program, with what it saves besides arenas; NaN if that time is
 *                not known
 */
record Recommendation(Setting setting, Setting smaller, double share) {

    /** Less of the processor time than this cannot be told from what two runs differ by. */
    static final double MEASURABLE = 0.01;

    /** Less than this is told from chance by several runs only. */
    static final double PLAIN = 0.1;

    private static final int PAGE = 4096;

    /**
     * @param keep how much of the time must be saved that the best setting saves, from 0 to 1
     * @param cpu  the nanoseconds of processor time of the program, or 0 if that is not known
     */
    static Recommendation of(Replay replay, double keep, double cpu) {
        Estimate byDefault = replay.of(Setting.DEFAULT);
        double share = cpu > 0 ? (byDefault.saved() + replay.savedByValue) / cpu : Double.NaN;
        double most = replay.estimates.stream().mapToDouble(Estimate::saved).max().orElseThrow();
        // What calls by value lose counts, too, so that a run with another setting always shows what it saves.
        double shown = Math.max(byDefault.saved(), Math.max(0, -replay.savedByValue)) + MEASURABLE * cpu;
        if (cpu > 0 && most >= shown) {
            double enough = Math.max(keep * most, shown);
            return new Recommendation(least(replay, each -> each.saved() >= enough).setting(), null, share);
        }
        Estimate smaller = least(replay, each -> each == byDefault
                || each.served() > 0 && each.saved() >= keep * Math.max(0, byDefault.saved())
                && each.mallocsSaved() >= keep * byDefault.mallocsSaved());
        return new Recommendation(Setting.DEFAULT,
                pages(smaller.memory()) < pages(byDefault.memory()) ? smaller.setting() : null, share);
    }

    private static Estimate least(Replay replay, Predicate<Estimate> which) {
        return replay.estimates.stream().filter(which).min(Comparator.<Estimate>comparingLong(each -> pages(each.memory()))
                .thenComparingInt(each -> each.setting().fromDefault())).orElseThrow();
    }

    /** {@return whether a run shows what the default saves, or what the recommended setting saves in its place} */
    boolean isMeasurable() {
        return share >= MEASURABLE || !setting.equals(Setting.DEFAULT);
    }

    /** {@return the default if a run shows what it saves, or else the recommended setting} */
    Setting answer() {
        return share >= MEASURABLE ? Setting.DEFAULT : setting;
    }

    /** {@return how many pages so many bytes are: less makes no difference to the system} */
    static long pages(long bytes) {
        return Math.ceilDiv(bytes, PAGE);
    }
}
