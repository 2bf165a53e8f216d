/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.programs;

import org.jline.builtins.Less;
import org.jline.builtins.Source;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.completer.StringsCompleter;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

import module java.base;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A shell with completion, history and a pager, by JLine on a real terminal: {@code find WORD} lists files,
 * {@code less FILE} shows one, {@code quit} ends it.
 */
final class BrowseSources {

    /** @param args the JDK's {@code src.zip} */
    public static void main(String[] args) throws Exception {
        List<SourceFile> files = SourceFile.of(args[0]);
        try (Terminal terminal = TerminalBuilder.builder().provider("ffm").system(true).dumb(false).build()) {
            LineReader reader = LineReaderBuilder.builder().terminal(terminal)
                    .completer(new StringsCompleter(files.stream().map(SourceFile::name).toList())).build();
            while (true) {
                String line;
                try {
                    line = reader.readLine("sources> ").strip();
                } catch (UserInterruptException e) {
                    continue;
                } catch (EndOfFileException e) {
                    return;
                }
                String argument = line.substring(line.indexOf(' ') + 1);
                switch (line.split(" ")[0]) {
                    case "find" -> files.stream().filter(file -> file.text().contains(argument)).limit(20)
                            .forEach(file -> terminal.writer().println(file.name()));
                    case "less" -> {
                        for (SourceFile file : files) {
                            if (file.name().equals(argument)) {
                                show(terminal, file);
                            }
                        }
                    }
                    case "quit" -> {
                        return;
                    }
                    default -> terminal.writer().println("find WORD, less FILE or quit");
                }
            }
        }
    }

    private static void show(Terminal terminal, SourceFile file) throws Exception {
        new Less(terminal, Path.of(".")).run(new Source.InputStreamSource(
                new ByteArrayInputStream(file.text().getBytes(UTF_8)), true, file.name()));
    }
}
