/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.histogram;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Writes a histogram as JSON, see the package's description. It needs no library, as the recorder must bring none along. */
public final class HistogramWriter {

    /** What the fields of a row are; a row has the last one only if {@link Tally#served} is told. */
    static final List<String> COLUMNS = List.of("site", "virtual", "closing", "lifetime", "openBefore", "kept", "bytes",
            "slotBytes", "allocations", "first", "largest", "alignment", "exact", "arenas", "sumOfBytes", "sumOfAllocations", "served");

    private final Appendable out;

    private HistogramWriter(Appendable out) {
        this.out = out;
    }

    /** Writes {@code histogram}; equal ones give the same text. */
    public static void write(Histogram histogram, Appendable out) throws IOException {
        new HistogramWriter(out).write(histogram);
    }

    private void write(Histogram histogram) throws IOException {
        out.append("{\n\"format\": ");
        string(Histogram.FORMAT);
        out.append(",\n\"version\": ").append(Integer.toString(Histogram.VERSION));
        out.append(",\n\"jvms\": [");
        String separator = "\n";
        for (Jvm jvm : histogram.jvms()) {
            out.append(separator);
            jvm(jvm);
            separator = ",\n";
        }
        Dropped dropped = histogram.dropped();
        out.append("],\n\"dropped\": {\"arenas\": ").append(Long.toString(dropped.arenas()))
                .append(", \"sites\": ").append(Long.toString(dropped.sites()))
                .append(", \"rounded\": ").append(Long.toString(dropped.rounded()))
                .append(", \"failures\": ").append(Long.toString(dropped.failures()));
        out.append("},\n\"lifetimes\": ");
        strings(Histogram.LIFETIMES);
        out.append(",\n\"closings\": ");
        List<String> closings = new ArrayList<>();
        for (Closing closing : Closing.values()) {
            closings.add(closing.toString());
        }
        strings(closings);
        out.append(",\n\"slotSizes\": [");
        for (int i = 0; i < SlotReplay.SIZES; i++) {
            out.append(i == 0 ? "" : ", ").append(Integer.toString(SlotReplay.size(i)));
        }
        out.append("],\n\"sites\": [");
        Map<Site, Integer> sites = sites(histogram);
        separator = "\n";
        for (Site site : sites.keySet()) {
            out.append(separator).append('[');
            string(site.className());
            out.append(", ");
            string(site.method());
            out.append(", ").append(Integer.toString(site.line())).append(site.indirect() ? ", 1]" : ", 0]");
            separator = ",\n";
        }
        out.append("],\n\"columns\": ");
        strings(COLUMNS);
        out.append(",\n\"rows\": [");
        separator = "\n";
        List<Row> rows = new ArrayList<>();
        for (Map.Entry<Shape, Tally> row : histogram.rows().entrySet()) {
            rows.add(new Row(fields(row.getKey(), sites), row.getValue()));
        }
        rows.sort(BY_FIELDS);
        for (Row row : rows) {
            out.append(separator);
            row(row);
            separator = ",\n";
        }
        out.append("]\n}\n");
    }

    private void jvm(Jvm jvm) throws IOException {
        out.append("{\"host\": ");
        string(jvm.host());
        out.append(", \"pid\": ").append(Long.toString(jvm.pid())).append(", \"started\": ");
        string(jvm.started());
        out.append(", \"written\": ");
        string(jvm.written());
        out.append(", \"finished\": ").append(Boolean.toString(jvm.finished()));
        out.append(", \"attached\": ").append(Boolean.toString(jvm.attached()));
        out.append(", \"sites\": ").append(Integer.toString(jvm.sites())).append(", \"java\": ");
        string(jvm.java());
        out.append(", \"program\": ");
        string(jvm.program());
        out.append('}');
    }

    private void row(Row row) throws IOException {
        Tally tally = row.tally;
        out.append('[');
        numbers(row.shape);
        out.append(", ");
        numbers(new long[] {tally.arenas(), tally.bytes(), tally.allocations()});
        if (tally.served() != null) {
            out.append(", [");
            numbers(tally.served());
            out.append(']');
        }
        out.append(']');
    }

    private static long[] fields(Shape shape, Map<Site, Integer> sites) {
        return new long[] {
                shape.site() == null ? -1 : sites.get(shape.site()), shape.virtual() ? 1 : 0, shape.closing().ordinal(),
                shape.lifetime(), shape.openBefore(), shape.kept(), shape.bytes(), shape.slotBytes(), shape.allocations(),
                shape.first(), shape.largest(), shape.alignment(), shape.exact() ? 1 : 0};
    }

    private static Map<Site, Integer> sites(Histogram histogram) {
        Set<Site> all = new HashSet<>();
        for (Shape shape : histogram.rows().keySet()) {
            if (shape.site() != null) {
                all.add(shape.site());
            }
        }
        List<Site> sorted = new ArrayList<>(all);
        sorted.sort(BY_NAME);
        Map<Site, Integer> sites = new LinkedHashMap<>();
        for (Site site : sorted) {
            sites.put(site, sites.size());
        }
        return sites;
    }

    private static final Comparator<Site> BY_NAME = new Comparator<>() {
        @Override
        public int compare(Site a, Site b) {
            int order = a.className().compareTo(b.className());
            order = order != 0 ? order : a.method().compareTo(b.method());
            order = order != 0 ? order : Integer.compare(a.line(), b.line());
            return order != 0 ? order : Boolean.compare(a.indirect(), b.indirect());
        }
    };

    /** A shape's fields, and its tally. */
    private record Row(long[] shape, Tally tally) {}

    /** The order of rows: that of their fields, one after the other. */
    private static final Comparator<Row> BY_FIELDS = new Comparator<>() {
        @Override
        public int compare(Row a, Row b) {
            return Arrays.compare(a.shape, b.shape);
        }
    };

    private void numbers(long[] numbers) throws IOException {
        for (int i = 0; i < numbers.length; i++) {
            out.append(i == 0 ? "" : ", ").append(Long.toString(numbers[i]));
        }
    }

    private void strings(List<String> strings) throws IOException {
        String separator = "[";
        for (String s : strings) {
            out.append(separator);
            string(s);
            separator = ", ";
        }
        out.append(']');
    }

    private void string(String s) throws IOException {
        out.append('"');
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c)) {
                out.append("\\u").append(Integer.toHexString(c | 0x10000).substring(1));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
