/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.report;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import pooledarena.histogram.*;
import pooledarena.io.*;
import pooledarena.recordings.Recordings;
import pooledarena.recordings.RecordingsCommand;

import module java.base;

@Command(name = "report",
        description = "Merges histogram files that the recorder wrote, prints what confined arenas they have, and "
                + "writes report.md, report.html, which needs no other file, and charts.",
        footer = {"", "Examples:",
                "  java -jar arena-analysis.jar report build/record",
                "  java -jar arena-analysis.jar report host1/ host2/ old.json --merge all.json --out build/all",
                "  java -jar arena-analysis.jar report --csv build/fleet.csv host1/ host2/",
                "  java -jar arena-analysis.jar report --compare build/before build/after",
                "", "The files of --merge, --collapsed and --csv replace no whole recording of other JVMs.",
                "", "Exit status: 0 if all files were read, 1 if some were left out or something could not be written, 2 if nothing was "
                + "written."})
public final class Report extends RecordingsCommand {

    private static final int TOP = 20;

    @Option(names = "--merge", paramLabel = "FILE",
            description = "also write everything merged into this one histogram file; with --compare, of DIR only")
    private Path merged;

    @Option(names = "--collapsed", paramLabel = "FILE",
            description = "also write a line \"outer;inner;site COUNT\" for each call site, with the callers that record --frames "
                    + "told, as tools read it that draw flame graphs; COUNT is the number of arenas; with --compare, of DIR only")
    private Path collapsed;

    @Option(names = "--csv", paramLabel = "FILE",
            description = "also write the rows of all files as CSV, each row with its host, process and program")
    private Path csv;

    @Option(names = "--compare", paramLabel = "BEFORE",
            description = "set this recording, a directory or a file, beside the one of DIR, which is the later one")
    private Path compared;

    @Override
    protected int run(Progress progress) throws IOException {
        Set<Path> files = new HashSet<>();
        List<String> pictures = List.of(ReportDocument.SIZES, ReportDocument.SITES);
        Stream.concat(pictures.stream(), Stream.of("report.md", "report.html")).forEach(file -> add(out.resolve(file), files));
        requireFile("--merge", merged, files);
        requireFile("--collapsed", collapsed, files);
        requireFile("--csv", csv, files);
        try (RowsFile rows = csv == null ? null : new RowsFile(csv)) {
            Consumer<Histogram> each = rows == null ? _ -> { } : rows;
            Recordings before = compared == null ? null : read(List.of(compared), each);
            Recordings recordings = read(inputs, each);
            progress.at("writing what they have");
            requireNoRecording("--merge", merged, recordings.histogram().jvms());
            requireNoRecording("--collapsed", collapsed, List.of());
            requireNoRecording("--csv", csv, List.of());
            int status = before == null ? publish(recordings, ReportDocument.of(recordings, TOP), Map.of(), pictures)
                    : publish(before, ComparedDocument.of(before, recordings, TOP), Map.of(), pictures)
                            | (recordings.faults().isEmpty() ? 0 : Tool.EXIT_FAILED);
            if (merged != null) {
                write(merged, HistogramWriter.json(recordings.histogram()));
            }
            if (collapsed != null) {
                write(collapsed, new ReportDocument(recordings.histogram()).collapsed().getBytes(StandardCharsets.UTF_8));
            }
            if (rows != null) {
                rows.finish();
                spec.commandLine().getOut().println("Wrote " + csv);
            }
            return status;
        }
    }

    private void write(Path path, byte[] content) throws IOException {
        Path file = path.toAbsolutePath();
        WholeFiles.write(file.getParent(), Map.of(file.getFileName().toString(), content), List.of());
        spec.commandLine().getOut().println("Wrote " + path);
    }

    /** @param others the files of other options */
    private static void requireFile(String option, Path file, Set<Path> others) {
        if (file == null) {
            return;
        }
        // The file takes the place of what is there: of a link or a device, as /dev/stdout, too.
        if (Files.exists(file) && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new BadInput(option + " " + file
                    + ": is not a regular file; one is accepted, and made if missing; nothing was written");
        }
        if (!add(file, others)) {
            throw new BadInput(option + " " + file
                    + ": is the file of another option, too; one for each is accepted; nothing was written");
        }
        WholeFiles.makeDirectory(option, file.toAbsolutePath().getParent());
    }

    /** Adds a file, and where it is written aside. {@return whether both are new} */
    private static boolean add(Path file, Set<Path> files) {
        Path path = file.toAbsolutePath().normalize();
        return files.add(path) & files.add(WholeFiles.aside(path));
    }

    /** Keeps a recording that was meant to be read from being replaced. */
    private static void requireNoRecording(String option, Path file, List<RecordedJvm> but) {
        if (file == null || !Files.exists(file)) {
            return;
        }
        Set<String> known = but.stream().map(RecordedJvm::id).collect(Collectors.toSet());
        try {
            if (!HistogramReader.read(file).jvms().stream().map(RecordedJvm::id).allMatch(known::contains)) {
                throw new BadInput(option + " " + file + ": is a recording with JVMs that " + (but.isEmpty() ? "would be lost"
                        : "are not merged here") + "; another file is accepted; nothing was written");
            }
        } catch (DataFormatException e) {
            // no recording
        } catch (IOException e) {
            throw new BadInput(option + " " + file + ": cannot be read (" + Tool.reason(e) + "); a file that may be replaced is accepted; "
                    + "nothing was written");
        }
    }
}
