/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import pooledarena.histogram.SlotReplay;
import pooledarena.recordings.Origin;
import pooledarena.recordings.Recordings;
import pooledarena.text.Document;
import pooledarena.text.Figures;
import pooledarena.text.Table;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** The words, tables and pictures of a recommendation. */
final class RecommendDocument {

    static final List<String> PICTURES = List.of("served.png", "memory.png", "saved.png");

    /** No arena with bytes is not the same as none being there. */
    private static final String NOTHING_SAID = "Nothing can be recommended: no recorded arena has bytes, but arenas are missing. "
            + "Record the program until it ends, or touch the file dump in the directory of the recording before it halts.";

    /** The depths that the tables show. */
    private static final List<Integer> DEPTHS = List.of(1, 2, 3, 4, 6, 8, 12, 16);

    private final Recordings recordings;
    private final Replay replay;
    private final Costs costs;
    private final Recommendation recommendation;

    RecommendDocument(Recordings recordings, Replay replay, Costs costs, Recommendation recommendation) {
        this.recordings = recordings;
        this.replay = replay;
        this.costs = costs;
        this.recommendation = recommendation;
    }

    Document document() throws IOException {
        Document document = new Document("Recommended setting of the confined pool");
        document.paragraph(replay.arenas == 0 && (Origin.unfinished(recordings.histogram()) > 0 || recordings.histogram().dropped().arenas() > 0)
                ? NOTHING_SAID : recommendation.text());
        Setting setting = Setting.DEFAULT.equals(recommendation.setting) ? null : recommendation.setting;
        if (setting != null) {
            document.code(setting.options());
        }
        if (recommendation.smaller != null) {
            document.paragraph(recommendation.option()).code(recommendation.smaller.options());
        }
        recommendation.doubts().forEach(document::warning);
        recordings.faults().forEach(fault -> document.warning("Left out: " + fault));
        Origin.warnings(recordings.histogram()).forEach(document::warning);
        if (replay.arenas == 0) {
            return document;
        }
        document.table(settings()).paragraph(gain());
        List<String> origin = Origin.lines(recordings.histogram());
        document.heading("Arenas with bytes that need no malloc").table(grid(this::servedShare));
        document.picture(PICTURES.get(0), "Arenas without malloc", new HeatMap("Confined arenas with bytes that need no malloc",
                replay::served, this::servedShare).png(setting, origin));
        document.heading("Native memory of a thread").paragraph("What the slots take that a thread keeps for the next arenas, if it "
                + "has all arenas that any thread had.").table(grid(this::memory));
        document.picture(PICTURES.get(1), "Native memory", new HeatMap("Native memory of a thread's slots",
                s -> Math.log(replay.memory(s) + 1.0), this::memory).png(setting, origin));
        document.heading("Time saved, as estimated").paragraph("Of what all arenas with bytes take without a pool, which is estimated "
                + "as " + Figures.time(replay.time) + ".").table(grid(this::savedShare));
        document.picture(PICTURES.get(2), "Time saved", new HeatMap("Estimated time saved, of what confined arenas with bytes take",
                replay::saved, this::savedShare).png(setting, origin));
        document.heading("How this is reckoned").paragraph(method());
        return document;
    }

    private Table settings() {
        Map<String, Setting> rows = new LinkedHashMap<>();
        if (recommendation.setting != null && !recommendation.setting.equals(Setting.DEFAULT)) {
            rows.put("recommended", recommendation.setting);
        }
        rows.put("default", Setting.DEFAULT);
        if (recommendation.smaller != null) {
            rows.put("smaller", recommendation.smaller);
        }
        rows.put("largest", new Setting(SlotReplay.SIZES - 1, Setting.DEEPEST));
        Table table = new Table(List.of("", "size", "depth", "arenas without malloc", "mallocs left", "bytes served", "memory of a thread", "time saved"));
        rows.forEach((name, s) -> table.add(List.of(name, Figures.count(s.size()), Integer.toString(s.depth()), servedShare(s),
                Figures.percent(replay.mallocs(s), replay.allocations), bytesShare(s), memory(s), Figures.time(replay.saved(s)))));
        return table;
    }

    private String gain() {
        Setting setting = recommendation.setting != null ? recommendation.setting : Setting.DEFAULT;
        double ran = Origin.time(recordings.histogram()).toNanos();
        return "The time saved is all that these JVMs would spend less in confined arenas" + (ran <= 0 ? "."
                : ": " + Figures.time(replay.saved(setting)) + " of the " + Figures.time(ran) + " that they ran while they were "
                        + "recorded, or " + Figures.percent(Math.round(Math.max(0, replay.saved(setting))), Math.round(ran)) + ".");
    }

    private String method() {
        return "The pool serves each allocation that is no larger than a slot can be. An arena needs no malloc if all its bytes are "
                + "in one slot, and one that was returned before is free. A slot in a place is kept until then: that is, if fewer "
                + "than the depth of the thread's arenas had bytes when this one first allocated. Others are kept as far as depth "
                + "times size bytes go. Slots are taken to have grown: what makes them grow is not counted. An arena that needs more "
                + "than a slot goes on in further blocks, each of them a malloc that is taken to cost what one allocation of its "
                + "size does without a pool. Of allocations that are larger than a slot the least number is taken that has their "
                + "bytes. Time is that of compiled, hot code where an arena is used once a loop (" + costs.source() + "); above "
                + Figures.bytes(costs.largestPooled()) + " the pool's is extrapolated. Arenas with an allocation that is larger than a "
                + "slot are taken to gain nothing, and so are those without bytes.";
    }

    private Table grid(Function<Setting, String> field) {
        List<String> header = new ArrayList<>(List.of("size"));
        DEPTHS.forEach(depth -> header.add("depth " + depth));
        Table table = new Table(header);
        for (int i = 0; i < SlotReplay.SIZES; i++) {
            List<String> line = new ArrayList<>(List.of(Figures.bytes(SlotReplay.size(i))));
            for (int depth : DEPTHS) {
                line.add(field.apply(new Setting(i, depth)));
            }
            table.add(line);
        }
        return table;
    }

    private String servedShare(Setting setting) {
        return Figures.percent(replay.served(setting), replay.arenas);
    }

    private String bytesShare(Setting setting) {
        return Figures.percent(replay.servedBytes(setting), replay.bytes);
    }

    private String savedShare(Setting setting) {
        return Figures.percent(Math.round(replay.saved(setting) * 1000), Math.round(replay.time * 1000));
    }

    private String memory(Setting setting) {
        return Figures.bytes(replay.memory(setting));
    }

    /** {@return a line for each setting, for other programs} */
    String csv() {
        StringBuilder csv = new StringBuilder("size,depth,arenas,served,allocations,mallocs,bytes,servedBytes,threadMemory,stockNanos,savedNanos\n");
        for (Setting s : Recommendation.all()) {
            csv.append(String.format(Locale.ROOT, "%d,%d,%d,%d,%d,%d,%d,%d,%d,%.0f,%.0f\n", s.size(), s.depth(), replay.arenas,
                    replay.served(s), replay.allocations, replay.mallocs(s), replay.bytes, replay.servedBytes(s), replay.memory(s), replay.time, replay.saved(s)));
        }
        return csv.toString();
    }
}
