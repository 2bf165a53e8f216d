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
package org.openjdk.bench.java.lang.foreign.peers;

import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * C2's code of a method, as the virtual machine prints it without a disassembler: in hexadecimal. That of the main path
 * and of uncommon traps, not of exception handlers and stubs. Traps, safepoints and barriers are no calls.
 */
record CompiledMethod(byte[] bytes, long calls) {

    private static final Pattern BYTES = Pattern.compile("\\s+0x[0-9a-f]{16}:((?: [0-9a-f]+(?: \\|)?)+)\\s*");
    private static final Pattern CALL = Pattern.compile("\\{(?:static_call|optimized virtual_call|virtual_call|"
            + "runtime_call (?!UncommonTrapBlob|SafepointBlob|Stub::.*barrier).*)\\}");
    private static final Pattern END =
            Pattern.compile("^\\[(?:Exception Handler|Stub Code|Deopt Handler Code|/MachCode)\\]");

    /** Whatever locks the bus or the cache line: the prefix, and an exchange with memory, which needs none. */
    static final Pattern ATOMIC = Pattern.compile("\\block\\b|\\bxchg\\s.*\\(.*\\)");
    static final Pattern FENCE = Pattern.compile("\\b[lsm]fence\\b");

    /** {@return the last code that C2 has made of {@code method} for calls, according to what {@code lines} print} */
    static CompiledMethod last(List<String> lines, String method) {
        // An asterisk or a percent sign, for code that a running loop enters, stands between the numbers.
        return IntStream.range(0, lines.size()).filter(i -> lines.get(i).startsWith("Compiled method (c2)")
                        && lines.get(i).contains("::" + method + " (") && !lines.get(i).contains(" % "))
                .mapToObj(i -> parse(lines.subList(i, lines.size()))).reduce((first, later) -> later)
                .filter(compiled -> compiled.bytes.length > 0).orElseThrow(() -> new IllegalStateException(
                        "C2 has printed no machine code, as where hsdis is installed"));
    }

    private static CompiledMethod parse(List<String> printed) {
        List<String> lines = printed.stream().dropWhile(line -> !line.equals("[MachCode]"))
                .takeWhile(line -> !END.matcher(line).find()).toList();
        String hex = lines.stream().map(BYTES::matcher).filter(Matcher::matches).map(bytes -> bytes.group(1))
                .collect(Collectors.joining()).replaceAll("[ |]", "");
        return new CompiledMethod(HexFormat.of().parseHex(hex), count(lines, CALL));
    }

    static long count(List<String> lines, Pattern pattern) {
        return lines.stream().filter(line -> pattern.matcher(line).find()).count();
    }
}
