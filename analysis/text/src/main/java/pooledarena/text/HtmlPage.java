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

/** The frame of a page that needs no other file. */
public final class HtmlPage {

    private static final String STYLE = """
            body { font: 16px/1.5 sans-serif; color: #222; max-width: 1100px; margin: 2em auto; padding: 0 1em; }
            h1, h2 { line-height: 1.2; }
            h2 { margin-top: 2em; }
            table { border-collapse: collapse; font-size: 14px; margin: 1em 0; font-variant-numeric: tabular-nums; display: block; overflow-x: auto; }
            th, td { padding: 0.2em 0.8em; text-align: right; border-bottom: 1px solid #ddd; }
            th { vertical-align: bottom; border-bottom: 2px solid #777; }
            th:first-child, td:first-child { text-align: left; padding-left: 0; min-width: 9em; overflow-wrap: anywhere; }
            td:not(:first-child) { white-space: nowrap; }
            td code { display: block; min-width: 20em; }
            pre { background: #f3f3f3; padding: 0.8em; overflow-x: auto; }
            figure { margin: 1em 0; }
            img { max-width: 100%; border: 1px solid #ddd; }
            .warning { font-weight: bold; }
            """;

    private HtmlPage() {}

    static String of(String title, String body) {
        return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                + "<title>" + escape(title) + "</title>\n<style>\n" + STYLE + "</style>\n</head>\n<body>\n"
                + body + "</body>\n</html>\n";
    }

    public static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }
}
