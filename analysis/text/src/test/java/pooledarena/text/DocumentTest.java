/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.text;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class DocumentTest {

    private static final Chart CHART = Chart.bars("A picture", List.of("one"), new Chart.Axis("", false),
            Map.of("", List.of(5.0)));

    private static Document document() {
        Table table = new Table("site", "share");
        table.add("`A|B<C>.<init>`", "<0.001 %");
        return new Document("Title").warning("Mind 2 * 3").heading("Heading").paragraph("a < b in <init>").table(table).code("x --y")
                .details().list(List.of("one", "two"))
                .picture("p.png", CHART, List.of());
    }

    @Test
    void htmlSaysWhatMarkdownSays() {
        String html = document().toHtml();
        String picture = Base64.getEncoder().encodeToString(document().files("r").get("p.png"));
        for (String part : List.of("<title>Title</title>", "<h1>Title</h1>", "<strong>Mind 2 * 3</strong>", "<h2>Heading</h2>",
                "<p>a &lt; b in &lt;init&gt;</p>", "<code>A|B&lt;C&gt;.&lt;init&gt;</code>", ">&lt;0.001 %</td>", "<pre><code>x --y\n</code></pre>",
                "<li>one</li>", "<img src=\"data:image/png;base64," + picture + "\" alt=\"A picture\"")) {
            assertTrue(html.contains(part), part + " in " + html);
        }
        assertFalse(html.contains("p.png"));
    }

    /** Neither a terminal nor Markdown takes what a file says for its own. */
    @Test
    void controlCharacters() {
        Table table = new Table("site", "share");
        table.add("a\u001b[2J\nb", "\u009bc");
        String text = new Document("T").warning("x\u001b[1m\ny").table(table).toText(Integer.MAX_VALUE);
        assertTrue(text.contains("**x?\\[1m?y**"), text);
        assertTrue(text.contains("| a?[2J?b |    ?c |"), text);
        assertEquals("\\*\\`\\[a](b)", Document.escape("*`[a](b)"));
    }

    /** On a narrow screen a table scrolls by itself, and a call site keeps a width that one can read. */
    @Test
    void aNarrowScreen() {
        String html = document().toHtml().replaceAll("\\s+", " ");
        assertTrue(html.contains("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"), html);
        assertTrue(html.matches(".* table \\{[^}]* display: block; overflow-x: auto; }.*"), html);
        assertTrue(html.matches(".* td code \\{[^}]* min-width: [^}]*}.*"), html);
        assertTrue(html.matches(".* img \\{[^}]*max-width: 100%;.*"), html);
    }

    @Test
    void detailsAndPicturesAreForFiles() {
        String text = document().toText(Integer.MAX_VALUE);
        assertTrue(text.contains("a < b in \\<init>\n\n"), text);
        assertTrue(text.contains("| `A\\|B<C>.<init>` | <0.001 % |\n\n"), text);
        assertFalse(text.contains("one"), text);
        String shown = new Document("T").picture("p.png", CHART, List.of()).paragraph("end").toText(Integer.MAX_VALUE);
        assertEquals("# T\n\nend\n\n", shown);
        assertEquals(List.of("p.png", "r.md", "r.html"), List.copyOf(document().files("r").keySet()));
        assertTrue(document().toMarkdown().contains("](p.png)"));
    }

    @Test
    void publishedInFilesAndOnTheTerminal(@TempDir Path out) throws IOException {
        StringWriter terminal = new StringWriter();
        Files.createFile(out.resolve("earlier.png"));
        document().publish(new PrintWriter(new BufferedWriter(terminal)), out, "r", Map.of(), List.of("earlier.png", "p.png"));
        assertEquals(document().toMarkdown(), Files.readString(out.resolve("r.md")));
        assertFalse(Files.exists(out.resolve("earlier.png")));
        assertTrue(terminal.toString().startsWith(document().toText(Integer.MAX_VALUE)), terminal.toString());
        for (String file : List.of("p.png", "r.md", "r.html")) {
            assertTrue(terminal.toString().contains(out.resolve(file).toString()), file + " in " + terminal);
        }
    }

    @Test
    void linesFitATerminal() {
        String word = "x".repeat(30) + " ";
        assertTrue(new Document("").paragraph(word.repeat(9).strip()).toText(Integer.MAX_VALUE).lines().allMatch(line -> line.length() == 92 || line.length() < 3));
    }

    /** What does not fit is in the file. */
    @Test
    void tablesFitATerminal() {
        Table table = new Table("site", "1", "2", "3", "4", "5");
        table.add("`" + "x".repeat(60) + "`", "1".repeat(15), "2".repeat(15), "3".repeat(15), "4".repeat(15), "5".repeat(15));
        Document document = new Document("Title").paragraph("word ".repeat(30).strip()).table(table);
        assertTrue(document.toText(80).lines().allMatch(line -> line.length() <= 80), document.toText(80));
        assertTrue(document.toText(80).contains("\n(3 more columns in the files)\n"), document.toText(80));
        assertTrue(document.toMarkdown().contains("`" + "x".repeat(60) + "` |"), document.toMarkdown());
        assertTrue(document.toMarkdown().contains("5".repeat(15)), document.toMarkdown());
        assertEquals(document.toMarkdown(), document.toText(Integer.MAX_VALUE));
    }

    /** A file's name may look like a picture. */
    @Test
    void aPictureThatIsNone() {
        Table table = new Table("file");
        table.add("![a](b).jar");
        String html = new String(new Document("T").table(table).files("r").get("r.html"), StandardCharsets.UTF_8);
        assertTrue(html.contains("src=\"b\""), html);
    }
}
