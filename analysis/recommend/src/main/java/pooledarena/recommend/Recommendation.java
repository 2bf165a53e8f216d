/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import pooledarena.text.Figures;

import module java.base;

/**
 * The default, unless another setting saves measurably more. Then it is, of those that save nearly all time that there is to
 * save, the one with the least memory, by pages, that is nearest to the default: slots are as small as arenas allow, so a size
 * or depth that is not reached costs nothing.
 */
final class Recommendation {

    /** With fewer arenas than this, chance decides. */
    private static final long FEW = 1000;

    private static final int PAGE = 4096;

    private final Replay replay;
    private final double most;

    /** Null if nothing can be served. */
    final Setting setting;

    /** One that saves as much as the default and takes fewer pages; null if there is none, or the default is not recommended. */
    final Setting smaller;

    /**
     * @param keep  how much of the time must be saved that the best setting saves, from 0 to 1
     * @param limit how much memory a thread's slots may take
     */
    Recommendation(Replay replay, double keep, long limit) {
        this.replay = replay;
        most = most(Setting.ALL);
        List<Setting> allowed = Setting.ALL.stream()
                .filter(s -> replay.of(s).served() > 0 && replay.of(s).memory() <= limit).toList();
        double enough = keep * most(allowed);
        List<Setting> good = allowed.stream().filter(s -> replay.of(s).saved() >= enough).toList();
        Setting cheapest = good.stream().min(Comparator.<Setting>comparingLong(s -> pages(replay.of(s).memory()))
                .thenComparingInt(s -> Math.abs(s.index() - Setting.DEFAULT.index())
                        + Math.abs(s.depth() - Setting.DEFAULT.depth()))).orElse(null);
        boolean leave = good.contains(Setting.DEFAULT);
        setting = leave ? Setting.DEFAULT : cheapest;
        smaller = leave && !cheapest.equals(Setting.DEFAULT) ? cheapest : null;
    }

    private double most(List<Setting> settings) {
        return settings.stream().mapToDouble(s -> replay.of(s).saved()).max().orElse(0);
    }

    /** {@return how many pages so many bytes are: less makes no difference to the system} */
    static long pages(long bytes) {
        return Math.ceilDiv(bytes, PAGE);
    }

    String text() {
        if (replay.arenas == 0) {
            return "No recorded arena has bytes, so there is nothing that a pool could serve. Leave the default.";
        }
        if (setting == null) {
            return "None of the " + Figures.count(replay.arenas, "arena") + " that have bytes would do without malloc, whatever "
                    + "is set within the memory allowed. Leave the default.";
        }
        return setting.equals(Setting.DEFAULT) ? "Leave the default. " + what(setting)
                : "Set what follows. " + what(setting) + " " + what(Setting.DEFAULT);
    }

    private String what(Setting of) {
        Replay.Estimate estimate = replay.of(of);
        return "Slots of up to " + Figures.bytes(of.size()) + " and a depth of " + of.depth()
                + (of.equals(Setting.DEFAULT) ? ", the default," : "") + " serve "
                + Figures.percent(estimate.served(), replay.arenas) + " of the " + Figures.count(replay.arenas, "arena")
                + " that have bytes without malloc; of " + Figures.count(replay.allocations, "malloc") + " at least "
                + Figures.count(estimate.mallocs()) + (estimate.mallocs() == 1 ? " is" : " are") + " left. They save "
                + Figures.percent(estimate.saved(), most)
                + " of the time that the best setting would, and take " + Figures.bytes(estimate.memory())
                + " of native memory in the thread that takes the most.";
    }

    /** {@return what else could be set, for what and at which risk; there is a smaller setting} */
    String option() {
        return "Where there are very many threads, slots of up to " + Figures.bytes(smaller.size()) + " and a depth of "
                + smaller.depth() + " save nearly as much time, and take " + Figures.bytes(replay.of(smaller).memory())
                + " in that thread. But then " + (smaller.size() < Setting.DEFAULT.size()
                        ? "a larger allocation costs a malloc, and one that is only larger than what was recorded may be such."
                        : "each arena beyond that depth may cost a malloc, and the next run may have more of them open at once.");
    }

    List<String> doubts() {
        List<String> doubts = new ArrayList<>();
        if (replay.arenas > 0 && replay.arenas < FEW) {
            doubts.add("Only " + Figures.count(replay.arenas, "arena")
                    + " with bytes: record more, until the figures stay the same.");
        }
        if (replay.virtual > 0) {
            doubts.add(Figures.percent(replay.virtual, replay.arenas) + " of the arenas with bytes were opened by virtual "
                    + "threads, which use the slots of their carriers. Which of them share a carrier is a matter of the "
                    + "scheduler, and is taken as it was while they were recorded. A carrier whose arenas take turns at slots of "
                    + "more than " + Figures.bytes(PoolConstants.SMALL) + " and at a first allocation of less than an eighth of "
                    + "that makes more slots, if more of them are open at once than the depth.");
        }
        return doubts;
    }
}
