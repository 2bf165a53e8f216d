/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import module java.base;

import java.lang.classfile.ClassFile;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import pooledarena.FarDirectory;
import pooledarena.scan.Inputs.Library;
import pooledarena.scan.Opening.Escape;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Which libraries a word of the command line names, and what becomes of files that are not what they should be. */
class InputsTest {

    @TempDir
    private Path directory;

    /** Each library with the number of its openings, or with its faults. */
    private static List<String> scan(String word) throws IOException {
        List<String> found = new ArrayList<>();
        try (Inputs inputs = new Inputs()) {
            inputs.add(word);
            for (Library library : inputs.libraries) {
                LibraryScan scan = LibraryScan.of(library, inputs.libraries);
                found.add(scan.name() + " " + scan.openings().size()
                        + scan.faults().stream().map(fault -> "; " + fault).collect(Collectors.joining()));
            }
        }
        return found;
    }

    private Path jar(String name, Map<String, byte[]> files) throws IOException {
        return ScanFiles.zip(directory.resolve(name), files);
    }

    @Test
    void aJar() throws IOException {
        assertEquals(List.of("a.jar 2"), scan(jar("a.jar", Map.of("p/A.class", ScanFiles.opening("p/A", 2),
                "p/readme.txt", new byte[3])).toString()));
    }

    @Test
    void aJarIsOpenUntilTheInputsAreClosed() throws IOException {
        Path jar = jar("a.jar", Map.of("p/A.class", ScanFiles.opening("p/A", 1)));
        Path inside;
        try (Inputs inputs = new Inputs()) {
            inputs.add(jar.toString());
            inside = inputs.libraries.getFirst().files().get("p/A.class");
            assertTrue(Files.exists(inside));
        }
        assertFalse(inside.getFileSystem().isOpen());
    }

    @Test
    void theNewestVersionThatThisJavaSees() throws IOException {
        Map<String, byte[]> files = Map.of("META-INF/MANIFEST.MF", ScanFiles.manifest(true),
                "p/A.class", ScanFiles.opening("p/A", 1),
                "META-INF/versions/21/p/A.class", ScanFiles.opening("p/A", 2),
                "META-INF/versions/22/p/A.class", ScanFiles.opening("p/A", 3),
                "META-INF/versions/999/p/A.class", ScanFiles.opening("p/A", 4),
                "META-INF/versions/22/p/B.class", ScanFiles.opening("p/B", 10));
        assertEquals(List.of("multi.jar 13"), scan(jar("multi.jar", files).toString()));
    }

    @Test
    void versionsOfAJarThatHasOnlyOne() throws IOException {
        Map<String, byte[]> files = Map.of("META-INF/MANIFEST.MF", ScanFiles.manifest(false),
                "p/A.class", ScanFiles.opening("p/A", 1),
                "META-INF/versions/22/p/A.class", ScanFiles.opening("p/A", 3));
        assertEquals(List.of("single.jar 1"), scan(jar("single.jar", files).toString()));
    }

    @Test
    void jarsInAJar() throws IOException {
        byte[] inner = Files.readAllBytes(jar("inner.jar", Map.of("q/B.class", ScanFiles.opening("q/B", 5))));
        assertEquals(List.of("app.jar 2", "app.jar!/BOOT-INF/lib/inner.jar 5"), scan(jar("app.jar",
                Map.of("BOOT-INF/classes/p/A.class", ScanFiles.opening("p/A", 2), "BOOT-INF/lib/inner.jar", inner)).toString()));
    }

    /** The WAR has classes of its own and a jar, in which there is another; the EAR has no classes. */
    @Test
    void anEar() throws IOException {
        byte[] deepest = Files.readAllBytes(jar("deepest.jar", Map.of("r/C.class", ScanFiles.opening("r/C", 7))));
        byte[] inner = Files.readAllBytes(jar("inner.jar", Map.of("q/B.class", ScanFiles.opening("q/B", 5), "lib/deepest.jar", deepest)));
        byte[] web = Files.readAllBytes(jar("web.war", Map.of("WEB-INF/classes/p/A.class", ScanFiles.opening("p/A", 2),
                "WEB-INF/lib/inner.jar", inner)));
        assertEquals(List.of("app.ear!/web.war 2", "app.ear!/web.war!/WEB-INF/lib/inner.jar 5",
                "app.ear!/web.war!/WEB-INF/lib/inner.jar!/lib/deepest.jar 7"), scan(jar("app.ear", Map.of("web.war", web)).toString()));
    }

    @Test
    void archivesInsideOfArchives() throws IOException {
        byte[] jar = Files.readAllBytes(jar("0.jar", Map.of("p/A.class", ScanFiles.opening("p/A", 1))));
        for (int i = 1; i <= 9; i++) {
            jar = Files.readAllBytes(jar(i + ".jar", Map.of(i - 1 + ".jar", jar)));
        }
        assertEquals(List.of("8.jar!/7.jar!/6.jar!/5.jar!/4.jar!/3.jar!/2.jar!/1.jar!/0.jar 1"),
                scan(directory.resolve("8.jar").toString()));
        assertEquals(List.of("9.jar!/8.jar!/7.jar!/6.jar!/5.jar!/4.jar!/3.jar!/2.jar!/1.jar!/0.jar 0; "
                + "is not opened, being inside of 9 others"), scan(directory.resolve("9.jar").toString()));
    }

    @Test
    void aDamagedJarInAJar() throws IOException {
        List<String> scan = scan(jar("app.jar", Map.of("p/A.class", ScanFiles.opening("p/A", 2), "lib/bad.jar", new byte[100])).toString());
        assertEquals("app.jar 2", scan.getFirst());
        assertTrue(scan.getLast().startsWith("app.jar!/lib/bad.jar 0; is not a jar file ("), scan.toString());
    }

    /** What comes after it is scanned. */
    @Test
    void aJarWithANameThatNoFileHas() throws IOException {
        Path bad = jar("a.jar", Map.of("p/A\0.class", ScanFiles.opening("p/A", 2)));
        jar("b.jar", Map.of("p/B.class", ScanFiles.opening("p/B", 3)));
        List<String> scan = scan(directory.toString());
        assertTrue(scan.getFirst().startsWith("a.jar 0; cannot be read ("), scan.toString());
        assertEquals(List.of("b.jar 3"), scan.subList(1, scan.size()));
        assertEquals(List.of(scan.getFirst()), scan(bad.toString()));
    }

    /** It is not read as a whole, so one that no array can hold is named as well. */
    @Test
    void aClassThatIsTooLarge() throws IOException {
        Path jar = directory.resolve("large.jar");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
            zip.putNextEntry(new ZipEntry("p/B.class"));
            byte[] zeros = new byte[1 << 20];
            for (int i = 0; i < 64; i++) {
                zip.write(zeros);
            }
            zip.write(0);
            zip.putNextEntry(new ZipEntry("p/A.class"));
            zip.write(ScanFiles.opening("p/A", 2));
        }
        assertEquals(List.of("large.jar 2; p/B.class: not a class file that can be read (larger than 64 MiB)"), scan(jar.toString()));
    }

    @Test
    void aJmod() throws IOException {
        Path zip = jar("a.zip", Map.of("classes/p/A.class", ScanFiles.opening("p/A", 2)));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(new byte[] {'J', 'M', 1, 0});
        bytes.write(Files.readAllBytes(zip));
        Path jmod = Files.write(directory.resolve("m.jmod"), bytes.toByteArray());
        assertEquals(List.of("m.jmod 2"), scan(jmod.toString()));
    }

    @Test
    void aDirectory() throws IOException {
        jar("B.JAR", Map.of("p/B.class", ScanFiles.opening("p/B", 3)));
        Path classes = Files.createDirectories(directory.resolve("classes/p"));
        Files.write(classes.resolve("A.class"), ScanFiles.opening("p/A", 2));
        Files.createDirectory(classes.resolve("B.class")); // a directory with such a name is none of the files
        assertEquals(List.of(directory.getFileName() + " 2", "B.JAR 3"), scan(directory.toString()));
        assertEquals(List.of("A.class 2"), scan(classes.resolve("A.class").toString()));
        try (Inputs inputs = new Inputs()) {
            Stream.of(classes.resolve("A.class"), directory).map(Path::toString).forEach(inputs::add);
            assertEquals(List.of("A.class", "B.JAR"), inputs.libraries.stream().map(Library::name).toList());
        }
    }

    /** Links lead to the same place twice, in a circle, and nowhere. */
    @Test
    void symbolicLinks() throws IOException {
        Path real = Files.createDirectories(directory.resolve("real/q"));
        Files.write(real.resolve("B.class"), ScanFiles.opening("q/B", 3));
        Path app = Files.createDirectory(directory.resolve("app"));
        Files.write(app.resolve("A.class"), ScanFiles.opening("p/A", 2));
        Files.createSymbolicLink(app.resolve("one"), real);
        Files.createSymbolicLink(app.resolve("two"), real);
        Files.createSymbolicLink(app.resolve("up"), app);
        assertEquals(List.of("app 5"), scan(app.toString()));
        assertEquals(List.of("link 5"), scan(Files.createSymbolicLink(directory.resolve("link"), app).toString()));
        Files.createSymbolicLink(app.resolve("gone.jar"), Path.of("nowhere"));
        assertEquals(List.of("app 5", "gone.jar 0; cannot be read (there is no such file or directory)"),
                scan(app.toString()));
    }

    /** The name that comes first counts, in a directory as on the command line. */
    @Test
    void aJarThatIsThereTwice() throws IOException {
        Path lib = Files.createDirectory(directory.resolve("lib"));
        Files.write(lib.resolve("A.class"), ScanFiles.opening("p/A", 2));
        Path jar = jar("lib/foo-1.0.jar", Map.of("q/B.class", ScanFiles.opening("q/B", 3)));
        Path link = Files.createSymbolicLink(lib.resolve("foo.jar"), jar.getFileName());
        assertEquals(List.of("lib 2", "foo-1.0.jar 3"), scan(lib.toString()));
        try (Inputs inputs = new Inputs()) {
            Stream.of(link, jar, lib, lib).map(Path::toString).forEach(inputs::add);
            assertEquals(List.of("foo.jar", "lib"), inputs.libraries.stream().map(Library::name).toList());
        }
    }

    @Test
    void aLinkToNoClass() throws IOException {
        Files.write(directory.resolve("A.class"), ScanFiles.opening("A", 2));
        Files.createSymbolicLink(directory.resolve("B.class"), Path.of("nowhere"));
        assertEquals(List.of(directory.getFileName() + " 2; B.class: not a class file that can be read (a link that leads nowhere)"),
                scan(directory.toString()));
    }

    /** The rest is scanned. */
    @Test
    void aDirectoryThatCannotBeRead() throws IOException {
        Path app = Files.createDirectory(directory.resolve("app"));
        Files.write(app.resolve("A.class"), ScanFiles.opening("A", 2));
        try (FarDirectory _ = FarDirectory.linked(app.resolve("far"), directory)) {
            List<String> scan = scan(app.toString());
            assertEquals("app 2", scan.getFirst());
            assertTrue(scan.getLast().startsWith("app/far 0; cannot be read ("), scan.toString());
            assertEquals(2, scan.size(), scan.toString());
        }
    }

    /** Classes that inherit from each other, which no JVM loads. */
    @Test
    void aCircleOfClasses() throws IOException {
        List<String> scan = scan(jar("circle.jar", Map.of("p/A.class", calling("p/A", "p/B", "p/B", "missing"),
                "p/B.class", calling("p/B", "p/A", "p/A", "call"), "p/C.class", ScanFiles.opening("p/C", 2))).toString());
        assertEquals(List.of("circle.jar 2; p.A.call: cannot be followed (StackOverflowError); "
                + "p.B.call: cannot be followed (StackOverflowError)"), scan);
    }

    /** {@return a class that gives an arena to a method} */
    private static byte[] calling(String name, String parent, String owner, String method) {
        ClassDesc arena = ClassDesc.of("java.lang.foreign.Arena");
        MethodTypeDesc takesArena = MethodTypeDesc.of(ConstantDescs.CD_void, arena);
        return ClassFile.of(ClassFile.StackMapsOption.DROP_STACK_MAPS).build(ClassDesc.ofInternalName(name), type -> type
                .withSuperclass(ClassDesc.ofInternalName(parent))
                .withMethodBody("call", takesArena, 0, code -> code.aload(0)
                        .invokestatic(arena, "ofConfined", MethodTypeDesc.of(arena), true)
                        .invokevirtual(ClassDesc.ofInternalName(owner), method, takesArena).return_()));
    }

    @Test
    void modules() throws IOException {
        assertEquals(List.of("java.logging 0"), scan("java.logging"));
        try (Inputs inputs = new Inputs()) {
            inputs.add(Inputs.ALL_MODULES);
            List<String> names = inputs.libraries.stream().map(Library::name).toList();
            assertTrue(names.containsAll(List.of("java.base", "java.logging", "jdk.incubator.vector")));
        }
    }

    @Test
    void theModuleThatOpensArenas() throws IOException {
        try (Inputs inputs = new Inputs()) {
            inputs.add("java.base");
            LibraryScan scan = LibraryScan.of(inputs.libraries.getFirst(), inputs.libraries);
            assertEquals(List.of(), scan.faults());
            assertTrue(scan.classes() > 5_000 && scan.foreignClasses() > 100, scan.classes() + " " + scan.foreignClasses());
            assertTrue(scan.openings().stream().anyMatch(opening -> opening.closing() == Opening.ClosingPaths.STRUCTURED));
        }
    }

    /** A method of one jar that is called from another is followed. */
    @Test
    void libraryOfAnotherJar() throws IOException {
        Map<String, byte[]> samples = ScanFiles.classFiles(Samples.class);
        String sink = "pooledarena/scan/Samples$Point2d.class";
        Map<String, byte[]> without = new TreeMap<>(samples);
        without.remove(sink);
        String caller = jar("caller.jar", without).toString();
        String callee = jar("callee.jar", Map.of(sink, samples.get(sink))).toString();
        assertEquals(List.of(), bindings(List.of(caller)));
        assertEquals(List.of(24L, 24L), bindings(List.of(caller, callee)));
    }

    /** Where another library may override a method, it is not followed. */
    @Test
    void methodsOfAnotherJarThatNobodyOverrides() throws IOException {
        Map<String, byte[]> callers = new TreeMap<>(ScanFiles.classFiles(Samples.class));
        Map<String, byte[]> callees = new TreeMap<>();
        for (String name : List.of("MakerOfAFinalClass", "MakerOfAFinalMethod", "Hidden")) {
            String file = "pooledarena/scan/Samples$" + name + ".class";
            callees.put(file, callers.remove(file));
        }
        Map<String, Set<Escape>> escapes = new TreeMap<>();
        try (Inputs inputs = new Inputs()) {
            inputs.add(jar("caller.jar", callers).toString());
            inputs.add(jar("callee.jar", callees).toString());
            LibraryScan.of(inputs.libraries.getFirst(), inputs.libraries).openings().forEach(opening -> escapes.put(
                    opening.site().replaceAll(".*\\.|:.*", ""), opening.escapes()));
        }
        assertEquals(Set.of(), escapes.get("passedToAFinalClass"));
        assertEquals(Set.of(), escapes.get("passedToAFinalMethod"));
        assertEquals(Set.of(), escapes.get("passedToAConstructor"));
        assertEquals(Set.of(Escape.PASSED_ON), escapes.get("passedToAnOpenMethod"));
    }

    /** What the sample of generated bindings allocates of known size, without what its native function returns. */
    private static List<Long> bindings(List<String> words) throws IOException {
        try (Inputs inputs = new Inputs()) {
            words.forEach(inputs::add);
            return LibraryScan.of(inputs.libraries.getFirst(), inputs.libraries).openings().stream()
                    .filter(opening -> opening.site().contains(".bindings:"))
                    .flatMap(opening -> opening.allocations().stream())
                    .filter(allocation -> !allocation.method().equals("downcall") && allocation.bytes() != null)
                    .map(Allocation::bytes).toList();
        }
    }

    @Test
    void whatIsNothing() throws IOException {
        assertEquals(List.of("no.such.thing 0; neither a file nor a module; " + Inputs.ACCEPTED), scan("no.such.thing"));
        assertTrue(scan("no\0name").getFirst().startsWith("no\0name 0; cannot be read ("), scan("no\0name").toString());
    }

    @Test
    void filesThatAreNoJars() throws IOException {
        Path empty = Files.createFile(directory.resolve("empty.jar"));
        assertEquals(List.of("empty.jar 0; is empty; " + Inputs.ACCEPTED), scan(empty.toString()));
        Path text = Files.writeString(directory.resolve("text.jar"), "no jar");
        assertTrue(scan(text.toString()).getFirst().startsWith("text.jar 0; is not a jar file ("), scan(text.toString()).toString());
        byte[] jar = Files.readAllBytes(jar("a.jar", Map.of("p/A.class", ScanFiles.opening("p/A", 2))));
        Path cut = Files.write(directory.resolve("cut.jar"), Arrays.copyOf(jar, jar.length / 2));
        assertTrue(scan(cut.toString()).getFirst().startsWith("cut.jar 0; is not a jar file ("));
    }

    @Test
    void nothingInIt() throws IOException {
        assertEquals(List.of("none.jar 0"), scan(jar("none.jar", Map.of("a.txt", new byte[1])).toString()));
        Path none = Files.createDirectory(directory.resolve("none"));
        assertEquals(List.of("none 0"), scan(none.toString()));
    }

    /** The others of the same jar are scanned all the same. */
    @Test
    void damagedClasses() throws IOException {
        byte[] good = ScanFiles.opening("p/A", 2);
        byte[] newer = good.clone();
        newer[7] = 99;
        List<String> scan = scan(jar("damaged.jar", Map.of("p/A.class", good, "p/B.class", Arrays.copyOf(good, good.length / 2),
                "p/C.class", "no class".getBytes(UTF_8), "p/D.class", new byte[0], "p/E.class", newer)).toString());
        assertTrue(scan.getFirst().startsWith("damaged.jar 2; p/B.class: not a class file that can be read ("), scan.toString());
        assertTrue(scan.getFirst().endsWith("; p/E.class: not a class file that can be read (Unsupported class file version 99.0)"),
                scan.toString());
        for (String file : List.of("p/C.class", "p/D.class")) {
            assertTrue(scan.getFirst().contains("; " + file + ": not a class file that can be read ("), scan.toString());
        }
    }

    @Test
    void anEntryWithTheWrongChecksum() throws IOException {
        Path jar = jar("checksum.jar", Map.of("p/A.class", ScanFiles.opening("p/A", 2)));
        byte[] bytes = Files.readAllBytes(jar);
        bytes[60] ^= 0x55;
        Files.write(jar, bytes);
        assertTrue(scan(jar.toString()).getFirst().startsWith("checksum.jar 0; p/A.class: not a class file that can be read ("),
                scan(jar.toString()).toString());
    }

    /** Code that no verifier would pass: the method is named, the rest goes on. */
    @Test
    void codeThatMakesNoSense() throws IOException {
        byte[] bad = ScanFiles.opening("p/B", 1);
        for (int i = 0; i + 1 < bad.length; i++) {
            if (bad[i] == 0x4b && bad[i + 1] == 0x2a) { // astore_0, aload_0
                bad[i] = 0x57; // pop
                bad[i + 1] = 0x57; // pop, which there is nothing for
            }
        }
        List<String> scan = scan(jar("bad.jar", Map.of("p/A.class", ScanFiles.opening("p/A", 2), "p/B.class", bad)).toString());
        assertTrue(scan.getFirst().startsWith("bad.jar 2; p.B.open: cannot be followed ("), scan.toString());
    }
}
