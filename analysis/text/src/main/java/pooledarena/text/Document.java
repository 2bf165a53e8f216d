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

import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A report that is written once: as text for the terminal, as Markdown with pictures beside it, and as HTML, which is rendered
 * from the Markdown and contains the pictures.
 */
public final class Document {

    private static final int WIDTH = 100;

    private static final String PAGE = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>%s</title>
            <style>
            body { font: 16px/1.5 sans-serif; color: #222; max-width: 1100px; margin: 2em auto; padding: 0 1em; }
            h1, h2 { line-height: 1.2; }
            h2 { margin-top: 2em; }
            table { border-collapse: collapse; font-size: 14px; margin: 1em 0; font-variant-numeric: tabular-nums; display: block; overflow-x: auto; }
            th, td { padding: 0.2em 0.8em; border-bottom: 1px solid #ddd; }
            th { vertical-align: bottom; border-bottom: 2px solid #777; }
            th:first-child, td:first-child { padding-left: 0; text-align: left; min-width: 9em; overflow-wrap: anywhere; }
            td code { display: block; min-width: 20em; }
            td:not(:first-child) { white-space: nowrap; }
            pre { background: #f3f3f3; padding: 0.8em; overflow-x: auto; }
            img { max-width: 100%%; border: 1px solid #ddd; }
            </style>
            </head>
            <body>
            %s</body>
            </html>
            """;

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

    /** Adds a list, one item a line. */
    public Document list(List<String> items) {
        return items.isEmpty() ? this : add("- " + String.join("\n- ", items), "- " + String.join("\n- ", items));
    }

    /** Adds lines for a computer: a command, or options of one. */
    public Document code(String lines) {
        return add(lines.indent(4).stripTrailing(), lines.indent(4).stripTrailing());
    }

    public Document table(Table table) {
        return add(table.toText().stripTrailing(), table.toMarkdown().stripTrailing());
    }

    /** Adds a picture that is to be found in {@code file}, beside the Markdown. */
    public Document picture(String file, String caption, byte[] png) {
        pictures.put(file, png);
        markdown.append("![").append(caption).append("](").append(file).append(")\n\n");
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

    /** {@return all but pictures and details} */
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
        return PAGE.formatted(title, HtmlRenderer.builder().extensions(extensions).escapeHtml(true).build().render(document));
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

    /** {@return {@code text} in lines that a terminal has room for} */
    private static String wrap(String text) {
        StringBuilder wrapped = new StringBuilder();
        int column = 0;
        for (String word : text.split(" ")) {
            boolean fits = column + 1 + word.length() <= WIDTH;
            wrapped.append(column == 0 ? "" : fits ? " " : "\n").append(word);
            column = column > 0 && fits ? column + 1 + word.length() : word.length();
        }
        return wrapped.toString();
    }
}
