/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import pooledarena.io.BadInput;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.ProviderNotFoundException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
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

    /** Versions of Java that are not the running one are not seen; the others are, in place of what they are versions of. */
    private static final Map<String, ?> ARCHIVE = Map.of("releaseVersion", Runtime.version(), "accessMode", "readOnly");

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
            List<String> modules = list(jdk.getPath("/modules")).map(Inputs::name).sorted().toList();
            Path path = Path.of(word);
            if (Files.exists(path)) {
                file(path, name(path.toAbsolutePath().normalize()), 0, named);
            } else if (word.equals(ALL_MODULES) || modules.contains(word)) {
                for (String module : word.equals(ALL_MODULES) ? modules : List.of(word)) {
                    tree(jdk.getPath("/modules", module), module, this::inAnyModule, 0, named);
                }
            } else {
                named.add(Library.unreadable(word, "neither a file nor a module; " + ACCEPTED));
            }
        } catch (IOException | RuntimeException e) {
            named.add(Library.unreadable(word, "cannot be read (" + e.getMessage() + ")"));
        }
        libraries.addAll(named);
        return named;
    }

    private static String name(Path path) {
        return Objects.requireNonNullElse(path.getFileName(), path).toString();
    }

    private static Stream<Path> list(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList().stream();
        }
    }

    private void file(Path file, String name, int nesting, List<Library> named) throws IOException {
        if (Files.isDirectory(file)) {
            tree(file, name, this::inAnyLibrary, nesting, named);
        } else if (name.endsWith(".class")) {
            named.add(new Library(name, Map.of(name, () -> read(file)), this::inAnyLibrary));
        } else if (nesting > MAX_NESTING) {
            named.add(Library.unreadable(name, "is not opened, being inside of " + nesting + " others"));
        } else {
            try {
                FileSystem archive = FileSystems.newFileSystem(file, ARCHIVE);
                opened.add(archive);
                tree(archive.getPath("/"), name, this::inAnyLibrary, nesting + 1, named);
            } catch (ZipException | ProviderNotFoundException e) {
                String fault = Files.size(file) == 0 ? "is empty" : "is not a jar file (" + e.getMessage() + ")";
                named.add(Library.unreadable(name, fault + "; " + ACCEPTED));
            }
        }
    }

    /**
     * The class files of a directory are one library, and each archive in it is another, as in programs that are packed with
     * their libraries. What has no class files is a library only if nothing else is found in it.
     */
    private void tree(Path root, String name, Function<String, Optional<Supplier<byte[]>>> others, int nesting,
                      List<Library> named) throws IOException {
        Map<String, Supplier<byte[]>> classes = new TreeMap<>();
        List<Library> inner = new ArrayList<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                String inside = root.relativize(file).toString().replace('\\', '/');
                if (inside.matches(".*\\.(jar|war|ear|jmod)")) {
                    file(file, nesting == 0 ? name(file) : name + "!/" + inside, nesting, inner);
                } else if (inside.endsWith(".class")) {
                    // What only a version of Java has is seen without the directory of that version.
                    String seen = inside.replaceFirst("^META-INF/versions/\\d+/", "");
                    Path visible = root.resolve(seen);
                    if (Files.exists(visible)) {
                        classes.put(seen.replaceFirst("^(classes|BOOT-INF/classes|WEB-INF/classes)/", ""), () -> read(visible));
                    }
                }
            }
        }
        if (!classes.isEmpty() || inner.isEmpty()) {
            named.add(new Library(name, classes, others));
        }
        named.addAll(inner);
    }

    private static byte[] read(Path file) {
        try (InputStream stream = Files.newInputStream(file)) {
            byte[] bytes = stream.readNBytes(MAX_CLASS_BYTES + 1);
            if (bytes.length > MAX_CLASS_BYTES) {
                throw new IOException("larger than " + (MAX_CLASS_BYTES >> 20) + " MiB");
            }
            return bytes;
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    /** {@return the class in whatever jar or directory was named too} */
    private Optional<Supplier<byte[]>> inAnyLibrary(String internalName) {
        return libraries.stream().flatMap(library -> Stream.ofNullable(library.files().get(internalName + ".class"))).findFirst();
    }

    /** {@return the class in whatever module of the JDK has its package} */
    private Optional<Supplier<byte[]>> inAnyModule(String internalName) {
        String type = internalName.substring(0, Math.max(0, internalName.lastIndexOf('/'))).replace('/', '.');
        try {
            return list(jdk.getPath("/packages", type))
                    .map(link -> jdk.getPath("/modules", name(link), internalName + ".class"))
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
