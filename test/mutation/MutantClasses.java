/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * DO NOT ALTER OR REMOVE COPYRIGHT NOTICES OR THIS FILE HEADER.
 *
 * This code is free software; you can redistribute it and/or modify it
 * under the terms of the GNU General Public License version 2 only, as
 * published by the Free Software Foundation.  The Pooled Confined Arena
 * authors designate this particular file as subject to the "Classpath"
 * exception as provided in the LICENSE file that accompanied this code.
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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * The patched classes of java.base with all mutants in them, of which a system property chooses one.
 *
 * @param sources the patched sources
 * @param out     the directory for what is generated
 */
record MutantClasses(Path sources, Path out) {

    private static final String CHOICE = "jdk.internal.foreign.Mutant.is(";

    /** Compiles all mutants, so that each fits the code, and runs none: {@code java MutantClasses.java SOURCES OUT}. */
    public static void main(String[] args) throws IOException {
        new MutantClasses(Path.of(args[0]), Path.of(args[1])).compileAll(Mutant.readAll());
    }

    /** Compiles the patched sources with a choice in each place that has mutants. */
    void compileAll(List<Mutant> mutants) throws IOException {
        Path generated = out.resolve("src");
        Map<String, Path> files = new TreeMap<>();
        try (Stream<Path> found = Files.walk(sources)) {
            found.filter(file -> file.toString().endsWith(".java"))
                    .forEach(file -> files.put(file.getFileName().toString().replace(".java", ""), sources.relativize(file)));
        }
        for (Mutant mutant : mutants) {
            if (!files.containsKey(mutant.type())) {
                throw mutant.unusable("accepted are " + files.keySet());
            }
        }
        List<Path> written = new ArrayList<>();
        written.add(write(generated.resolve("jdk/internal/foreign/Mutant.java"), """
                package jdk.internal.foreign;

                public final class Mutant {

                    private static final String GIVEN = jdk.internal.misc.VM.getSavedProperty("pool.mutant");
                    private static final int CHOSEN = GIVEN == null ? 0 : Integer.parseInt(GIVEN);

                    @jdk.internal.vm.annotation.ForceInline
                    public static boolean is(int id) {
                        return CHOSEN == id;
                    }
                }
                """));
        for (Map.Entry<String, Path> file : files.entrySet()) {
            String source = Files.readString(sources.resolve(file.getValue()));
            List<Mutant> here = mutants.stream().filter(mutant -> mutant.type().equals(file.getKey())).toList();
            written.add(write(generated.resolve(file.getValue()),
                    mutate(source, here.stream().filter(mutant -> !mutant.addsMember()).toList())));
            for (Mutant mutant : here.stream().filter(Mutant::addsMember).toList()) {
                int at = mutant.range(source)[0];
                Path own = classes(mutant);
                compile(List.of(write(own.resolve("src").resolve(file.getValue()),
                        source.substring(0, at) + mutant.replacement() + " " + source.substring(at))),
                        own, "--patch-module", "java.base=" + own.resolve("src") + ":" + sources, "-implicit:none");
            }
        }
        compile(written, classes(), "--patch-module", "java.base=" + generated, "-implicit:none");
    }

    /** {@return the source with a choice between the original and the mutants in each place that has some} */
    private static String mutate(String source, List<Mutant> mutants) {
        TreeMap<Integer, List<Mutant>> places = new TreeMap<>(Comparator.reverseOrder());
        mutants.forEach(mutant -> places.computeIfAbsent(mutant.range(source)[0], _ -> new ArrayList<>()).add(mutant));
        StringBuilder result = new StringBuilder(source);
        int before = source.length();
        for (Map.Entry<Integer, List<Mutant>> place : places.entrySet()) {
            int start = place.getKey();
            int end = place.getValue().getFirst().range(source)[1];
            String original = source.substring(start, end);
            boolean statement = original.endsWith(";");
            String choice = statement ? "{ " + original + " }" : "(" + original + ")";
            for (Mutant mutant : place.getValue()) {
                if (mutant.range(source)[1] != end || end > before) {
                    throw mutant.unusable("overlaps with another one");
                }
                String condition = CHOICE + mutant.id() + ")";
                choice = statement ? "if (" + condition + ") { " + mutant.replacement() + " } else " + choice
                        : "(" + condition + " ? (" + mutant.replacement() + ") : " + choice + ")";
            }
            result.replace(start, end, choice);
            before = start;
        }
        return result.toString();
    }

    private Path classes() {
        return out.resolve("classes");
    }

    private Path classes(Mutant mutant) {
        return out.resolve("mutant-" + mutant.id());
    }

    /** {@return the options of java that run a mutant, or no mutant} */
    List<String> options(Mutant mutant) {
        return List.of("--patch-module=java.base=" + (mutant != null && mutant.addsMember() ? classes(mutant) + ":" : "") + classes(),
                "-Dpool.mutant=" + (mutant == null ? 0 : mutant.id()));
    }

    static void compile(List<Path> files, Path classes, String... options) {
        List<String> arguments = new ArrayList<>(List.of("-nowarn", "-XDstringConcat=inline", "-XDignore.symbol.file", "-encoding",
                "UTF-8", "-proc:none", "-d", classes.toString()));
        arguments.addAll(Arrays.asList(options));
        files.forEach(file -> arguments.add(file.toString()));
        if (ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(new String[0])) != 0) {
            throw new Mutant.Unusable("The mutants or the tests do not compile");
        }
    }

    private static Path write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }
}
