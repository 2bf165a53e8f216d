/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.histogram;

import module java.base;

/**
 * Writes a histogram as JSON, see the package's description. It needs no library, as the recorder must bring none along, and
 * neither lambdas nor pattern switches, which would be linked while a program starts. Numbers are written by
 * {@link Arrays#toString(long[])} for the same reason. Only {@link #json}, which the recorder does not call, has lambdas.
 */
public final class HistogramWriter implements BiConsumer<Shape, Tally> {

    public static final List<String> COLUMNS = List.of("site", "virtual", "closing", "openBefore", "dip", "earlier", "bytes",
            "allocations", "first", "largest", "alignment", "exact", "arenas", "sumOfBytes", "sumOfAllocations");

    private static final int CHUNK = 8000;

    private final OutputStream stream;
    private final StringBuilder out = new StringBuilder(2 * CHUNK);

    /** Their indexes, in this order. */
    private final Map<Site, Integer> sites = new LinkedHashMap<>();
    private String separator = "\n";

    /** Writes what comes before the rows. */
    public HistogramWriter(OutputStream stream, List<RecordedJvm> jvms) {
        this.stream = stream;
        fields("{", ",\n", "format", Histogram.FORMAT, "version", Histogram.VERSION, "jvms", jvms, "columns", COLUMNS);
        out.append(",\n\"rows\": [");
    }

    /** {@return a file of the histogram} Its call sites and rows are sorted, so that equal histograms have equal files. */
    public static byte[] json(Histogram histogram) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        HistogramWriter writer = new HistogramWriter(bytes, histogram.jvms());
        Stream.concat(histogram.rows().keySet().stream().map(Shape::site),
                histogram.others().keySet().stream().map(OtherArenas::site)).filter(Objects::nonNull).distinct()
                .sorted(Comparator.comparing(Site::toString)).forEach(writer::number);
        histogram.rows().entrySet().stream()
                .map(row -> row(writer.number(row.getKey().site()), row.getKey(), row.getValue()))
                .sorted(Arrays::compare).forEach(writer::write);
        SortedMap<OtherArenas, Long> others = new TreeMap<>(
                Comparator.<OtherArenas>comparingInt(each -> writer.number(each.site())).thenComparing(OtherArenas::kind));
        others.putAll(histogram.others());
        writer.end(histogram.dropped(), others);
        return bytes.toByteArray();
    }

    /** Writes a row. Rows of equal shape are one to the reader. */
    @Override
    public void accept(Shape shape, Tally tally) {
        write(row(number(shape.site()), shape, tally));
    }

    private void write(long[] row) {
        out.append(separator).append(Arrays.toString(row));
        separator = ",\n";
        flush(CHUNK);
    }

    private int number(Site site) {
        if (site == null) {
            return -1;
        }
        Integer known = sites.putIfAbsent(site, sites.size());
        return known == null ? sites.size() - 1 : known;
    }

    /** Writes what comes after the rows. */
    public void end(Dropped dropped, Map<OtherArenas, Long> others) {
        List<List<?>> counts = new ArrayList<>();
        for (Map.Entry<OtherArenas, Long> each : others.entrySet()) {
            counts.add(List.of(number(each.getKey().site()), each.getKey().kind().ordinal(), each.getValue()));
        }
        fields("],\n", ",\n", "dropped", dropped, "sites", sites.keySet(), "others", counts);
        out.append("}\n");
        flush(0);
    }

    /** Writes what is there if that is more than {@code most} characters: at the end of a program there may be little memory. */
    private void flush(int most) {
        if (out.length() <= most) {
            return;
        }
        try {
            stream.write(out.toString().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        out.setLength(0);
    }

    public static long[] row(int site, Shape shape, Tally tally) {
        return new long[] {site, shape.virtual() ? 1 : 0, shape.closing().ordinal(), shape.openBefore(), shape.dip(),
                shape.earlier(), shape.bytes(), shape.allocations(), shape.first(), shape.largest(), shape.alignment(),
                shape.exact() ? 1 : 0, tally.arenas(), tally.bytes(), tally.allocations()};
    }

    /** Writes fields of an object; after the name of each stands its value. */
    private void fields(String before, String between, Object... fields) {
        for (int i = 0; i < fields.length; i += 2) {
            out.append(i == 0 ? before : between);
            value(fields[i]);
            out.append(": ");
            value(fields[i + 1]);
        }
    }

    private void value(Object value) {
        if (value instanceof RecordedJvm jvm) {
            fields("{", ", ", "host", jvm.host(), "pid", jvm.pid(), "started", jvm.started(), "written", jvm.written(),
                    "finished", jvm.finished(), "attached", jvm.attached(), "sites", jvm.sites(),
                    "cpuMillis", jvm.cpuMillis(), "java", jvm.java(), "program", jvm.program());
            out.append('}');
        } else if (value instanceof Dropped dropped) {
            fields("{", ", ", "arenas", dropped.arenas(), "sites", dropped.sites(), "rounded", dropped.rounded(),
                    "failures", dropped.failures());
            out.append('}');
        } else if (value instanceof Site site) {
            array(List.of(site.className(), site.method(), site.line(), site.indirect(), site.callers()));
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
            flush(CHUNK);
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
