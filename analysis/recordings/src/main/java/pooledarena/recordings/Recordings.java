/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recordings;

import pooledarena.histogram.Histogram;
import pooledarena.histogram.HistogramReader;
import pooledarena.histogram.RecordedJvm;

import module java.base;

/**
 * Histogram files that were read together, and those that could not be.
 *
 * @param histogram all that could be read, merged
 * @param files     of how many files
 * @param faults    what is wrong with the others, which were left out
 */
public record Recordings(Histogram histogram, int files, List<String> faults) {

    private static final String SUFFIX = ".json";

    /**
     * Reads files, and in directories and the ones below them all whose names end in {@code .json}.
     *
     * @param each is given the histogram of each file
     */
    public static Recordings read(List<Path> inputs, Consumer<Histogram> each) {
        List<String> faults = new ArrayList<>();
        List<Path> files = inputs.stream().flatMap(input -> files(input, faults).stream()).toList();
        int missing = faults.size();
        Map<String, Path> jvms = new HashMap<>();
        Stream<Histogram> histograms = files.stream().map(file -> read(file, jvms, faults)).filter(Objects::nonNull).peek(each);
        Histogram merged = Histogram.merged(histograms::iterator);
        return new Recordings(merged, files.size() + missing - faults.size(), List.copyOf(faults));
    }

    /** {@return the histogram in {@code file}, of which {@code jvms} tells from then on, or null with one more fault} */
    private static Histogram read(Path file, Map<String, Path> jvms, List<String> faults) {
        try {
            Histogram histogram = HistogramReader.read(file);
            for (RecordedJvm jvm : histogram.jvms()) {
                if (jvms.containsKey(jvm.id())) {
                    throw new DataFormatException("has process " + jvm.pid() + " of " + jvm.host() + ", started "
                            + jvm.started() + ", which is in " + jvms.get(jvm.id()) + ", too");
                }
            }
            histogram.jvms().forEach(jvm -> jvms.put(jvm.id(), file));
            return histogram;
        } catch (DataFormatException e) {
            faults.add(file + ": " + e.getMessage());
        } catch (IOException e) {
            faults.add(file + ": cannot be read: " + e);
        }
        return null;
    }

    private static List<Path> files(Path input, List<String> faults) {
        if (Files.isRegularFile(input)) {
            return List.of(input);
        }
        if (!Files.isDirectory(input)) {
            faults.add(input + (Files.exists(input) ? ": is neither a file nor a directory" : ": is not there"));
            return List.of();
        }
        // A link is followed where it is named, but not in a directory: what it leads to would count twice.
        try (Stream<Path> tree = Files.walk(Files.isSymbolicLink(input) ? input.toRealPath() : input)) {
            List<Path> files = tree.filter(path -> path.toString().endsWith(SUFFIX) && Files.isRegularFile(path)).sorted()
                    .toList();
            if (files.isEmpty()) {
                faults.add(input + ": has no files *" + SUFFIX);
            }
            return files;
        } catch (IOException | UncheckedIOException e) {
            faults.add(input + ": cannot be read: " + e);
            return List.of();
        }
    }
}
