/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import module java.base;

/**
 * The default, unless another setting saves measurably more. Then it is, of those that save nearly all time that there
 * is to save, the one with the least memory, by pages, that is nearest to the default: slots are as small as arenas
 * allow, so a size or depth that is not reached costs nothing.
 *
 * @param smaller one that saves nearly as much as the recommended default and takes fewer pages; null if there is none
 * @param most    the nanoseconds that the best setting saves; 0 if none can serve anything
 */
record Recommendation(Setting setting, Setting smaller, double most) {

    private static final int PAGE = 4096;

    /** @param keep how much of the time must be saved that the best setting saves, from 0 to 1 */
    static Recommendation of(Replay replay, double keep) {
        double most = Setting.ALL.stream().mapToDouble(s -> replay.of(s).saved()).max().orElseThrow();
        List<Setting> good = Setting.ALL.stream()
                .filter(s -> replay.of(s).served() > 0 && replay.of(s).saved() >= keep * most).toList();
        Setting cheapest = good.stream().min(Comparator.<Setting>comparingLong(s -> pages(replay.of(s).memory()))
                .thenComparingInt(Setting::fromDefault)).orElse(null);
        return good.isEmpty() ? new Recommendation(Setting.DEFAULT, null, 0)
                : !good.contains(Setting.DEFAULT) ? new Recommendation(cheapest, null, most)
                : new Recommendation(Setting.DEFAULT, cheapest.equals(Setting.DEFAULT) ? null : cheapest, most);
    }

    /** {@return how many pages so many bytes are: less makes no difference to the system} */
    static long pages(long bytes) {
        return Math.ceilDiv(bytes, PAGE);
    }
}
