/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recordings;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.*;
import pooledarena.histogram.Histogram;
import pooledarena.io.*;
import pooledarena.text.Chart;
import pooledarena.text.Document;

import module java.base;

/** A command that reads histogram files and writes a document about what they have. */
public abstract class RecordingsCommand implements Callable<Integer> {

    @Parameters(paramLabel = "DIR", arity = "0..*", defaultValue = "build/record",
            description = "directories with histogram files, *.json, also deeper down, or single files, which may be "
                    + "merged ones (default: ${DEFAULT-VALUE})")
    protected List<Path> inputs;

    @Option(names = "--out", paramLabel = "DIR", defaultValue = "build/${COMMAND-NAME}",
            description = "where the files go (default: ${DEFAULT-VALUE})")
    protected Path out;

    @Spec
    protected CommandSpec spec;

    /** What takes long says on standard error what it does. */
    @Override
    public final Integer call() throws IOException {
        try (Progress progress = new Progress("reading the recordings", this::tell)) {
            return run(progress);
        }
    }

    private void tell(String line) {
        spec.commandLine().getErr().println(spec.name() + ": " + line);
    }

    /**
     * {@return the exit status}
     *
     * @param progress is told what follows the reading
     */
    protected abstract int run(Progress progress) throws IOException;

    /**
     * {@return what the files have} Each that is left out is named on standard error. {@code --out} is there then.
     *
     * @param each is given the histogram of each file
     * @throws BadInput if nothing could be read, charts cannot be drawn, or {@code --out} can be no directory
     */
    protected final Recordings read(List<Path> inputs, Consumer<Histogram> each) {
        Chart.requireFonts();
        Recordings recordings = Recordings.read(inputs, each);
        recordings.faults().forEach(fault -> tell(Document.printable(fault) + "; it is left out"));
        if (recordings.files() == 0) {
            throw new BadInput("there is nothing to read; accepted are histogram files of the recorder and directories "
                    + "that have some; nothing was written");
        }
        WholeFiles.makeDirectory("--out", out);
        return recordings;
    }

    /** Prints and writes, as {@link Document#publish} does. {@return the exit status} */
    protected final int publish(Recordings recordings, Document document, Map<String, byte[]> more, List<String> pictures)
            throws IOException {
        document.publish(spec.commandLine().getOut(), out, spec.name(), more, pictures);
        return recordings.faults().isEmpty() ? 0 : Tool.EXIT_FAILED;
    }
}
