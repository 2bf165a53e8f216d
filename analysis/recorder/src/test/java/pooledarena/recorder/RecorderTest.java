/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;
import pooledarena.histogram.Closing;
import pooledarena.histogram.Dropped;
import pooledarena.histogram.Histogram;
import pooledarena.histogram.OtherArenas.Kind;
import pooledarena.histogram.OtherArenas;
import pooledarena.histogram.RecordedJvm;
import pooledarena.histogram.Shape;
import pooledarena.histogram.Site;
import pooledarena.histogram.Tally;
import pooledarena.program.Again;
import pooledarena.program.Counted;
import pooledarena.program.Crowd;
import pooledarena.program.Full;
import pooledarena.program.Halts;
import pooledarena.program.Hog;
import pooledarena.program.Kinds;
import pooledarena.program.Overflow;
import pooledarena.program.Sizes;
import pooledarena.program.Stepwise;
import pooledarena.program.Strings;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.reflect.AccessFlag;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The recorder as it is used, in JVMs of its own: on the JDK that runs this test and on the image. */
class RecorderTest {

    private static final List<Path> HOMES = List.of(Child.STOCK, Child.IMAGE);

    @TempDir
    private Path out;

    @ParameterizedTest
    @FieldSource("HOMES")
    void everyNumber(Path home) throws Exception {
        String printed = Child.run(home, List.of(Child.recorder("out=" + out)), Counted.class);
        assertEquals(Child.run(home, List.of(), Counted.class), printed);
        Histogram histogram = Child.histogram(out);
        assertEquals(Dropped.NOTHING, histogram.dropped());
        assertEquals(27, sum(histogram, _ -> true, Tally::arenas));

        assertKind(histogram, "empty", 3, 0, shape(Closing.BY_OPENER, 0, 0, 0, 0, 0, 0));
        assertKind(histogram, "small", 5, 1, shape(Closing.BY_OPENER, 0, 5, 1, 5, 5, 1));
        assertKind(histogram, "several", 2, 3, shape(Closing.BY_OPENER, 0, 105, 3, 5, 100, 16));
        assertKind(histogram, "inner", 1, 1, shape(Closing.BY_OPENER, 1, 16, 1, 16, 16, 8));
        assertKind(histogram, "innermost", 1, 1, shape(Closing.BY_OPENER, 2, 24, 1, 24, 24, 8));
        assertKind(histogram, "openElsewhere", 1, 1, shape(Closing.ELSEWHERE, 0, 70_000, 1, 70_000, 70_000, 4096));
        assertKind(histogram, "string", 1, 1, shape(Closing.BY_OPENER, 0, 4, 1, 4, 4, 1));
        assertKind(histogram, "throwingCleanup", 1, 1, shape(Closing.ELSEWHERE, 0, 11, 1, 11, 11, 1));
        assertKind(histogram, "refusedCloses", 1, 1, shape(Closing.BY_OPENER, 0, 12, 1, 12, 12, 1));
        assertKind(histogram, "refusedAllocation", 1, 0, shape(Closing.BY_OPENER, 0, 0, 0, 0, 0, 0));
        assertKind(histogram, "lambda\\$lambda\\$\\d+", 1, 1, shape(Closing.BY_OPENER, 0, 17, 1, 17, 17, 1));
        assertKind(histogram, "atExit", 1, 1, shape(Closing.BY_OPENER, 0, 7, 1, 7, 7, 1));

        // One with memory and one without; two of which the second finds the first with memory.
        assertEquals(1, sum(histogram, at("nested").and(s -> s.bytes() == 8 && s.openBefore() == 0), Tally::arenas));
        assertEquals(1, sum(histogram, at("nested").and(s -> s.bytes() == 0 && s.openBefore() == 0), Tally::arenas));
        assertEquals(1, sum(histogram, at("unclosed").and(s -> s.openBefore() == 0), Tally::arenas));
        assertEquals(1, sum(histogram, at("unclosed").and(s -> s.openBefore() == 1), Tally::arenas));
        assertEquals(64, sum(histogram, at("unclosed"), Tally::bytes));

        // The first one, and two nested in a later one. Then there were three at once.
        assertEquals(1, sum(histogram, at("small").and(s -> s.dip() == 0 && s.earlier() == 0), Tally::arenas));
        assertEquals(4, sum(histogram, at("small").and(s -> s.dip() == 1), Tally::arenas));
        assertEquals(2, sum(histogram, at("several").and(s -> s.dip() == 1), Tally::arenas));
        assertEquals(2, sum(histogram, at("inner.*").and(s -> s.dip() == 0), Tally::arenas));
        assertEquals(1, sum(histogram, at("string").and(s -> s.dip() == 1), Tally::arenas));
        assertEquals(1, sum(histogram, at("unclosed").and(s -> s.dip() == 1), Tally::arenas));
        assertEquals(1, sum(histogram, at("unclosed").and(s -> s.dip() == 2), Tally::arenas));

        assertEquals(2, sum(histogram, s -> s.closing() == Closing.UNCLOSED, Tally::arenas));
        assertEquals(4, sum(histogram, at("virtual").and(Shape::virtual), Tally::arenas));
        assertEquals(24, sum(histogram, Shape::virtual, Tally::bytes));
        assertEquals(27, sum(histogram, Shape::exact, Tally::arenas));

        Matcher line = Pattern.compile("line (\\d+)").matcher(printed);
        assertTrue(line.find());
        histogram.rows().keySet().stream().filter(at("small"))
                .forEach(shape -> assertEquals(Integer.parseInt(line.group(1)), shape.site().line()));

        RecordedJvm jvm = histogram.jvms().getFirst();
        assertTrue(jvm.finished());
        assertFalse(jvm.attached());
        assertEquals(Counted.class.getName(), jvm.program());
        assertTrue(jvm.cpuMillis() > 0 && jvm.cpuMillis() < 60_000, jvm.cpuMillis() + " ms");
    }

    @ParameterizedTest
    @FieldSource("HOMES")
    void thousandsOfThreads(Path home) throws Exception {
        assertEquals("done\n", Child.run(home, List.of(Child.recorder("out=" + out)), Crowd.class, "2000", "20000"));
        Histogram histogram = Child.histogram(out);
        assertEquals(Dropped.NOTHING, histogram.dropped());
        for (boolean virtual : new boolean[] {false, true}) {
            int threads = virtual ? 20_000 : 2_000;
            Predicate<Shape> kind = shape -> shape.virtual() == virtual && shape.closing() == Closing.BY_OPENER;
            assertEquals(threads, sum(histogram, kind.and(s -> s.bytes() == 8 && s.openBefore() == 0), Tally::arenas));
            assertEquals(5 * threads, sum(histogram, kind.and(s -> s.bytes() == 4 && s.openBefore() == 1), Tally::arenas));
            // All outer ones are open at once.
            assertEquals(threads, sum(histogram, kind.and(s -> s.bytes() == 8 && s.dip() == 0), Tally::arenas));
            if (!virtual) {
                assertEquals(threads, sum(histogram, kind.and(s -> s.bytes() == 4 && s.earlier() == 1), Tally::arenas));
                assertEquals(threads, sum(histogram, kind.and(s -> s.bytes() == 4 && s.dip() == 0), Tally::arenas));
                assertEquals(4 * threads, sum(histogram, kind.and(s -> s.bytes() == 4 && s.dip() == 1), Tally::arenas));
            }
        }
        // On a carrier as many as virtual threads that are inside of the inner ones at once.
        long carried = sum(histogram, s -> s.virtual() && s.bytes() == 4 && s.dip() == 0, Tally::arenas);
        assertTrue(carried > 0 && carried <= 20_000, carried + " more than ever");
        assertEquals(6 * 22_000, sum(histogram, _ -> true, Tally::arenas));
    }

    /** Virtual threads are then platform threads, and counted as such. */
    @ParameterizedTest
    @FieldSource("HOMES")
    void virtualThreadsWithoutContinuations(Path home) throws Exception {
        Child.run(home, List.of("-XX:+UnlockExperimentalVMOptions", "-XX:-VMContinuations", Child.recorder("out=" + out)),
                Crowd.class, "0", "20");
        Histogram histogram = Child.histogram(out);
        assertEquals(Dropped.NOTHING, histogram.dropped());
        assertEquals(6 * 20, sum(histogram, shape -> !shape.virtual(), Tally::arenas));
    }

    @ParameterizedTest
    @FieldSource("HOMES")
    void stackOverflows(Path home) throws Exception {
        // Thousands of arenas are open when the stack is full, of which none is dropped with this.
        String printed = Child.run(home, List.of(Child.recorder("out=" + out + ",memory=64m")), Overflow.class);
        assertEquals("overflows 40\ndone\n", printed);
        Histogram histogram = Child.histogram(out);
        assertEquals(10, sum(histogram, at("after").and(s -> s.closing() == Closing.BY_OPENER), Tally::arenas));
        assertTrue(sum(histogram, at("descend"), Tally::arenas) > 10_000);
    }

    @Test
    void bounds() throws Exception {
        Child.run(Child.STOCK, List.of(Child.recorder("out=" + out + ",memory=64k")), Sizes.class, "1000", "0");
        Histogram histogram = Child.histogram(out);
        assertEquals(1000, sum(histogram, _ -> true, Tally::arenas));
        assertEquals(1000 * 1001 / 2, sum(histogram, _ -> true, Tally::bytes));
        long exact = sum(histogram, Shape::exact, Tally::arenas);
        assertTrue(exact >= 20 && exact < 200, exact + " exact");
        assertEquals(new Dropped(0, 0, 1000 - exact, 0), histogram.dropped());
    }

    /** Strings of natural lengths in programs that need much of a small heap: all are counted. */
    @ParameterizedTest
    @ValueSource(strings = {"-Xmx32m", "-Xmx64m"})
    void aSmallHeap(String heap) throws Exception {
        Child.run(Child.STOCK, List.of(heap, Child.recorder("out=" + out)), Strings.class, "2000000");
        Histogram histogram = Child.histogram(out);
        assertEquals(2_000_000, sum(histogram, _ -> true, Tally::arenas));
        assertEquals(3_000_000, sum(histogram, _ -> true, Tally::allocations));
        long rounded = sum(histogram, shape -> !shape.exact(), Tally::arenas);
        assertNotEquals(0, rounded);
        assertEquals(new Dropped(0, 0, rounded, 0), histogram.dropped());
        assertTrue(histogram.jvms().getFirst().finished());
    }

    /** There is memory for the file when the program has none left, and the program has its own error. */
    @ParameterizedTest
    @ValueSource(strings = {"-XX:+UseSerialGC", "-XX:+UseG1GC"})
    void aFullHeap(String collector) throws Exception {
        try (Child child = Child.start(Child.STOCK, List.of("-Xmx32m", collector, Child.recorder("out=" + out)), Full.class)) {
            child.end();
            assertEquals("full\n", child.out());
            // What the JDK says when it has no memory to load a class, with any agent, or to log that the program exits.
            assertEquals("", child.err().replaceAll("(?m)^(\\*\\*\\* java.lang.instrument ASSERTION FAILED "
                    + "|Runtime.exit\\(0\\) logging failed: Java heap space).*\n", ""));
        }
        Histogram histogram = Child.histogram(out);
        assertEquals(1000, sum(histogram, at("before"), Tally::arenas));
        assertTrue(histogram.jvms().getFirst().finished());
    }

    /** What was set aside may go to another thread. That is told, without memory; also if only the end of the writing has failed. */
    @ParameterizedTest
    @ValueSource(strings = {"-XX:+UseG1GC", "-XX:+UseSerialGC"})
    void noMemoryAtTheEnd(String collector) throws Exception {
        try (Child child = Child.start(Child.STOCK, List.of("-Xmx32m", collector, Child.recorder("out=" + out)), Hog.class)) {
            child.end();
            boolean told = child.err().contains("arena-recorder: no memory to write the file; what was written before stays\n");
            assertTrue(told || Child.histogram(out).jvms().getFirst().finished(), child.err());
        }
    }

    @Test
    void tooManyOpenArenas() throws Exception {
        // The one carrier keeps some of the outer ones.
        Child.run(Child.STOCK, List.of(Child.recorder("out=" + out + ",memory=64k"), "-Djdk.virtualThreadScheduler.parallelism=1",
                "-Djdk.virtualThreadScheduler.maxPoolSize=1"), Crowd.class, "0", "20000");
        Histogram histogram = Child.histogram(out);
        assertEquals(20_000 * 6, sum(histogram, _ -> true, Tally::arenas) + histogram.dropped().arenas());
        long kept = sum(histogram, s -> s.bytes() == 8, Tally::arenas);
        assertTrue(kept >= 4096 && kept <= 8192, kept + " of the outer ones");
    }

    /** Those that were collected leave their room to others. */
    @Test
    void arenasThatAreLost() throws Exception {
        Child.run(Child.STOCK, List.of(Child.recorder("out=" + out + ",memory=70k"), "-XX:+UseSerialGC"), Sizes.class, "0", "100");
        Histogram histogram = Child.histogram(out);
        assertEquals(200, sum(histogram, s -> s.closing() == Closing.UNCLOSED, Tally::arenas));
        assertEquals(0, histogram.dropped().arenas());
    }

    @ParameterizedTest
    @FieldSource("HOMES")
    void otherKinds(Path home) throws Exception {
        Child.run(home, List.of(Child.recorder("out=" + out)), Kinds.class);
        Histogram histogram = Child.histogram(out);
        assertEquals(20, sum(histogram, at("all"), Tally::arenas));
        assertEquals(20, sum(histogram, _ -> true, Tally::arenas));
        Map<String, Long> others = new HashMap<>();
        histogram.others().forEach((each, count) -> others.merge(each.kind() + " " + each.site().method() + each.site().indirect(),
                count, Long::sum));
        assertEquals(Map.of("SHARED allfalse", 20L, "AUTO allfalse", 20L, "GLOBAL allfalse", 10L, "SHARED maintrue", 3L), others);
    }

    /** Without sites, the totals. */
    @Test
    void otherKindsWithoutSites() throws Exception {
        Child.run(Child.STOCK, List.of(Child.recorder("out=" + out + ",sites=0")), Kinds.class);
        assertEquals(Map.of(new OtherArenas(Kind.SHARED, null), 23L, new OtherArenas(Kind.AUTO, null), 20L,
                new OtherArenas(Kind.GLOBAL, null), 10L), Child.histogram(out).others());
    }

    @Test
    void sitesOfSome() throws Exception {
        Child.run(Child.STOCK, List.of(Child.recorder("out=" + out + ",sites=10")), Sizes.class, "10000", "0");
        Histogram histogram = Child.histogram(out);
        long told = sum(histogram, s -> s.site() != null && s.closing() == Closing.BY_OPENER, Tally::arenas);
        assertEquals(10_000 - told, sum(histogram, s -> s.site() == null && s.closing() == Closing.NOT_TOLD, Tally::arenas));
        assertTrue(told > 700 && told < 1300, told + " of 10000");
        assertEquals(10, histogram.jvms().getFirst().sites());
    }

    @Test
    void sitesOfNone() throws Exception {
        Child.run(Child.STOCK, List.of(Child.recorder("out=" + out + ",sites=0")), Sizes.class, "100", "0");
        assertEquals(100, sum(Child.histogram(out), s -> s.site() == null && s.closing() == Closing.NOT_TOLD, Tally::arenas));
    }

    @ParameterizedTest
    @FieldSource("HOMES")
    void aJvmThatIsKilled(Path home) throws Exception {
        try (Child child = Child.start(home, List.of(Child.recorder("out=" + out + ",every=1")), Stepwise.class)) {
            child.await("ready", 1);
            child.step();
            child.await("ten", 1);
            awaitArenas(11);
            child.process.destroyForcibly().waitFor();
            Histogram histogram = Child.histogram(out);
            assertEquals(11, sum(histogram, _ -> true, Tally::arenas));
            assertEquals(1, sum(histogram, s -> s.closing() == Closing.UNCLOSED && s.bytes() == 100, Tally::arenas));
            assertFalse(histogram.jvms().getFirst().finished());
            assertEquals("", child.err());
        }
    }

    @ParameterizedTest
    @FieldSource("HOMES")
    void aJvmThatHalts(Path home) throws Exception {
        Child.run(home, List.of(Child.recorder("out=" + out)), Halts.class);
        Histogram histogram = Child.histogram(out);
        assertEquals(10, sum(histogram, s -> s.bytes() == 8, Tally::arenas));
        assertTrue(histogram.jvms().getFirst().finished());
    }

    /** Written while the program runs, as this end cannot be recorded. */
    @Test
    void aJvmThatExitsOnAnError() throws Exception {
        try (Child child = Child.start(Child.STOCK, List.of("-Xmx64m", "-XX:+ExitOnOutOfMemoryError", "-Xlog:disable",
                Child.recorder("out=" + out)), Halts.class, "memory")) {
            child.await("ready", 1);
            await(() -> !Child.files(out).isEmpty());
            awaitArenas(10);
            child.step();
            assertEquals(3, child.process.waitFor(), child.out() + child.err());
        }
        Histogram histogram = Child.histogram(out);
        assertEquals(10, sum(histogram, s -> s.bytes() == 8, Tally::arenas));
        assertFalse(histogram.jvms().getFirst().finished());
    }

    @Test
    void aSignalFile() throws Exception {
        try (Child child = Child.start(Child.STOCK, List.of(Child.recorder("out=" + out + ",every=0")), Stepwise.class)) {
            child.await("ready", 1);
            Thread.sleep(1500);
            assertEquals(0, sum(Child.histogram(out), _ -> true, Tally::arenas));
            for (int i = 0; i < 2; i++) {
                child.step();
                child.await("ten", i + 1);
                Path signal = out.resolve("dump");
                if (i == 0) {
                    Files.createFile(signal);
                } else {
                    Files.setLastModifiedTime(signal, FileTime.from(Instant.now().plusSeconds(5)));
                }
                awaitArenas(11 + 10 * i);
            }
            child.end();
            assertEquals("", child.err());
        }
    }

    @ParameterizedTest
    @FieldSource("HOMES")
    void attaching(Path home) throws Exception {
        try (Child child = Child.start(home, List.of("-XX:+EnableDynamicAgentLoading"), Stepwise.class)) {
            child.await("ready", 1);
            child.load("out=" + out + ",every=0");
            child.step();
            child.await("ten", 1);
            Files.createFile(out.resolve("dump"));
            awaitArenas(10);
            child.step();
            child.end();
            assertEquals("", child.err());
        }
        Histogram histogram = Child.histogram(out);
        assertEquals(20, sum(histogram, s -> s.site().method().equals("ten") && s.bytes() == 8, Tally::arenas));
        assertEquals(20, sum(histogram, _ -> true, Tally::arenas)); // the one opened before is not known
        assertTrue(histogram.jvms().getFirst().attached());
        assertTrue(histogram.jvms().getFirst().finished());
    }

    /** Who loads the recorder again is told that it records already, and is told nothing else. */
    @Test
    void loadingAgain() throws Exception {
        Path first = Files.createFile(out.resolve("first"));
        Path second = Files.createFile(out.resolve("second"));
        Path directory = out.resolve("directory");
        try (Child child = Child.start(Child.STOCK, List.of("-XX:+EnableDynamicAgentLoading"), Stepwise.class)) {
            child.await("ready", 1);
            child.load("out=" + directory + ",every=1,faults=" + first);
            child.load("out=" + out.resolve("other") + ",faults=" + second);
            assertEquals("arena-recorder: already recording into " + directory + "; recording goes on\n", child.err());
            assertEquals(child.err(), "arena-recorder: " + Files.readString(second));
            assertEquals("", Files.readString(first));
            Files.move(directory, out.resolve("moved"));
            Files.createFile(directory);
            await(() -> child.err().lines().count() == 2);
            assertEquals("", Files.readString(first)); // a later attempt may be made good
            child.end();
            List<String> lines = child.err().lines().toList();
            assertEquals(List.of(3, true), List.of(lines.size(), lines.get(1).endsWith(", and it is tried again")), child.err());
            assertEquals(lines.getLast() + "\n", "arena-recorder: " + Files.readString(first));
        }
        assertTrue(Files.notExists(out.resolve("other")));
    }

    /** What a later attempt writes is not missing. Who loads the recorder with other options spoils nothing. */
    @Test
    void aFailureThatIsMadeGood() throws Exception {
        Path faults = Files.createFile(out.resolve("faults"));
        Path directory = out.resolve("directory");
        try (Child child = Child.start(Child.STOCK, List.of("-XX:+EnableDynamicAgentLoading"), Stepwise.class)) {
            child.await("ready", 1);
            child.load("out=" + directory + ",every=1,faults=" + faults);
            child.load("sites=x");
            assertTrue(child.err().endsWith("; recording goes on\n"), child.err());
            Files.move(directory, out.resolve("moved"));
            Files.createFile(directory);
            await(() -> child.err().contains(", and it is tried again"));
            Files.delete(directory);
            child.end();
        }
        assertEquals("", Files.readString(faults));
        assertTrue(Child.histogram(directory).jvms().getFirst().finished());
    }

    /** A recording that could not begin does not keep the next one from its end. */
    @Test
    void loadingAfterARefusal() throws Exception {
        Path file = Files.createFile(out.resolve("file"));
        Path directory = out.resolve("directory");
        try (Child child = Child.start(Child.STOCK, List.of("-XX:+EnableDynamicAgentLoading"), Stepwise.class)) {
            child.await("ready", 1);
            child.load("out=" + file);
            assertTrue(child.err().startsWith("arena-recorder: out=" + file + ": cannot be written to ("), child.err());
            child.load("out=" + directory + ",every=0");
            child.step();
            child.await("ten", 1);
            child.end();
            assertEquals(1, child.err().lines().count(), child.err());
        }
        assertEquals(10, sum(Child.histogram(directory), _ -> true, Tally::arenas));
        assertTrue(Child.histogram(directory).jvms().getFirst().finished());
    }

    /** Each has the arenas of its own time. */
    @ParameterizedTest
    @FieldSource("HOMES")
    void severalRecordings(Path home) throws Exception {
        try (Child child = Child.start(home, List.of("-XX:+EnableDynamicAgentLoading"), Stepwise.class)) {
            child.await("ready", 1);
            for (int round = 0; round < 3; round++) {
                Path directory = out.resolve(Integer.toString(round));
                child.load("out=" + directory);
                child.step();
                child.await("ten", 3 * round + 1);
                child.load("stop=" + out.resolve("other")); // no recording of that directory goes on
                child.step();
                child.await("ten", 3 * round + 2);
                child.load("stop=" + (round == 0 ? Path.of("").toAbsolutePath().relativize(directory) : directory));
                child.step();
                child.await("ten", 3 * round + 3);
                Histogram histogram = Child.histogram(directory);
                assertEquals(20, sum(histogram, s -> s.site().method().equals("ten"), Tally::arenas));
                assertEquals(20, sum(histogram, _ -> true, Tally::arenas));
                assertEquals(Dropped.NOTHING, histogram.dropped());
                assertTrue(histogram.jvms().getFirst().finished());
            }
            String ofThread = "pooledarena.recorder.Threads$Arenas";
            int before = child.instances(ofThread);
            for (int round = 0; round < 10; round++) { // each has a thread of its own, of which nothing is kept now
                child.step();
                child.await("ten", 10 + round);
            }
            int after = child.instances(ofThread);
            assertTrue(after <= before, after + " after " + before);
            child.end();
            assertEquals("", child.err());
        }
    }

    /** A launcher that checks the JVM that it runs on, and then replaces it, in the same process. */
    @Test
    void aProcessWithTwoJvms() throws Exception {
        Child.run(Child.STOCK, List.of(Child.recorder("out=" + out)), Again.class);
        Histogram histogram = Child.histogram(out);
        assertEquals(100, sum(histogram, s -> s.site().method().equals("second"), Tally::arenas));
        assertEquals(100, sum(histogram, _ -> true, Tally::arenas));
        assertTrue(histogram.jvms().getFirst().finished());
    }

    /** See {@link OptionsTest} for the others. */
    @Test
    void badOptions() throws Exception {
        assertOneLine("arena-recorder: speed=1: unknown; accepted are out=DIR, every=SECONDS, sites=N, frames=N, skip=PREFIX and "
                + "memory=SIZE, separated by commas, of which out is needed; nothing is recorded\n", List.of(Child.recorder("out=x,speed=1")));
    }

    @Test
    void aDirectoryThatCannotBe() throws Exception {
        Path file = Files.createFile(out.resolve("file"));
        Path faults = Files.createFile(out.resolve("faults"));
        String options = "out=" + file + ",faults=" + faults;
        try (Child child = Child.start(Child.STOCK, List.of(Child.recorder(options)), Sizes.class, "10", "0")) {
            child.end();
            assertEquals("done\n", child.out());
            assertTrue(child.err().startsWith("arena-recorder: out=" + file + ": cannot be written to ("), child.err());
            assertEquals(1, child.err().lines().count());
            assertEquals(child.err(), "arena-recorder: " + Files.readString(faults));
        }
    }

    /** It is said once while there are more attempts, and after the last one. What was written before stays. */
    @Test
    void aDirectoryThatIsReplaced() throws Exception {
        Path directory = out.resolve("directory");
        try (Child child = Child.start(Child.STOCK, List.of(Child.recorder("out=" + directory + ",every=1")), Stepwise.class)) {
            child.await("ready", 1);
            awaitArenas(directory, 1);
            Files.move(directory, out.resolve("moved"));
            Files.createFile(directory);
            await(() -> !child.err().isEmpty());
            Thread.sleep(1500); // until it was tried again
            child.end();
            List<String> lines = child.err().lines().toList();
            assertTrue(lines.getFirst().startsWith("arena-recorder: " + directory), child.err());
            assertEquals(List.of(2, true), List.of(lines.size(), lines.getFirst().endsWith(", and it is tried again")), child.err());
            assertTrue(lines.getLast().endsWith("; what was written before stays"), child.err());
        }
        assertEquals(1, sum(Child.histogram(out.resolve("moved")), _ -> true, Tally::arenas));
    }

    /** Confined arenas that are no longer of one final class, as in JDKs to come. */
    @Test
    void aJvmWhoseArenasLookDifferent() throws Exception {
        ClassFile classFile = ClassFile.of();
        Path classes = Path.of(URI.create("jrt:/java.base/jdk/internal/foreign"));
        boolean one = Files.notExists(classes.resolve("ArenaImpl$OfConfined.class"));
        String name = one ? "ArenaImpl.class" : "ArenaImpl$OfConfined.class";
        Path changed = out.resolve("changed/jdk/internal/foreign").resolve(name);
        Files.createDirectories(changed.getParent());
        ClassModel arena = classFile.parse(Files.readAllBytes(classes.resolve(name)));
        Files.write(changed, classFile.build(arena.thisClass().asSymbol(), builder -> {
            arena.forEach(builder);
            builder.withFlags(arena.flags().flagsMask() & ~AccessFlag.FINAL.mask());
        }));
        String line = "arena-recorder: the arenas of this JVM look different from those of JDK 25 to 28: "
                + (one ? "there is no class jdk.internal.foreign.ArenaImpl$OfConfined" : "ArenaImpl$OfConfined is not final")
                + "; nothing is recorded\n";
        List<String> patch = List.of("--patch-module", "java.base=" + out.resolve("changed"));
        assertOneLine(line, Stream.concat(patch.stream(), Stream.of(Child.recorder("out=" + out.resolve("none")))).toList());
        // Who loads the recorder again is told the same.
        try (Child child = Child.start(Child.STOCK, Stream.concat(patch.stream(), Stream.of("-XX:+EnableDynamicAgentLoading")).toList(),
                Stepwise.class)) {
            child.await("ready", 1);
            child.load("out=" + out.resolve("none"));
            child.load("out=" + out.resolve("none"));
            child.end();
            assertEquals(line + line, child.err());
        }
        assertEquals(List.of(), Child.files(out.resolve("none")));
    }

    /** Its events have each number of the file under its own name. */
    @ParameterizedTest
    @FieldSource("HOMES")
    void flightRecording(Path home) throws Exception {
        Path recording = out.resolve("recording.jfr");
        try (Child child = Child.start(home, List.of("-XX:StartFlightRecording:filename=" + recording, "-Xlog:disable",
                "-Xlog:all=error:stderr", Child.recorder("out=" + out)), Counted.class)) {
            child.end();
            assertEquals("", child.err());
        }
        Map<Shape, Tally> rows = RecordingFile.readAllEvents(recording).stream()
                .filter(event -> event.getEventType().getName().equals("pooledarena.ConfinedArenaShape")
                        && event.getString("site") != null)
                .collect(Collectors.toMap(RecorderTest::shape, RecorderTest::tally, (_, later) -> later));
        Histogram histogram = Child.histogram(out);
        assertEquals(27, sum(histogram, _ -> true, Tally::arenas));
        assertEquals(2, sum(histogram, s -> s.closing() == Closing.UNCLOSED, Tally::arenas));
        histogram.rows().forEach((shape, tally) -> {
            if (!shape.site().method().equals("atExit")) { // which may be opened when the recording has ended
                Tally told = rows.get(shape);
                assertTrue(told != null, shape + " is not in " + rows);
                assertEquals(new Tally(tally.arenas(), tally.bytes(), tally.allocations()), told);
            }
        });
    }

    private static Shape shape(RecordedEvent row) {
        Matcher site = Pattern.compile("(.*)\\.(.*):(\\d+)").matcher(row.getString("site"));
        assertTrue(site.matches(), site.toString());
        return new Shape(new Site(site.group(1), site.group(2), Integer.parseInt(site.group(3))),
                row.getLong("virtual") == 1, Closing.valueOf(row.getString("closing")),
                Math.toIntExact(row.getLong("openBefore")), Math.toIntExact(row.getLong("dip")),
                Math.toIntExact(row.getLong("earlier")),
                row.getLong("bytes"), row.getLong("allocations"), row.getLong("first"), row.getLong("largest"),
                row.getLong("alignment"), row.getLong("exact") == 1);
    }

    private static Tally tally(RecordedEvent row) {
        return new Tally(row.getLong("arenas"), row.getLong("sumOfBytes"), row.getLong("sumOfAllocations"));
    }

    /** The agent's module was not there when the cache was made: the JVM says so on standard output, and does without. */
    @Test
    void anAotCache() throws Exception {
        Path classes = Path.of(Sizes.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        Path jar = out.resolve("program.jar"); // a cache needs one
        ToolProvider.findFirst("jar").orElseThrow().run(System.out, System.err, "--create", "--file", jar.toString(), "-C",
                classes.toString(), ".");
        String cache = out.resolve("program.aot").toString();
        try (Child training = Child.start(Child.STOCK, List.of("-XX:AOTCacheOutput=" + cache), jar, Sizes.class, "10", "0")) {
            training.end();
        }
        Path recorded = out.resolve("recorded");
        String agent = Child.recorder("out=" + recorded);
        try (Child child = Child.start(Child.STOCK, List.of("-XX:AOTCache=" + cache, agent), jar, Sizes.class, "10", "0")) {
            child.end();
            assertEquals("", child.err());
            assertTrue(child.out().contains("[aot] Mismatched values for property jdk.module.addmods: java.instrument"), child.out());
            assertTrue(child.out().endsWith("\ndone\n"), child.out());
        }
        assertEquals(10, sum(Child.histogram(recorded), _ -> true, Tally::arenas));
        try (Child child = Child.start(Child.STOCK, List.of("-XX:AOTCache=" + cache, "-XX:AOTMode=on", agent), jar, Sizes.class,
                "10", "0")) {
            assertEquals(1, child.process.waitFor(), child.out());
            assertTrue(child.out().endsWith("Unable to use AOT cache.\n"), child.out());
        }
    }

    /** With the smallest run-time image that has agents at all, and neither Flight Recorder nor management. */
    @Test
    void aJvmWithFewModules() throws Exception {
        Child.run(Child.STOCK, List.of("--limit-modules", "java.base,java.instrument", Child.recorder("out=" + out)),
                Sizes.class, "10", "0");
        assertEquals(10, sum(Child.histogram(out), _ -> true, Tally::arenas));
    }

    /** An old JVM would end if it could not load the class that it enters the agent by. */
    @Test
    void anOlderJvm() throws Exception {
        try (JarFile jar = new JarFile(Child.RECORDER.toFile())) {
            for (String entry : List.of("Premain-Class", "Agent-Class")) {
                String name = jar.getManifest().getMainAttributes().getValue(entry);
                assertEquals(Entry.class.getName(), name);
                byte[] bytes = jar.getInputStream(jar.getEntry(name.replace('.', '/') + ".class")).readAllBytes();
                assertEquals(ClassFile.JAVA_8_VERSION, ClassFile.of().parse(bytes).majorVersion());
            }
        }
        for (String version : List.of("1.8", "9", "17", "24")) {
            assertTrue(Entry.isOld(version), version);
        }
        for (String version : List.of("25", "26", "100")) {
            assertFalse(Entry.isOld(version), version);
        }
    }

    private void assertOneLine(String line, List<String> options) throws Exception {
        try (Child child = Child.start(Child.STOCK, options, Sizes.class, "10", "0")) {
            child.end();
            assertEquals("done\n", child.out());
            assertEquals(line, child.err());
        }
        assertEquals(List.of(), Child.files(out));
        assertTrue(Files.notExists(Path.of("x")));
    }

    private void awaitArenas(long count) throws Exception {
        awaitArenas(out, count);
    }

    private static void awaitArenas(Path directory, long count) throws Exception {
        await(() -> sum(Child.histogram(directory), _ -> true, Tally::arenas) == count);
    }

    private static void await(Callable<Boolean> written) throws Exception {
        long limit = System.nanoTime() + 60_000_000_000L;
        while (!written.call()) {
            assertTrue(System.nanoTime() < limit, "the file is not written");
            Thread.sleep(50);
        }
    }

    private static void assertKind(Histogram histogram, String method, long arenas, long allocationsOfEach, Shape expected) {
        List<Shape> shapes = histogram.rows().keySet().stream().filter(at(method)).toList();
        assertFalse(shapes.isEmpty(), method);
        for (Shape shape : shapes) { // several if they lived for different times
            assertEquals(expected, new Shape(null, shape.virtual(), shape.closing(), shape.openBefore(), 0, 0,
                    shape.bytes(), shape.allocations(), shape.first(), shape.largest(), shape.alignment(), shape.exact()), method);
        }
        assertEquals(arenas, sum(histogram, at(method), Tally::arenas), method);
        assertEquals(arenas * expected.bytes(), sum(histogram, at(method), Tally::bytes), method);
        assertEquals(arenas * allocationsOfEach, sum(histogram, at(method), Tally::allocations), method);
    }

    private static Shape shape(Closing closing, int openBefore, long bytes, long allocations, long first, long largest,
                               long alignment) {
        return new Shape(null, false, closing, openBefore, 0, 0, bytes, allocations, first, largest, alignment, true);
    }

    private static Predicate<Shape> at(String method) {
        return shape -> shape.site() != null && shape.site().method().matches(method);
    }

    private static long sum(Histogram histogram, Predicate<Shape> which, ToLongFunction<Tally> what) {
        return histogram.rows().entrySet().stream().filter(row -> which.test(row.getKey())).map(Map.Entry::getValue)
                .mapToLong(what).sum();
    }
}
