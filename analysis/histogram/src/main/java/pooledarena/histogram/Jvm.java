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
package pooledarena.histogram;

/**
 * A Java virtual machine whose arenas were recorded.
 *
 * @param host     the name of its machine
 * @param pid      its process there
 * @param started  when it began, in ISO 8601
 * @param written  when its histogram was written, in ISO 8601
 * @param finished whether that was at its end; otherwise it went on, or was killed
 * @param attached whether recording began when it was running already; arenas opened before are missing
 * @param sites    of how many arenas one had its site looked for; 0 for none
 * @param java     which Java it is
 * @param program  its main class, module or jar file
 */
public record Jvm(String host, long pid, String started, String written, boolean finished, boolean attached, int sites,
                  String java, String program) {

    /** {@return what no other virtual machine has} */
    public String id() {
        return host + " " + pid + " " + started;
    }
}
