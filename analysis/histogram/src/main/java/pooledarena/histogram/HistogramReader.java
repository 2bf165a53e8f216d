/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.histogram;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import module java.base;

/** Reads what {@link HistogramWriter} writes. */
public final class HistogramReader {

    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    /** The number of fields that each row has. */
    private static final int FIELDS = HistogramWriter.COLUMNS.size() - 1;

    private HistogramReader() {}

    /**
     * {@return the histogram in {@code file}}
     *
     * @throws BadHistogram if the file is damaged, empty, of another format or of another version
     */
    public static Histogram read(Path file) throws IOException, BadHistogram {
        return read(Files.readAllBytes(file));
    }

    /** {@return the histogram that {@code bytes} are} */
    static Histogram read(byte[] bytes) throws IOException, BadHistogram {
        if (bytes.length == 0) {
            throw new BadHistogram("is empty");
        }
        JsonNode root;
        try {
            root = JSON.readTree(bytes);
        } catch (JsonProcessingException e) {
            throw new BadHistogram("is not whole JSON: line " + (e.getLocation() == null ? 1 : e.getLocation().getLineNr()));
        }
        if (!root.path("format").asText().equals(Histogram.FORMAT)) {
            throw new BadHistogram("is not a \"" + Histogram.FORMAT + "\"");
        }
        JsonNode version = root.path("version");
        require(version.isInt(), "version");
        if (version.intValue() != Histogram.VERSION) {
            throw new BadHistogram("has version " + version + "; this tool reads version " + Histogram.VERSION);
        }
        constants(root, "columns", HistogramWriter.COLUMNS);
        constants(root, "lifetimes", Histogram.LIFETIMES);
        return new Histogram(jvms(array(root, "jvms")), rows(array(root, "rows"), sites(array(root, "sites"))),
                dropped(root.path("dropped")));
    }

    private static List<Jvm> jvms(JsonNode array) throws BadHistogram {
        List<Jvm> jvms = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        for (JsonNode node : array) {
            long pid = field(node, "pid", HistogramReader::isNumber).longValue();
            int sites = field(node, "sites", HistogramReader::isIndex).intValue();
            Jvm jvm = new Jvm(text(node, "host"), pid, text(node, "started"), text(node, "written"), flag(node, "finished"),
                    flag(node, "attached"), sites, text(node, "java"), text(node, "program"));
            require(ids.add(jvm.id()), "jvms");
            jvms.add(jvm);
        }
        return jvms;
    }

    private static Dropped dropped(JsonNode node) throws BadHistogram {
        List<JsonNode> numbers = List.of(node.path("arenas"), node.path("sites"), node.path("rounded"), node.path("failures"));
        require(numbers.stream().allMatch(HistogramReader::isNumber), "dropped");
        return new Dropped(numbers.get(0).longValue(), numbers.get(1).longValue(), numbers.get(2).longValue(),
                numbers.get(3).longValue());
    }

    private static List<Site> sites(JsonNode array) throws BadHistogram {
        List<Site> sites = new ArrayList<>();
        for (JsonNode node : array) {
            require(node.size() == 4 && node.get(0).isTextual() && node.get(1).isTextual() && node.get(2).isInt()
                    && (node.get(3).asInt(-1) | 1) == 1, "sites");
            sites.add(new Site(node.get(0).textValue(), node.get(1).textValue(), node.get(2).intValue(),
                    node.get(3).intValue() == 1));
        }
        return sites;
    }

    private static Map<Shape, Tally> rows(JsonNode array, List<Site> sites) throws BadHistogram {
        Map<Shape, Tally> rows = new HashMap<>();
        for (JsonNode node : array) {
            require(node.isArray() && (node.size() == FIELDS || node.size() == FIELDS + 1), "rows");
            long[] n = numbers(node, FIELDS, -1);
            require(n[0] < sites.size() && n[1] < 2 && n[2] < Closing.values().length && n[3] < Histogram.LIFETIMES.size()
                    && n[4] <= Integer.MAX_VALUE && n[5] <= Integer.MAX_VALUE && n[12] < 2 && n[13] > 0, "rows");
            Shape shape = new Shape(n[0] < 0 ? null : sites.get((int) n[0]), n[1] == 1, Closing.values()[(int) n[2]], (int) n[3],
                    (int) n[4], (int) n[5], n[6], n[7], n[8], n[9], n[10], n[11], n[12] == 1);
            long[] served = null;
            if (shape.servedInPart()) {
                require(node.path(FIELDS).size() == SlotReplay.SIZES, "rows");
                served = numbers(node.get(FIELDS), SlotReplay.SIZES, 0);
                for (int i = 1; i < served.length; i++) {
                    require(served[i] >= served[i - 1], "rows"); // what a slot serves, larger ones do
                }
                require(served[SlotReplay.SIZES - 1] <= n[14], "rows");
            }
            require(node.has(FIELDS) == shape.servedInPart(), "rows");
            require(rows.put(shape, new Tally(n[13], n[14], n[15], served)) == null, "rows");
        }
        return rows;
    }

    /** {@return the first elements of an array: none is negative, but the very first may be {@code least}} */
    private static long[] numbers(JsonNode array, int count, int least) throws BadHistogram {
        long[] numbers = new long[count];
        for (int i = 0; i < count; i++) {
            JsonNode node = array.get(i);
            require(isNumber(node) || i == 0 && node.isInt() && node.intValue() == least, "rows");
            numbers[i] = node.longValue();
        }
        return numbers;
    }

    private static void constants(JsonNode root, String name, List<String> expected) throws BadHistogram {
        List<String> found = new ArrayList<>();
        root.path(name).forEach(node -> found.add(node.asText()));
        require(found.equals(expected), name);
    }

    private static JsonNode field(JsonNode node, String name, Predicate<JsonNode> kind) throws BadHistogram {
        require(kind.test(node.path(name)), name);
        return node.path(name);
    }

    private static JsonNode array(JsonNode node, String name) throws BadHistogram {
        return field(node, name, JsonNode::isArray);
    }

    private static String text(JsonNode node, String name) throws BadHistogram {
        return field(node, name, JsonNode::isTextual).textValue();
    }

    private static boolean flag(JsonNode node, String name) throws BadHistogram {
        return field(node, name, JsonNode::isBoolean).booleanValue();
    }

    private static boolean isNumber(JsonNode node) {
        return node.isIntegralNumber() && node.canConvertToLong() && node.longValue() >= 0;
    }

    private static boolean isIndex(JsonNode node) {
        return isNumber(node) && node.canConvertToInt();
    }

    private static void require(boolean condition, String name) throws BadHistogram {
        if (!condition) {
            throw new BadHistogram("is damaged: \"" + name + "\" is missing or is not what it should be");
        }
    }
}
