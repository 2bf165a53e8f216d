/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import pooledarena.benchmark.Results;
import pooledarena.io.BadInput;
import pooledarena.io.Tool;
import pooledarena.recordings.Recordings;
import pooledarena.text.ChartStyle;
import pooledarena.text.Document;

import module java.base;

import static java.nio.charset.StandardCharsets.UTF_8;

@Command(name = "recommend",
        description = "Replays the confined arenas of histogram files against each size and depth that the pool's properties "
                + "take, says whether to leave the default or what to set, and writes recommend.md, recommend.html, which needs "
                + "no other file, charts and settings.csv.",
        footer = {"", "Examples:",
                "  java -jar arena-analysis.jar recommend build/record",
                "  java -jar arena-analysis.jar recommend build/record --costs build/compare/compare.json --keep 99",
                "", "Exit status: 0 if all files were read, 1 if some were left out, 2 if nothing was written."})
public final class Recommend implements Callable<Integer> {

    /** How much native memory the slots of a thread may take. */
    private static final long MOST_MEMORY = 1 << 20;

    @Mixin
    private Recordings.Places places;

    @Option(names = "--out", paramLabel = "DIR", defaultValue = "build/recommend",
            description = "where the files go (default: ${DEFAULT-VALUE})")
    private Path out;

    @Option(names = "--costs", paramLabel = "FILE",
            description = "a compare.json of make compare on your machine, to estimate the time with (default: the figures of "
                    + "doc/performance.md)")
    private Path measured;

    @Option(names = "--keep", paramLabel = "PERCENT", defaultValue = "95",
            description = "how much of the time must be saved that the best setting saves (default: ${DEFAULT-VALUE})")
    private double keep;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        ChartStyle.requireFonts();
        if (!(keep > 0 && keep <= 100)) {
            throw new BadInput("--keep " + keep + ": more than 0 and up to 100 is accepted; nothing was written");
        }
        Costs costs = measured == null ? Costs.DOCUMENTED : measuredCosts();
        Recordings recordings = places.read();
        Replay replay = new Replay(recordings.histogram(), costs);
        Recommendation recommendation = new Recommendation(replay, keep / 100, MOST_MEMORY);
        RecommendDocument text = new RecommendDocument(recordings, replay, costs, recommendation);
        Document document = text.document();
        Map<String, byte[]> files = document.files("recommend");
        files.put("settings.csv", text.csv().getBytes(UTF_8));
        document.publish(spec.commandLine().getOut(), out, files, RecommendDocument.PICTURES);
        return recordings.faults().isEmpty() ? 0 : Tool.EXIT_FAILED;
    }

    private Costs measuredCosts() {
        byte[] json;
        try {
            json = Files.readAllBytes(measured);
        } catch (IOException e) {
            throw new BadInput("--costs " + measured + ": cannot be read; a compare.json of make compare is accepted; "
                    + "nothing was written");
        }
        return Costs.of(Results.fromJson(json, "--costs " + measured), measured);
    }
}
