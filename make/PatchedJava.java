/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.CRC32;

/**
 * What {@code java @pooled.args ...} runs first: starts {@code java} again with the patched classes, if it is of the
 * very build that they were compiled for, and otherwise refuses.
 *
 * <p>A virtual machine that is given classes of {@code java.base} of another build can break before it runs any Java
 * code, or worse, later. So the check cannot be made with the patched classes in place; it is made in a virtual machine
 * without them, which is then replaced ({@link Exec}): process, standard streams and exit status are those of the
 * {@code java} that was asked for. What it costs is that virtual machine's start-up.
 *
 * <p>This class has to run on any Java that knows argument files, 9 and newer.
 */
public final class PatchedJava {

    /** Where the jar says which build its classes are for. */
    private static final String BUILD_ENTRY = "META-INF/build";

    /** Refuses or starts; in a jar that has no {@link #BUILD_ENTRY} yet, prints what it has to be. */
    public static void main(String[] args) throws IOException, URISyntaxException {
        Path path = Paths.get(PatchedJava.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        try (JarFile jar = new JarFile(path.toFile())) {
            List<String> here = build(jar);
            JarEntry entry = jar.getJarEntry(BUILD_ENTRY);
            if (entry == null) {
                System.out.println(String.join("\n", here));
                return;
            }
            String lines = new String(jar.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8);
            List<String> built = List.of(lines.trim().split("\n"));
            if (!here.equals(built)) {
                boolean sameVersion = here.get(0).equals(built.get(0));
                System.err.println("pooled.args: made for JDK " + built.get(0) + "; this is "
                        + (sameVersion ? "another build of that version" : "JDK " + here.get(0))
                        + ", " + System.getProperty("java.home")
                        + "; nothing was started (make patch-module JDK=... makes it for another)");
                System.exit(1);
            }
        }
        Exec.patched(path, args);
    }

    /**
     * Of the running JDK: its version, the names and versions of the virtual machine, and a checksum of the original
     * classes in whose place those in the jar are put. The latter tells builds apart that call themselves the same.
     */
    private static List<String> build(JarFile jar) throws IOException {
        return List.of(
                System.getProperty("java.runtime.version"),
                System.getProperty("java.vendor") + " " + System.getProperty("java.vendor.version"),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version")
                        + " " + System.getProperty("os.name") + " " + System.getProperty("os.arch"),
                checksumOfReplacedClasses(jar));
    }

    private static String checksumOfReplacedClasses(JarFile jar) throws IOException {
        CRC32 crc = new CRC32();
        Iterable<JarEntry> entries = jar.stream().filter(entry -> entry.getName().endsWith(".class"))::iterator;
        for (JarEntry entry : entries) {
            // Asked of a class of java.base, this finds what is in java.base and nothing of the class path.
            try (InputStream original = Object.class.getResourceAsStream("/" + entry.getName())) {
                if (original != null) {
                    crc.update(entry.getName().getBytes(StandardCharsets.UTF_8));
                    crc.update(original.readAllBytes());
                }
            }
        }
        return Long.toHexString(crc.getValue());
    }
}
