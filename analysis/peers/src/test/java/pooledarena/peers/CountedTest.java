/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.peers;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import pooledarena.Script;
import pooledarena.benchmark.JavaCommand;
import pooledarena.benchmark.Measurement;
import pooledarena.benchmark.Results.Effort;
import pooledarena.peers.Group.Counted;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** What is counted in processes, here those of scripts. */
class CountedTest {

    @TempDir
    private Path directory;
    private Path java;
    private Measurement measurement;

    @BeforeEach
    void prepare() {
        java = directory.resolve("java");
        JavaCommand jvm = new JavaCommand("stock", java.toString(), List.of("-Da"), List.of("1"));
        measurement = new Measurement(List.of(jvm), new Effort(1, 1, 1, 1, 1),
                new PrintStream(OutputStream.nullOutputStream()), _ -> { });
    }

    static boolean canBeRead() {
        return CompiledMethod.canBeRead(System.getProperty("os.arch"), System.getenv("PATH"));
    }

    private static Group group(Counted counted) {
        return new Group("group", "", null, counted, List.of(), null);
    }

    private Map<String, Double> measured() {
        return measurement.measured().stream().collect(Collectors.toMap(m -> m.what().label(), m -> m.outcome().score(),
                (_, last) -> last, LinkedHashMap::new));
    }

    /** lock incl (%rax), mfence, xchg %eax,(%rdx) and ret. The method is the last of the arguments. */
    @Test
    void instructions() throws IOException {
        assumeTrue(canBeRead());
        Script.write(java, """
                for last; do :; done
                echo "Compiled method (c2) 278  564       4       Example::$last (54 bytes)"
                echo "[MachCode]"
                echo "  0x00007f33e02f1480: f0ff 000f | aef0 8702 | c3"
                echo "  0x00007f33e02f1490: ;   {optimized virtual_call}"
                echo "[/MachCode]"
                """);
        Group group = group(new Counted("HotPath", List.of("bytes", "calls", "atomic", "fences"),
                Map.of("a row", "stock arena")));
        group.extra(directory).orElseThrow().how().accept(measurement);
        assertEquals(List.of(), measurement.failures());
        assertEquals(Map.of("group, a row, bytes", 9.0, "group, a row, calls", 1.0, "group, a row, atomic", 2.0,
                "group, a row, fences", 1.0), measured());
        List<String> listing = Files.readAllLines(directory.resolve("hot-path/arena-stock.txt"));
        assertEquals(4, listing.size(), listing::toString);
        assertTrue(listing.getFirst().contains("lock incl"), listing::toString);
    }

    @Test
    void noInstructions() throws IOException {
        Script.write(java, """
                for last; do :; done
                echo "Compiled method (c2) 278  564       4       Example::$last (54 bytes)"
                """);
        new Counted("HotPath", List.of("bytes"), Map.of("a row", "stock arena")).measure("group", directory, measurement);
        assertEquals(List.of("group, a row, bytes: C2 has printed no machine code, as where hsdis is installed"),
                measurement.failures());
    }

    /** The counter is preloaded, and the program told what to do. */
    @Test
    void nativeAllocations() throws IOException {
        Script.write(java, "echo \"$@ $LD_PRELOAD\" > " + directory.resolve("called") + "; echo 'a 1'; echo 'b 2.5'");
        new Counted("MallocCount", List.of("first", "second"), Map.of("a row", "stock jniArrays"))
                .measure("group", directory, measurement);
        assertEquals(List.of(), measurement.failures());
        assertEquals(Map.of("group, a row, first", 1.0, "group, a row, second", 2.5), measured());
        String called = Files.readString(directory.resolve("called")).strip();
        assertTrue(called.startsWith("-Da -cp "), called);
        assertTrue(called.contains(Group.PACKAGE + "MallocCount mixed jniArrays /"), called);
        assertTrue(called.endsWith("/build/peers/libcountmalloc.so"), called);
    }

    @Test
    void whatCanBeCounted() {
        Counted code = new Counted("HotPath", List.of("bytes"), Map.of("a row", "stock arena"));
        Counted allocations = new Counted("MallocCount", List.of("all"), Map.of("a row", "stock jniArrays"));
        assertEquals(canBeRead(), group(code).extra(directory).isPresent());
        assertEquals(Files.exists(Path.of("build/peers/libcountmalloc.so")), group(allocations).extra(directory).isPresent());
        assertTrue(group(null).extra(directory).isEmpty());
    }
}
