/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.report;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import pooledarena.CommandLine;
import pooledarena.histogram.Histogram;
import pooledarena.histogram.HistogramReader;
import pooledarena.histogram.HistogramWriter;
import pooledarena.histogram.Shape;
import pooledarena.io.Tool;
import pooledarena.io.WholeFiles;
import pooledarena.recordings.Histograms;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Files of many virtual machines: what is kept of them is the rows that differ. */
class FleetTest {

    private static final int FILES = 4000;
    private static final int ROWS = 150;

    @TempDir
    private Path directory;

    /** One after the other, these files would take 100 MiB and more. */
    @Test
    void memoryFollowsRowsAndNotFiles() throws Exception {
        Map<Shape, Long> arenas = new HashMap<>();
        for (int bytes = 1; bytes <= ROWS; bytes++) {
            arenas.put(Histograms.shape(Histograms.SITE, bytes, 0), (long) bytes);
        }
        Path fleet = directory.resolve("fleet");
        Path first = Histograms.write(Histograms.of(1, arenas), fleet.resolve("1.json"));
        String json = Files.readString(first);
        for (int pid = 2; pid <= FILES; pid++) {
            Files.writeString(fleet.resolve(pid + ".json"), json.replace("\"pid\": 1,", "\"pid\": " + pid + ","));
        }
        Path cut = Files.writeString(fleet.resolve("cut.json"), json.substring(0, json.length() - 3));
        Path merged = directory.resolve("all.json");
        Path err = directory.resolve("err");
        Process process = new ProcessBuilder(System.getProperty("java.home") + "/bin/java", "-Xmx48m", "-Djava.awt.headless=true", "-cp",
                System.getProperty("java.class.path"), CommandLine.class.getName(), "report", fleet.toString(), "--out",
                directory.resolve("out").toString(), "--merge", merged.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectError(err.toFile()).start();
        assertEquals(Tool.EXIT_FAILED, process.waitFor(), Files.readString(err));
        List<String> faults = Files.readAllLines(err).stream().filter(line -> !line.matches("report: \\d+ s, .*")).toList();
        assertEquals(1, faults.size(), Files.readString(err));
        assertTrue(faults.getFirst().startsWith("report: " + cut + ": is not whole JSON: line "), Files.readString(err));
        Histogram all = HistogramReader.read(merged);
        assertEquals(FILES, all.jvms().size());
        assertEquals(arenas.keySet(), all.rows().keySet());
        assertEquals((long) FILES * ROWS * (ROWS + 1) / 2, all.sum((_, _) -> true).arenas());
    }

    /** The query of the documentation, on a host whose name looks like a number, one that must be quoted, and merged files. */
    @Test
    void sizeClassesByHost() throws Exception {
        Map<Shape, Long> arenas = Map.of(shape(0), 5L, shape(1), 1L, shape(15), 2L, shape(16), 3L, shape(31), 4L, shape(1 << 20), 5L);
        String json = Files.readString(Histograms.write(Histograms.of(1, arenas), directory.resolve("json")));
        Path fleet = Files.createDirectory(directory.resolve("fleet"));
        List<String> hosts = List.of("12", "12", "a,\\\"b\\\"");
        for (int pid = 1; pid <= hosts.size(); pid++) {
            Files.writeString(fleet.resolve(pid + ".json"), json.replace("\"pid\": 1,", "\"pid\": " + pid + ",")
                    .replace("\"host\": \"host\"", "\"host\": \"" + hosts.get(pid - 1) + "\""));
        }
        Path merged = directory.resolve("all.json");
        Path csv = directory.resolve("csv/fleet.csv");
        CommandLine.run("report", fleet.resolve("1.json").toString(), fleet.resolve("2.json").toString(), "--out",
                directory.resolve("out").toString(), "--merge", merged.toString());
        CommandLine result = CommandLine.run("report", merged.toString(), fleet.resolve("3.json").toString(), "--out",
                directory.resolve("out").toString(), "--csv", csv.toString());
        assertEquals(0, result.status(), result.err());
        assertTrue(result.out().endsWith("Wrote " + csv + "\n"), result.out());
        String twelve = "12 0 10 25.0 0;12 1 2 5.0 2;12 8 4 10.0 60;12 16 14 35.0 344;12 1048576 10 25.0 10485760;";
        String other = "a,\"b\" 0 5 25.0 0;a,\"b\" 1 1 5.0 1;a,\"b\" 8 2 10.0 30;a,\"b\" 16 7 35.0 172;a,\"b\" 1048576 5 25.0 5242880;";
        assertEquals(twelve + other, query(csv));
    }

    /** {@return the cells that the first query of the documentation gives, a semicolon after each row} */
    private static String query(Path csv) throws SQLException {
        Matcher query = Pattern.compile("\n( {4}SELECT [^;]*);").matcher(WholeFiles.resource(FleetTest.class, "analysis.md"));
        assertTrue(query.find());
        String sql = query.group(1).replace("'build/fleet.csv'", "'" + csv + "'");
        assertTrue(sql.contains(csv.toString()), sql);
        StringBuilder cells = new StringBuilder();
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:"); Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            int columns = rows.getMetaData().getColumnCount();
            while (rows.next()) {
                for (int i = 1; i <= columns; i++) {
                    cells.append(rows.getString(i)).append(i == columns ? ";" : " ");
                }
            }
        }
        return cells.toString();
    }

    /** What one row has, and that a file which cannot be written is not begun. */
    @Test
    void rowsWithAHeader() throws IOException {
        Path in = Histograms.write(Histograms.of(7, Map.of(shape(24), 3L)), directory.resolve("in.json"));
        Path csv = directory.resolve("rows.csv");
        String out = directory.resolve("out").toString();
        assertEquals(0, CommandLine.run("report", in.toString(), "--out", out, "--csv", csv.toString()).status());
        List<String> lines = Files.readAllLines(csv);
        assertEquals("host,pid,started,java,program," + String.join(",", HistogramWriter.COLUMNS), lines.getFirst());
        assertTrue(lines.get(1).replace("\"", "").startsWith("host,7,2026-11-21T08:00:00Z,VM 25,/opt/app.jar,com.example.Library.call:12,0,"
                + "BY_OPENER,0,"), lines.get(1));
        assertTrue(lines.get(1).endsWith(",3,72,3"), lines.get(1));
        assertEquals(2, lines.size());
        Path file = Files.createFile(directory.resolve("file"));
        assertEquals(new CommandLine(Tool.EXIT_BAD_INPUT, "", "report: --csv " + file + ": cannot be written to "
                + "(it is there already, and is no directory); a directory is accepted, and made if missing; nothing was done\n"),
                CommandLine.run("report", in.toString(), "--out", out, "--csv", file.resolve("x.csv").toString()));
        assertEquals(Tool.EXIT_BAD_INPUT, CommandLine.run("report", in.toString(), "--out", out, "--csv", directory.toString()).status());
        Path aside = Files.createSymbolicLink(directory.resolve("full.csv.tmp"), Path.of("/dev/full")); // a full disk
        assertEquals(Tool.EXIT_FAILED,
                CommandLine.run("report", in.toString(), "--out", out, "--csv", directory.resolve("full.csv").toString()).status());
        assertFalse(Files.exists(aside, LinkOption.NOFOLLOW_LINKS));
        assertEquals(Tool.EXIT_BAD_INPUT, CommandLine.run("report", directory.resolve("none").toString(), "--out", out, "--csv",
                directory.resolve("other.csv").toString()).status());
        try (Stream<Path> files = Files.list(directory)) {
            assertEquals(List.of("file", "in.json", "out", "rows.csv"), files.map(path -> path.getFileName().toString()).sorted().toList());
        }
    }

    /** Their cell of the call site is empty, and the others are where they belong. */
    @Test
    void rowsWithoutACallSite() throws IOException {
        Path in = Histograms.write(Histograms.of(7, Map.of(Histograms.shape(null, 24, 0), 3L)), directory.resolve("in.json"));
        Path csv = directory.resolve("rows.csv");
        assertEquals(0, CommandLine.run("report", in.toString(), "--out", directory.resolve("out").toString(), "--csv", csv.toString())
                .status());
        String row = Files.readAllLines(csv).get(1).replace("\"", "");
        assertTrue(row.startsWith("host,7,2026-11-21T08:00:00Z,VM 25,/opt/app.jar,,0,BY_OPENER,0,"), row);
        assertTrue(row.endsWith(",3,72,3"), row);
    }

    /** Also those of the earlier recording. */
    @Test
    void rowsOfTwoRecordings() throws IOException {
        Path before = Histograms.write(Histograms.of(1, Map.of(shape(8), 3L)), directory.resolve("before.json"));
        Path after = Histograms.write(Histograms.of(2, Map.of(shape(16), 4L)), directory.resolve("after.json"));
        Path csv = directory.resolve("rows.csv");
        assertEquals(0, CommandLine.run("report", "--compare", before.toString(), after.toString(), "--out",
                directory.resolve("out").toString(), "--csv", csv.toString()).status());
        List<String> lines = Files.readAllLines(csv);
        assertEquals(3, lines.size(), lines.toString());
        assertTrue(lines.get(1).startsWith("host,1,") && lines.get(2).startsWith("host,2,"), lines.toString());
    }

    private static Shape shape(long bytes) {
        return Histograms.shape(Histograms.SITE, bytes, 0);
    }
}
