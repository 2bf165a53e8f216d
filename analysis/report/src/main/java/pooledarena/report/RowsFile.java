/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.report;

import com.fasterxml.jackson.databind.SequenceWriter;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import pooledarena.histogram.*;
import pooledarena.io.WholeFiles;

import module java.base;

/**
 * The rows of histograms as CSV, each with the virtual machine that it is from. Rows are written as they come, since those of
 * many files are more than memory has. The file is there when all are in it.
 */
final class RowsFile implements Consumer<Histogram>, Closeable {

    private static final List<String> COLUMNS = Stream.concat(Stream.of("host", "pid", "started", "java", "program"),
            HistogramWriter.COLUMNS.stream()).toList();

    private final Path file;
    private final Path aside;
    private final SequenceWriter out;

    RowsFile(Path file) throws IOException {
        this.file = file.toAbsolutePath();
        aside = WholeFiles.aside(this.file);
        aside.toFile().deleteOnExit(); // when the user interrupts the command
        CsvSchema columns = CsvSchema.builder().addColumns(COLUMNS, CsvSchema.ColumnType.STRING).build().withHeader();
        out = new CsvMapper().writer(columns).writeValues(aside.toFile());
    }

    @Override
    public void accept(Histogram histogram) {
        List<Object> jvm = Stream.<Function<RecordedJvm, Object>>of(RecordedJvm::host, RecordedJvm::pid, RecordedJvm::started,
                RecordedJvm::java, RecordedJvm::program).map(value -> common(histogram, value)).toList();
        try {
            for (Map.Entry<Shape, Tally> row : histogram.rows().entrySet()) {
                List<Object> cells = new ArrayList<>(jvm);
                LongStream.of(HistogramWriter.row(0, row.getKey(), row.getValue())).forEach(cells::add);
                // Jackson would leave out a null, and what follows be one column off.
                cells.set(COLUMNS.indexOf("site"), Objects.requireNonNullElse(ReportDocument.name(row.getKey().site()), ""));
                cells.set(COLUMNS.indexOf("closing"), row.getKey().closing());
                out.write(cells);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return the value that all virtual machines of a file have, or "" for a merged file that has several} */
    private static Object common(Histogram histogram, Function<RecordedJvm, Object> value) {
        List<Object> values = histogram.jvms().stream().map(value).distinct().toList();
        return values.size() == 1 ? values.getFirst() : "";
    }

    void finish() throws IOException {
        out.close();
        Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void close() throws IOException {
        try {
            out.close();
        } finally {
            Files.deleteIfExists(aside);
        }
    }
}
