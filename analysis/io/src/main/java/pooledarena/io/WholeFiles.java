/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.io;

import module java.base;

/** Files that are whole or not there: all are written aside before any takes its place. */
public final class WholeFiles {

    private WholeFiles() {}

    /**
     * Writes {@code files}, contents by name, to {@code directory}, and removes those of {@code mayBe} that are not among them, as what
     * an earlier run left would pass for this one's.
     */
    public static void write(Path directory, Map<String, byte[]> files, List<String> mayBe) throws IOException {
        for (String file : Stream.concat(files.keySet().stream(), mayBe.stream()).toList()) {
            Path place = directory.resolve(file);
            if (Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)) { // which is neither replaced nor removed
                throw new FileSystemException(place.toString(), null, "is a directory");
            }
        }
        try {
            for (var file : files.entrySet()) {
                write(aside(directory.resolve(file.getKey())), file.getValue());
            }
            for (String file : files.keySet()) {
                Files.move(aside(directory.resolve(file)), directory.resolve(file), StandardCopyOption.ATOMIC_MOVE);
            }
        } finally {
            for (String file : files.keySet()) {
                Files.deleteIfExists(aside(directory.resolve(file)));
            }
        }
        for (String file : mayBe) {
            if (!files.containsKey(file)) {
                Files.deleteIfExists(directory.resolve(file));
            }
        }
    }

    // A disk that is full gives an exception without the file.
    private static void write(Path file, byte[] content) throws IOException {
        try {
            Files.write(file, content);
        } catch (IOException e) {
            throw e instanceof FileSystemException ? e : new FileSystemException(file.toString(), null, e.getMessage());
        }
    }

    /**
     * Makes a directory, unless it is there, and writes a little to it, since a disk may be full. A command that takes long calls this
     * first, so that it fails before its work.
     *
     * @param option what the user named the directory with
     * @throws BadInput if there can be no such directory, or no file in it
     */
    public static void makeDirectory(String option, Path directory) {
        try {
            Files.createDirectories(directory);
            Path probe = Files.createTempFile(directory, null, ".probe");
            try (OutputStream stream = Files.newOutputStream(probe, StandardOpenOption.DELETE_ON_CLOSE)) {
                stream.write(new byte[4096]);
            }
        } catch (IOException e) {
            throw new BadInput(option + " " + directory + ": cannot be written to (" + Tool.reason(e) + "); a directory is accepted, "
                    + "and made if missing; nothing was done");
        }
    }

    /** {@return where a file is written before it takes its place} */
    public static Path aside(Path file) {
        return file.resolveSibling(file.getFileName() + ".tmp");
    }

    /** {@return the text of a resource that the build put beside a class} */
    public static String resource(Class<?> beside, String name) {
        try (InputStream stream = beside.getResourceAsStream(name)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
