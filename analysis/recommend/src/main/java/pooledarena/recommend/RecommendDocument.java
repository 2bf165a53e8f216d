/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import pooledarena.histogram.SlotReplay;
import pooledarena.recommend.Replay.Estimate;
import pooledarena.recordings.Origin;
import pooledarena.recordings.Recordings;
import pooledarena.text.ChartStyle;
import pooledarena.text.Document;
import pooledarena.text.Figures;
import pooledarena.text.LineChart;
import pooledarena.text.LineChart.Axis;
import pooledarena.text.LineChart.Band;
import pooledarena.text.LineChart.Point;
import pooledarena.text.LineChart.Series;
import pooledarena.text.Table;

import module java.base;

record RecommendDocument(Recordings recordings, Replay replay, Costs costs, Recommendation recommendation) {

    static final List<String> PICTURES = List.of("served.png", "memory.png", "saved.png");

    /** No arena with bytes is not the same as none being there. */
    private static final String NOTHING_SAID = "Nothing can be recommended: no recorded arena has bytes, but arenas are missing. "
            + "Record the program until it ends, or touch the file dump in the directory of the recording before it halts.";

    /** The depths that the tables show, and those of the charts. */
    private static final List<Integer> DEPTHS = List.of(1, 2, 3, 4, 6, 8, 12, 16);
    private static final List<Integer> DRAWN = List.of(16, 8, 4, 2, 1);

    Document document() throws IOException {
        Document document = new Document("Recommended setting of the confined pool");
        boolean missing = Origin.unfinished(recordings.histogram()) > 0 || recordings.histogram().dropped().arenas() > 0;
        document.paragraph(replay.arenas == 0 && missing ? NOTHING_SAID : recommendation.text());
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
        document.table(settings(setting)).paragraph(gain());
        document.heading("Arenas with bytes that need no malloc");
        grid(document, PICTURES.get(0), "Confined arenas with bytes that need no malloc", new Axis("% of arenas", false),
                e -> 100.0 * e.served() / replay.arenas, this::served);
        document.heading("Native memory of a thread").paragraph("What the slots take that a thread keeps for the next arenas, if "
                + "it has all arenas that any thread had.");
        grid(document, PICTURES.get(1), "Native memory of a thread's slots", new Axis("KiB", true),
                e -> Math.max(e.memory(), 1) / 1024.0, e -> Figures.bytes(e.memory()));
        document.heading("Time saved, as estimated").paragraph("Of what all arenas with bytes take without a pool, which is "
                + "estimated as " + Figures.time(replay.time) + ".");
        grid(document, PICTURES.get(2), "Estimated time saved, of what confined arenas with bytes take",
                new Axis("% of time", false), e -> 100 * e.saved() / replay.time, e -> Figures.percent(e.saved(), replay.time));
        return document.heading("How this is reckoned").paragraph(method());
    }

    private void grid(Document document, String picture, String title, Axis y, ToDoubleFunction<Estimate> value,
            Function<Estimate, String> cell) throws IOException {
        Table table = new Table(Stream.concat(Stream.of("size"), DEPTHS.stream().map(depth -> "depth " + depth)).toList());
        for (int i = 0; i < SlotReplay.SIZES; i++) {
            int index = i;
            table.add(Stream.concat(Stream.of(Figures.bytes(SlotReplay.size(i))),
                    DEPTHS.stream().map(depth -> cell.apply(replay.of(new Setting(index, depth))))).toList());
        }
        Map<List<Point>, List<String>> depths = new LinkedHashMap<>(); // those that coincide are one line
        for (int depth : DRAWN) {
            List<Point> points = Setting.ALL.stream().filter(setting -> setting.depth() == depth)
                    .map(setting -> new Point(setting.size(), value.applyAsDouble(replay.of(setting)))).toList();
            depths.computeIfAbsent(points, _ -> new ArrayList<>()).add(String.valueOf(depth));
        }
        List<Series> lines = new ArrayList<>();
        depths.forEach((points, of) -> lines.add(
                new Series("depth " + String.join(", ", of), ChartStyle.color(lines.size() + 1), false, null, points)));
        Setting marked = recommendation.setting == null ? Setting.DEFAULT : recommendation.setting;
        Band band = new Band(marked.size() / 1.03, marked.size() * 1.03,
                (marked.equals(Setting.DEFAULT) ? "default: " : "recommended: ") + Figures.bytes(marked.size())
                        + ", depth " + marked.depth());
        LineChart chart = new LineChart(title, new Axis("most bytes in a slot", true), y, lines, band, false);
        document.table(table).picture(picture, title, chart.png(Origin.lines(recordings.histogram())));
    }

    private Table settings(Setting recommended) {
        Map<String, Setting> rows = new LinkedHashMap<>();
        rows.put("recommended", recommended);
        rows.put("default", Setting.DEFAULT);
        rows.put("smaller", recommendation.smaller);
        rows.put("largest", Setting.ALL.getLast());
        rows.values().removeIf(Objects::isNull);
        Table table = new Table(List.of("", "size", "depth", "arenas without malloc", "mallocs left", "bytes served",
                "memory of a thread", "time saved"));
        rows.forEach((name, setting) -> {
            Estimate estimate = replay.of(setting);
            table.add(List.of(name, Figures.count(setting.size()), Integer.toString(setting.depth()), served(estimate),
                    Figures.percent(estimate.mallocs(), replay.allocations),
                    Figures.percent(estimate.servedBytes(), replay.bytes), Figures.bytes(estimate.memory()),
                    Figures.time(estimate.saved())));
        });
        return table;
    }

    private String served(Estimate estimate) {
        return Figures.percent(estimate.served(), replay.arenas);
    }

    private String gain() {
        double saved = replay.of(recommendation.setting != null ? recommendation.setting : Setting.DEFAULT).saved();
        double ran = Origin.time(recordings.histogram()).toNanos();
        return "The time saved is all that these JVMs would spend less in confined arenas" + (ran <= 0 ? "."
                : ": " + Figures.time(saved) + " of the " + Figures.time(ran) + " that they ran while they were recorded, or "
                        + Figures.percent(Math.max(0, saved), ran) + ".");
    }

    private String method() {
        return "The pool serves each allocation that is no larger than a slot can be. An arena needs no malloc if all its bytes "
                + "are in one slot, and one that was returned before is free. A slot in a place is kept until then: that is, if "
                + "fewer than the depth of the thread's arenas had bytes when this one first allocated. Others are kept as far "
                + "as depth times size bytes go. Slots are taken to have grown: what makes them grow is not counted. An arena "
                + "that needs more than a slot goes on in further blocks, each of them a malloc that is taken to cost what one "
                + "allocation of its size does without a pool. Of allocations that are larger than a slot the least number is "
                + "taken that has their bytes. Time is that of compiled, hot code where an arena is used once a loop ("
                + costs.source() + "); above " + Figures.bytes(costs.largestPooled()) + " the pool's is extrapolated. Arenas "
                + "with an allocation that is larger than a slot are taken to gain nothing, and so are those without bytes.";
    }

    String csv() {
        StringBuilder csv = new StringBuilder(
                "size,depth,arenas,served,allocations,mallocs,bytes,servedBytes,threadMemory,stockNanos,savedNanos\n");
        for (Setting setting : Setting.ALL) {
            Estimate e = replay.of(setting);
            csv.append(String.format(Locale.ROOT, "%d,%d,%d,%d,%d,%d,%d,%d,%d,%.0f,%.0f\n", setting.size(), setting.depth(),
                    replay.arenas, e.served(), replay.allocations, e.mallocs(), replay.bytes, e.servedBytes(), e.memory(),
                    replay.time, e.saved()));
        }
        return csv.toString();
    }
}
