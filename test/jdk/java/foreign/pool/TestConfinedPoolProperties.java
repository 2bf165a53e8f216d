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

/*
 * @test
 * @summary The properties of the pool: what they accept, what they say about the rest, and how they switch pooling off
 * @requires os.family != "windows"
 * @modules java.instrument jdk.jdwp.agent
 * @build JavaProcess PoolProbe Slots
 * @run testng TestConfinedPoolProperties
 */

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.testng.annotations.*;

import static org.testng.Assert.*;

public class TestConfinedPoolProperties {

    private static final String SIZE = "jdk.foreign.confinedPool.size";
    private static final String DEPTH = "jdk.foreign.confinedPool.depth";
    private static final String VERIFY = "jdk.foreign.confinedPool.verify";
    private static final String AGENTS = "jdk.foreign.confinedPool.agents";

    // The debugger's agent. It opens no arenas.
    private static final String DEBUGGER = "transport=dt_socket,server=y,suspend=n,address=localhost:0";

    private static int defaultSize;
    private static int defaultDepth;

    /** Runs PoolProbe in a VM of its own. */
    private static JavaProcess probe(String... options) {
        List<String> all = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1", // starts fast
                "--add-opens=java.base/jdk.internal.foreign=ALL-UNNAMED"));
        all.addAll(List.of(options));
        try {
            JavaProcess probe = JavaProcess.run(JavaProcess.TESTED_JDK, all, "PoolProbe");
            System.out.println(List.of(options) + ": " + probe);
            return probe;
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void check(JavaProcess probe, int size, int depth, boolean verify, boolean trace) {
        assertEquals(probe.status(), 0, "exit status");
        assertEquals(probe.out(), List.of(size + " " + depth + " " + verify + " " + trace + " false"), "standard output");
    }

    private static void checkSilent(JavaProcess probe, int size, int depth) {
        check(probe, size, depth, false, false);
        assertEquals(probe.err(), List.of(), "standard error");
    }

    private static void checkOff(JavaProcess probe) {
        checkSilent(probe, 0, 0);
    }

    /** {@return the only line on the standard error stream, as the given values are used} */
    private static String warning(JavaProcess probe, int size, int depth) {
        check(probe, size, depth, false, false);
        assertEquals(probe.err().size(), 1, "lines on standard error");
        return probe.err().getFirst();
    }

    private static void checkWarning(String line, String property, String value, List<String> accepted, Object defaultValue) {
        assertTrue(line.contains(property + "=" + value + " "), "property and value: " + line);
        String rest = line.replace(property + "=" + value + " ", "");
        for (String word : accepted) {
            assertTrue(Pattern.compile("\\b" + word + "\\b").matcher(rest).find(), word + " is accepted: " + line);
        }
        assertTrue(rest.contains("default " + defaultValue), "default " + defaultValue + " is used: " + line);
    }

    private static void checkSizeWarning(String line, String value) {
        checkWarning(line, SIZE, value, List.of("power of two", "8", "1048576", "0"), defaultSize);
    }

    private static void checkDepthWarning(String line, String value) {
        checkWarning(line, DEPTH, value, List.of("1", "16", "0"), defaultDepth);
    }

    // Whatever the defaults are, they are accepted values, and what is used when others are not.
    @BeforeClass
    public static void defaults() {
        JavaProcess probe = probe();
        assertEquals(probe.status(), 0);
        assertEquals(probe.err(), List.of());
        assertEquals(probe.out().size(), 1);
        Matcher matcher = Pattern.compile("(\\d+) (\\d+) false false false").matcher(probe.out().getFirst());
        assertTrue(matcher.matches(), "pooling is on by default: " + probe);
        defaultSize = Integer.parseInt(matcher.group(1));
        defaultDepth = Integer.parseInt(matcher.group(2));
        assertTrue(defaultSize >= 8 && defaultSize <= 1 << 20 && Integer.bitCount(defaultSize) == 1, "default size");
        assertTrue(defaultDepth >= 1 && defaultDepth <= 16, "default depth");
    }

    @DataProvider
    public static Object[][] sizes() {
        return new Object[][] {{8}, {16}, {4096}, {1 << 20}};
    }

    @Test(dataProvider = "sizes")
    public void size(int size) {
        checkSilent(probe("-D" + SIZE + "=" + size), size, defaultDepth);
    }

    @DataProvider
    public static Object[][] depths() {
        return new Object[][] {{1}, {5}, {16}};
    }

    @Test(dataProvider = "depths")
    public void depth(int depth) {
        checkSilent(probe("-D" + DEPTH + "=" + depth), defaultSize, depth);
    }

    // What Integer.parseInt accepts: decimal, whatever it begins with.
    @DataProvider
    public static Object[][] decimals() {
        return new Object[][] {{"+64", 64, "+4", 4}, {"0064", 64, "010", 10}};
    }

    @Test(dataProvider = "decimals")
    public void decimal(String size, int sizeUsed, String depth, int depthUsed) {
        checkSilent(probe("-D" + SIZE + "=" + size, "-D" + DEPTH + "=" + depth), sizeUsed, depthUsed);
    }

    @DataProvider
    public static Object[][] offOptions() {
        return new Object[][] {{"-D" + SIZE + "=0"}, {"-D" + DEPTH + "=0"}, {"-Dsun.nio.PageAlignDirectMemory=true"}};
    }

    @Test(dataProvider = "offOptions")
    public void off(String option) {
        checkOff(probe(option));
    }

    @DataProvider
    public static Object[][] wrongSizes() {
        return new Object[][] {{"4"}, {"7"}, {"100"}, {"1048577"}, {"2097152"}, {"-8"}, {"-2147483648"}, {"4294967360"},
                {""}, {"abc"}, {"64k"}, {"64 "}, {"0x40"}, {"#40"}, {"010"}};
    }

    @Test(dataProvider = "wrongSizes")
    public void wrongSize(String value) {
        JavaProcess probe = probe("-D" + SIZE + "=" + value);
        checkSizeWarning(warning(probe, defaultSize, defaultDepth), value);
    }

    @DataProvider
    public static Object[][] wrongDepths() {
        return new Object[][] {{"-1"}, {"17"}, {"4294967298"}, {""}, {"two"}, {"1.5"}, {"0x4"}, {"#4"}, {"020"}};
    }

    @Test(dataProvider = "wrongDepths")
    public void wrongDepth(String value) {
        JavaProcess probe = probe("-D" + DEPTH + "=" + value);
        checkDepthWarning(warning(probe, defaultSize, defaultDepth), value);
    }

    @DataProvider
    public static Object[][] verifyValues() {
        return new Object[][] {{"true", true, false}, {"trace", true, true}, {"false", false, false}};
    }

    @Test(dataProvider = "verifyValues")
    public void verify(String value, boolean verify, boolean trace) {
        JavaProcess probe = probe("-D" + VERIFY + "=" + value);
        check(probe, defaultSize, defaultDepth, verify, trace);
        assertEquals(probe.err(), List.of(), "standard error");
        checkOff(probe("-D" + VERIFY + "=" + value, "-D" + SIZE + "=0"));
    }

    @DataProvider
    public static Object[][] wrongVerifyValues() {
        return new Object[][] {{""}, {"yes"}, {"TRUE"}, {"true "}, {"1"}, {"traces"}};
    }

    @Test(dataProvider = "wrongVerifyValues")
    public void wrongVerify(String value) {
        JavaProcess probe = probe("-D" + VERIFY + "=" + value);
        checkWarning(warning(probe, defaultSize, defaultDepth), VERIFY, value, List.of("true", "trace", "false"), false);
    }

    // As a native agent, the one that runs Java agents, also under a name that begins as the debugger's.
    @DataProvider
    public static Object[][] agentOptions() throws IOException {
        Path agent = Path.of(System.getProperty("java.home"), "lib", System.mapLibraryName("instrument"));
        Path jar = JavaProcess.agent(Agent.class);
        Path other = Files.copy(agent, Path.of(System.mapLibraryName("jdwpOther")), StandardCopyOption.REPLACE_EXISTING);
        Path file = Files.writeString(Path.of("options"), "-agentlib:instrument=" + jar);
        String path = "-Dsun.boot.library.path=" + agent.getParent() + File.pathSeparator + other.toAbsolutePath().getParent();
        return new Object[][] {{List.of("-agentlib:instrument=" + jar), true}, {List.of("-agentpath:" + agent + "=" + jar), true},
                {List.of("-Xruninstrument:" + jar), true}, {List.of("-XX:VMOptionsFile=" + file), true}, {List.of(path, "-agentlib:jdwpOther=" + jar), true},
                {List.of(path, "-XrunjdwpOther:" + jar), true}, {List.of("-agentlib:jdwp=" + DEBUGGER), false},
                {List.of("-agentlib:jdwp=" + DEBUGGER, "-agentlib:instrument=" + jar), true},
                {List.of("-Xrunjdwp:" + DEBUGGER), false}, {List.of("-javaagent:" + jar), false},
                {List.of("-agentlib:instrument=" + jar, "-D" + AGENTS + "=false"), false},
                {List.of("-D" + AGENTS + "=true"), true}, {List.of("-D" + AGENTS + "=false"), false}};
    }

    public static final class Agent {
        public static void premain(String options) {}
    }

    @Test(dataProvider = "agentOptions")
    public void agents(List<String> options, boolean agents) {
        JavaProcess probe = probe(options.toArray(String[]::new));
        assertEquals(probe.status(), 0);
        assertEquals(probe.err(), List.of(), "standard error");
        assertTrue(probe.out().getLast().endsWith(" " + agents), probe.out().getLast()); // the debugger's agent prints a line before
    }

    @DataProvider
    public static Object[][] wrongAgentsValues() {
        return new Object[][] {{""}, {"yes"}, {"TRUE"}};
    }

    @Test(dataProvider = "wrongAgentsValues")
    public void wrongAgents(String value) {
        JavaProcess probe = probe("-D" + AGENTS + "=" + value);
        checkWarning(warning(probe, defaultSize, defaultDepth), AGENTS, value, List.of("true", "false"), false);
    }

    @Test
    public void bothWrong() {
        JavaProcess probe = probe("-D" + SIZE + "=65", "-D" + DEPTH + "=-5");
        check(probe, defaultSize, defaultDepth, false, false);
        assertEquals(probe.err().size(), 2, "lines on standard error");
        checkSizeWarning(probe.err().stream().filter(l -> l.contains(SIZE)).findFirst().orElseThrow(), "65");
        checkDepthWarning(probe.err().stream().filter(l -> l.contains(DEPTH)).findFirst().orElseThrow(), "-5");
    }

    @Test
    public void oneWrong() {
        JavaProcess probe = probe("-D" + SIZE + "=65", "-D" + DEPTH + "=7");
        checkSizeWarning(warning(probe, defaultSize, 7), "65");

        probe = probe("-D" + SIZE + "=256", "-D" + DEPTH + "=17");
        checkDepthWarning(warning(probe, 256, defaultDepth), "17");
    }

    @Test
    public void valueWithLineBreaks() {
        JavaProcess probe = probe("-D" + SIZE + "=6\n4\r\n");
        assertTrue(warning(probe, defaultSize, defaultDepth).contains(SIZE));
    }

    /** The warning comes before a program's own stream does, which may do anything. */
    @Test
    public void programsOwnErr() {
        JavaProcess probe = probe("-D" + SIZE + "=65", "-Dprobe.own.err=true");
        checkSizeWarning(warning(probe, defaultSize, defaultDepth), "65");
    }

    /** Values are those of the command line. A program's own properties, which may do anything, are not asked. */
    @Test
    public void programsOwnProperties() {
        checkSilent(probe("-D" + SIZE + "=64", "-D" + DEPTH + "=7", "-Dprobe.own.properties=true"), 64, 7);
    }
}
