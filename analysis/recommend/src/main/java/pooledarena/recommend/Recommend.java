/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import pooledarena.io.BadInput;
import pooledarena.io.Progress;
import pooledarena.recordings.Recordings;
import pooledarena.recordings.RecordingsCommand;

import module java.base;

import static java.nio.charset.StandardCharsets.UTF_8;

@Command(name = "recommend",
        description = "Replays the confined arenas of histogram files against each size and depth that the pool's "
                + "properties take, says whether to leave the default or what to set, and writes recommend.md, "
                + "recommend.html, which needs no other file, charts and settings.csv.",
        footer = {"", "Examples:",
                "  java -jar arena-analysis.jar recommend build/record",
                "  java -jar arena-analysis.jar recommend build/record --costs build/compare/report.md --keep 99",
                "", "Exit status: 0 if all files were read, 1 if some were left out, 2 if nothing was written."})
public final class Recommend extends RecordingsCommand {

    @Option(names = "--costs", paramLabel = "FILE",
            description = "a report.md of make compare on your machine, to estimate the time with (default: the "
                    + "figures of doc/performance.md)")
    private Path report;

    @Option(names = "--keep", paramLabel = "PERCENT", defaultValue = "95",
            description = "how much of the time must be saved that the best setting saves (default: ${DEFAULT-VALUE})")
    private double keep;

    @Override
    public Integer call() throws IOException {
        Consumer<String> err = line -> spec.commandLine().getErr().println("recommend: " + line);
        try (Progress progress = new Progress("reading the recordings", err)) {
            return recommend(progress);
        }
    }

    private int recommend(Progress progress) throws IOException {
        if (!(keep > 0 && keep <= 100)) {
            throw new BadInput("--keep " + keep + ": more than 0 and up to 100 is accepted; nothing was written");
        }
        Costs costs = report == null ? Costs.DOCUMENTED : Costs.of(report);
        Recordings recordings = read();
        progress.at("replaying them with each setting");
        Replay replay = new Replay(recordings.histogram(), costs);
        RecommendDocument text =
                new RecommendDocument(recordings, replay, costs, Recommendation.of(replay, keep / 100));
        return publish(recordings, text.document(), Map.of("settings.csv", text.csv().getBytes(UTF_8)),
                RecommendDocument.PICTURES);
    }
}
