/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import module java.base;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import pooledarena.scan.Opening.Closing;
import pooledarena.text.DocumentedTimes;
import pooledarena.text.Figures;
import pooledarena.text.Table;

import static java.nio.charset.StandardCharsets.UTF_8;

/** What was found in libraries, as text for the terminal, as CSV and as JSON. */
final class ScanReport {

    static final String FORMAT = "pooled-confined-arena scan, version 4";

    /** The limits of the classes of sizes; the fifth is a slot of OpenJDK 28 early access, 8192 one of ours. */
    private static final long[] LIMITS = {0, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 65536, Long.MAX_VALUE};

    /** The root of the JSON file. */
    private record Json(String format, String java, List<LibraryScan> libraries) {}

    private final List<LibraryScan> scans;
    private final DocumentedTimes times;
    private final List<Opening> openings;
    private final List<Allocation> allocations;
    private final List<Workaround> workarounds;
    /** The constant sizes of allocations. */
    private final List<Long> constants;

    ScanReport(List<LibraryScan> scans, DocumentedTimes times) {
        this.scans = scans;
        this.times = times;
        openings = scans.stream().flatMap(scan -> scan.openings().stream()).toList();
        allocations = openings.stream().flatMap(opening -> opening.allocations().stream()).toList();
        workarounds = scans.stream().flatMap(scan -> scan.workarounds().stream()).toList();
        constants = allocations.stream().map(Allocation::bytes).filter(Objects::nonNull).toList();
    }

    String text() {
        return Stream.of(libraries(), uses(), shares(), openings.isEmpty() ? "" : sizes(),
                        workarounds.isEmpty() ? "" : workarounds())
                .filter(part -> !part.isEmpty()).collect(Collectors.joining("\n"));
    }

    private String libraries() {
        Table table = new Table(List.of("library", "classes", "with FFM", "opens", "structured", "leaks on exc.", "escapes",
                "leaks", "allocates", "constant", "<= 64 B", "<= 8 KiB"));
        scans.stream().filter(scan -> scan.foreignClasses() > 0)
                .forEach(scan -> table.add(new ScanReport(List.of(scan), times).totals(scan.name())));
        table.add(totals("all"));
        return table.toText();
    }

    private List<String> totals(String name) {
        return cells(name, scans.stream().mapToInt(LibraryScan::classes).sum(),
                scans.stream().mapToInt(LibraryScan::foreignClasses).sum(), openings.size(), closed(Closing.STRUCTURED),
                closed(Closing.LEAKS_ON_EXCEPTION), closed(Closing.ESCAPES), closed(Closing.LEAKS),
                allocations.size(), constants.size(), between(constants, -1, 64), between(constants, -1, 8192));
    }

    private static List<String> cells(Object... values) {
        return Stream.of(values).map(value -> Objects.toString(value, "?")).toList();
    }

    private long closed(Closing closing) {
        return openings.stream().filter(opening -> opening.closing() == closing).count();
    }

    /** {@return how many of the sizes are more than {@code above} and at most {@code upTo} bytes} */
    private static long between(List<Long> sizes, long above, long upTo) {
        return sizes.stream().filter(size -> size > above && size <= upTo).count();
    }

    private static <K> SortedMap<K, Long> count(Stream<K> all) {
        return all.collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
    }

    private static String words(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static <T> String join(Collection<T> all, String separator, Function<T, ?> text) {
        return all.stream().map(text).map(String::valueOf).collect(Collectors.joining(separator));
    }

    private static String join(Map<String, ? extends Number> counts) {
        return join(counts.entrySet(), ", ", count -> count.getValue() + " " + count.getKey());
    }

    private String uses() {
        SortedMap<String, Integer> others = scans.stream().flatMap(scan -> scan.otherArenas().entrySet().stream())
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, Integer::sum, TreeMap::new));
        return "%d of %d libraries use the Foreign Function & Memory API; other arenas: %s%n".formatted(
                scans.stream().filter(scan -> scan.foreignClasses() > 0).count(), scans.size(),
                others.isEmpty() ? "none" : join(others));
    }

    /** {@return how many arenas are closed and escape in each of the ways, and what is allocated from them} */
    private String shares() {
        if (openings.isEmpty()) {
            return "No confined arena is opened by a call in the bytecode; one opened by reflection is not seen\n";
        }
        Table table = new Table(List.of("what opens or allocates", "places", "share"));
        shares(table, "closing: ", openings, opening -> List.of(words(opening.closing())));
        shares(table, "escape: ", openings, opening -> opening.escapes().stream().map(ScanReport::words).toList());
        shares(table, "opened in ", openings,
                opening -> opening.nesting() == 0 ? List.of() : List.of("another of the same method"));
        shares(table, "allocates ", allocations, allocation -> List.of(allocation.kind()));
        shares(table, "allocates ", allocations,
                allocation -> allocation.repeated() ? List.of("more than once, perhaps") : List.of());
        return table.toText();
    }

    private static <T> void shares(Table table, String what, List<T> all, Function<T, List<String>> kinds) {
        count(all.stream().flatMap(each -> kinds.apply(each).stream()))
                .forEach((kind, count) -> table.add(cells(what + kind, count, percent(count, all))));
    }

    private String sizes() {
        List<Long> bounds = openings.stream().map(Opening::mostBytes).filter(Objects::nonNull).toList();
        Table table = new Table(List.of("bytes", "allocations", "share", "up to here", "arenas", "share", "up to here"));
        long lower = -1;
        for (long limit : LIMITS) {
            List<String> line = new ArrayList<>();
            line.add(limit == 0 ? "0" : limit == Long.MAX_VALUE ? "> " + lower : "<= " + limit);
            for (List<Long> sizes : List.of(constants, bounds)) {
                long count = between(sizes, lower, limit);
                line.addAll(cells(count, percent(count, sizes), percent(between(sizes, -1, limit), sizes)));
            }
            table.add(line);
            lower = limit;
        }
        table.add(cells("not known", allocations.size() - constants.size(), "", "", openings.size() - bounds.size(), "", ""));
        return table.toText() + """
                Shares are of the sizes that are known. An arena's bytes are the most that all allocations in view add up to.
                """;
    }

    /** {@return what avoids confined arenas, and what one of the same size would cost} */
    private String workarounds() {
        Table table = new Table(List.of("place", "workaround", "bytes", "try-with-resources on the image", "on the stock JDK"));
        for (Workaround workaround : workarounds) {
            var cost = workaround.bytes() == null ? null : times.atLeast(workaround.bytes());
            table.add(cells(workaround.place(), workaround.kind(), workaround.bytes(),
                    cost == null ? null : Figures.time(cost.getValue().pooled()) + " for " + cost.getKey() + " B",
                    cost == null ? null : Figures.time(cost.getValue().stock())));
        }
        return workarounds.size() + " places may be workarounds for the cost of confined arenas: "
                + join(count(workarounds.stream().map(Workaround::kind))) + "\n" + table.toText()
                + "The cost is that of opening, allocating and closing, from " + DocumentedTimes.SOURCE + ".\n";
    }

    private static String percent(long count, List<?> of) {
        return of.isEmpty() ? "-" : String.format("%.1f %%", 100.0 * count / of.size());
    }

    /** {@return a line for each opening, after a header, as in RFC 4180 but for the line ends} */
    String csv() {
        return "library,opened at,closing,escapes,nesting,allocations,most bytes\n"
                + join(scans, "", scan -> join(scan.openings(), "", opening -> String.join(",",
                        cell(scan.name()), opening.place(), words(opening.closing()),
                        join(opening.escapes(), "; ", ScanReport::words), String.valueOf(opening.nesting()),
                        cell(join(opening.allocations(), "; ", ScanReport::brief)),
                        Objects.toString(opening.mostBytes(), "")) + "\n"));
    }

    private static String brief(Allocation allocation) {
        return (allocation.repeated() ? "repeatedly " : "") + Objects.toString(allocation.bytes(), "?") + " B"
                + (allocation.layout() == null ? "" : " " + allocation.layout());
    }

    private static String cell(String text) {
        return text.matches("[^\",\\r\\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
    }

    /** {@return the contents of the files to write, by their names} */
    Map<String, byte[]> files() throws IOException {
        ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
        String json = mapper.writeValueAsString(new Json(FORMAT, Runtime.version().toString(), scans)) + "\n";
        return Map.of("scan.txt", text().getBytes(UTF_8), "openings.csv", csv().getBytes(UTF_8),
                "scan.json", json.getBytes(UTF_8));
    }
}
