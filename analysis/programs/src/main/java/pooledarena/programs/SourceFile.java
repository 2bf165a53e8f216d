/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
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
