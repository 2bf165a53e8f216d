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

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/**
 * What a virtual machine printed that a test has started, and how it ended.
 * <p>
 * OpenJDK's test library has the like, but these tests run where its source tree is not.
 */
record JavaProcess(int status, List<String> out, List<String> err) {

    static final Path TESTED_JDK = Path.of(System.getProperty("java.home"));

    private static final String PATCH = "--patch-module=java.base=";

    /** {@return an option that puts the classes in the directory before those of java.base} */
    static String patch(Path directory) {
        return PATCH + directory;
    }

    /** Writes a class of java.base, as the transform makes it, into a directory for {@link #patch}. */
    static void transform(Path directory, String name, ClassTransform transform) throws IOException {
        String file = name.replace('.', '/') + ".class";
        try (InputStream in = Object.class.getModule().getResourceAsStream(file)) {
            Path target = directory.resolve(file);
            Files.createDirectories(target.getParent());
            ClassFile classFile = ClassFile.of();
            Files.write(target, classFile.transformClass(classFile.parse(in.readAllBytes()), transform));
        }
    }

    /** Writes a class of java.base whose method throws an error before each of the calls, into a directory for {@link #patch}. */
    static void throwing(Path directory, String name, String method, Predicate<InvokeInstruction> calls, ClassDesc error)
            throws IOException {
        transform(directory, name, ClassTransform.transformingMethodBodies(
                model -> model.methodName().equalsString(method), (code, element) -> {
                    if (element instanceof InvokeInstruction invocation && calls.test(invocation)) {
                        code.new_(error).dup().invokespecial(error, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void).athrow();
                    }
                    code.with(element);
                }));
    }

    /** {@return the jar file of a Java agent, which is a class of the tests} The JVM finds that on the class path. */
    static Path agent(Class<?> premain) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", premain.getName());
        Path jar = Files.createTempFile(Path.of(""), "agent", ".jar");
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
        return jar;
    }

    /**
     * Runs a class of the tests. The JDK that is tested gets the options of the test run, too, after those given.
     *
     * @param main the class, and its arguments
     */
    static JavaProcess run(Path jdk, List<String> options, String... main) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(options);
        if (jdk.equals(TESTED_JDK)) {
            for (String property : new String[] {"test.vm.opts", "test.java.opts"}) {
                all.addAll(List.of(System.getProperty(property, "").replace("--patch-module ", "--patch-module=").split("\\s+")));
            }
        }
        List<String> command = new ArrayList<>(List.of(jdk.resolve("bin", "java").toString(),
                "-cp", System.getProperty("test.class.path", System.getProperty("java.class.path"))));
        all.stream().filter(option -> !option.isEmpty() && !option.startsWith(PATCH)).forEach(command::add);
        List<String> patches = all.stream().filter(option -> option.startsWith(PATCH))
                .map(option -> option.substring(PATCH.length())).toList();
        if (!patches.isEmpty()) {
            command.add(PATCH + String.join(File.pathSeparator, patches)); // of several options one would count
        }
        command.addAll(List.of(main));

        Path out = Files.createTempFile(Path.of(""), "java", ".out");
        Path err = Files.createTempFile(Path.of(""), "java", ".err");
        ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        // These make the VM print a line of its own.
        builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"));
        Process process = builder.start();
        try {
            return new JavaProcess(process.waitFor(), Files.readAllLines(out), Files.readAllLines(err));
        } finally {
            process.destroyForcibly(); // if jtreg has interrupted the test
        }
    }
}
