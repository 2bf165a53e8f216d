/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.peers;

import pooledarena.benchmark.Jvm;
import pooledarena.text.Table;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Counts the atomic operations in the compiled code of one arena, and of one of Netty's buffers. */
final class HotPath {

    private static final String PROGRAM = Programs.PACKAGE + "HotPath";

    /** The methods of the program, and what they do. */
    private static final Map<String, String> METHODS = new LinkedHashMap<>();

    static {
        METHODS.put("arena", "arena: open, allocate 64 B, use, close");
        METHODS.put("arenaOnVirtualThread", "the same on a virtual thread");
        METHODS.put("threeAllocations", "arena with three allocations");
        METHODS.put("twoNested", "two nested arenas");
        METHODS.put("nettyAdaptive", "Netty adaptive, event loop: allocate 64 B, use, release");
        METHODS.put("nettyPooled", "Netty pooled, event loop: the same");
    }

    private HotPath() {}

    /** {@return why compiled code cannot be read here, or null} */
    static String obstacle() {
        if (!System.getProperty("os.arch").equals("amd64")) {
            return "the code of this kind of processor cannot be read, only that of x86-64";
        }
        boolean objdump = Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, "objdump")));
        return objdump ? null : "there is no objdump, which the package binutils has";
    }

    /** {@return the counts; the instructions go to files in the programs' directory} */
    static Table measure(Programs programs) throws IOException {
        Table table = new Table(List.of("compiled by C2, with all that is inlined", "JDK", "bytes of code", "calls",
                "atomic operations", "fences"));
        Path directory = Files.createDirectories(programs.out().resolve("hot-path"));
        for (var method : METHODS.entrySet()) {
            for (Jvm jvm : method.getKey().startsWith("netty") ? List.of(programs.pooled()) : List.of(programs.stock(), programs.pooled())) {
                List<String> line = new ArrayList<>(List.of(method.getValue(), jvm.name()));
                line.addAll(counts(programs, jvm, method.getKey(), directory.resolve(method.getKey() + "-" + jvm.name() + ".txt")));
                table.add(line);
            }
        }
        return table;
    }

    private static List<String> counts(Programs programs, Jvm jvm, String method, Path listing) throws IOException {
        List<String> printed = programs.run(jvm, Map.of(), List.of("-XX:+UnlockDiagnosticVMOptions",
                "-XX:CompileCommand=quiet",
                "-XX:CompileCommand=dontinline," + PROGRAM + "::" + method,
                "-XX:CompileCommand=print," + PROGRAM + "::" + method,
                PROGRAM, method));
        CompiledMethod compiled = CompiledMethod.last(printed, method)
                .filter(code -> code.code().length > 0)
                .orElseThrow(() -> new IOException("C2 has printed no machine code of " + method
                        + ", as where a disassembler, hsdis, is installed"));
        List<String> instructions = compiled.disassemble();
        Files.write(listing, instructions);
        return List.of(String.valueOf(compiled.code().length), String.valueOf(compiled.calls()),
                String.valueOf(CompiledMethod.atomics(instructions)), String.valueOf(CompiledMethod.fences(instructions)));
    }
}
