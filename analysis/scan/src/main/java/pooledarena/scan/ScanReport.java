/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import pooledarena.scan.Opening.Closing;
import pooledarena.text.DocumentedTimes;
import pooledarena.text.Figures;
import pooledarena.text.Table;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;

/** What was found in all libraries, as text for the terminal, as CSV and as JSON. */
final class ScanReport {

    static final String FORMAT = "pooled-confined-arena scan, version 2";

    /** The limits of the classes of sizes; the fifth is a slot of OpenJDK 28 early access, 8192 one of ours. */
    private static final long[] LIMITS = {0, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 65536, Long.MAX_VALUE};

    /** The most faults of one library that the terminal shows; all are in the JSON file. */
    private static final int MAX_FAULTS = 3;

    /** The most workarounds that the terminal names; all are in the JSON file. */
    private static final int MAX_WORKAROUNDS = 20;

    /** The root of the JSON file. */
    private record Json(String format, String java, Totals totals, List<LibraryScan> libraries) {}

    private final List<LibraryScan> scans;
    private final Totals totals;
    private final DocumentedTimes times;

    ScanReport(List<LibraryScan> scans, DocumentedTimes times) {
        this.times = times;
        this.scans = scans;
        totals = Totals.of(scans);
    }

    /** {@return a line for each fault, not too many of one library} */
    List<String> faults() {
        return scans.stream().flatMap(scan -> {
            int more = scan.faults().size() - MAX_FAULTS;
            Stream<String> rest = more > 0 ? Stream.of("and " + more + " more like these") : Stream.of();
            return Stream.concat(scan.faults().stream().limit(MAX_FAULTS), rest).map(fault -> scan.name() + ": " + fault);
        }).toList();
    }

    String text() {
        return Stream.of(libraries(), summary(), totals.openings() > 0 ? sizes() : "", workarounds())
                .filter(part -> !part.isEmpty()).collect(Collectors.joining("\n"));
    }

    private String libraries() {
        Table table = new Table(List.of("library", "classes", "with FFM", "opens", "structured", "leaks on exc.", "escapes",
                "leaks", "allocates", "constant", "<= 64 B", "<= 8 KiB"));
        scans.stream().filter(scan -> scan.foreignClasses() > 0).forEach(scan -> table.add(line(scan.name(), List.of(scan))));
        table.add(line("all", scans));
        return table.toText();
    }

    private static List<String> line(String name, List<LibraryScan> scans) {
        Totals totals = Totals.of(scans);
        return cells(name, scans.stream().mapToInt(LibraryScan::classes).sum(),
                scans.stream().mapToInt(LibraryScan::foreignClasses).sum(), totals.openings(),
                totals.closed(Closing.STRUCTURED), totals.closed(Closing.LEAKS_ON_EXCEPTION), totals.closed(Closing.ESCAPES),
                totals.closed(Closing.SOMETIMES) + totals.closed(Closing.NEVER), totals.allocations(), totals.constantSizes(),
                Totals.between(totals.constants(), -1, 64), Totals.between(totals.constants(), -1, 8192));
    }

    private static List<String> cells(Object... values) {
        return Stream.of(values).map(Object::toString).toList();
    }

    private String summary() {
        int openings = totals.openings();
        String uses = "%d of %d libraries use the Foreign Function & Memory API; other arenas: %s%n".formatted(
                totals.foreignLibraries(), totals.libraries(), counts(totals.otherArenas(), "none"));
        if (openings == 0) {
            return uses + "No confined arena is opened by a call in the bytecode; one opened by reflection is not seen\n";
        }
        return uses + """
                %d places open a confined arena: %s
                What else has the arena: %s
                %s are opened while another of the same method is open
                %d places allocate, %s of them possibly more than once from one arena; %s allocate a constant size
                """.formatted(openings,
                join(Stream.of(Closing.values()), ", ", closing -> share(totals.closed(closing), openings) + " " + closing.text),
                totals.escapes().isEmpty() ? "nothing" : join(totals.escapes().entrySet().stream(), ", ",
                        escape -> share(escape.getValue(), openings) + " " + escape.getKey().text),
                share(totals.nested(), openings), totals.allocations(), share(totals.repeated(), totals.allocations()),
                share(totals.constantSizes(), totals.allocations()))
                + (totals.unknown().isEmpty() ? "" : "The others allocate: " + counts(totals.unknown(), "") + "\n");
    }

    private static <T> String join(Stream<T> all, String separator, Function<T, String> text) {
        return all.map(text).collect(Collectors.joining(separator));
    }

    private static String counts(Map<?, Integer> counts, String none) {
        return counts.isEmpty() ? none : join(counts.entrySet().stream(), ", ", count -> count.getValue() + " " + count.getKey());
    }

    private String sizes() {
        Table table = new Table(List.of("bytes", "allocations", "share", "up to here", "arenas", "share", "up to here"));
        for (int i = 0; i < LIMITS.length; i++) {
            long lower = i == 0 ? -1 : LIMITS[i - 1];
            long limit = LIMITS[i];
            String bytes = limit == 0 ? "0" : limit == Long.MAX_VALUE ? "> " + lower : "<= " + limit;
            table.add(Stream.concat(Stream.of(bytes), Stream.of(totals.constants(), totals.mostBytes()).flatMap(sizes -> {
                int all = Totals.between(sizes, -1, Long.MAX_VALUE);
                int count = Totals.between(sizes, lower, limit);
                return Stream.of(String.valueOf(count), percent(count, all), percent(Totals.between(sizes, -1, limit), all));
            })).toList());
        }
        table.add(cells("not known", totals.allocations() - totals.constantSizes(), "", "", totals.withoutBound(), "", ""));
        return table.toText() + """
                Shares are of the sizes that are known. An arena's bytes are the most that all allocations in view add up to.
                """;
    }

    /** {@return what avoids confined arenas, and what one of the same size would cost} */
    private String workarounds() {
        List<Workaround> all = scans.stream().flatMap(scan -> scan.workarounds().stream()).toList();
        if (all.isEmpty()) {
            return "";
        }
        Table table = new Table(List.of("place", "workaround", "bytes", "try-with-resources on the image", "on the stock JDK"));
        all.stream().limit(MAX_WORKAROUNDS).forEach(workaround -> {
            var cost = workaround.bytes() == null ? null : times.atLeast(workaround.bytes());
            table.add(cells(workaround.place(), workaround.kind().text, orUnknown(workaround.bytes()),
                    cost == null ? "?" : Figures.time(cost.getValue().pooled()) + " for " + cost.getKey() + " B",
                    cost == null ? "?" : Figures.time(cost.getValue().stock())));
        });
        return all.size() + " places may be workarounds for the cost of confined arenas: "
                + join(totals.workarounds().entrySet().stream(), ", ", kind -> kind.getValue() + " " + kind.getKey().text) + "\n"
                + table.toText()
                + (all.size() > MAX_WORKAROUNDS ? "and " + (all.size() - MAX_WORKAROUNDS) + " more; --list names all\n" : "")
                + "The cost is that of opening, allocating and closing, from " + DocumentedTimes.SOURCE + ".\n";
    }

    private static String share(int count, int of) {
        return of == 0 ? String.valueOf(count) : count + " (" + percent(count, of) + ")";
    }

    private static String percent(int count, int of) {
        return of == 0 ? "-" : String.format("%.1f %%", 100.0 * count / of);
    }

    /** {@return every opening in a line, with what is allocated, and every workaround} */
    String list() {
        return join(scans.stream(), "", scan -> join(scan.openings().stream(), "", opening -> "%s %s: %s%s; %s\n".formatted(
                        scan.name(), opening.place(), opening.closing().text,
                        opening.escapes().isEmpty() ? "" : " (" + escapes(opening, ", ") + ")",
                        opening.allocations().isEmpty() ? "allocates nothing in view"
                                : join(opening.allocations().stream(), ", ", ScanReport::brief)))
                + join(scan.workarounds().stream(), "", workaround -> "%s %s: %s; %s B\n".formatted(
                        scan.name(), workaround.place(), workaround.kind().text, orUnknown(workaround.bytes()))));
    }

    private static String escapes(Opening opening, String separator) {
        return join(opening.escapes().stream(), separator, escape -> escape.text);
    }

    private static String brief(Allocation allocation) {
        return (allocation.repeated() ? "repeatedly " : "") + orUnknown(allocation.bytes()) + " B"
                + (allocation.layout() == null ? "" : " " + allocation.layout());
    }

    private static Object orUnknown(Long bytes) {
        return bytes == null ? "?" : bytes;
    }

    /** {@return the contents of the files to write, by their names} */
    Map<String, byte[]> files() {
        return Map.of("scan.txt", text().getBytes(UTF_8), "openings.csv", openingsCsv(), "allocations.csv", allocationsCsv(),
                "scan.json", json());
    }

    /** {@return a line for each opening, after a header} */
    byte[] openingsCsv() {
        return csv("library,class,method,line,closing,escapes,passed to,nesting,allocations,of constant size,most bytes",
                scan -> scan.openings().stream().map(opening -> Stream.of(scan.name(), opening.place().type(),
                        opening.place().method(), opening.place().line(), opening.closing().text, escapes(opening, "; "),
                        String.join("; ", opening.passedTo()), opening.nesting(), opening.allocations().size(),
                        opening.allocations().stream().map(Allocation::bytes).filter(Objects::nonNull).count(),
                        opening.mostBytes())));
    }

    /** {@return a line for each allocation from an opening, after a header} */
    private byte[] allocationsCsv() {
        return csv("library,opened at,allocated at,method,bytes,alignment,layout,repeated",
                scan -> scan.openings().stream().flatMap(opening -> opening.allocations().stream()
                        .map(allocation -> Stream.of(scan.name(), opening.place(), allocation.place(), allocation.method(),
                                allocation.bytes(), allocation.alignment(), allocation.layout(), allocation.repeated()))));
    }

    /** Lines as RFC 4180 has them, but ended as on this project's other files. */
    private byte[] csv(String header, Function<LibraryScan, Stream<Stream<?>>> lines) {
        String all = join(scans.stream().flatMap(lines), "", line -> join(line, ",", ScanReport::cell) + "\n");
        return (header + "\n" + all).getBytes(UTF_8);
    }

    private static String cell(Object value) {
        String cell = Objects.toString(value, "");
        return cell.matches("[^\",\\r\\n]*") ? cell : '"' + cell.replace("\"", "\"\"") + '"';
    }

    private byte[] json() {
        try {
            Json json = new Json(FORMAT, Runtime.version().toString(), totals, scans);
            ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
            return mapper.writeValueAsString(json).concat("\n").getBytes(UTF_8);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
