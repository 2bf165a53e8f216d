/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Model.CommandSpec;
import pooledarena.io.Tool;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class MainTest {

    /** An old java must be able to load the class that it enters the tools by. */
    @Test
    void forAnyJava() throws IOException {
        try (InputStream main = Main.class.getResourceAsStream("Main.class")) {
            assertEquals(ClassFile.JAVA_8_VERSION, ClassFile.of().parse(main.readAllBytes()).majorVersion());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"52.0", "61.0", "68.0"})
    void aJavaThatIsTooOld(String classVersion) {
        CommandLine result = run(classVersion, "report", "--help");
        assertEquals(new CommandLine(Tool.EXIT_BAD_INPUT, "", "arena-analysis: this is Java " + Runtime.version().feature() + " ("
                + System.getProperty("java.home") + "); 25 and later are accepted; nothing was done\n"), result);
    }

    /** The jar knows the JDK that built it, and says so where that still is. */
    @Test
    void theJdkThatMakeFound(@TempDir Path directory) throws IOException {
        String hint = Main.hint(Path.of(System.getProperty("recorder")).resolveSibling("arena-analysis.jar").toFile());
        assertTrue(hint.startsWith(", such as /") && Files.isExecutable(Path.of(hint.substring(10)).resolveSibling("javac")), hint);
        Path gone = directory.resolve("gone.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Built-By-Jdk", directory + "/none");
        new JarOutputStream(Files.newOutputStream(gone), manifest).close();
        assertEquals("", Main.hint(gone.toFile()));
        assertEquals("", Main.hint(directory.toFile()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"69.0", "72.0"})
    void aJavaThatIsNot(String classVersion) {
        CommandLine help = run(classVersion, "report", "--help");
        assertEquals(List.of(0, ""), List.of(help.status(), help.err()));
        assertTrue(help.out().contains("arena-analysis report"), help.out());
        assertEquals(Tool.EXIT_BAD_INPUT, run(classVersion, "nonsense").status());
    }

    private static CommandLine run(String classVersion, String... args) {
        return CommandLine.of(() -> {
            try {
                return Main.run(classVersion, args);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
    }

    /** {@return the words that describe a command and its options, but for those that depend on a default value} */
    private static List<String> words(String command) {
        CommandSpec spec = Main.commands().stream().map(picocli.CommandLine::new).map(picocli.CommandLine::getCommandSpec)
                .filter(candidate -> candidate.name().equals(command)).findFirst().orElseThrow();
        Stream<String> ofArguments = spec.args().stream().flatMap(argument -> Stream.of(argument.description()));
        return Stream.of(Stream.of(spec.usageMessage().description()), Stream.of(spec.usageMessage().footer()), ofArguments)
                .flatMap(texts -> texts).flatMap(text -> Stream.of(text.strip().split("\\s+")))
                .filter(word -> !word.isEmpty() && !word.contains("$")).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"compare", "record", "report", "recommend", "scan"})
    void everyCommandHasHelp(String name) throws Exception {
        Process process = new ProcessBuilder(System.getProperty("java.home") + "/bin/java", "-cp",
                System.getProperty("java.class.path"), Main.class.getName(), name, "--help").start();
        String help = new String(process.getInputStream().readAllBytes());
        assertEquals(0, process.waitFor());
        assertTrue(help.contains("Example"), help);
        assertFalse(help.contains("${"), help);
        // Lines break at spaces only, never inside the name of a file or an option.
        List<String> words = List.of(help.split("\\s+"));
        for (String word : words(name)) {
            assertTrue(words.contains(word), word + " in " + help);
        }
    }
}
