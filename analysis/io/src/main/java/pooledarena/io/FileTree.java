/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.io;

import module java.base;

/** What is in a directory and in those below it. Symbolic links are followed, into each directory once. */
public final class FileTree {

    private FileTree() {}

    /**
     * {@return all that is in {@code root} but directories, also links that lead nowhere}
     *
     * @param seen       the directories to leave out, without links; those that are read are added
     * @param unreadable is given each directory that cannot be read, and why; the others are read
     */
    public static SortedSet<Path> files(Path root, Set<Path> seen, BiConsumer<Path, Exception> unreadable) {
        SortedSet<Path> files = new TreeSet<>();
        Deque<Path> directories = new ArrayDeque<>(List.of(root));
        while (!directories.isEmpty()) {
            Path directory = directories.remove();
            try {
                if (seen.add(directory.toRealPath())) {
                    try (Stream<Path> inside = Files.list(directory)) {
                        inside.forEach(file -> (Files.isDirectory(file) ? directories : files).add(file));
                    }
                }
            } catch (IOException | UncheckedIOException e) {
                unreadable.accept(directory, e);
            }
        }
        return files;
    }
}
