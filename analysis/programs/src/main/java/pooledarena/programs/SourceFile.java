/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.programs;

import module java.base;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A Java file of the JDK's own sources, which are the input that every JDK brings along.
 *
 * @param name its path in {@code src.zip}, which begins with the module
 * @param text its characters
 */
record SourceFile(String name, String text) {

    /** {@return the Java files of {@code java.base} in {@code zip}, in the order of their names} */
    static List<SourceFile> of(String zip) {
        List<SourceFile> files = new ArrayList<>();
        try (ZipFile sources = new ZipFile(zip)) {
            for (ZipEntry entry : Collections.list(sources.entries())) {
                if (entry.getName().startsWith("java.base/") && entry.getName().endsWith(".java")) {
                    files.add(new SourceFile(entry.getName(),
                            new String(sources.getInputStream(entry).readAllBytes(), UTF_8)));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        files.sort(Comparator.comparing(SourceFile::name));
        return files;
    }

    /** {@return the package, as the directories say it} */
    String packageName() {
        int first = name.indexOf('/');
        return name.substring(first + 1, Math.max(first + 1, name.lastIndexOf('/'))).replace('/', '.');
    }
}
