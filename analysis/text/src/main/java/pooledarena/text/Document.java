/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.text;

import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import pooledarena.io.Tool;
import pooledarena.io.WholeFiles;

import module java.base;

/**
 * A report that is written once, as Markdown with pictures beside it. HTML is rendered from that and contains the
 * pictures; a terminal shows it without pictures and details.
 */
public final class Document {

    private static final int WIDTH = 100;

    private final String title;
    private final StringBuilder markdown = new StringBuilder();
    private final List<IntFunction<String>> terminal = new ArrayList<>(); // blocks by the width of a line
    private final Map<String, byte[]> pictures = new LinkedHashMap<>();
    private boolean detailed;

    public Document(String title) {
        this.title = title;
        add("# " + title);
    }

    public Document heading(String heading) {
        return add("## " + heading);
    }

    public Document paragraph(String paragraph) {
        return add(width -> wrap(escape(paragraph), width));
    }

    /** Adds what a reader should know before the figures. */
    public Document warning(String warning) {
        return add(width -> wrap("**" + escape(warning) + "**", width));
    }

    public Document list(List<String> items) {
        return add("- " + String.join("\n- ", items));
    }

    /** Adds lines for a computer: a command, or options of one. */
    public Document code(String lines) {
        return add(lines.indent(4).stripTrailing());
    }

    public Document table(Table table) {
        return add(width -> table.toText(width).stripTrailing());
    }

    /** Adds a chart, which is to be found in {@code file}, beside the Markdown. */
    public Document picture(String file, Chart chart, List<String> origin) {
        pictures.put(file, chart.png(origin));
        markdown.append("![%s](%s)\n\n".formatted(chart.title(), file));
        return this;
    }

    /** Leaves all that follows to the files. */
    public Document details() {
        detailed = true;
        return this;
    }

    /** {@return the contents of the files that the report is: its pictures, {@code name.md} and {@code name.html}} */
    public Map<String, byte[]> files(String name) {
        Map<String, byte[]> files = new LinkedHashMap<>(pictures);
        files.put(name + ".md", toMarkdown().getBytes(StandardCharsets.UTF_8));
        files.put(name + ".html", toHtml().getBytes(StandardCharsets.UTF_8));
        return files;
    }

    /** Prints, and writes its files and {@code more} to {@code --out}; removes those of {@code mayBe} that are not among them. */
    public void publish(PrintWriter terminal, Path out, String name, Map<String, byte[]> more, List<String> mayBe)
            throws IOException {
        Map<String, byte[]> files = files(name);
        files.putAll(more);
        WholeFiles.write(out, files, mayBe);
        terminal.println(toText(Tool.width()) + "Wrote "
                + files.keySet().stream().sorted().map(file -> out.resolve(file).toString()).collect(Collectors.joining(", ")));
        terminal.flush();
    }

    /** {@return what fits in lines of {@code width} characters} The files have the whole. */
    public String toText(int width) {
        return terminal.stream().map(block -> block.apply(width) + "\n\n").collect(Collectors.joining());
    }

    public String toMarkdown() {
        return markdown.toString();
    }

    public String toHtml() {
        var extensions = List.of(TablesExtension.create());
        // Escapes what looks like HTML: <init> is a method. Only a picture has a source.
        HtmlRenderer renderer = HtmlRenderer.builder().extensions(extensions).escapeHtml(true)
                .attributeProviderFactory(_ -> (_, _, attributes) -> attributes.computeIfPresent("src", (_, file) ->
                        !pictures.containsKey(file) ? file
                                : "data:image/png;base64," + Base64.getEncoder().encodeToString(pictures.get(file)))).build();
        String body = renderer.render(Parser.builder().extensions(extensions).build().parse(toMarkdown()));
        return WholeFiles.resource(Document.class, "page.html").formatted(title, body);
    }

    private Document add(String block) {
        return add(_ -> block);
    }

    private Document add(IntFunction<String> block) {
        markdown.append(block.apply(Integer.MAX_VALUE)).append("\n\n");
        if (!detailed) {
            terminal.add(block);
        }
        return this;
    }

    /** {@return a text that may be from a file without what Markdown or a terminal would take for its own} */
    public static String escape(String text) {
        // A < is escaped only where Markdown would take it for the start of HTML, as the text is printed, too.
        return printable(text).replaceAll("[*`\\[]|<(?=[a-zA-Z/!?])", "\\\\$0");
    }

    /** {@return a line of text that does not control the terminal} */
    public static String printable(String line) {
        return line.replaceAll("\\p{Cc}", "?");
    }

    private static String wrap(String text, int width) {
        int most = Math.min(width, WIDTH);
        return text.replaceAll("(.{1," + most + "}|\\S{" + most + ",})(?: |$)", "$1\n").stripTrailing();
    }
}
