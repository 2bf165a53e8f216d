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
package pooledarena.peers;

import pooledarena.text.LineChart;
import pooledarena.text.Table;

import java.io.IOException;
import java.util.List;

/**
 * A piece of a part's report.
 *
 * @param heading what it is about
 * @param note    what a reader must know to read it; may be empty
 * @param table   the figures; null if there are none but those of the chart
 * @param chart   may be null
 */
record Section(String heading, String note, Table table, Chart chart) {

    Section(String heading, String note, Table table) {
        this(heading, note, table, null);
    }

    /** A chart's file name, and what draws it. */
    record Chart(String file, Drawing drawing) {

        /** {@return the chart with these lines, or null if a filter has left too few points for an axis} */
        static Chart of(String file, LineChart lines) {
            long places = lines.series().stream().flatMap(line -> line.points().stream()).map(LineChart.Point::x)
                    .distinct().count();
            return places < 2 ? null : new Chart(file, lines::png);
        }
    }

    /** Draws a chart under lines that say where its figures are from. */
    @FunctionalInterface
    interface Drawing {
        byte[] png(List<String> origin) throws IOException;
    }
}
