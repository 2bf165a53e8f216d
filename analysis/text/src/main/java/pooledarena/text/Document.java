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
package pooledarena.text;

import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;

/** A report that is written once and comes out as text for the terminal, as Markdown with pictures beside it and as HTML. */
public final class Document {

    private sealed interface Block {}

    private record Heading(String text) implements Block {}

    private record Paragraph(String text, boolean warning) implements Block {}

    private record Lines(String text) implements Block {}

    private record Rows(Table table) implements Block {}

    private record Picture(String file, String caption, byte[] png) implements Block {}

    private final String title;
    private int brief = Integer.MAX_VALUE;
    private final List<Block> blocks = new ArrayList<>();

    public Document(String title) {
        this.title = title;
    }

    public Document heading(String text) {
        blocks.add(new Heading(text));
        return this;
    }

    public Document paragraph(String text) {
        blocks.add(new Paragraph(text, false));
        return this;
    }

    /** Leaves all that follows to the files. */
    public Document details() {
        brief = blocks.size();
        return this;
    }

    /** Adds what a reader should know before the figures. */
    public Document warning(String text) {
        blocks.add(new Paragraph(text, true));
        return this;
    }

    /** Adds lines for a computer: a command, or options of one. */
    public Document code(String lines) {
        blocks.add(new Lines(lines));
        return this;
    }

    public Document table(Table table) {
        blocks.add(new Rows(table));
        return this;
    }

    /** Adds a picture that is to be found in {@code file}, beside the Markdown. */
    public Document picture(String file, String caption, byte[] png) {
        blocks.add(new Picture(file, caption, png));
        return this;
    }

    /** {@return the contents of the files that the report is: its pictures, {@code name.md} and {@code name.html}} */
    public Map<String, byte[]> files(String name) {
        Map<String, byte[]> files = new LinkedHashMap<>();
        for (Block block : blocks) {
            if (block instanceof Picture picture) {
                files.put(picture.file, picture.png);
            }
        }
        files.put(name + ".md", toMarkdown().getBytes(UTF_8));
        files.put(name + ".html", toHtml().getBytes(UTF_8));
        return files;
    }

    /** {@return all but pictures and details} */
    public String toText() {
        StringBuilder text = new StringBuilder(title).append("\n").append("=".repeat(title.length())).append("\n\n");
        for (Block block : blocks.subList(0, Math.min(brief, blocks.size()))) {
            text.append(switch (block) {
                case Heading(String heading) -> heading + "\n" + "-".repeat(heading.length()) + "\n\n";
                case Paragraph(String paragraph, _) -> wrap(paragraph) + "\n\n";
                case Lines(String lines) -> lines.indent(4) + "\n";
                case Rows(Table table) -> table.toText() + "\n";
                case Picture _ -> "";
            });
        }
        return text.toString();
    }

    public String toMarkdown() {
        StringBuilder text = new StringBuilder("# ").append(title).append("\n\n");
        for (Block block : blocks) {
            text.append(switch (block) {
                case Heading(String heading) -> "## " + heading + "\n\n";
                case Paragraph(String paragraph, boolean warning) -> warning ? "**" + inMarkdown(paragraph) + "**\n\n"
                        : wrap(inMarkdown(paragraph)) + "\n\n";
                case Lines(String lines) -> lines.indent(4) + "\n";
                case Rows(Table table) -> table.toMarkdown() + "\n";
                case Picture(String file, String caption, _) -> "![" + caption + "](" + file + ")\n\n";
            });
        }
        return text.toString();
    }

    public String toHtml() {
        StringBuilder body = new StringBuilder("<h1>").append(HtmlPage.escape(title)).append("</h1>\n");
        for (Block block : blocks) {
            body.append(switch (block) {
                case Heading(String heading) -> "<h2>" + HtmlPage.escape(heading) + "</h2>\n";
                case Paragraph(String paragraph, boolean warning) ->
                        (warning ? "<p class=\"warning\">" : "<p>") + HtmlPage.escape(paragraph) + "</p>\n";
                case Lines(String lines) -> "<pre>" + HtmlPage.escape(lines) + "</pre>\n";
                case Rows(Table table) -> table.toHtml();
                case Picture(_, String caption, byte[] png) -> "<figure><img alt=\"" + HtmlPage.escape(caption)
                        + "\" src=\"data:image/png;base64," + Base64.getEncoder().encodeToString(png) + "\"></figure>\n";
            });
        }
        return HtmlPage.of(title, body.toString());
    }

    /** {@return {@code text} in lines of at most 100 characters} */
    public static String wrap(String text) {
        StringBuilder wrapped = new StringBuilder();
        int column = 0;
        for (String word : text.split(" ")) {
            if (column > 0 && column + 1 + word.length() > 100) {
                wrapped.append('\n');
                column = 0;
            } else if (column > 0) {
                wrapped.append(' ');
                column++;
            }
            wrapped.append(word);
            column += word.length();
        }
        return wrapped.toString();
    }

    private static String inMarkdown(String text) {
        return text.replace("<", "&lt;").replace("*", "\\*");
    }
}
