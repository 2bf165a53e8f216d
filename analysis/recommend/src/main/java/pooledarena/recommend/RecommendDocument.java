/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import pooledarena.recommend.Replay.Estimate;
import pooledarena.recordings.Origin;
import pooledarena.recordings.Recordings;
import pooledarena.text.Chart.Axis;
import pooledarena.text.Chart.Point;
import pooledarena.text.Chart;
import pooledarena.text.Document;
import pooledarena.text.Figures;
import pooledarena.text.Table;

import module java.base;

record RecommendDocument(Recordings recordings, Replay replay, Costs costs, Recommendation recommendation) {

    static final List<String> PICTURES = List.of("served.png", "memory.png", "saved.png");

    /** The depths of the charts. */
    private static final List<Integer> DEPTHS = List.of(16, 8, 4, 2, 1);

    /** With fewer arenas than this, chance decides. */
    private static final long FEW = 1000;

    Document document() {
        Document document = new Document("Recommended setting of the confined pool").paragraph(headline());
        if (!recommendation.setting().equals(Setting.DEFAULT)) {
            document.code(recommendation.setting().options());
        }
        if (recommendation.smaller() != null) {
            document.paragraph(smaller()).code(recommendation.smaller().options());
        }
        if (replay.arenas > 0 && replay.arenas < FEW) {
            document.warning("Only " + Figures.count(replay.arenas, "arena")
                    + " with bytes: record more, until the figures stay the same.");
        }
        if (replay.virtual > 0) {
            document.warning(Figures.percent(replay.virtual, replay.arenas) + " of the arenas with bytes were opened by virtual "
                    + "threads, which use the slots of their carriers. Which of them share a carrier is taken as it was while "
                    + "they were recorded.");
        }
        recordings.faults().forEach(fault -> document.warning("Left out: " + fault));
        Origin.warnings(recordings.histogram()).forEach(document::warning);
        if (replay.arenas > 0) {
            document.table(settings()).paragraph(gain());
            charts((picture, chart) -> document.picture(picture, chart, Origin.lines(recordings.histogram())));
        }
        return document;
    }

    /** Gives the charts that have something to draw, with the names of their files. */
    void charts(BiConsumer<String, Chart> pictures) {
        chart(pictures, PICTURES.get(0), "Confined arenas with bytes that need no malloc", new Axis("% of arenas", false),
                e -> 100.0 * e.served() / replay.arenas);
        chart(pictures, PICTURES.get(1), "Native memory of a thread's slots", new Axis("KiB", true), e -> e.memory() / 1024.0);
        chart(pictures, PICTURES.get(2), "Estimated time saved, of what confined arenas with bytes take",
                new Axis("% of time", false), e -> 100 * e.saved() / replay.time);
    }

    private String headline() {
        if (replay.arenas == 0 && (Origin.unfinished(recordings.histogram()) > 0
                || recordings.histogram().dropped().arenas() > 0)) {
            return "Nothing can be recommended: no recorded arena has bytes, but arenas are missing. Record the "
                    + "program until it ends, or touch the file dump in the recording's directory before it halts.";
        }
        if (recommendation.most() == 0) {
            return "Leave the default. No setting saves time. Arenas with bytes: "
                    + Figures.count(replay.arenas) + ".";
        }
        return (recommendation.setting().equals(Setting.DEFAULT) ? "Leave the default. It saves "
                : "Set what follows. The default saves " + share(Setting.DEFAULT) + ", this ")
                + share(recommendation.setting()) + " of the time that the best setting would.";
    }

    private String share(Setting setting) {
        return Figures.percent(replay.of(setting).saved(), recommendation.most());
    }

    /** {@return what else could be set, for what and at which risk} */
    String smaller() {
        Setting smaller = recommendation.smaller();
        return "Where there are very many threads, what follows saves nearly as much time, and a thread keeps "
                + Figures.bytes(replay.of(smaller).memory()) + " of slots instead of "
                + Figures.bytes(replay.of(Setting.DEFAULT).memory()) + ". But then " + (smaller.size() < Setting.DEFAULT.size()
                ? "a larger allocation costs a malloc, and one that is only larger than what was recorded may be such."
                : "each arena beyond that depth may cost a malloc, and the next run may have more open at once.");
    }

    private void chart(BiConsumer<String, Chart> pictures, String picture, String title, Axis y,
            ToDoubleFunction<Estimate> value) {
        Map<List<Point>, String> depths = new LinkedHashMap<>(); // those that coincide are one line
        DEPTHS.forEach(depth -> depths.merge(points(depth, y, value), "depth " + depth, (others, _) -> others + ", " + depth));
        depths.remove(List.of());
        Map<String, List<Point>> lines = new LinkedHashMap<>();
        depths.forEach((points, name) -> lines.put(name, points));
        Axis sizes = new Axis("most bytes in a slot (recommended: %,d, depth %d)".formatted(
                recommendation.setting().size(), recommendation.setting().depth()), true);
        if (!lines.isEmpty()) {
            pictures.accept(picture, Chart.lines(title, sizes, y, lines));
        }
    }

    /** {@return a point for each size, but none for 0 where an axis has no such value} */
    List<Point> points(int depth, Axis y, ToDoubleFunction<Estimate> value) {
        return Setting.ALL.stream().filter(setting -> setting.depth() == depth)
                .map(setting -> new Point(setting.size(), value.applyAsDouble(replay.of(setting))))
                .filter(point -> point.y() != 0 || !y.logarithmic()).toList();
    }

    private Table settings() {
        Map<Setting, String> names = new LinkedHashMap<>();
        names.put(recommendation.setting(), "recommended");
        names.put(Setting.DEFAULT, "default");
        names.putIfAbsent(recommendation.smaller(), "smaller");
        names.putIfAbsent(Setting.ALL.getLast(), "largest");
        names.remove(null);
        Table table = new Table(List.of("", "size", "depth", "arenas without malloc", "mallocs left", "of all",
                "memory of a thread", "time saved"));
        names.forEach((setting, name) -> {
            Estimate estimate = replay.of(setting);
            table.add(List.of(name, Figures.count(setting.size()), Integer.toString(setting.depth()),
                    Figures.percent(estimate.served(), replay.arenas), Figures.count(estimate.mallocs()),
                    Figures.percent(estimate.mallocs(), replay.allocations),
                    Figures.bytes(estimate.memory()), Figures.time(estimate.saved())));
        });
        return table;
    }

    private String gain() {
        double ran = Origin.time(recordings.histogram()).toNanos();
        double saved = Math.max(0, replay.of(recommendation.setting()).saved());
        return Figures.count(replay.arenas, "arena") + " with bytes were recorded, and "
                + Figures.count(replay.allocations, "allocation") + ", each a malloc without a pool. The memory is that of the "
                + "slots that a thread keeps, if it has all arenas that any thread had. The time saved is an estimate for "
                + "compiled, hot code (" + costs.source() + "; above " + Figures.bytes(costs.largestPooled())
                + " the pool's is extrapolated). Without a pool these arenas take " + Figures.time(replay.time)
                + (ran <= 0 ? "." : "; the pool saves " + Figures.percent(saved, ran) + " of the " + Figures.time(ran)
                + " that these JVMs ran while they were recorded.") + " doc/analysis.md says how this is computed.";
    }

    String csv() {
        String lines = Setting.ALL.stream().map(setting -> {
            Estimate e = replay.of(setting);
            return String.format(Locale.ROOT, "%d,%d,%d,%d,%d,%d,%d,%.0f,%.0f\n", setting.size(), setting.depth(),
                    replay.arenas, e.served(), replay.allocations, e.mallocs(), e.memory(), replay.time, e.saved());
        }).collect(Collectors.joining());
        return "size,depth,arenas,served,allocations,mallocs,threadMemory,stockNanos,savedNanos\n" + lines;
    }
}
