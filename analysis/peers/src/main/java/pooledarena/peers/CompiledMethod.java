/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.peers;

import pooledarena.benchmark.JavaCommand;
import pooledarena.io.ProcessRunner;

import module java.base;

/**
 * C2's code of a method, as the virtual machine prints it without a disassembler: in hexadecimal. That of the main path
 * and of uncommon traps, not of exception handlers and stubs. Traps, safepoints and barriers are no calls.
 */
record CompiledMethod(byte[] code, long calls) {

    private static final Pattern BYTES = Pattern.compile("\\s+0x[0-9a-f]{16}:((?: [0-9a-f]+(?: \\|)?)+)\\s*");
    private static final Pattern CALL = Pattern.compile("\\{(?:static_call|optimized virtual_call|virtual_call|"
            + "runtime_call (?!UncommonTrapBlob|SafepointBlob|Stub::.*barrier).*)\\}");
    private static final Pattern END =
            Pattern.compile("^\\[(?:Exception Handler|Stub Code|Deopt Handler Code|/MachCode)\\]");

    /** Whatever locks the bus or the cache line: the prefix, and an exchange with memory, which needs none. */
    static final Pattern ATOMIC = Pattern.compile("\\block\\b|\\bxchg\\s.*\\(.*\\)");
    static final Pattern FENCE = Pattern.compile("\\b[lsm]fence\\b");

    /** {@return the last code that C2 has made of {@code method} for calls, according to what {@code lines} print} */
    static Optional<CompiledMethod> last(List<String> lines, String method) {
        // An asterisk or a percent sign, for code that a running loop enters, stands between the numbers.
        return IntStream.range(0, lines.size()).filter(i -> lines.get(i).startsWith("Compiled method (c2)")
                        && lines.get(i).contains("::" + method + " (") && !lines.get(i).contains(" % "))
                .mapToObj(i -> parse(lines.subList(i, lines.size()))).reduce((_, later) -> later);
    }

    private static CompiledMethod parse(List<String> printed) {
        List<String> lines = printed.stream().dropWhile(line -> !line.equals("[MachCode]"))
                .takeWhile(line -> !END.matcher(line).find()).toList();
        String hex = lines.stream().map(BYTES::matcher).filter(Matcher::matches).map(bytes -> bytes.group(1))
                .collect(Collectors.joining()).replaceAll("[ |]", "");
        return new CompiledMethod(HexFormat.of().parseHex(hex), count(lines, CALL));
    }

    /** {@return whether objdump is in {@code path}, and the processor one whose code is understood here} */
    static boolean canBeRead(String processor, String path) {
        return processor.equals("amd64") && Stream.of(path.split(":"))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, "objdump")));
    }

    /**
     * {@return bytes, calls, atomic operations and fences of a method of {@code program}}
     * The instructions, in objdump's notation, are also written to a file in {@code listings}.
     */
    static double[] count(JavaCommand jvm, String program, String name, Path listings) throws IOException {
        List<String> printed = jvm.lines(Map.of(), List.of("--sun-misc-unsafe-memory-access=allow",
                "--enable-native-access=ALL-UNNAMED", "-XX:+UnlockDiagnosticVMOptions", "-XX:CompileCommand=quiet",
                "-XX:CompileCommand=dontinline," + program + "::" + name,
                "-XX:CompileCommand=print," + program + "::" + name, program, name));
        CompiledMethod method = last(printed, name).filter(compiled -> compiled.code.length > 0)
                .orElseThrow(() -> new IOException("C2 has printed no machine code, as where hsdis is installed"));
        Path listing = Files.createDirectories(listings).resolve(name + "-" + jvm.name() + ".txt");
        Files.write(listing, method.code);
        List<String> instructions = ProcessRunner.lines(List.of("objdump", "--disassemble-all", "--target=binary",
                        "--architecture=i386:x86-64", "--no-show-raw-insn", listing.toString()), Map.of()).stream()
                .filter(line -> line.matches("^\\s+[0-9a-f]+:\\s.*")).toList();
        Files.write(listing, instructions);
        return new double[] {method.code.length, method.calls, count(instructions, ATOMIC), count(instructions, FENCE)};
    }

    static long count(List<String> lines, Pattern pattern) {
        return lines.stream().filter(line -> pattern.matcher(line).find()).count();
    }
}
