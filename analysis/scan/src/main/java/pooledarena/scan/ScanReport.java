/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * DO NOT ALTER OR REMOVE COPYRIGHT NOTICES OR THIS FILE HEADER.
 *
 * This code is free software; you can redistribute it and/or modify it
 * under the terms of the GNU General Public License version 2 only, as
 * published by the Free Software Foundation.  The authors designate this
 * particular file as subject to the "Classpath" exception as provided
 * in the LICENSE file that accompanied this code.
 *
 * This code is distributed in the hope that it will be useful, but WITHOUT
 * ANY WARRANTY; without even the implied warranty of MERCHANTABILITY or
 * FITNESS FOR A PARTICULAR PURPOSE.  See the GNU General Public License
 * version 2 for more details (a copy is included in the LICENSE file that
 * accompanied this code).
 *
 * You should have received a copy of the GNU General Public License version
 * 2 along with this work; if not, write to the Free Software Foundation,
 * Inc., 51 Franklin St, Fifth Floor, Boston, MA 02110-1301 USA.
 */
package pooledarena.scan;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import pooledarena.text.Table;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;

/** What was found in all libraries, as text for the terminal, as CSV and as JSON. */
final class ScanReport {

    static final String FORMAT = "pooled-confined-arena scan, version 1";

    /** The limits of the classes of sizes; the fifth is a slot of OpenJDK 28 early access, 8192 one of ours. */
    private static final long[] LIMITS = {0, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 65536, Long.MAX_VALUE};

    /** The most faults of one library that are told in the terminal; all are in the JSON file. */
    private static final int MAX_FAULTS = 3;

    /** The root of the JSON file. */
    @JsonPropertyOrder({"format", "java", "totals", "libraries"})
    private record Json(String format, String java, Totals totals, List<LibraryScan> libraries) {}

    private final List<LibraryScan> scans;
    private final Totals totals;

    ScanReport(List<LibraryScan> scans) {
        this.scans = scans;
        totals = Totals.of(scans);
    }

    /** {@return a line for each fault, not too many of one library} */
    List<String> faults() {
        List<String> lines = new ArrayList<>();
        for (LibraryScan scan : scans) {
            scan.faults().stream().limit(MAX_FAULTS).forEach(fault -> lines.add(scan.name() + ": " + fault));
            if (scan.faults().size() > MAX_FAULTS) {
                lines.add(scan.name() + ": and " + (scan.faults().size() - MAX_FAULTS) + " more like these");
            }
        }
        return lines;
    }

    String text() {
        StringBuilder text = new StringBuilder(libraries());
        text.append('\n').append(summary());
        if (totals.openings() > 0) {
            text.append('\n').append(sizes());
        }
        return text.toString();
    }

    private String libraries() {
        Table table = new Table(List.of("library", "classes", "with FFM", "opens", "structural", "not on exc.", "escapes", "leaks",
                "allocates", "constant", "<= 64 B", "<= 8 KiB"));
        for (LibraryScan scan : scans) {
            if (scan.foreignClasses() > 0) {
                table.add(line(scan.name(), List.of(scan)));
            }
        }
        table.add(line("all", scans));
        return table.toText();
    }

    private static List<String> line(String name, List<LibraryScan> scans) {
        Totals totals = Totals.of(scans);
        return cells(name, scans.stream().mapToInt(LibraryScan::classes).sum(),
                scans.stream().mapToInt(LibraryScan::foreignClasses).sum(), totals.openings(),
                totals.closed(Closing.STRUCTURAL), totals.closed(Closing.NOT_ON_EXCEPTIONS), totals.closed(Closing.ESCAPES),
                totals.closed(Closing.SOMETIMES) + totals.closed(Closing.NEVER), totals.allocations(), totals.constantSizes(),
                Totals.between(totals.constants(), -1, 64), Totals.between(totals.constants(), -1, 8192));
    }

    private String summary() {
        StringBuilder text = new StringBuilder();
        line(text, "%d of %d libraries use the Foreign Function & Memory API; other arenas: %s", totals.foreignLibraries(),
                totals.libraries(), counts(totals.otherArenas()));
        if (totals.openings() == 0) {
            line(text, "No confined arena is opened");
            return text.toString();
        }
        line(text, "%d places open a confined arena: %s", totals.openings(), Stream.of(Closing.values())
                .map(closing -> share(totals.closed(closing), totals.openings()) + " " + closing.text)
                .collect(Collectors.joining(", ")));
        line(text, "What else has the arena: %s", totals.escapes().isEmpty() ? "nothing" : totals.escapes().entrySet().stream()
                .map(escape -> share(escape.getValue(), totals.openings()) + " " + escape.getKey().text)
                .collect(Collectors.joining(", ")));
        line(text, "%s are opened while another of the same method is open", share(totals.nested(), totals.openings()));
        line(text, "%d places allocate, %s of them possibly more than once from one arena; %s allocate a constant size",
                totals.allocations(), share(totals.repeated(), totals.allocations()),
                share(totals.constantSizes(), totals.allocations()));
        if (!totals.unknown().isEmpty()) {
            line(text, "The others allocate: %s", counts(totals.unknown()));
        }
        return text.toString();
    }

    private static List<String> cells(Object... values) {
        return Stream.of(values).map(Object::toString).toList();
    }

    private String sizes() {
        Table table = new Table(List.of("bytes", "allocations", "share", "up to here", "arenas", "share", "up to here"));
        int bounded = totals.openings() - totals.withoutBound();
        for (int i = 0; i < LIMITS.length; i++) {
            long above = i == 0 ? -1 : LIMITS[i - 1];
            int allocations = Totals.between(totals.constants(), above, LIMITS[i]);
            int arenas = Totals.between(totals.mostBytes(), above, LIMITS[i]);
            table.add(cells(i == LIMITS.length - 1 ? "> " + above : i == 0 ? "0" : "<= " + LIMITS[i],
                    allocations, percent(allocations, totals.constantSizes()),
                    percent(Totals.between(totals.constants(), -1, LIMITS[i]), totals.constantSizes()),
                    arenas, percent(arenas, bounded), percent(Totals.between(totals.mostBytes(), -1, LIMITS[i]), bounded)));
        }
        table.add(cells("not known", totals.allocations() - totals.constantSizes(), "", "", totals.withoutBound(), "", ""));
        return table.toText() + "Shares are of the sizes that are known. An arena's bytes are the most that all allocations in view "
                + "add up to.\n";
    }

    private static void line(StringBuilder text, String format, Object... values) {
        text.append(String.format(format, values)).append('\n');
    }

    private static String share(int count, int of) {
        return of == 0 ? String.valueOf(count) : count + " (" + percent(count, of) + ")";
    }

    private static String percent(int count, int of) {
        return of == 0 ? "-" : String.format("%.1f %%", 100.0 * count / of);
    }

    private static String counts(Map<String, Integer> counts) {
        return counts.isEmpty() ? "none" : counts.entrySet().stream().map(count -> count.getValue() + " " + count.getKey())
                .collect(Collectors.joining(", "));
    }

    /** {@return every opening in a line, with what is allocated} */
    String list() {
        StringBuilder text = new StringBuilder();
        for (LibraryScan scan : scans) {
            for (Opening opening : scan.openings()) {
                line(text, "%s %s: %s%s; %s", scan.name(), opening.place(), opening.closing().text,
                        opening.escapes().isEmpty() ? "" : " (" + escapes(opening, ", ") + ")",
                        opening.allocations().isEmpty() ? "allocates nothing in view" : opening.allocations().stream()
                                .map(ScanReport::brief).collect(Collectors.joining(", ")));
            }
        }
        return text.toString();
    }

    private static String brief(Allocation allocation) {
        return (allocation.repeated() ? "repeatedly " : "")
                + (allocation.bytes() == null ? "? B" : allocation.bytes() + " B")
                + (allocation.layout() == null ? "" : " " + allocation.layout());
    }

    private static String escapes(Opening opening, String separator) {
        return opening.escapes().stream().map(escape -> escape.text).collect(Collectors.joining(separator));
    }

    /** {@return a line for each opening, after a header} */
    byte[] openingsCsv() {
        List<List<?>> lines = new ArrayList<>();
        lines.add(List.of("library", "class", "method", "line", "closing", "escapes", "passed to", "nesting", "allocations",
                "of constant size", "most bytes"));
        for (LibraryScan scan : scans) {
            for (Opening opening : scan.openings()) {
                lines.add(List.of(scan.name(), opening.place().type(), opening.place().method(), opening.place().line(),
                        opening.closing().text, escapes(opening, "; "), String.join("; ", opening.passedTo()),
                        opening.nesting(), opening.allocations().size(),
                        opening.allocations().stream().filter(allocation -> allocation.bytes() != null).count(),
                        orEmpty(opening.mostBytes())));
            }
        }
        return csv(lines);
    }

    /** {@return a line for each allocation from an opening, after a header} */
    byte[] allocationsCsv() {
        List<List<?>> lines = new ArrayList<>();
        lines.add(List.of("library", "opened at", "allocated at", "method", "bytes", "alignment", "layout", "repeated"));
        for (LibraryScan scan : scans) {
            for (Opening opening : scan.openings()) {
                for (Allocation allocation : opening.allocations()) {
                    lines.add(List.of(scan.name(), opening.place(), allocation.place(), allocation.method(),
                            orEmpty(allocation.bytes()), orEmpty(allocation.alignment()), orEmpty(allocation.layout()),
                            allocation.repeated()));
                }
            }
        }
        return csv(lines);
    }

    private static Object orEmpty(Object value) {
        return value == null ? "" : value;
    }

    /** Lines as RFC 4180 has them, but ended as on this project's other files. */
    private static byte[] csv(List<List<?>> lines) {
        StringBuilder text = new StringBuilder();
        for (List<?> line : lines) {
            text.append(line.stream().map(Object::toString)
                    .map(cell -> cell.matches("[^\",\\r\\n]*") ? cell : '"' + cell.replace("\"", "\"\"") + '"')
                    .collect(Collectors.joining(","))).append('\n');
        }
        return text.toString().getBytes(UTF_8);
    }

    byte[] json() {
        try {
            return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT)
                    .writeValueAsString(new Json(FORMAT, Runtime.version().toString(), totals, scans)).concat("\n")
                    .getBytes(UTF_8);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
