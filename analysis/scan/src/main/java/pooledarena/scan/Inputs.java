/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * DO NOT ALTER OR REMOVE COPYRIGHT NOTICES OR THIS FILE HEADER.
 *
 * This code is free software; you can redistribute it and/or modify it
 * under the terms of the GNU General Public License version 2 only, as
 * published by the Free Software Foundation.  The authors designate this
 * particular file as subject to the "Classpath" exception as provided
 * in the LICENSE file that accompanied this code.
 *
 * This code is distributed in the hope that it will be useful, but WITHOUT
 * ANY WARRANTY; without even the implied warranty of MERCHANTABILITY or
 * FITNESS FOR A PARTICULAR PURPOSE.  See the GNU General Public License
 * version 2 for more details (a copy is included in the LICENSE file that
 * accompanied this code).
 *
 * You should have received a copy of the GNU General Public License version
 * 2 along with this work; if not, write to the Free Software Foundation,
 * Inc., 51 Franklin St, Fifth Floor, Boston, MA 02110-1301 USA.
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
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/** Finds the libraries that the words of a command line name: files, directories, and modules of a JDK. */
final class Inputs implements Closeable {

    static final String ALL_MODULES = "ALL-SYSTEM";

    static final String ACCEPTED = "a jar or jmod file, a directory, a class file or a module of the JDK is accepted";

    private static final String VERSIONS = "META-INF/versions/";
    private static final List<String> ROOTS = List.of("classes/", "BOOT-INF/classes/", "WEB-INF/classes/");

    /** Opens a library; fails with a message that says what is wrong. */
    private interface Opener {
        Library open() throws IOException;
    }

    /** A library that has been named and can be opened. */
    final class Input {

        private final String name;
        private final Opener opener;

        private Input(String name, Opener opener) {
            this.name = name;
            this.opener = opener;
        }

        String name() {
            return name;
        }

        /** {@return the library} From now on its classes can be looked into from the others that are opened. */
        Library open() throws IOException {
            Library library = opener.open();
            opened.add(library);
            return library;
        }
    }

    private final FileSystem jdk;
    private final boolean ownFileSystem;
    private final List<Library> opened = new ArrayList<>();

    /** @param home of the JDK whose modules are meant; null for the running one */
    Inputs(Path home) {
        try {
            jdk = home == null ? FileSystems.getFileSystem(URI.create("jrt:/"))
                    : FileSystems.newFileSystem(URI.create("jrt:/"), Map.of("java.home", home.toString()));
        } catch (IOException | RuntimeException e) {
            throw new BadInput("--jdk " + home + ": has no modules that can be read; the home directory of a JDK is accepted; "
                    + "nothing was scanned");
        }
        ownFileSystem = home != null;
    }

    /** {@return the libraries that the word names; one that cannot be opened if it names none} */
    List<Input> find(String word) {
        Path path = path(word);
        if (path != null && Files.isDirectory(path)) {
            return directory(path, word);
        }
        if (path != null && Files.exists(path)) {
            return word.endsWith(".class") ? List.of(classFile(path)) : archives(path);
        }
        if (word.equals(ALL_MODULES)) {
            return modules().stream().map(this::module).toList();
        }
        if (modules().contains(word)) {
            return List.of(module(word));
        }
        return List.of(new Input(word, () -> {
            throw new IOException("neither a file nor a module; " + ACCEPTED);
        }));
    }

    private static Path path(String word) {
        try {
            return Path.of(word);
        } catch (InvalidPathException e) {
            return null;
        }
    }

    private static String name(Path path) {
        Path name = path.toAbsolutePath().normalize().getFileName();
        return name == null ? path.toString() : name.toString();
    }

    /** The class files of a directory are one library, and each jar file in it is another. */
    private List<Input> directory(Path directory, String word) {
        List<Path> archives = new ArrayList<>();
        Map<String, Library.Source> classes = new TreeMap<>();
        try (Stream<Path> files = Files.walk(directory)) {
            files.filter(Files::isRegularFile).sorted().forEach(file -> {
                String name = file.getFileName().toString();
                if (name.endsWith(".jar") || name.endsWith(".jmod") || name.endsWith(".war")) {
                    archives.add(file);
                } else if (name.endsWith(".class")) {
                    classes.put(directory.relativize(file).toString().replace('\\', '/'), () -> Files.readAllBytes(file));
                }
            });
        } catch (IOException | RuntimeException e) {
            return List.of(new Input(word, () -> {
                throw new IOException("cannot be read (" + e.getMessage() + ")");
            }));
        }
        List<Input> inputs = new ArrayList<>();
        if (!classes.isEmpty() || archives.isEmpty()) {
            inputs.add(new Input(name(directory), () -> new Library(name(directory), effective(classes, true),
                    this::inAnyLibrary, () -> { })));
        }
        archives.forEach(file -> inputs.addAll(archives(file)));
        return inputs;
    }

    private Input classFile(Path file) {
        return new Input(name(file), () -> new Library(name(file), Map.of(name(file), () -> Files.readAllBytes(file)),
                this::inAnyLibrary, () -> { }));
    }

    private Library archive(Path file, String name, Closeable after) throws IOException {
        ZipFile zip;
        try {
            zip = new ZipFile(file.toFile());
        } catch (ZipException e) {
            throw new IOException((Files.size(file) == 0 ? "is empty" : "is not a jar file (" + e.getMessage() + ")")
                    + "; " + ACCEPTED);
        }
        Map<String, Library.Source> classes = new TreeMap<>();
        Enumeration<? extends ZipEntry> entries = zip.entries();
        while (entries.hasMoreElements()) {
            ZipEntry entry = entries.nextElement();
            if (entry.getName().endsWith(".class")) {
                classes.put(entry.getName(), () -> read(zip, entry));
            }
        }
        return new Library(name, effective(classes, isMultiRelease(zip)), this::inAnyLibrary, () -> {
            zip.close();
            after.close();
        });
    }

    /** A damaged entry is found out by its checksum when it is read. */
    private static byte[] read(ZipFile zip, ZipEntry entry) throws IOException {
        try (InputStream stream = zip.getInputStream(entry)) {
            return stream.readAllBytes();
        }
    }

    /** {@return the jar file and those inside of it, as programs have that are packed with their libraries} */
    private List<Input> archives(Path file) {
        String name = name(file);
        List<Input> inputs = new ArrayList<>();
        inputs.add(new Input(name, () -> archive(file, name, () -> { })));
        try (ZipFile zip = new ZipFile(file.toFile())) {
            zip.stream().map(ZipEntry::getName).filter(entry -> entry.endsWith(".jar")).sorted()
                    .forEach(entry -> inputs.add(new Input(name + "!/" + entry, () -> inner(file, name, entry))));
        } catch (IOException e) {
            // It will be named when it is opened.
        }
        return inputs;
    }

    private Library inner(Path file, String outer, String entry) throws IOException {
        Path copy = Files.createTempFile("scan", ".jar");
        try {
            try (ZipFile zip = new ZipFile(file.toFile()); InputStream stream = zip.getInputStream(zip.getEntry(entry))) {
                Files.copy(stream, copy, StandardCopyOption.REPLACE_EXISTING);
            }
            return archive(copy, outer + "!/" + entry, () -> Files.deleteIfExists(copy));
        } catch (IOException e) {
            Files.deleteIfExists(copy);
            throw e;
        }
    }

    private static boolean isMultiRelease(ZipFile zip) throws IOException {
        ZipEntry manifest = zip.getEntry("META-INF/MANIFEST.MF");
        if (manifest == null) {
            return false;
        }
        try (InputStream stream = zip.getInputStream(manifest)) {
            return Boolean.parseBoolean(new Manifest(stream).getMainAttributes().getValue(Attributes.Name.MULTI_RELEASE));
        }
    }

    /** {@return the class files that this version of Java sees, without those of other versions} */
    private static Map<String, Library.Source> effective(Map<String, Library.Source> files, boolean multiRelease) {
        Map<String, Library.Source> seen = new TreeMap<>();
        Map<String, Integer> versions = new TreeMap<>();
        files.forEach((file, source) -> {
            String name = file;
            int version = 0;
            if (file.startsWith(VERSIONS)) {
                int end = file.indexOf('/', VERSIONS.length());
                version = multiRelease && end > 0 ? number(file.substring(VERSIONS.length(), end)) : Integer.MAX_VALUE;
                name = end > 0 ? file.substring(end + 1) : file;
            } else {
                for (String root : ROOTS) {
                    name = name.startsWith(root) ? name.substring(root.length()) : name;
                }
            }
            if (version <= Runtime.version().feature() && version >= versions.getOrDefault(name, 0)) {
                seen.put(name, source);
                versions.put(name, version);
            }
        });
        return seen;
    }

    private static int number(String version) {
        try {
            return Integer.parseInt(version);
        } catch (NumberFormatException e) {
            return Integer.MAX_VALUE;
        }
    }

    /** {@return the class in whatever jar or directory that was opened too} */
    private Optional<Library.Source> inAnyLibrary(String internalName) {
        return opened.stream().map(library -> library.file(internalName + ".class")).flatMap(Optional::stream).findFirst();
    }

    private List<String> modules() {
        try (Stream<Path> modules = Files.list(jdk.getPath("/modules"))) {
            return modules.map(path -> path.getFileName().toString()).sorted().toList();
        } catch (IOException e) {
            throw new BadInput("the modules of the JDK cannot be read (" + e.getMessage() + "); nothing was scanned");
        }
    }

    private Input module(String module) {
        return new Input(module, () -> {
            Path root = jdk.getPath("/modules", module);
            Map<String, Library.Source> classes = new TreeMap<>();
            try (Stream<Path> files = Files.walk(root)) {
                files.filter(file -> file.toString().endsWith(".class"))
                        .forEach(file -> classes.put(root.relativize(file).toString(), () -> Files.readAllBytes(file)));
            }
            return new Library(module, classes, this::inAnyModule, () -> { });
        });
    }

    /** {@return the class in whatever module of the JDK has its package} */
    private Optional<Library.Source> inAnyModule(String internalName) {
        int end = internalName.lastIndexOf('/');
        if (end < 0) {
            return Optional.empty();
        }
        Path links = jdk.getPath("/packages", internalName.substring(0, end).replace('/', '.'));
        if (!Files.exists(links)) {
            return Optional.empty();
        }
        try (Stream<Path> modules = Files.list(links)) {
            return modules.map(link -> jdk.getPath("/modules", link.getFileName().toString(), internalName + ".class"))
                    .filter(Files::exists).findFirst().map(file -> () -> Files.readAllBytes(file));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Closes also the libraries that were opened. */
    @Override
    public void close() throws IOException {
        for (Library library : opened) {
            library.close();
        }
        if (ownFileSystem) {
            jdk.close();
        }
    }
}
