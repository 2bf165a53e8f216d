/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recordings;

import pooledarena.histogram.*;
import pooledarena.io.FileTree;
import pooledarena.io.Tool;

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
     * Reads files, and in directories and the ones below them all whose names end in {@code .json}. Links are followed.
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

    /** {@return whether no count of any arena is missing, as far as the files tell} */
    public boolean isWhole() {
        Dropped dropped = histogram.dropped();
        return faults.isEmpty() && Origin.unfinished(histogram) == 0 && dropped.arenas() == 0 && dropped.failures() == 0;
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
            faults.add(file + ": cannot be read: " + Tool.reason(e));
        }
        return null;
    }

    private static List<Path> files(Path input, List<String> faults) {
        int before = faults.size();
        List<Path> files = new ArrayList<>();
        // What several links lead to would count twice.
        for (Path path : !Files.isDirectory(input) ? List.of(input) : FileTree.files(input, new HashSet<>(),
                (directory, e) -> faults.add(directory + ": cannot be read: " + Tool.reason(e)))) {
            boolean isWanted = path.equals(input) || path.toString().endsWith(SUFFIX);
            if (isWanted && Files.isRegularFile(path)) {
                files.add(path);
            } else if (isWanted || Files.isSymbolicLink(path) && !Files.exists(path)) { // not a file that was moved meanwhile
                faults.add(path + (Files.exists(path) ? ": is neither a file nor a directory" : ": is not there"));
            }
        }
        if (files.isEmpty() && faults.size() == before) {
            faults.add(input + ": has no files *" + SUFFIX);
        }
        return files;
    }
}
