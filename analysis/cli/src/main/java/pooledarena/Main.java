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
package pooledarena;

import pooledarena.compare.Compare;
import pooledarena.compare.Render;
import pooledarena.io.Tool;
import pooledarena.peers.Peers;
import pooledarena.recommend.Recommend;
import pooledarena.record.Record;
import pooledarena.report.Report;
import pooledarena.scan.Scan;

import java.util.List;

/** The analysis tools: each operation is a command in a module of its own. */
public final class Main {

    private static final List<Class<?>> COMMANDS = List.of(Compare.class, Render.class, Record.class, Report.class,
            Recommend.class, Peers.class, Scan.class);

    private Main() {}

    public static void main(String[] args) {
        System.setProperty("java.awt.headless", "true");
        System.exit(Tool.run(COMMANDS, args));
    }
}
