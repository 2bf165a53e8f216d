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

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Class files that belong together: a jar file, a module, a directory. They are read when they are asked for.
 */
final class Library implements Closeable {

    /** A class file that can be read. */
    interface Source {
        byte[] read() throws IOException;
    }

    /** Where the major version is in a class file. */
    private static final int MAJOR_VERSION = 6;

    private final String name;
    private final Map<String, Source> files;
    private final Function<String, Optional<Source>> others;
    private final Closeable closing;
    private final Map<String, Source> classes = new HashMap<>();
    private final Map<String, Optional<ClassModel>> models = new HashMap<>();

    /**
     * @param files   its class files, each by its name there
     * @param others  finds classes that do not belong to it, but can be looked into, by their internal names
     * @param closing what to close when it is no longer read
     */
    Library(String name, Map<String, Source> files, Function<String, Optional<Source>> others, Closeable closing) {
        this.name = name;
        this.files = files;
        this.others = others;
        this.closing = closing;
    }

    String name() {
        return name;
    }

    /** {@return the names of its class files} */
    List<String> files() {
        return List.copyOf(files.keySet());
    }

    /** {@return a class file by its name there} */
    Optional<Source> file(String file) {
        return Optional.ofNullable(files.get(file));
    }

    /**
     * {@return the class in a file; empty if the file is of a newer Java than this} From now on {@link #find} finds it.
     *
     * @throws IOException if it cannot be read
     * @throws IllegalArgumentException if it is not a class file
     */
    Optional<ClassModel> read(String file) throws IOException {
        byte[] bytes = files.get(file).read();
        ByteBuffer header = ByteBuffer.wrap(bytes);
        if (bytes.length > MAJOR_VERSION + 1 && header.getInt() == ClassFile.MAGIC_NUMBER
                && header.getShort(MAJOR_VERSION) > ClassFile.latestMajorVersion()) {
            return Optional.empty();
        }
        ClassModel model = ClassFile.of().parse(bytes);
        classes.putIfAbsent(model.thisClass().name().stringValue(), files.get(file));
        return Optional.of(model);
    }

    /** {@return whether all of the library that may inherit from the class has been read} */
    boolean isWhole(String internalName) {
        return classes.containsKey(internalName);
    }

    Optional<ClassModel> find(String internalName) {
        return models.computeIfAbsent(internalName, _ -> {
            Source own = classes.get(internalName);
            Optional<Source> source = own != null ? Optional.of(own) : others.apply(internalName);
            try {
                return source.isPresent() ? Optional.of(ClassFile.of().parse(source.get().read())) : Optional.empty();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
                return Optional.empty(); // it has been named as damaged when it was read
            }
        });
    }

    @Override
    public void close() throws IOException {
        closing.close();
    }
}
