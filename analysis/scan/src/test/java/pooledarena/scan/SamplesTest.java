/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import module java.base;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What is found in each method of {@link Samples}. */
class SamplesTest {

    @TempDir
    private Path directory;
    private LibraryScan scan;

    /** For each test, as PIT does not see what is done before all of them. */
    @BeforeEach
    void scan() {
        scan = ScanFiles.scan(directory, ScanFiles.classFiles(Samples.class));
        assertEquals(List.of(), scan.faults());
    }

    /** The number of bytes, with a {@code *} where it may happen more than once, and the layout. */
    private static String describe(Allocation allocation) {
        return (allocation.bytes() == null ? "?" : allocation.bytes()) + (allocation.repeated() ? "*" : "")
                + (allocation.layout() == null ? "" : " " + allocation.layout());
    }

    private static String describe(Opening opening) {
        return Stream.concat(
                        Stream.of((opening.closing() + " " + opening.escapes().stream().map(Enum::name)
                                .collect(Collectors.joining("+"))).strip()),
                        opening.allocations().stream().map(SamplesTest::describe))
                .collect(Collectors.joining("; "));
    }

    private List<Opening> openings(String method) {
        return scan.openings().stream().filter(opening -> method(opening).equals(method)).toList();
    }

    private static String method(Opening opening) {
        return opening.site().replaceAll(".*\\.|:.*", "");
    }

    /** Methods that open one arena, with what becomes of it. */
    private static final String ONE_OPENING = """
            tryWithResources | STRUCTURED; 16; 100; 4 i4; 8 string
            returnsInside | STRUCTURED; 4 i4
            tryFinally | STRUCTURED; 8
            noSuchSize | STRUCTURED; ?; ? j8
            ternaryOrNull | STRUCTURED; 8
            ownOrGiven | STRUCTURED; 8
            unlessGiven | STRUCTURED; 8
            closedByHelper | STRUCTURED; 8
            openedInLoop | STRUCTURED; 8
            allocatesInLoop | STRUCTURED; 32; 8*
            inSwitch | STRUCTURED; 1 b1; 2 s2; 8
            inSynchronized | STRUCTURED; 8
            onString | STRUCTURED; 1 string; ? string
            catchInside | STRUCTURED; 8; 16
            unused | STRUCTURED
            layouts | STRUCTURED; 16 [j8(x)i4(y)x4]; 48 [j8(x)i4(y)x4]; \
            160 [10:[j8(x)i4(y)x4]]; 20 1%i4; 24; 4 [i4(errno)]; 2 s2; 6 [s2|[3:s2]]
            values | STRUCTURED; 8 j8; 6 s2; 20 b1; ? b1; 8 string; ?
            bindings | STRUCTURED; 24 [d8d8j8]; 24; 16 [j8(x)i4(y)x4]
            arraysAndChars | STRUCTURED; 6 c2; 10 c2; 24 d8; 7; ?; ?; ?; ?; 12 [j8i4]; 10 [j8s2]; \
            8 j8; ?
            wrapped | STRUCTURED; 4 string; 40
            wrappedTwice | STRUCTURED; 8
            wrappedInLoop | STRUCTURED; 4 string
            wrappedAndPassed | STRUCTURED PASSED_ON
            wrappedAndNotClosed | LEAKS; 4 string
            storedInWhatOthersHave | STRUCTURED STORED_IN_A_FIELD; 8
            wrappedAndReturned | ESCAPES RETURNED
            view | STRUCTURED; 48
            viewAsFunction | STRUCTURED CAPTURED; ?*
            slices | STRUCTURED; 256
            lifetime | STRUCTURED
            passedToHelper | STRUCTURED; 24; 40
            passedToHelperOfTwo | STRUCTURED; 8; 8
            sizeThatHidesAnother | STRUCTURED; ?
            allocatorThatAddsToIt | STRUCTURED CAPTURED; ?*
            passedThroughInLoop | STRUCTURED; 24*
            passedToUnknown | STRUCTURED PASSED_ON
            passedToOverridden | STRUCTURED PASSED_ON
            recursive | STRUCTURED PASSED_ON; 8
            passedToUnrelated | STRUCTURED
            storedAndClosed | STRUCTURED STORED_IN_A_FIELD; 8
            capturedAndClosed | STRUCTURED CAPTURED; 8*
            passedAndNotClosed | ESCAPES PASSED_ON
            returned | ESCAPES RETURNED; 8
            returnedOrClosed | ESCAPES RETURNED; 8
            storedInField | ESCAPES STORED_IN_A_FIELD; 40
            fieldSeenByHelper | ESCAPES STORED_IN_A_FIELD
            storedInStatic | ESCAPES STORED_IN_A_FIELD
            storedByHandle | ESCAPES STORED_IN_A_FIELD
            storedInArray | ESCAPES STORED_IN_AN_ARRAY
            storedByConstructor | ESCAPES RETURNED
            captured | ESCAPES CAPTURED; 8*; ?* string
            reference | ESCAPES RETURNED
            lambda$lambda$0 | ESCAPES RETURNED
            closedAtEnd | LEAKS_ON_EXCEPTION; 8
            closedUnlessThrown | LEAKS_ON_EXCEPTION
            closedAfterWork | LEAKS_ON_EXCEPTION; 8
            closedSometimes | LEAKS
            lastIsLeftOpen | LEAKS
            leaked | LEAKS; 8
            onlyIfNotGiven | STRUCTURED
            inDenseSwitch | STRUCTURED; 1; 2; 3; 4
            allocatesWhile | STRUCTURED; 8*
            scope | STRUCTURED
            calculated | STRUCTURED; 4; 5; 6; 30; 4; ?; ?; 16 b1
            layoutsMadeOfOthers | STRUCTURED; 16 [j8(x)i4(y)x4]; ?; 8; 16
            layoutsOfArrays | STRUCTURED; 12 [j8i4]; 10 [j8s2]; ?; ?; ?; ?
            downcalls | STRUCTURED; ?
            passedToHandle | STRUCTURED PASSED_ON
            passedToHandleAsObject | STRUCTURED PASSED_ON
            passedToInherited | STRUCTURED; 1; 2; 3; 7
            passedToOverriddenFarBelow | STRUCTURED PASSED_ON
            passedToAFinalClass | STRUCTURED; 1
            passedToAFinalMethod | STRUCTURED; 2
            passedToAConstructor | STRUCTURED; 1
            passedToAnOpenMethod | STRUCTURED; 3
            eightDeep | STRUCTURED; 8
            nineDeep | STRUCTURED PASSED_ON
            lastTwoOfNine | STRUCTURED; 9
            storedInWhatAnotherMade | STRUCTURED STORED_IN_A_FIELD; 8
            storedInTheObjectBefore | ESCAPES STORED_IN_A_FIELD; 8*
            storedByHelper | ESCAPES STORED_IN_A_FIELD
            closedIfStored | ESCAPES STORED_IN_A_FIELD
            capturedWithThis | ESCAPES CAPTURED; ?*
            nothingThrows | STRUCTURED
            mayBeNull | LEAKS_ON_EXCEPTION
            calls | LEAKS_ON_EXCEPTION
            throwsWhatItGets | LEAKS_ON_EXCEPTION
            loadsInt | LEAKS_ON_EXCEPTION
            loadsShort | LEAKS_ON_EXCEPTION
            storesInt | LEAKS_ON_EXCEPTION
            storesShort | LEAKS_ON_EXCEPTION
            orNull | LEAKS_ON_EXCEPTION
            nullOr | LEAKS_ON_EXCEPTION
            orAnother | LEAKS
            orNullOrTheSame | LEAKS_ON_EXCEPTION
            nullOrTheSameOrTheSame | LEAKS_ON_EXCEPTION
            orTheSameOrAnother | LEAKS
            orAnotherOrTheSame | LEAKS
            orAnotherOrNull | LEAKS
            nullOrAnother | LEAKS
            eitherIsTested | LEAKS_ON_EXCEPTION
            """;

    @Test
    void oneOpening() {
        assertEquals(ONE_OPENING, ONE_OPENING.lines().map(line -> line.substring(0, line.indexOf(' '))).map(method -> method
                + openings(method).stream().map(opening -> " | " + describe(opening)).collect(Collectors.joining()) + "\n")
                .collect(Collectors.joining()));
    }

    /** One that is just opened is not null. */
    @Test
    void besideAnother() {
        assertEquals(List.of("STRUCTURED", "LEAKS"), openings("besideAnother").stream().map(SamplesTest::describe).toList());
    }

    @Test
    void nested() {
        assertEquals(List.of("STRUCTURED; 8; 16", "STRUCTURED; 24"), openings("nested").stream().map(SamplesTest::describe).toList());
        assertEquals(List.of(0, 1), openings("nested").stream().map(Opening::nesting).toList());
        assertEquals(List.of(0, 1), openings("twoResources").stream().map(Opening::nesting).toList());
        assertEquals(List.of("STRUCTURED; 1", "STRUCTURED; 2"),
                openings("twoResources").stream().map(SamplesTest::describe).toList());
    }

    /** One local variable that holds either arena; the flag is known from the first test of it on. */
    @Test
    void eitherOfTwo() {
        assertEquals(List.of("STRUCTURED; 8", "STRUCTURED; 16"),
                openings("ternaryOfTwo").stream().map(SamplesTest::describe).toList());
    }

    /** More ways than are followed apart: all is found, but not all that could be told is. */
    @Test
    void moreWaysThanAreFollowedApart() {
        List<Opening> openings = openings("manyWays");
        assertEquals(6, openings.size());
        assertEquals("6", describe(openings.get(5).allocations().getFirst()));
        assertEquals(Set.of("LEAKS_ON_EXCEPTION"), openings.stream().map(opening -> opening.closing().name())
                .collect(Collectors.toSet()));
    }

    @Test
    void sites() {
        Opening opening = openings("passedToHelper").getFirst();
        assertTrue(opening.allocations().getFirst().site().startsWith("pooledarena.scan.Samples.helper:"));
        assertTrue(opening.site().startsWith("pooledarena.scan.Samples.passedToHelper:"));
        assertEquals(line(openings("ternaryOfTwo").getFirst()) + 1, line(openings("ternaryOfTwo").getLast()));
    }

    private static int line(Opening opening) {
        return Integer.parseInt(opening.site().replaceAll(".*:", ""));
    }

    /** Each allocation is aligned as in a slot; where something is not known there is no bound. */
    @Test
    void mostBytes() {
        assertEquals(16 + 100 + 4 + 4 + 4 + 8, openings("tryWithResources").getFirst().mostBytes());
        assertEquals(24 + 8 + 40, openings("passedToHelper").getFirst().mostBytes());
        assertEquals(32 + 20, mostBytes(20, 20));
        assertEquals(12, mostBytes(12));
        assertEquals(70, mostBytes(70));
        assertEquals(16 + 70, mostBytes(12, 70));
        assertEquals(0, openings("unused").getFirst().mostBytes());
        for (String method : List.of("values", "allocatesInLoop", "passedToUnknown", "returned", "storedInField", "captured")) {
            assertEquals(null, openings(method).getFirst().mostBytes(), method);
        }
    }

    private static Long mostBytes(long... sizes) {
        return new Opening("p.A.m:3", Opening.ClosingPaths.STRUCTURED, Set.of(), 0, LongStream.of(sizes)
                .mapToObj(size -> new Allocation("allocateFrom", "p.A.m:3", size, Allocation.STRING, false)).toList()).mostBytes();
    }

    /** So that no sample is forgotten here, and nothing is found where nothing is opened. */
    @Test
    void everySampleIsFound() {
        Set<String> without = Set.of("closeQuietly", "helper", "identity", "deeper", "closesField", "useField", "unrelated",
                "change", "store", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine");
        Set<String> samples = Stream.of(Samples.class.getDeclaredMethods()).filter(method -> !method.isSynthetic())
                .map(Method::getName).filter(name -> !without.contains(name)).collect(Collectors.toCollection(TreeSet::new));
        samples.remove("lambda"); // it opens none; its lambda does
        assertEquals(samples, scan.openings().stream().map(SamplesTest::method)
                .filter(name -> !name.startsWith("lambda$")).collect(Collectors.toCollection(TreeSet::new)));
    }

    /** A test need not directly follow what it tests, and a constant need not be where it is used, as javac has it. */
    @Test
    void asOtherCompilersHaveIt() {
        assertEquals(List.of("STRUCTURED; 24; ?"), ScanFiles.scan(directory, Map.of("p/O.class", ScanFiles.otherCompiler("p/O")))
                .openings().stream().map(SamplesTest::describe).toList());
    }

    /** Kotlin's compiler marks the finally blocks of inlined functions with calls that do nothing. */
    @Test
    void kotlinsInlinedUse() {
        assertEquals(List.of("STRUCTURED; 1"), ScanFiles.scan(directory, Map.of("p/K.class", ScanFiles.inlinedUse("p/K")))
                .openings().stream().map(SamplesTest::describe).toList());
    }

    @Test
    void theLibrary() {
        assertEquals("samples", scan.name());
        assertEquals(ScanFiles.classFiles(Samples.class).size(), scan.classes());
    }
}
