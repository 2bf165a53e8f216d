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

import module java.base;

/**
 * Runs mutants in the JVMs that tests start, with the recorder's jar or the class path of the tests, where PIT changes nothing:
 * those that PIT has exported ({@code -Dfeatures=+EXPORT}) and did not detect. What has a verdict in {@code jvms.txt} of the
 * report is not run again.
 * <pre>
 *     java MutateJvms.java REPORT RECORDER CLASSPATH MUTANTS TEST...
 * </pre>
 * REPORT is the directory of PIT's report. CLASSPATH is that of the tests, and has JUnit's console. MUTANTS is a regular
 * expression: those that are run.
 */
public final class MutateJvms {

    private static final int LIMIT = 600; // seconds, as much more as both may be stopped meanwhile

    private final Path report;
    private final Path jar;
    private final String classPath;
    private final List<String> tests;

    private record Mutant(Path file, String type, String name) {}

    public static void main(String[] args) throws Exception {
        new MutateJvms(Path.of(args[0]).toAbsolutePath(), Path.of(args[1]), args[2], List.of(args).subList(4, args.length))
                .run(Pattern.compile(args[3]));
    }

    private MutateJvms(Path report, Path jar, String classPath, List<String> tests) {
        this.report = report;
        this.jar = jar.toAbsolutePath();
        this.classPath = classPath;
        this.tests = tests;
    }

    private void run(Pattern chosen) throws Exception {
        Path verdicts = report.resolve("jvms.txt");
        List<String> known = new ArrayList<>(Files.exists(verdicts) ? Files.readAllLines(verdicts) : List.of());
        if (noticed(report.resolve("none"), jar)) {
            throw new IllegalStateException("the tests fail without a mutant");
        }
        for (Mutant mutant : undetected()) {
            if (chosen.matcher(mutant.name).find() && known.stream().noneMatch(line -> line.endsWith(" " + mutant.name))) {
                Path classes = report.resolve("classes");
                Path file = classes.resolve(mutant.type.replace('.', '/') + ".class");
                Files.createDirectories(file.getParent());
                Files.copy(mutant.file, file, StandardCopyOption.REPLACE_EXISTING);
                known.add((noticed(classes, patched(mutant)) ? "detected " : "survived ") + mutant.name);
                System.out.println(known.getLast());
                Files.delete(file);
                Files.write(verdicts, known);
            }
        }
    }

    /** {@return whether a test fails or does not end} */
    private boolean noticed(Path classes, Path recorder) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java", "-Drecorder=" + recorder,
                "-Dimage=" + jar.resolveSibling("image"), "-cp", classes + ":" + classPath,
                "org.junit.platform.console.ConsoleLauncher", "execute", "--fail-fast", "--fail-if-no-tests"));
        tests.forEach(test -> command.add((test.contains("#") ? "--select-method=" : "--select-class=") + test));
        Process process = new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(report.resolve("jvms.log").toFile()).start();
        boolean ended = process.waitFor(LIMIT, TimeUnit.SECONDS);
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        return process.destroyForcibly().waitFor() != 0 || !ended;
    }

    private List<Mutant> undetected() throws IOException {
        Set<String> undetected = new HashSet<>();
        Pattern line = Pattern.compile("detected='false'.*<mutatedClass>(.*)</mutatedClass><mutatedMethod>(.*)</mutatedMethod>"
                + "<methodDescription>(.*)</methodDescription>.*<mutator>(.*)</mutator>.*<index>(\\d+)</index>");
        for (Matcher found = line.matcher(Files.readString(report.resolve("mutations.xml"))); found.find(); ) {
            undetected.add(id(found, 1, 2, 3, 5, 4).replace("&lt;", "<").replace("&gt;", ">"));
        }
        List<Mutant> mutants = new ArrayList<>();
        Pattern details = Pattern.compile("clazz=(.*), method=(.*), methodDesc=(.*)], indexes=\\[(\\d+).*], mutator=([^]]*)].*"
                + "lineNumber=(\\d+), description=(.*), testsInOrder.*", Pattern.DOTALL);
        try (Stream<Path> files = Files.walk(report.resolve("export"))) {
            for (Path file : files.filter(path -> path.endsWith("details.txt")).sorted().toList()) {
                Matcher mutant = details.matcher(Files.readString(file));
                if (mutant.find() && undetected.contains(id(mutant, 1, 2, 3, 4, 5))) {
                    String type = mutant.group(1);
                    mutants.add(new Mutant(file.resolveSibling(type + ".class"), type, id(mutant, 1, 2, 6, 4, 5, 7)));
                }
            }
        }
        return mutants;
    }

    private static String id(Matcher matcher, int... groups) {
        return IntStream.of(groups).mapToObj(matcher::group).collect(Collectors.joining(" "));
    }

    /** {@return a copy of the recorder with the mutant, or the recorder if it has no such class} */
    private Path patched(Mutant mutant) throws IOException {
        Path copy = Files.copy(jar, report.resolve("recorder.jar"), StandardCopyOption.REPLACE_EXISTING);
        try (FileSystem files = FileSystems.newFileSystem(URI.create("jar:" + copy.toUri()), Map.of())) {
            Path file = files.getPath(relocated(mutant.type.replace('.', '/') + ".class"));
            if (Files.notExists(file)) {
                return jar;
            }
            Files.write(file, relocated(mutant.file));
        }
        return copy;
    }

    /** {@return the class with the names that it has in the jar, each a constant} */
    private static byte[] relocated(Path file) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataInputStream in = new DataInputStream(Files.newInputStream(file));
             DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeLong(in.readLong());
            int count = in.readUnsignedShort();
            out.writeShort(count);
            for (int i = 1; i < count; i++) {
                int tag = in.readUnsignedByte();
                out.writeByte(tag);
                switch (tag) {
                    case 1 -> out.writeUTF(relocated(in.readUTF()));
                    case 7, 8, 16, 19, 20 -> out.writeShort(in.readShort());
                    case 15 -> out.write(in.readNBytes(3));
                    case 5, 6 -> {
                        out.writeLong(in.readLong());
                        i++; // takes two
                    }
                    default -> out.writeInt(in.readInt());
                }
            }
            in.transferTo(out);
        }
        return bytes.toByteArray();
    }

    private static String relocated(String text) {
        return text.replace("pooledarena/histogram/", "pooledarena/recorder/histogram/").replace("pooledarena/recorder/hook/",
                "java/lang/foreign/").replace("pooledarena.recorder.hook.", "java.lang.foreign.");
    }
}
