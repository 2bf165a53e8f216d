/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.histogram;

import module java.base;

/**
 * Writes a histogram as JSON, see the package's description. It needs no library, as the recorder must bring none along, and
 * neither lambdas nor pattern switches, which would be linked while a program starts, and the simplest way to write numbers.
 */
public final class HistogramWriter {

    /** What the first numbers of a row are; those of {@link Tally#served} follow if they are told. */
    public static final List<String> COLUMNS = List.of("site", "virtual", "closing", "openBefore", "kept", "bytes",
            "slotBytes", "allocations", "first", "largest", "alignment", "exact", "arenas", "sumOfBytes", "sumOfAllocations");

    private final StringBuilder out = new StringBuilder();

    private HistogramWriter() {}

    public static byte[] json(Histogram histogram) {
        Map<Site, Integer> sites = new LinkedHashMap<>();
        HistogramWriter rows = new HistogramWriter();
        for (Map.Entry<Shape, Tally> row : histogram.rows().entrySet()) {
            Site site = row.getKey().site();
            if (site != null) {
                sites.putIfAbsent(site, sites.size());
            }
            rows.numbers(row(sites.getOrDefault(site, -1), row.getKey(), row.getValue()));
        }
        HistogramWriter all = new HistogramWriter();
        all.object(",\n", "format", Histogram.FORMAT, "version", Histogram.VERSION, "jvms", histogram.jvms(),
                "dropped", histogram.dropped(), "sites", sites.keySet(), "columns", COLUMNS,
                "rows", rows.out.append(rows.out.isEmpty() ? "[]" : "]"));
        return all.out.append('\n').toString().getBytes(StandardCharsets.UTF_8);
    }

    private void numbers(long[] row) {
        out.append(out.isEmpty() ? "[\n" : ",\n");
        for (int i = 0; i < row.length; i++) {
            out.append(i == 0 ? "[" : ", ").append(row[i]);
        }
        out.append(']');
    }

    /** {@return the numbers of a row whose site has that index} */
    public static long[] row(int site, Shape shape, Tally tally) {
        long[] numbers = {site, shape.virtual() ? 1 : 0, shape.closing().ordinal(), shape.openBefore(), shape.kept(),
                shape.bytes(), shape.slotBytes(), shape.allocations(), shape.first(), shape.largest(), shape.alignment(),
                shape.exact() ? 1 : 0, tally.arenas(), tally.bytes(), tally.allocations()};
        long[] served = tally.served() == null ? new long[0] : tally.served();
        long[] row = Arrays.copyOf(numbers, numbers.length + served.length);
        System.arraycopy(served, 0, row, numbers.length, served.length);
        return row;
    }

    /** Writes an object; after the name of each field stands its value. */
    private void object(String separator, Object... fields) {
        for (int i = 0; i < fields.length; i += 2) {
            out.append(i == 0 ? "{" : separator);
            value(fields[i]);
            out.append(": ");
            value(fields[i + 1]);
        }
        out.append('}');
    }

    private void value(Object value) {
        if (value instanceof RecordedJvm jvm) {
            object(", ", "host", jvm.host(), "pid", jvm.pid(), "started", jvm.started(), "written", jvm.written(),
                    "finished", jvm.finished(), "attached", jvm.attached(), "sites", jvm.sites(), "java", jvm.java(),
                    "program", jvm.program());
        } else if (value instanceof Dropped dropped) {
            object(", ", "arenas", dropped.arenas(), "sites", dropped.sites(), "rounded", dropped.rounded(),
                    "failures", dropped.failures());
        } else if (value instanceof Site site) {
            array(List.of(site.className(), site.method(), site.line(), site.indirect()));
        } else if (value instanceof Collection<?> elements) {
            array(elements);
        } else if (value instanceof String text) {
            string(text);
        } else {
            out.append(value);
        }
    }

    private void array(Collection<?> elements) {
        out.append('[');
        String separator = "";
        for (Object element : elements) {
            boolean isOnItsOwnLine = element instanceof Record;
            out.append(separator).append(isOnItsOwnLine ? "\n" : "");
            value(element);
            separator = isOnItsOwnLine ? "," : ", ";
        }
        out.append(']');
    }

    private void string(String s) {
        out.append('"');
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            if (c == '"' || c == '\\' || c < ' ' || Character.isSurrogate(c)) {
                out.append("\\u").append(Integer.toHexString(c | 0x10000).substring(1));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
