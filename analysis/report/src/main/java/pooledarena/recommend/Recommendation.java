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
package pooledarena.recommend;

import pooledarena.histogram.SlotReplay;
import pooledarena.output.Figures;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The setting that is nearest to the default, of those that save nearly all time that there is to save, and of these of those that
 * take the least memory, by pages: slots are as small as arenas allow, so a setting that was not reached costs nothing.
 */
final class Recommendation {

    /** With fewer arenas than this, chance decides. */
    private static final long FEW = 1000;

    private static final int PAGE = 4096;

    private static final Setting LARGEST = new Setting(SlotReplay.SIZES - 1, Setting.DEEPEST);

    private final Replay replay;
    private final double keep;

    /** Null if nothing can be served. */
    final Setting setting;

    /**
     * @param keep how much of the time must be saved that the largest pool saves, from 0 to 1
     * @param most how much memory a thread's slots may take
     */
    Recommendation(Replay replay, double keep, long most) {
        this.replay = replay;
        this.keep = keep;
        List<Setting> enough = new ArrayList<>();
        Setting best = null;
        for (Setting candidate : all()) {
            if (replay.served(candidate) > 0 && replay.memory(candidate) <= most
                    && (best == null || replay.saved(candidate) > replay.saved(best))) {
                best = candidate;
            }
        }
        if (best != null) {
            for (Setting candidate : all()) {
                if (replay.memory(candidate) <= most && replay.served(candidate) > 0
                        && replay.saved(candidate) >= keep * replay.saved(best)) {
                    enough.add(candidate);
                }
            }
        }
        setting = enough.stream().min(Comparator.<Setting>comparingLong(candidate -> pages(replay.memory(candidate)))
                .thenComparingInt(candidate -> Math.abs(candidate.index() - Setting.DEFAULT.index())
                        + Math.abs(candidate.depth() - Setting.DEFAULT.depth()))).orElse(null);
    }

    /** {@return how many pages so many bytes are: less makes no difference to the system} */
    static long pages(long bytes) {
        return Math.ceilDiv(bytes, PAGE);
    }

    static List<Setting> all() {
        List<Setting> all = new ArrayList<>();
        for (int i = 0; i < SlotReplay.SIZES; i++) {
            for (int depth = 1; depth <= Setting.DEEPEST; depth++) {
                all.add(new Setting(i, depth));
            }
        }
        return all;
    }

    /** {@return what is recommended and why} */
    String text() {
        if (replay.arenas == 0) {
            return "No recorded arena has bytes, so there is nothing that a pool could serve. Leave the default.";
        }
        if (setting == null) {
            return "None of the " + Figures.count(replay.arenas, "arena") + " with bytes could be served wholly within the memory "
                    + "allowed, by slots of up to " + Figures.bytes(LARGEST.size()) + ". Leave the default.";
        }
        String first = "Slots of up to " + Figures.bytes(setting.size()) + " and a depth of " + setting.depth() + " serve "
                + Figures.percent(replay.served(setting), replay.arenas) + " of the " + Figures.count(replay.arenas, "arena")
                + " that have bytes, wholly, and save " + shareOfLargest(setting) + " of the time that the largest pool would, with "
                + Figures.bytes(replay.memory(setting)) + " of native memory for the thread that takes the most. ";
        if (setting.equals(Setting.DEFAULT)) {
            return first + "That is the default, so nothing need be set.";
        }
        String byDefault = "The default (" + Setting.DEFAULT + ") serves "
                + Figures.percent(replay.served(Setting.DEFAULT), replay.arenas) + ", saves " + shareOfLargest(Setting.DEFAULT)
                + " and takes " + Figures.bytes(replay.memory(Setting.DEFAULT));
        return first + byDefault + (replay.saved(Setting.DEFAULT) < keep * replay.saved(LARGEST) ? "."
                : ", so all that this setting gains over it is memory.");
    }

    private String shareOfLargest(Setting of) {
        return Figures.percent(Math.round(replay.saved(of) * 1000), Math.round(replay.saved(LARGEST) * 1000));
    }

    /** {@return what the records cannot tell} */
    List<String> doubts() {
        List<String> doubts = new ArrayList<>();
        if (replay.arenas > 0 && replay.arenas < FEW) {
            doubts.add("Only " + Figures.count(replay.arenas, "arena") + " with bytes: record more, until the figures stay the same.");
        }
        if (replay.virtual > 0) {
            doubts.add(Figures.percent(replay.virtual, replay.arenas) + " of the arenas with bytes were opened by virtual threads, "
                    + "which use the slots of their carriers. How many arenas the virtual threads of one carrier had open "
                    + "together is not recorded. A carrier keeps as many bytes of slots as a setting allows, its depth times its "
                    + "size; further slots cost a malloc, so with these fewer may be served than is said here.");
        }
        return doubts;
    }
}
