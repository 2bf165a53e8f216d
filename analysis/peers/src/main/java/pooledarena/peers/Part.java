/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.peers;

import pooledarena.benchmark.Case;
import pooledarena.benchmark.Results;
import pooledarena.text.Document;
import pooledarena.text.LineChart;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What is measured beside one of the peers. */
interface Part {

    /** The parts by the names that the command line takes. */
    Map<String, Part> ALL = Map.of(
            "rocksdb", new RocksDbPart(),
            "netty", new NettyPart(),
            "okio", new OkioPart(),
            "arenas", new ArenasPart());

    String title();

    /** {@return all the cases there are, before any filter} */
    List<Case> cases();

    /** {@return the name of what is measured without JMH, which a filter is matched with; empty if there is nothing} */
    default String extra() {
        return "";
    }

    /** Adds tables and charts of those cases that were asked for. */
    void report(Results results, Document document) throws IOException;

    /** {@return what adds the section about that} It is measured here. */
    default Consumer<Document> measureExtra(Programs programs) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Adds {@code lines} as a picture, unless a filter has left too few points for an axis. */
    static void picture(Document document, String file, Results results, LineChart lines) throws IOException {
        if (lines.series().stream().flatMap(line -> line.points().stream()).map(LineChart.Point::x).distinct().count() >= 2) {
            document.picture(file, lines.title(), lines.png(results.origin()));
        }
    }
}
