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

package pooledarena.programs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A Java file of the JDK's own sources, which are the input that every JDK brings along.
 *
 * @param name its path in {@code src.zip}, which begins with the module
 * @param text its characters
 */
record SourceFile(String name, String text) {

    /** {@return the Java files of the module {@code module} in {@code zip}, in the order of their names} */
    static List<SourceFile> of(Path zip, String module) {
        List<SourceFile> files = new ArrayList<>();
        try (ZipFile sources = new ZipFile(zip.toFile())) {
            for (ZipEntry entry : (Iterable<ZipEntry>) sources.stream().map(ZipEntry.class::cast)::iterator) {
                if (entry.getName().startsWith(module + "/") && entry.getName().endsWith(".java")) {
                    files.add(new SourceFile(entry.getName(),
                            new String(sources.getInputStream(entry).readAllBytes(), UTF_8)));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        files.sort((a, b) -> a.name.compareTo(b.name));
        return files;
    }

    /** {@return the package, as the directories say it} */
    String packageName() {
        int first = name.indexOf('/');
        return name.substring(first + 1, Math.max(first + 1, name.lastIndexOf('/'))).replace('/', '.');
    }
}
