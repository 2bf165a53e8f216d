/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import module java.base;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.csv.*;
import pooledarena.model.Costs;
import pooledarena.model.PoolModel;
import pooledarena.scan.Opening.ClosingPaths;
import pooledarena.text.*;

/** What was found in libraries: a document with the totals, a line of CSV for each opening, and all of it as JSON. */
final class ScanReport {

    /** The most bytes of a slot, if no other size is set. */
    private static final long SLOT = PoolModel.DEFAULT_SIZE;

    static final String FORMAT = "pooled-confined-arena scan, version 4";

    /** Up to which sizes shares are told: 64 is a slot of OpenJDK 28 early access, and {@link #SLOT} of ours. */
    private static final long[] LIMITS = {0, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, SLOT, 65536};

    private final List<LibraryScan> scans;
    private final Costs costs;
    private final List<Opening> openings;
    private final List<Allocation> allocations;
    private final List<Long> constants;

    ScanReport(List<LibraryScan> scans, Costs costs) {
        this.scans = scans;
        this.costs = costs;
        openings = scans.stream().flatMap(scan -> scan.openings().stream()).toList();
        allocations = openings.stream().flatMap(opening -> opening.allocations().stream()).toList();
        constants = allocations.stream().map(Allocation::bytes).filter(Objects::nonNull).toList();
    }

    Document document() {
        Document document = new Document("Confined arenas in bytecode").table(libraries()).table(kinds());
        if (openings.isEmpty()) {
            document.paragraph("No confined arena is opened by a call in the bytecode; one opened by reflection is not seen.");
        } else {
            document.heading("Sizes").paragraph("An arena's bytes are how large a slot must be for all its allocations in "
                    + "view, with the gaps that alignment leaves between them. "
                    + "Shares are of the sizes that are known.").table(sizes());
        }
        List<Workaround> workarounds = scans.stream().flatMap(scan -> scan.workarounds().stream()).toList();
        return workarounds.isEmpty() ? document : document.heading("Possible workarounds").paragraph("These sites may "
                + "avoid the cost of confined arenas. The times are those of opening, allocating and closing one, from "
                + costs.source() + ".").table(workarounds(workarounds));
    }

    private Table libraries() {
        Table table = new Table("library", "classes", "with FFM", "opens", "structured", "leaks on exc.", "escapes",
                "leaks", "allocates", "constant", "<= 64 B", "<= " + Figures.bytes(SLOT));
        List<LibraryScan> foreign = scans.stream().filter(scan -> scan.foreignClasses() > 0).toList();
        foreign.forEach(scan -> table.add(new ScanReport(List.of(scan), costs).totals(scan.name())));
        table.add(totals(foreign.size() + " of " + scans.size()));
        return table;
    }

    private Object[] totals(String name) {
        return new Object[] {name, scans.stream().mapToInt(LibraryScan::classes).sum(),
                scans.stream().mapToInt(LibraryScan::foreignClasses).sum(), openings.size(), closed(ClosingPaths.STRUCTURED),
                closed(ClosingPaths.LEAKS_ON_EXCEPTION), closed(ClosingPaths.ESCAPES), closed(ClosingPaths.LEAKS),
                allocations.size(), constants.size(), upTo(64, constants), upTo(SLOT, constants)};
    }

    private long closed(ClosingPaths closing) {
        return openings.stream().filter(opening -> opening.closing() == closing).count();
    }

    private static long upTo(long limit, List<Long> sizes) {
        return sizes.stream().filter(size -> size <= limit).count();
    }

    private static String words(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private Table kinds() {
        Table table = new Table("what opens or allocates", "sites", "share");
        table.add("opens: ofConfined", openings.size(), "");
        scans.stream().flatMap(scan -> scan.otherArenas().entrySet().stream())
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, Integer::sum, TreeMap::new))
                .forEach((method, count) -> table.add("opens: " + method, count, ""));
        count(table, openings, (opening, kinds) -> {
            kinds.accept("closing: " + words(opening.closing()));
            opening.escapes().forEach(escape -> kinds.accept("escape: " + words(escape)));
            if (opening.nesting() > 0) {
                kinds.accept("nested in another of the same method");
            }
        });
        count(table, allocations, (allocation, kinds) -> {
            kinds.accept("allocates " + allocation.kind());
            if (allocation.repeated()) {
                kinds.accept("allocates more than once, perhaps");
            }
        });
        return table;
    }

    private static <T> void count(Table table, List<T> all, BiConsumer<T, Consumer<String>> kinds) {
        all.stream().mapMulti(kinds).collect(Collectors.groupingBy(kind -> kind, TreeMap::new, Collectors.counting()))
                .forEach((kind, count) -> table.add(kind, count, Figures.percent(count, all.size())));
    }

    private Table sizes() {
        List<Long> bounds = openings.stream().map(Opening::mostBytes).filter(Objects::nonNull).toList();
        Table table = new Table("bytes", "allocations", "share", "arenas", "share");
        for (long limit : LIMITS) {
            long few = upTo(limit, constants);
            long small = upTo(limit, bounds);
            table.add("<= " + limit, few, Figures.percent(few, constants.size()), small, Figures.percent(small, bounds.size()));
        }
        table.add("known", constants.size(), "", bounds.size(), "");
        table.add("not known", allocations.size() - constants.size(), "", openings.size() - bounds.size(), "");
        return table;
    }

    private Table workarounds(List<Workaround> workarounds) {
        Table table = new Table("site", "workaround", "bytes", "try-with-resources on the image", "on the stock JDK");
        for (Workaround workaround : workarounds) {
            Long size = workaround.bytes() == null ? null : costs.pooled().one().ceilingKey(workaround.bytes());
            table.add("`" + workaround.site() + "`", workaround.kind(), workaround.bytes(),
                    // Slots of the default size hold no more, although the costs have larger ones.
                    size == null ? null : Figures.time(size > SLOT ? costs.stock().arena(1, size)
                            : costs.pooled().one().get(size)) + " for " + size + " B",
                    size == null ? null : Figures.time(costs.stock().arena(1, size)));
        }
        return table;
    }

    /** {@return a line for each opening, after a header} */
    byte[] csv() throws IOException {
        CsvSchema columns = CsvSchema.builder().addColumns(List.of("library", "opened at", "closing", "escapes", "nesting",
                "allocations", "most bytes"), CsvSchema.ColumnType.STRING).build().withHeader();
        return new CsvMapper().enable(CsvGenerator.Feature.STRICT_CHECK_FOR_QUOTING).writer(columns)
                .writeValueAsBytes(scans.stream().flatMap(scan -> scan.openings().stream().map(opening -> Arrays.asList(scan.name(),
                        opening.site(), words(opening.closing()), join(opening.escapes(), ScanReport::words), opening.nesting(),
                        join(opening.allocations(), ScanReport::brief), opening.mostBytes()))).toList());
    }

    private static <T> String join(Collection<T> all, Function<T, String> text) {
        return all.stream().map(text).collect(Collectors.joining("; "));
    }

    private static String brief(Allocation allocation) {
        return (allocation.repeated() ? "repeatedly " : "") + Objects.toString(allocation.bytes(), "?") + " B"
                + (allocation.layout() == null ? "" : " " + allocation.layout());
    }

    Map<String, byte[]> files() throws IOException {
        String json = new ObjectMapper().createObjectNode().put("format", FORMAT).put("java", Runtime.version().toString())
                .putPOJO("libraries", scans).toPrettyString() + "\n";
        return Map.of("openings.csv", csv(), "scan.json", json.getBytes(StandardCharsets.UTF_8));
    }
}
