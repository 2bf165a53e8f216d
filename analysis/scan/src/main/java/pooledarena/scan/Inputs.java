/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import pooledarena.io.FileTree;
import pooledarena.io.Tool;

import module java.base;

/** Finds the libraries that the words of a command line name: files, directories, and modules of this JDK. */
final class Inputs implements Closeable {

    static final String ALL_MODULES = "ALL-SYSTEM";

    static final String ACCEPTED = "a jar, war, ear or jmod file, a directory, a class file or a module of the JDK is accepted";

    /** No compiler makes larger class files. */
    private static final int MAX_CLASS_BYTES = 64 << 20;

    /** An archive inside of as many others is not opened; it might be in itself. */
    private static final int MAX_NESTING = 8;

    /** Versions of Java that are not the running one are not seen; the others are, in place of what they are versions of. */
    private static final Map<String, ?> ARCHIVE = Map.of("releaseVersion", Runtime.version(), "accessMode", "readOnly");

    /**
     * Class files that belong together: a jar file, a module, a directory.
     *
     * @param files by their names there
     * @param fault why it cannot be read; null if it can
     */
    record Library(String name, Map<String, Path> files, String fault) {}

    /** What was added. Class files are read when they are asked for, until this is closed. */
    final List<Library> libraries = new ArrayList<>();
    private final List<FileSystem> opened = new ArrayList<>();
    /** The directories and files that were added, without links: each counts once, by whatever name it comes first. */
    private final Set<Path> added = new HashSet<>();

    void add(String word) {
        try {
            Path file = Path.of(word);
            List<Path> found = Files.exists(file) ? List.of(file) : ModuleFinder.ofSystem().findAll().stream()
                    .map(module -> Path.of(module.location().get()))
                    .filter(module -> word.equals(ALL_MODULES) || word.equals(name(module))).sorted().toList();
            for (Path path : found) {
                add(path, name(path), 0);
            }
            if (found.isEmpty()) {
                addUnreadable(word, "neither a file nor a module; " + ACCEPTED);
            }
        } catch (IOException | RuntimeException e) {
            addUnreadable(word, "cannot be read (" + Tool.reason(e) + ")");
        }
    }

    private void addUnreadable(String name, String fault) {
        libraries.add(new Library(name, Map.of(), fault));
    }

    private static String name(Path path) {
        Path absolute = path.toAbsolutePath().normalize();
        return Objects.requireNonNullElse(absolute.getFileName(), absolute).toString();
    }

    private void add(Path file, String name, int nesting) throws IOException {
        boolean isDirectory = Files.isDirectory(file);
        if (Files.exists(file) && (isDirectory ? added.contains(file.toRealPath()) : !added.add(file.toRealPath()))) {
            return;
        }
        if (isDirectory) {
            addTree(file, name, nesting);
        } else if (name.endsWith(".class")) {
            libraries.add(new Library(name, Map.of(name, file), null));
        } else if (nesting > MAX_NESTING) {
            addUnreadable(name, "is not opened, being inside of " + nesting + " others");
        } else {
            try {
                FileSystem archive = FileSystems.newFileSystem(file, ARCHIVE);
                opened.add(archive);
                addTree(archive.getPath("/"), name, nesting + 1);
            } catch (ZipException | ProviderNotFoundException e) {
                String fault = Files.size(file) == 0 ? "is empty" : "is not a jar file (" + e.getMessage() + ")";
                addUnreadable(name, fault + "; " + ACCEPTED);
            } catch (IOException | RuntimeException e) {
                addUnreadable(name, "cannot be read (" + Tool.reason(e) + ")");
            }
        }
    }

    /**
     * The class files of a directory are one library, and each archive in it is another, as in programs that are packed with
     * their libraries. What has no class files is a library only if nothing else is found in it.
     */
    private void addTree(Path root, String name, int nesting) throws IOException {
        Map<String, Path> classes = new TreeMap<>();
        int first = libraries.size();
        for (Path file : FileTree.files(root, added, (directory, e) -> addUnreadable(
                name + (directory.equals(root) ? "" : "/" + root.relativize(directory)), "cannot be read (" + Tool.reason(e) + ")"))) {
            String inside = root.relativize(file).toString();
            if (inside.matches("(?i).*\\.(jar|war|ear|jmod)")) {
                add(file, nesting == 0 ? name(file) : name + "!/" + inside, nesting);
            } else if (inside.endsWith(".class")) {
                // What only a version of Java has is seen without the directory of that version.
                String visible = inside.replaceFirst("^META-INF/versions/\\d+/", "");
                Path seen = root.resolve(visible);
                if (Files.exists(seen) ? added.add(seen.toRealPath()) : !Files.exists(file)) { // a link that leads nowhere is named later
                    classes.put(visible.replaceFirst("^(classes|BOOT-INF/classes|WEB-INF/classes)/", ""), seen);
                }
            }
        }
        if (!classes.isEmpty() || libraries.size() == first) {
            libraries.add(first, new Library(name, classes, null));
        }
    }

    static byte[] read(Path file) {
        try {
            if (Files.size(file) > MAX_CLASS_BYTES) {
                throw new IOException("larger than " + (MAX_CLASS_BYTES >> 20) + " MiB");
            }
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e instanceof NoSuchFileException ? "a link that leads nowhere" : Tool.reason(e), e);
        }
    }

    @Override
    public void close() throws IOException {
        for (FileSystem fileSystem : opened.reversed()) {
            fileSystem.close();
        }
    }
}
