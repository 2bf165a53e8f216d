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

    /** The depths that the tables show, and those of the charts. */
    private static final List<Integer> DEPTHS = List.of(1, 2, 3, 4, 6, 8, 12, 16);
    private static final List<Integer> DRAWN = List.of(16, 8, 4, 2, 1);

    /** With fewer arenas than this, chance decides. */
    private static final long FEW = 1000;

    Document document() {
        Document document = new Document("Recommended setting of the confined pool").paragraph(headline());
        if (recommendation.setting() != null && !recommendation.setting().equals(Setting.DEFAULT)) {
            document.code(recommendation.setting().options());
        }
        if (recommendation.smaller() != null) {
            document.paragraph(smaller(recommendation.smaller())).code(recommendation.smaller().options());
        }
        doubts().forEach(document::warning);
        recordings.faults().forEach(fault -> document.warning("Left out: " + fault));
        Origin.warnings(recordings.histogram()).forEach(document::warning);
        if (replay.arenas == 0) {
            return document;
        }
        document.table(settings()).paragraph(gain());
        document.heading("Arenas with bytes that need no malloc");
        grid(document, PICTURES.get(0), "Confined arenas with bytes that need no malloc",
                new Axis("% of arenas", false), e -> 100.0 * e.served() / replay.arenas, this::served);
        document.heading("Native memory of a thread").paragraph("What the slots take that a thread keeps for the next "
                + "arenas, if it has all arenas that any thread had.");
        grid(document, PICTURES.get(1), "Native memory of a thread's slots", new Axis("KiB", true),
                e -> Math.max(e.memory(), 1) / 1024.0, e -> Figures.bytes(e.memory()));
        document.heading("Time saved, as estimated").paragraph("Of what all arenas with bytes take without a pool, "
                + "estimated as " + Figures.time(replay.time) + ".");
        grid(document, PICTURES.get(2), "Estimated time saved, of what confined arenas with bytes take",
                new Axis("% of time", false), e -> 100 * e.saved() / replay.time,
                e -> Figures.percent(e.saved(), replay.time));
        return document.heading("How this is reckoned").paragraph(method());
    }

    String headline() {
        if (replay.arenas == 0 && (Origin.unfinished(recordings.histogram()) > 0
                || recordings.histogram().dropped().arenas() > 0)) {
            return "Nothing can be recommended: no recorded arena has bytes, but arenas are missing. Record the "
                    + "program until it ends, or touch the file dump in the recording's directory before it halts.";
        }
        if (recommendation.setting() == null) {
            return (replay.arenas == 0 ? "No recorded arena has bytes, so there is nothing that a pool could serve."
                    : "None of the " + Figures.count(replay.arenas, "arena") + " that have bytes would do without "
                            + "malloc, whatever is set.") + " Leave the default.";
        }
        return (recommendation.setting().equals(Setting.DEFAULT) ? "Leave the default. It saves "
                : "Set what follows. The default saves " + share(Setting.DEFAULT) + ", this ")
                + share(recommendation.setting()) + " of the time that the best setting would.";
    }

    private String share(Setting setting) {
        return Figures.percent(replay.of(setting).saved(), recommendation.most());
    }

    /** {@return what else could be set, for what and at which risk} */
    static String smaller(Setting smaller) {
        return "Where there are very many threads, slots of up to " + Figures.bytes(smaller.size()) + " and a depth of "
                + smaller.depth() + " save nearly as much time. But then " + (smaller.size() < Setting.DEFAULT.size()
                ? "a larger allocation costs a malloc, and one that is only larger than what was recorded may be such."
                : "each arena beyond that depth may cost a malloc, and the next run may have more open at once.");
    }

    private List<String> doubts() {
        List<String> doubts = new ArrayList<>();
        if (replay.arenas > 0 && replay.arenas < FEW) {
            doubts.add("Only " + Figures.count(replay.arenas, "arena")
                    + " with bytes: record more, until the figures stay the same.");
        }
        if (replay.virtual > 0) {
            doubts.add(Figures.percent(replay.virtual, replay.arenas) + " of the arenas with bytes were opened by "
                    + "virtual threads, which use the slots of their carriers. Which of them share a carrier is taken "
                    + "as it was while they were recorded. Not counted are slots that a carrier makes because its free "
                    + "ones, which other arenas left, are too large: above " + Figures.bytes(PoolRules.SMALL) + ".");
        }
        return doubts;
    }

    private void grid(Document document, String picture, String title, Axis y, ToDoubleFunction<Estimate> value,
            Function<Estimate, String> cell) {
        Stream<String> depthNames = DEPTHS.stream().map(depth -> "depth " + depth);
        Table table = new Table(Stream.concat(Stream.of("size"), depthNames).toList());
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
        Setting marked = marked();
        Band band = new Band(marked.size() / 1.03, marked.size() * 1.03, (marked.equals(Setting.DEFAULT) ? "default: "
                : "recommended: ") + Figures.bytes(marked.size()) + ", depth " + marked.depth());
        LineChart chart = new LineChart(title, new Axis("most bytes in a slot", true), y, lines, band, false);
        document.table(table).picture(picture, chart, Origin.lines(recordings.histogram()));
    }

    private Table settings() {
        Map<Setting, String> names = new LinkedHashMap<>();
        names.put(marked(), "recommended");
        names.put(Setting.DEFAULT, "default");
        names.putIfAbsent(recommendation.smaller(), "smaller");
        names.putIfAbsent(Setting.ALL.getLast(), "largest");
        names.remove(null);
        Table table = new Table(List.of("", "size", "depth", "arenas without malloc", "mallocs left", "of all",
                "bytes served", "memory of a thread", "time saved"));
        names.forEach((setting, name) -> {
            Estimate estimate = replay.of(setting);
            table.add(List.of(name, Figures.count(setting.size()), Integer.toString(setting.depth()), served(estimate),
                    Figures.count(estimate.mallocs()), Figures.percent(estimate.mallocs(), replay.allocations),
                    Figures.percent(estimate.servedBytes(), replay.bytes), Figures.bytes(estimate.memory()),
                    Figures.time(estimate.saved())));
        });
        return table;
    }

    /** {@return the recommended setting, or the default if there is none} */
    private Setting marked() {
        return recommendation.setting() == null ? Setting.DEFAULT : recommendation.setting();
    }

    private String served(Estimate estimate) {
        return Figures.percent(estimate.served(), replay.arenas);
    }

    private String gain() {
        double saved = replay.of(marked()).saved();
        double ran = Origin.time(recordings.histogram()).toNanos();
        return Figures.count(replay.arenas, "arena") + " with bytes were recorded, and "
                + Figures.count(replay.allocations, "allocation") + ", each a malloc without a pool. The memory is "
                + "that of the thread that takes the most. The time saved is all that these JVMs would spend less in "
                + "confined arenas" + (ran <= 0 ? "." : ": " + Figures.time(saved) + " of the " + Figures.time(ran)
                + " that they ran while they were recorded, or " + Figures.percent(Math.max(0, saved), ran) + ".");
    }

    private String method() {
        return "An arena needs no malloc if all its bytes are in one slot, and one that was returned before is free. "
                + "A slot in a place is kept until then: that is, if fewer than the depth of the thread's arenas had "
                + "bytes when this one first allocated. Others are kept as far as depth times size bytes go. Slots are "
                + "taken to have grown. An arena that needs more than a slot goes on in further blocks, each of them a "
                + "malloc that costs what one allocation of its size does without a pool. Time is that of compiled, "
                + "hot code (" + costs.source() + "); above " + Figures.bytes(costs.largestPooled())
                + " the pool's is extrapolated. Arenas without bytes, or with an allocation that is larger than a "
                + "slot, are taken to gain nothing.";
    }

    String csv() {
        String lines = Setting.ALL.stream().map(setting -> {
            Estimate e = replay.of(setting);
            return String.format(Locale.ROOT, "%d,%d,%d,%d,%d,%d,%d,%d,%d,%.0f,%.0f\n", setting.size(),
                    setting.depth(), replay.arenas, e.served(), replay.allocations, e.mallocs(), replay.bytes,
                    e.servedBytes(), e.memory(), replay.time, e.saved());
        }).collect(Collectors.joining());
        return "size,depth,arenas,served,allocations,mallocs,bytes,servedBytes,threadMemory,stockNanos,savedNanos\n"
                + lines;
    }
}
