/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import pooledarena.io.BadInput;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipException;

/** Finds the libraries that the words of a command line name: files, directories, and modules of a JDK. */
final class Inputs implements Closeable {

    static final String ALL_MODULES = "ALL-SYSTEM";

    static final String ACCEPTED = "a jar, war, ear or jmod file, a directory, a class file or a module of the JDK is accepted";

    /** No compiler makes larger ones. */
    private static final int MAX_CLASS_BYTES = 64 << 20;

    /** An archive inside of as many others is not opened; it might be in itself. */
    private static final int MAX_NESTING = 8;

    private final FileSystem jdk;
    private final List<Library> libraries = new ArrayList<>();
    /** What to close, the first last. */
    private final List<Closeable> opened = new ArrayList<>();

    /** @param home of the JDK whose modules are meant; null for the running one */
    Inputs(Path home) {
        try {
            jdk = home == null ? FileSystems.getFileSystem(URI.create("jrt:/"))
                    : FileSystems.newFileSystem(URI.create("jrt:/"), Map.of("java.home", home.toString()));
        } catch (IOException | RuntimeException e) {
            throw new BadInput("--jdk " + home + ": has no modules that can be read; the home directory of a JDK is accepted; "
                    + "nothing was scanned");
        }
        if (home != null) {
            opened.add(jdk);
        }
    }

    /** {@return the libraries that the word names} From now on their classes can be looked into from the others. */
    List<Library> find(String word) {
        List<Library> named = new ArrayList<>();
        try {
            Path path = path(word);
            if (path != null && Files.isDirectory(path)) {
                directory(path, named);
            } else if (path != null && Files.exists(path)) {
                file(path, named);
            } else if (word.equals(ALL_MODULES)) {
                for (String module : modules()) {
                    named.add(module(module));
                }
            } else if (modules().contains(word)) {
                named.add(module(word));
            } else {
                named.add(Library.unreadable(word, "neither a file nor a module; " + ACCEPTED));
            }
        } catch (IOException | RuntimeException e) {
            named.add(Library.unreadable(word, "cannot be read (" + e.getMessage() + ")"));
        }
        libraries.addAll(named);
        return named;
    }

    private static Path path(String word) {
        try {
            return Path.of(word);
        } catch (InvalidPathException e) {
            return null;
        }
    }

    private static String name(Path path) {
        return Objects.requireNonNullElse(path.toAbsolutePath().normalize().getFileName(), path).toString();
    }

    /** The class files of a directory are one library, and each archive in it is another. */
    private void directory(Path directory, List<Library> named) throws IOException {
        Map<String, Library.Source> classes = new TreeMap<>();
        List<Library> archives = new ArrayList<>();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                if (isArchive(file.toString())) {
                    file(file, archives);
                } else {
                    addClass(directory.relativize(file).toString().replace('\\', '/'), () -> read(file), classes);
                }
            }
        }
        add(name(directory), classes, archives, named);
    }

    private void file(Path file, List<Library> named) throws IOException {
        if (file.toString().endsWith(".class")) {
            add(name(file), Map.of(name(file), () -> read(file)), List.of(), named);
        } else {
            archive(file, name(file), 0, named);
        }
    }

    /** What has no class files is a library only if nothing else is found in it. */
    private void add(String name, Map<String, Library.Source> classes, List<Library> inner, List<Library> named) {
        if (!classes.isEmpty() || inner.isEmpty()) {
            named.add(new Library(name, classes, this::inAnyLibrary));
        }
        named.addAll(inner);
    }

    /** Adds a jar file or the like and those inside of it, as programs have that are packed with their libraries. */
    private void archive(Path file, String name, int nesting, List<Library> named) throws IOException {
        if (nesting > MAX_NESTING) {
            named.add(Library.unreadable(name, "is not opened, being inside of " + nesting + " others"));
            return;
        }
        Map<String, Library.Source> classes = new TreeMap<>();
        List<Library> inner = new ArrayList<>();
        try {
            JarFile jar = new JarFile(file.toFile(), false, JarFile.OPEN_READ, Runtime.version());
            opened.add(jar);
            for (JarEntry entry : jar.versionedStream().toList()) {
                addClass(entry.getName(), () -> read(jar.getInputStream(entry)), classes);
                if (isArchive(entry.getName())) {
                    Path copy = Files.createTempFile("scan", ".jar");
                    opened.add(() -> Files.delete(copy));
                    try (InputStream stream = jar.getInputStream(entry)) {
                        Files.write(copy, stream.readAllBytes());
                    }
                    archive(copy, name + "!/" + entry.getName(), nesting + 1, inner);
                }
            }
        } catch (ZipException e) {
            named.add(Library.unreadable(name, (Files.size(file) == 0 ? "is empty" : "is not a jar file (" + e.getMessage() + ")")
                    + "; " + ACCEPTED));
            return;
        }
        add(name, classes, inner, named);
    }

    private static boolean isArchive(String name) {
        return name.matches(".*\\.(jar|war|ear|jmod)");
    }

    /** Adds what is a class file, under the name that it has on a class path; not those of versions of Java that are not seen. */
    private static void addClass(String file, Library.Source source, Map<String, Library.Source> classes) {
        if (file.endsWith(".class") && !file.startsWith("META-INF/versions/")) {
            classes.put(file.replaceFirst("^(classes|BOOT-INF/classes|WEB-INF/classes)/", ""), source);
        }
    }

    private static byte[] read(Path file) throws IOException {
        return read(Files.newInputStream(file));
    }

    private static byte[] read(InputStream stream) throws IOException {
        try (stream) {
            byte[] bytes = stream.readNBytes(MAX_CLASS_BYTES + 1);
            if (bytes.length > MAX_CLASS_BYTES) {
                throw new IOException("larger than " + (MAX_CLASS_BYTES >> 20) + " MiB");
            }
            return bytes;
        }
    }

    /** {@return the class in whatever jar or directory was named too} */
    private Optional<Library.Source> inAnyLibrary(String internalName) {
        return libraries.stream().map(library -> library.files.get(internalName + ".class")).filter(Objects::nonNull).findFirst();
    }

    private List<String> modules() throws IOException {
        try (Stream<Path> modules = Files.list(jdk.getPath("/modules"))) {
            return modules.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    private Library module(String module) throws IOException {
        Path root = jdk.getPath("/modules", module);
        Map<String, Library.Source> classes = new TreeMap<>();
        try (Stream<Path> files = Files.walk(root)) {
            files.forEach(file -> addClass(root.relativize(file).toString(), () -> read(file), classes));
        }
        return new Library(module, classes, this::inAnyModule);
    }

    /** {@return the class in whatever module of the JDK has its package} */
    private Optional<Library.Source> inAnyModule(String internalName) {
        String type = internalName.substring(0, Math.max(0, internalName.lastIndexOf('/'))).replace('/', '.');
        try (Stream<Path> modules = Files.list(jdk.getPath("/packages", type))) {
            return modules.map(link -> jdk.getPath("/modules", link.getFileName().toString(), internalName + ".class"))
                    .filter(Files::exists).findFirst().map(file -> () -> read(file));
        } catch (IOException e) {
            return Optional.empty(); // there is no such package
        }
    }

    @Override
    public void close() throws IOException {
        for (Closeable closeable : opened.reversed()) {
            closeable.close();
        }
    }
}
