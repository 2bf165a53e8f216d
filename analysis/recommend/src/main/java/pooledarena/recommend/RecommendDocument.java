/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import com.fasterxml.jackson.databind.ObjectMapper;
import pooledarena.histogram.Dropped;
import pooledarena.recommend.Replay.Estimate;
import pooledarena.recordings.Origin;
import pooledarena.recordings.Recordings;
import pooledarena.text.Chart.Axis;
import pooledarena.text.Chart.Point;
import pooledarena.text.*;

import module java.base;

/** @param cpu the nanoseconds of processor time of the program, or 0 if that is not known */
record RecommendDocument(Recordings recordings, Replay replay, double cpu, Recommendation recommendation) {

    static final List<String> PICTURES = List.of("served.png", "memory.png", "saved.png");

    private static final List<Integer> DEPTHS = List.of(16, 8, 4, 2, 1);

    /** With fewer arenas than this, chance decides. */
    private static final long FEW = 1000;

    Document document() {
        Document document = new Document("What the pool saves").paragraph(headline());
        if (replay.all.arenas() > 0) {
            document.paragraph(property());
        }
        if (!options().isEmpty()) {
            document.code(options());
        }
        if (recommendation.smaller() != null) {
            document.paragraph(smaller()).code(recommendation.smaller().options());
        }
        if (replay.all.arenas() > 0 && replay.all.arenas() < FEW) {
            document.warning("Only " + Figures.count(replay.all.arenas(), "arena")
                    + " with memory: record more, until the figures stay the same.");
        }
        if (replay.virtual > 0) {
            document.warning(Figures.percent(replay.virtual, replay.all.arenas()) + " of the arenas with memory were opened by virtual "
                    + "threads, which use the slots of their carriers. Which of them share a carrier is taken as it was while "
                    + "they were recorded.");
        }
        recordings.faults().forEach(fault -> document.warning("Left out: " + fault));
        Origin.warnings(recordings.histogram()).forEach(document::warning);
        if (replay.all.arenas() > 0) {
            document.table(settings()).paragraph(gain());
            charts((picture, chart) -> document.picture(picture, chart, Origin.lines(recordings.histogram())));
        }
        return document;
    }

    /** Gives the charts that have something to draw, with the names of their files. */
    void charts(BiConsumer<String, Chart> pictures) {
        chart(pictures, PICTURES.get(0), "Confined arenas with memory that need no malloc", new Axis("% of arenas", false),
                e -> 100.0 * e.served() / replay.all.arenas());
        chart(pictures, PICTURES.get(1), "Native memory of a thread's slots", new Axis("KiB", true), e -> e.memory() / 1024.0);
        chart(pictures, PICTURES.get(2), "Estimated time saved, of what confined arenas with memory take",
                new Axis("% of time", false), e -> 100 * e.saved() / replay.time);
    }

    /** {@return what the patched JDK saves, with its default properties unless only others are worth it, and whether it is worth it} */
    String headline() {
        return (recordings.isWhole() ? "" : "As far as it was recorded: ") + verdict();
    }

    private String verdict() {
        if (savesNothing()) {
            return isIncomplete()
                    ? "Nothing can be said: no recorded arena has memory, but " + (recordings.faults().isEmpty() ? "" : "files, ")
                    + "arenas or their call sites are missing. Record the program with call sites until it ends, or touch the file dump "
                    + "in the recording's directory before it halts."
                    : "Not worth it: no recorded arena has memory, so the patched JDK saves nothing.";
        }
        double saved = Math.abs(saved(recommendation.answer()));
        String counts = ". " + counts();
        if (cpu == 0) {
            return "The recording does not tell the program's CPU time, so its share is not known. The patched JDK " + saves()
                    + (atLeast().isEmpty() ? "about " : "") + Figures.time(saved) + counts;
        }
        String share = "the patched JDK " + saves() + Figures.percent(saved, cpu) + " of the CPU time, " + Figures.time(saved) + " of "
                + Figures.time(cpu);
        if (recommendation.isMeasurable()) {
            boolean isDefault = recommendation.answer().equals(Setting.DEFAULT);
            return "Worth it" + (isDefault ? "" : ", but not with the default properties") + ": " + share
                    + (saved < Recommendation.PLAIN * cpu ? ", which only several runs show" : "") + counts
                    + (isDefault ? "" : " With the default properties it saves " + atLeast()
                    + Figures.percent(saved(Setting.DEFAULT), cpu) + " of the CPU time.");
        }
        long all = Origin.arenas(recordings.histogram());
        if (missing() > all - missing()) {
            return "Nothing can be said: " + Figures.percent(missing(), all) + " of the arenas are missing. Record with a larger --memory."
                    + " With what was recorded, " + share + counts;
        }
        if (lacksSites()) {
            return "Nothing can be said: call sites are missing, and with them calls by value. Record with call sites, and with a larger "
                    + "--memory if some were dropped. With what was recorded, " + share + counts;
        }
        return "Not worth it for time: " + share
                + (saved < Recommendation.MEASURABLE * cpu ? ", which cannot be told from noise" : "") + counts;
    }

    /** {@return what the patched JDK saves in mallocs and garbage, and of the time in calls by value} */
    private String counts() {
        return (replay.all.arenas() == 0 ? "No recorded arena has memory." : mallocsAndGarbage(replay.of(recommendation.answer())))
                + (replay.callsByValue == 0 ? "" : " Of the time, " + Figures.time(replay.savedByValue) + " is of "
                + Figures.count(replay.callsByValue, "call") + " that pass structs by value or keep errno.");
    }

    private String mallocsAndGarbage(Estimate estimate) {
        long less = estimate.mallocsSaved();
        String garbage = Figures.bytes(Math.abs(estimate.heapSaved())) + " of garbage";
        return (less < 0 ? "It makes " + Figures.count(-less) + " mallocs more than the " + Figures.count(replay.all.allocations())
                + " of the stock JDK" : "It saves " + Figures.count(less) + " of " + Figures.count(replay.all.allocations(), "malloc"))
                + (estimate.heapSaved() < 0 ? ", and makes " + garbage + " more."
                : (less < 0 ? ", and saves " : ", and ") + garbage + ".");
    }

    private String saves() {
        return (saved(recommendation.answer()) < 0 ? "adds " : "saves ") + atLeast();
    }

    /** {@return "at least " if the missing arenas would save more, else nothing} */
    private String atLeast() {
        return saved(recommendation.answer()) >= 0 && missing() > 0 ? "at least " : "";
    }

    private long missing() {
        return recordings.histogram().dropped().arenas();
    }

    /** {@return the nanoseconds that a setting saves, in calls by value, too} */
    private double saved(Setting setting) {
        return replay.of(setting).saved() + replay.savedByValue;
    }

    private String property() {
        Setting setting = recommendation.setting();
        String measurable = Figures.percent(Recommendation.MEASURABLE, 1) + " of the CPU time";
        if (setting.equals(Setting.DEFAULT)) {
            return cpu == 0 ? "Leave the default properties: whether others gain more in a run is not known."
                    : "Leave the default properties: no others whose costs are measured save " + measurable + " more.";
        }
        return "Set what follows. It saves " + Figures.percent(saved(setting), cpu)
                + " of the CPU time, since "
                + (setting.size() > Setting.DEFAULT.size() ? "a slot holds allocations of up to " + Figures.bytes(setting.size())
                : setting.depth() > Setting.DEFAULT.depth() ? "a thread keeps slots for more arenas that are open at once"
                : "what it does not pool costs less without a slot") + ". A thread keeps "
                + Figures.bytes(replay.of(setting).memory()) + " of slots instead of "
                + Figures.bytes(replay.of(Setting.DEFAULT).memory()) + ".";
    }

    String options() {
        return recommendation.setting().equals(Setting.DEFAULT) ? "" : recommendation.setting().options();
    }

    String smaller() {
        Setting smaller = recommendation.smaller();
        return "Where there are very many threads, what follows saves nearly as much, and a thread keeps "
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
        Axis sizes = new Axis("most bytes in a slot (recommended: " + Figures.count(recommendation.setting().size()) + ", depth "
                + recommendation.setting().depth() + ")", true);
        if (!lines.isEmpty()) {
            pictures.accept(picture, Chart.lines(title, sizes, y, lines));
        }
    }

    /** {@return a point for each size, but none for 0 where an axis has no such value} */
    List<Point> points(int depth, Axis y, ToDoubleFunction<Estimate> value) {
        return replay.estimates.stream().filter(each -> each.setting().depth() == depth)
                .map(each -> new Point(each.setting().size(), value.applyAsDouble(each)))
                .filter(point -> point.y() != 0 || !y.logarithmic()).toList();
    }

    private Table settings() {
        Map<Setting, String> names = new LinkedHashMap<>();
        names.put(recommendation.setting(), "recommended");
        names.put(Setting.DEFAULT, "default");
        names.putIfAbsent(recommendation.smaller(), "smaller");
        names.putIfAbsent(replay.estimates.getLast().setting(), "largest");
        names.remove(null);
        Table table = new Table("", "size", "depth", "arenas without malloc", "mallocs left", "of all", "memory of a thread",
                "time saved");
        names.forEach((setting, name) -> {
            Estimate estimate = replay.of(setting);
            table.add(name, Figures.count(setting.size()), setting.depth(),
                    Figures.percent(estimate.served(), replay.all.arenas()), Figures.count(estimate.mallocs()),
                    Figures.percent(estimate.mallocs(), replay.all.allocations()),
                    Figures.bytes(estimate.memory()), Figures.time(estimate.saved()));
        });
        return table;
    }

    private String gain() {
        return Figures.count(replay.all.arenas(), "arena") + " with memory were recorded, and "
                + Figures.count(replay.all.allocations(), "allocation") + ", each a malloc without a pool. The memory is that of the "
                + "slots that a thread keeps when it has closed its arenas. The time saved is an estimate for compiled, hot code ("
                + replay.costs.source() + ", which has costs of slots of up to " + Figures.bytes(replay.costs.largestSlot())
                + "). Without a pool these arenas take " + Figures.time(replay.time) + ". The CPU time is that of the recorded "
                + "program, with what recording takes. doc/analysis.md says how this is computed.";
    }

    /** {@return whether arenas or calls by value are missing: then it may be worth it though what was recorded is not} */
    private boolean isIncomplete() {
        return !recordings.isWhole() || lacksSites();
    }

    /** {@return whether call sites are missing, which alone tell calls by value} */
    private boolean lacksSites() {
        return recordings.histogram().dropped().sites() > 0
                || recordings.histogram().jvms().stream().anyMatch(jvm -> jvm.sites() == 0);
    }

    /** {@return whether no arena was recorded that the pool would serve or replace} */
    private boolean savesNothing() {
        return replay.all.arenas() == 0 && replay.callsByValue == 0;
    }

    String json() {
        Dropped dropped = recordings.histogram().dropped();
        return new ObjectMapper().createObjectNode().put("format", "pooled-confined-arena recommendation").put("version", 1)
                .put("costs", replay.costs.source()).put("cpuNanos", Math.round(cpu))
                .put("cpuShareSaved", cpu == 0 ? null : (Double) (saved(recommendation.answer()) / cpu))
                .put("arenas", replay.all.arenas()).put("arenasOfVirtualThreads", replay.virtual)
                .put("allocations", replay.all.allocations()).put("stockNanos", Math.round(replay.time))
                .put("worthIt", recommendation.isMeasurable() ? Boolean.TRUE
                        : isIncomplete() || cpu == 0 && !savesNothing() ? null : Boolean.FALSE)
                .put("arenasMissing", dropped.arenas()).put("arenasRounded", dropped.rounded())
                .put("jvmsUnfinished", Origin.unfinished(recordings.histogram())).put("filesLeftOut", recordings.faults().size())
                .put("callsByValue", replay.callsByValue)
                .put("nanosSavedByValue", Math.round(replay.savedByValue))
                .putPOJO("default", replay.of(Setting.DEFAULT))
                .putPOJO("recommended", replay.of(recommendation.setting()))
                .putPOJO("smaller", replay.of(recommendation.smaller()))
                .putPOJO("settings", replay.estimates).toPrettyString();
    }
}
