/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.text;

import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Image;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import pooledarena.io.WholeFiles;

import module java.base;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A report that is written once: as text for the terminal, as Markdown with pictures beside it, and as HTML, which is
 * rendered from the Markdown and contains the pictures.
 */
public final class Document {

    private static final int WIDTH = 100;

    private final String title;
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder markdown = new StringBuilder();
    private final Map<String, byte[]> pictures = new LinkedHashMap<>();
    private boolean brief = true;

    public Document(String title) {
        this.title = title;
        add(title + "\n" + "=".repeat(title.length()), "# " + title);
    }

    public Document heading(String heading) {
        return add(heading + "\n" + "-".repeat(heading.length()), "## " + heading);
    }

    public Document paragraph(String paragraph) {
        return add(wrap(paragraph), wrap(escape(paragraph)));
    }

    /** Adds what a reader should know before the figures. */
    public Document warning(String warning) {
        return add(wrap(warning), "**" + escape(warning) + "**");
    }

    public Document list(List<String> items) {
        String lines = "- " + String.join("\n- ", items);
        return items.isEmpty() ? this : add(lines, lines);
    }

    /** Adds lines for a computer: a command, or options of one. */
    public Document code(String lines) {
        String indented = lines.indent(4).stripTrailing();
        return add(indented, indented);
    }

    public Document table(Table table) {
        return add(table.toText().stripTrailing(), table.toMarkdown().stripTrailing());
    }

    /** Adds a chart, which is to be found in {@code file}, beside the Markdown. */
    public Document picture(String file, Chart chart, List<String> origin) {
        pictures.put(file, chart.png(origin));
        markdown.append("![%s](%s)\n\n".formatted(chart.title(), file));
        return this;
    }

    /** Leaves all that follows to the files. */
    public Document details() {
        brief = false;
        return this;
    }

    /** {@return the contents of the files that the report is: its pictures, {@code name.md} and {@code name.html}} */
    public Map<String, byte[]> files(String name) {
        Map<String, byte[]> files = new LinkedHashMap<>(pictures);
        files.put(name + ".md", toMarkdown().getBytes(UTF_8));
        files.put(name + ".html", toHtml().getBytes(UTF_8));
        return files;
    }

    /** Writes {@code files} to {@code --out}, removes those of {@code mayBe} that are not among them, and prints. */
    public void publish(PrintWriter terminal, Path out, Map<String, byte[]> files, List<String> mayBe)
            throws IOException {
        WholeFiles.write("--out", out, files, mayBe);
        terminal.println(toText() + "Wrote " + WholeFiles.list(out, files.keySet()));
        terminal.flush();
    }

    public String toText() {
        return text.toString();
    }

    public String toMarkdown() {
        return markdown.toString();
    }

    public String toHtml() {
        var extensions = List.of(TablesExtension.create());
        Node document = Parser.builder().extensions(extensions).build().parse(toMarkdown());
        document.accept(new AbstractVisitor() {
            @Override
            public void visit(Image image) {
                image.setDestination("data:image/png;base64,"
                        + Base64.getEncoder().encodeToString(pictures.get(image.getDestination())));
            }
        });
        // Escapes what looks like HTML: <init> is a method.
        HtmlRenderer renderer = HtmlRenderer.builder().extensions(extensions).escapeHtml(true).build();
        return WholeFiles.resource(Document.class, "page.html").formatted(title, renderer.render(document));
    }

    private Document add(String inText, String inMarkdown) {
        if (brief) {
            text.append(inText).append("\n\n");
        }
        markdown.append(inMarkdown).append("\n\n");
        return this;
    }

    private static String escape(String text) {
        return text.replace("<", "&lt;").replace("*", "\\*");
    }

    private static String wrap(String text) {
        return text.replaceAll("(.{1," + WIDTH + "}|\\S{" + WIDTH + ",})(?: |$)", "$1\n").stripTrailing();
    }
}
