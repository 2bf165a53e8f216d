/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import module java.base;

import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.attribute.ConstantValueAttribute;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Class files for the tests to scan, and archives of them. */
final class ScanFiles {

    private ScanFiles() {}

    /** {@return the class file of {@code type} and of the classes in it, by the names that they have in a jar file} */
    static Map<String, byte[]> classFiles(Class<?> type) {
        try {
            Path directory = Path.of(type.getResource(type.getSimpleName() + ".class").toURI()).getParent();
            Map<String, byte[]> files = new TreeMap<>();
            try (Stream<Path> all = Files.list(directory)) {
                for (Path file : all.toList()) {
                    String name = file.getFileName().toString();
                    if (name.equals(type.getSimpleName() + ".class") || name.startsWith(type.getSimpleName() + "$")) {
                        files.put(type.getPackageName().replace('.', '/') + "/" + name, Files.readAllBytes(file));
                    }
                }
            }
            return files;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** {@return what is found in class files, which are written to a directory} */
    static LibraryScan scan(Path directory, Map<String, byte[]> files) {
        Map<String, Path> paths = new TreeMap<>();
        files.forEach((name, bytes) -> {
            try {
                Path file = directory.resolve(name);
                Files.createDirectories(file.getParent());
                paths.put(name, Files.write(file, bytes));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        return LibraryScan.of(new Inputs.Library("samples", paths, null), List.of());
    }

    /** {@return a class with a method that opens and closes as many arenas, one after the other, and allocates a byte from each} */
    static byte[] opening(String internalName, int arenas) {
        ClassDesc arena = ClassDesc.of("java.lang.foreign.Arena");
        return ClassFile.of().build(ClassDesc.ofInternalName(internalName), type -> type.withMethodBody("open",
                MethodTypeDesc.of(ConstantDescs.CD_void), ClassFile.ACC_STATIC, code -> {
                    for (int i = 0; i < arenas; i++) {
                        code.invokestatic(arena, "ofConfined", MethodTypeDesc.of(arena), true).astore(0)
                                .aload(0).lconst_1().invokeinterface(arena, "allocate", MethodTypeDesc.of(
                                        ClassDesc.of("java.lang.foreign.MemorySegment"), ConstantDescs.CD_long)).pop()
                                .aload(0).invokeinterface(arena, "close", MethodTypeDesc.of(ConstantDescs.CD_void));
                    }
                    code.return_();
                }));
    }

    /** {@return a class with a method as Kotlin's compiler makes it of {@code Arena.ofConfined().use { it.allocate(1) }}} */
    static byte[] inlinedUse(String internalName) {
        ClassDesc arena = ClassDesc.of("java.lang.foreign.Arena");
        ClassDesc marker = ClassDesc.of("kotlin.jvm.internal.InlineMarker");
        MethodTypeDesc mark = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);
        Consumer<CodeBuilder> close = code -> code.iconst_1().invokestatic(marker, "finallyStart", mark).aload(0).aload(1)
                .invokestatic(ClassDesc.of("kotlin.jdk7.AutoCloseableKt"), "closeFinally", MethodTypeDesc.of(ConstantDescs.CD_void,
                        ClassDesc.of("java.lang.AutoCloseable"), ConstantDescs.CD_Throwable))
                .iconst_1().invokestatic(marker, "finallyEnd", mark);
        return ClassFile.of(ClassFile.StackMapsOption.DROP_STACK_MAPS).build(ClassDesc.ofInternalName(internalName),
                type -> type.withMethodBody("open", MethodTypeDesc.of(ConstantDescs.CD_void), ClassFile.ACC_STATIC, code -> code
                        .invokestatic(arena, "ofConfined", MethodTypeDesc.of(arena), true).astore(0).aconst_null().astore(1)
                        .trying(block -> block.aload(0).lconst_1().invokeinterface(arena, "allocate", MethodTypeDesc.of(
                                        ClassDesc.of("java.lang.foreign.MemorySegment"), ConstantDescs.CD_long)).pop(),
                                handlers -> handlers.catchingAll(handler -> {
                                    handler.astore(1);
                                    close.accept(handler);
                                    handler.aload(1).athrow();
                                }))
                        .block(close::accept).return_()));
    }

    /** {@return a class with a method that tests an argument twice, and reads a constant and a field that is none} */
    static byte[] otherCompiler(String internalName) {
        ClassDesc owner = ClassDesc.ofInternalName(internalName);
        ClassDesc arena = ClassDesc.of("java.lang.foreign.Arena");
        MethodTypeDesc allocate = MethodTypeDesc.of(ClassDesc.of("java.lang.foreign.MemorySegment"), ConstantDescs.CD_long);
        return ClassFile.of(ClassFile.StackMapsOption.DROP_STACK_MAPS).build(owner, type -> type
                .withField("SIZE", ConstantDescs.CD_long, field -> field.withFlags(ClassFile.ACC_STATIC | ClassFile.ACC_FINAL)
                        .with(ConstantValueAttribute.of(24L)))
                .withField("size", ConstantDescs.CD_long, ClassFile.ACC_STATIC)
                .withMethodBody("<clinit>", MethodTypeDesc.of(ConstantDescs.CD_void), ClassFile.ACC_STATIC, code -> code
                        .lconst_1().putstatic(owner, "size", ConstantDescs.CD_long).return_())
                .withMethodBody("open", MethodTypeDesc.of(ConstantDescs.CD_void, arena), ClassFile.ACC_STATIC, code -> {
                    Label given = code.newLabel();
                    Label end = code.newLabel();
                    code.aconst_null().astore(1)
                            .aload(0).lineNumber(7).ifnonnull(given)
                            .invokestatic(arena, "ofConfined", MethodTypeDesc.of(arena), true).astore(1)
                            .trying(block -> block
                                            .aload(1).getstatic(owner, "SIZE", ConstantDescs.CD_long)
                                            .invokeinterface(arena, "allocate", allocate).pop()
                                            .aload(1).getstatic(owner, "size", ConstantDescs.CD_long)
                                            .invokeinterface(arena, "allocate", allocate).pop(),
                                    handlers -> handlers.catchingAll(handler -> handler
                                            .aload(1).invokeinterface(arena, "close", MethodTypeDesc.of(ConstantDescs.CD_void))
                                            .athrow()))
                            .labelBinding(given)
                            .aload(0).lineNumber(8).ifnonnull(end)
                            .aload(1).invokeinterface(arena, "close", MethodTypeDesc.of(ConstantDescs.CD_void))
                            .labelBinding(end).return_();
                }));
    }

    static byte[] manifest(boolean multiRelease) {
        return ("Manifest-Version: 1.0\r\nMulti-Release: " + multiRelease + "\r\n\r\n").getBytes(UTF_8);
    }

    static Path zip(Path file, Map<String, byte[]> files) throws IOException {
        try (OutputStream out = Files.newOutputStream(file); ZipOutputStream zip = new ZipOutputStream(out)) {
            for (Map.Entry<String, byte[]> entry : files.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(entry.getValue());
                zip.closeEntry();
            }
        }
        return file;
    }
}
