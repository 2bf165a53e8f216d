/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.histogram;

import module java.base;

/** Writes a histogram as JSON, see the package's description. It needs no library, as the recorder must bring none along. */
public final class HistogramWriter {

    /** What the fields of a row are; a row has the last one only if {@link Tally#served} is told. */
    static final List<String> COLUMNS = List.of("site", "virtual", "closing", "lifetime", "openBefore", "kept", "bytes",
            "slotBytes", "allocations", "first", "largest", "alignment", "exact", "arenas", "sumOfBytes", "sumOfAllocations",
            "served");

    /** The fields of a row, of which the last is an array or null. Rows are sorted by one field after the other. */
    private record Row(long[] numbers, long[] served) implements Comparable<Row> {

        @Override
        public int compareTo(Row other) {
            return Arrays.compare(numbers, other.numbers);
        }

        @Override
        public String toString() {
            StringBuilder text = new StringBuilder(Arrays.toString(numbers));
            return served == null ? text.toString()
                    : text.insert(text.length() - 1, ", ").insert(text.length() - 1, Arrays.toString(served)).toString();
        }
    }

    private final Appendable out;

    private HistogramWriter(Appendable out) {
        this.out = out;
    }

    /** Writes {@code histogram}; equal ones give the same text. */
    public static void write(Histogram histogram, Appendable out) throws IOException {
        new HistogramWriter(out).write(histogram);
    }

    private void write(Histogram histogram) throws IOException {
        List<Integer> sizes = new ArrayList<>();
        for (int i = 0; i < SlotReplay.SIZES; i++) {
            sizes.add(SlotReplay.size(i));
        }
        Map<Site, Integer> sites = new TreeMap<>();
        for (Shape shape : histogram.rows().keySet()) {
            if (shape.site() != null) {
                sites.put(shape.site(), 0);
            }
        }
        int index = 0;
        for (Map.Entry<Site, Integer> site : sites.entrySet()) {
            site.setValue(index++);
        }
        field("{\n", "format", Histogram.FORMAT);
        field(",\n", "version", Histogram.VERSION);
        array("jvms", "\n", histogram.jvms());
        field(",\n", "dropped", histogram.dropped());
        array("lifetimes", "", Histogram.LIFETIMES);
        array("closings", "", List.of(Closing.values()));
        array("slotSizes", "", sizes);
        array("sites", "\n", sites.keySet());
        array("columns", "", COLUMNS);
        array("rows", "\n", rows(histogram, sites));
        out.append("\n}\n");
    }

    private static List<Row> rows(Histogram histogram, Map<Site, Integer> sites) {
        List<Row> rows = new ArrayList<>();
        for (Map.Entry<Shape, Tally> row : histogram.rows().entrySet()) {
            Shape shape = row.getKey();
            Tally tally = row.getValue();
            rows.add(new Row(new long[] {
                    shape.site() == null ? -1 : sites.get(shape.site()), shape.virtual() ? 1 : 0, shape.closing().ordinal(),
                    shape.lifetime(), shape.openBefore(), shape.kept(), shape.bytes(), shape.slotBytes(), shape.allocations(),
                    shape.first(), shape.largest(), shape.alignment(), shape.exact() ? 1 : 0,
                    tally.arenas(), tally.bytes(), tally.allocations()}, tally.served()));
        }
        rows.sort(null);
        return rows;
    }

    private void field(String separator, String name, Object value) throws IOException {
        out.append(separator);
        string(name);
        out.append(": ");
        value(value);
    }

    /** Writes a field of the histogram; {@code lines} is what precedes each of the elements. */
    private void array(String name, String lines, Collection<?> elements) throws IOException {
        out.append(",\n");
        string(name);
        out.append(": [");
        String separator = lines;
        for (Object element : elements) {
            out.append(separator);
            value(element);
            separator = lines.isEmpty() ? ", " : ",\n";
        }
        out.append(']');
    }

    private void value(Object value) throws IOException {
        if (value instanceof Jvm jvm) {
            field("{", "host", jvm.host());
            field(", ", "pid", jvm.pid());
            field(", ", "started", jvm.started());
            field(", ", "written", jvm.written());
            field(", ", "finished", jvm.finished());
            field(", ", "attached", jvm.attached());
            field(", ", "sites", jvm.sites());
            field(", ", "java", jvm.java());
            field(", ", "program", jvm.program());
            out.append('}');
        } else if (value instanceof Dropped dropped) {
            field("{", "arenas", dropped.arenas());
            field(", ", "sites", dropped.sites());
            field(", ", "rounded", dropped.rounded());
            field(", ", "failures", dropped.failures());
            out.append('}');
        } else if (value instanceof Site site) {
            out.append('[');
            string(site.className());
            out.append(", ");
            string(site.method());
            out.append(", ").append(Integer.toString(site.line())).append(site.indirect() ? ", 1]" : ", 0]");
        } else if (value instanceof String || value instanceof Closing) {
            string(value.toString());
        } else {
            out.append(value.toString());
        }
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
