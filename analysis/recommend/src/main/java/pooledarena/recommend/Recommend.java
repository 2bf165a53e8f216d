/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import pooledarena.io.BadInput;
import pooledarena.io.Progress;
import pooledarena.model.Costs;
import pooledarena.recordings.*;

import module java.base;

@Command(name = "recommend",
        description = "Says what a program would gain by the patched JDK: runs arenas like those of histogram files through a "
                + "model of the pool, with each size and depth whose costs are measured. It writes the files recommend.md, "
                + "recommend.html, which needs no other file, charts, recommend.json, and java.args, the recommended options for "
                + "java @java.args.",
        footer = {"", "Examples:",
                "  java -jar arena-analysis.jar recommend build/record",
                "  java -jar arena-analysis.jar recommend build/record --costs build/compare/figures.json --keep 99",
                "", "Exit status: 0 if all files were read, 1 if some were left out or something could not be written, 2 if nothing was "
                + "written."})
public final class Recommend extends RecordingsCommand {

    @Option(names = "--costs", paramLabel = "FILE",
            description = "the figures.json of make compare on your machine, to estimate the time with (default: the "
                    + "figures of doc/performance)")
    private Path figures;

    @Option(names = "--keep", paramLabel = "PERCENT", defaultValue = "95",
            description = "how much of the time must be saved that the best setting saves (default: ${DEFAULT-VALUE})")
    private double keep;

    @Override
    protected int run(Progress progress) throws IOException {
        if (!(keep > 0 && keep <= 100)) {
            throw new BadInput("--keep " + keep + ": more than 0 and up to 100 is accepted; nothing was written");
        }
        Costs costs = figures == null ? Costs.documented() : Costs.of(figures);
        Recordings recordings = read(inputs, _ -> { });
        progress.at("replaying them with each setting");
        Replay replay = new Replay(recordings.histogram(), costs);
        double cpu = Origin.cpu(recordings.histogram()).toMillis() * 1e6;
        RecommendDocument text = new RecommendDocument(recordings, replay, cpu, Recommendation.of(replay, keep / 100, cpu));
        return publish(recordings, text.document(), Map.of("recommend.json", text.json().getBytes(StandardCharsets.UTF_8),
                "java.args", text.options().getBytes(StandardCharsets.UTF_8)), RecommendDocument.PICTURES);
    }
}
