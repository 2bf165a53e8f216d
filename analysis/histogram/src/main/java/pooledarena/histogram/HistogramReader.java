/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.histogram;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

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
            Jvm jvm = new Jvm(text(node, "host"), number(node.path("pid"), "pid"), text(node, "started"),
                    text(node, "written"), flag(node, "finished"), flag(node, "attached"),
                    integer(node.path("sites"), "sites"), text(node, "java"), text(node, "program"));
            require(ids.add(jvm.id()), "jvms");
            jvms.add(jvm);
        }
        return jvms;
    }

    private static Dropped dropped(JsonNode node) throws BadHistogram {
        return new Dropped(number(node.path("arenas"), "dropped"), number(node.path("sites"), "dropped"),
                number(node.path("rounded"), "dropped"), number(node.path("failures"), "dropped"));
    }

    private static List<Site> sites(JsonNode array) throws BadHistogram {
        List<Site> sites = new ArrayList<>();
        for (JsonNode node : array) {
            require(node.size() == 4 && node.get(0).isTextual() && node.get(1).isTextual() && node.get(2).isInt(), "sites");
            sites.add(new Site(node.get(0).textValue(), node.get(1).textValue(), node.get(2).intValue(),
                    index(node.get(3), 2) == 1));
        }
        return sites;
    }

    private static Map<Shape, Tally> rows(JsonNode array, List<Site> sites) throws BadHistogram {
        Map<Shape, Tally> rows = new HashMap<>();
        for (JsonNode node : array) {
            require(node.isArray() && (node.size() == FIELDS || node.size() == FIELDS + 1), "rows");
            int site = node.get(0).isInt() && node.get(0).intValue() == -1 ? -1 : index(node.get(0), sites.size());
            Shape shape = new Shape(site < 0 ? null : sites.get(site), index(node.get(1), 2) == 1,
                    Closing.values()[index(node.get(2), Closing.values().length)],
                    index(node.get(3), Histogram.LIFETIMES.size()), integer(node.get(4), "rows"), integer(node.get(5), "rows"),
                    number(node.get(6), "rows"), number(node.get(7), "rows"), number(node.get(8), "rows"),
                    number(node.get(9), "rows"), number(node.get(10), "rows"), number(node.get(11), "rows"),
                    index(node.get(12), 2) == 1);
            Tally tally = new Tally(number(node.get(13), "rows"), number(node.get(14), "rows"), number(node.get(15), "rows"),
                    node.size() > FIELDS ? served(node.get(FIELDS)) : null);
            require(tally.arenas() > 0, "rows");
            require((tally.served() != null) == shape.servedInPart(), "rows");
            require(tally.served() == null || tally.served()[SlotReplay.SIZES - 1] <= tally.bytes(), "rows");
            require(rows.put(shape, tally) == null, "rows");
        }
        return rows;
    }

    private static long[] served(JsonNode array) throws BadHistogram {
        require(array.isArray() && array.size() == SlotReplay.SIZES, "rows");
        long[] served = new long[SlotReplay.SIZES];
        for (int i = 0; i < served.length; i++) {
            served[i] = number(array.get(i), "rows");
            require(i == 0 || served[i] >= served[i - 1], "rows"); // what a slot serves, larger ones do
        }
        return served;
    }

    private static void constants(JsonNode root, String name, List<String> expected) throws BadHistogram {
        List<String> found = new ArrayList<>();
        root.path(name).forEach(node -> found.add(node.asText()));
        require(found.equals(expected), name);
    }

    private static JsonNode array(JsonNode root, String name) throws BadHistogram {
        require(root.path(name).isArray(), name);
        return root.path(name);
    }

    private static String text(JsonNode node, String name) throws BadHistogram {
        require(node.path(name).isTextual(), name);
        return node.path(name).textValue();
    }

    private static boolean flag(JsonNode node, String name) throws BadHistogram {
        require(node.path(name).isBoolean(), name);
        return node.path(name).booleanValue();
    }

    private static long number(JsonNode node, String name) throws BadHistogram {
        require(node.canConvertToLong() && node.isIntegralNumber() && node.longValue() >= 0, name);
        return node.longValue();
    }

    private static int integer(JsonNode node, String name) throws BadHistogram {
        long number = number(node, name);
        require(number <= Integer.MAX_VALUE, name);
        return (int) number;
    }

    private static int index(JsonNode node, int limit) throws BadHistogram {
        int index = integer(node, "rows");
        require(index < limit, "rows");
        return index;
    }

    private static void require(boolean condition, String name) throws BadHistogram {
        if (!condition) {
            throw new BadHistogram("is damaged: \"" + name + "\" is missing or is not what it should be");
        }
    }
}
