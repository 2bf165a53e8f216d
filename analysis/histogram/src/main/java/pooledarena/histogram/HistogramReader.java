/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.histogram;

import com.fasterxml.jackson.annotation.*;
import com.fasterxml.jackson.core.*;
import com.fasterxml.jackson.databind.*;
import com.fasterxml.jackson.databind.json.JsonMapper;

import module java.base;

/** Reads what {@link HistogramWriter} writes. */
public final class HistogramReader {

    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS, DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
                    DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .defaultSetterInfo(JsonSetter.Value.forContentNulls(Nulls.FAIL))
            .addMixIn(Site.class, AsArray.class)
            .build();

    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    private interface AsArray {

        @JsonSetter(nulls = Nulls.AS_EMPTY) // also if they are missing, unlike anything else
        List<String> callers();
    }

    private record Content(String format, int version, List<RecordedJvm> jvms, Dropped dropped, List<Site> sites,
                           List<long[]> others, List<String> columns, List<long[]> rows) {}

    private HistogramReader() {}

    /**
     * {@return the histogram in {@code file}}
     *
     * @throws DataFormatException if the file is damaged, empty, of another format or version; the message says which
     */
    public static Histogram read(Path file) throws IOException, DataFormatException {
        try (InputStream stream = Files.newInputStream(file)) {
            Content content = JSON.readValue(stream, Content.class);
            if (content != null && content.format.equals(Histogram.FORMAT) && content.version == Histogram.VERSION) {
                return histogram(content);
            }
            throw new DataFormatException(fault(file, "format"));
        } catch (JsonProcessingException e) {
            throw new DataFormatException(fault(file, e instanceof JsonMappingException mapping && !mapping.getPath().isEmpty()
                    ? mapping.getPath().getFirst().getFieldName() : "format"));
        }
    }

    /**
     * {@return why the file is no histogram} Other files may be of any size, so this one is not kept.
     *
     * @param name of the field that is damaged if the file is whole, of this format and of this version
     */
    private static String fault(Path file, String name) throws IOException {
        Map<String, String> values = new HashMap<>();
        try (JsonParser parser = JSON.createParser(file.toFile())) {
            if (parser.nextToken() == null) {
                return "is empty";
            }
            boolean object = parser.isExpectedStartObjectToken();
            for (String field; object && (field = parser.nextFieldName()) != null; ) {
                String quote = parser.nextToken() == JsonToken.VALUE_STRING ? "\"" : "";
                if (List.of("format", "version").contains(field)) {
                    values.put(field, quote + parser.getText() + quote);
                }
                parser.skipChildren();
            }
            parser.skipChildren();
            if (parser.nextToken() != null) {
                return "is not whole JSON: line " + parser.currentTokenLocation().getLineNr();
            }
        } catch (JsonProcessingException e) {
            return "is not whole JSON: line " + (e.getLocation() == null ? 1 : e.getLocation().getLineNr());
        }
        String format = '"' + Histogram.FORMAT + '"';
        return !format.equals(values.get("format")) ? "is not a " + format
                : values.get("version") == null ? damaged("version")
                : !Integer.toString(Histogram.VERSION).equals(values.get("version"))
                ? "has version " + values.get("version") + "; this tool reads version " + Histogram.VERSION : damaged(name);
    }

    private static Histogram histogram(Content content) throws DataFormatException {
        Dropped dropped = content.dropped;
        require(content.columns.equals(HistogramWriter.COLUMNS), "columns");
        require(content.jvms.stream().allMatch(jvm -> jvm.pid() >= 0 && jvm.sites() >= 0 && jvm.cpuMillis() >= 0)
                && content.jvms.stream().map(RecordedJvm::id).distinct().count() == content.jvms.size(), "jvms");
        require(LongStream.of(dropped.arenas(), dropped.sites(), dropped.rounded(), dropped.failures())
                .allMatch(n -> n >= 0), "dropped");
        Map<Shape, Tally> rows = new HashMap<>();
        for (long[] row : content.rows) {
            addRow(rows, row, content.sites);
        }
        Map<OtherArenas, Long> others = new HashMap<>();
        OtherArenas.Kind[] kinds = OtherArenas.Kind.values();
        for (long[] n : content.others) {
            require(n.length == 3 && n[0] >= -1 && n[0] < content.sites.size() && n[1] >= 0 && n[1] < kinds.length && n[2] > 0,
                    "others");
            others.merge(new OtherArenas(kinds[(int) n[1]], site(n[0], content.sites)), n[2], Tally::add);
        }
        return new Histogram(content.jvms, rows, dropped, others);
    }

    private static void addRow(Map<Shape, Tally> rows, long[] n, List<Site> sites) throws DataFormatException {
        require(n.length == HistogramWriter.COLUMNS.size() && n[0] >= -1 && n[0] < sites.size()
                && Arrays.stream(n).skip(1).min().getAsLong() >= 0 && n[1] < 2 && n[2] < Closing.values().length
                && Arrays.stream(n, 3, 6).max().getAsLong() <= Integer.MAX_VALUE && n[11] < 2 && n[12] > 0, "rows");
        Shape shape = new Shape(site(n[0], sites), n[1] == 1, Closing.values()[(int) n[2]],
                (int) n[3], (int) n[4], (int) n[5], n[6], n[7], n[8], n[9], n[10], n[11] == 1);
        rows.merge(shape, new Tally(n[12], n[13], n[14]), Tally::plus);
    }

    private static Site site(long index, List<Site> sites) {
        return index < 0 ? null : sites.get((int) index);
    }

    private static void require(boolean condition, String name) throws DataFormatException {
        if (!condition) {
            throw new DataFormatException(damaged(name));
        }
    }

    private static String damaged(String name) {
        return "is damaged: \"" + name + "\" is missing or is not what it should be";
    }
}
