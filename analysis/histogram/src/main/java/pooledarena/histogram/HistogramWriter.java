/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.histogram;

import module java.base;

/**
 * Writes a histogram as JSON, see the package's description. It needs no library, as the recorder must bring none along, and
 * neither lambdas nor pattern switches, which would be linked while a program starts.
 */
public final class HistogramWriter implements Comparator<long[]> {

    /** What the first numbers of a row are; those of {@link Tally#served} follow if they are told. */
    static final List<String> COLUMNS = List.of("site", "virtual", "closing", "lifetime", "openBefore", "kept", "bytes",
            "slotBytes", "allocations", "first", "largest", "alignment", "exact", "arenas", "sumOfBytes", "sumOfAllocations");

    private final Appendable out;

    private HistogramWriter(Appendable out) {
        this.out = out;
    }

    /** Writes {@code histogram}; equal ones give the same text. */
    public static void write(Histogram histogram, Appendable out) throws IOException {
        new HistogramWriter(out).write(histogram);
    }

    private void write(Histogram histogram) throws IOException {
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
        List<Integer> sizes = new ArrayList<>();
        for (int i = 0; i < SlotReplay.SIZES; i++) {
            sizes.add(SlotReplay.size(i));
        }
        object(",\n", "format", Histogram.FORMAT, "version", Histogram.VERSION, "jvms", histogram.jvms(),
                "dropped", histogram.dropped(), "lifetimes", Histogram.LIFETIMES, "closings", List.of(Closing.values()),
                "slotSizes", sizes, "sites", sites.keySet(), "columns", COLUMNS, "rows", rows(histogram, sites));
        out.append('\n');
    }

    private List<long[]> rows(Histogram histogram, Map<Site, Integer> sites) {
        List<long[]> rows = new ArrayList<>();
        for (Map.Entry<Shape, Tally> entry : histogram.rows().entrySet()) {
            Shape shape = entry.getKey();
            Tally tally = entry.getValue();
            long[] served = tally.served() == null ? new long[0] : tally.served();
            long[] row = Arrays.copyOf(new long[] {
                    shape.site() == null ? -1 : sites.get(shape.site()), shape.virtual() ? 1 : 0, shape.closing().ordinal(),
                    shape.lifetime(), shape.openBefore(), shape.kept(), shape.bytes(), shape.slotBytes(), shape.allocations(),
                    shape.first(), shape.largest(), shape.alignment(), shape.exact() ? 1 : 0,
                    tally.arenas(), tally.bytes(), tally.allocations()}, COLUMNS.size() + served.length);
            System.arraycopy(served, 0, row, COLUMNS.size(), served.length);
            rows.add(row);
        }
        rows.sort(this);
        return rows;
    }

    @Override
    public int compare(long[] row, long[] other) {
        return Arrays.compare(row, other);
    }

    /** Writes an object; after the name of each field stands its value. */
    private void object(String separator, Object... fields) throws IOException {
        for (int i = 0; i < fields.length; i += 2) {
            out.append(i == 0 ? "{" : separator);
            value(fields[i]);
            out.append(": ");
            value(fields[i + 1]);
        }
        out.append('}');
    }

    private void value(Object value) throws IOException {
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
        } else if (value instanceof long[] row) {
            out.append(Arrays.toString(row));
        } else if (value instanceof String || value instanceof Closing) {
            string(value.toString());
        } else {
            out.append(value.toString());
        }
    }

    private void array(Collection<?> elements) throws IOException {
        out.append('[');
        String separator = "";
        for (Object element : elements) {
            boolean isOnItsOwnLine = element instanceof Record || element instanceof long[];
            out.append(separator).append(isOnItsOwnLine ? "\n" : "");
            value(element);
            separator = isOnItsOwnLine ? "," : ", ";
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
