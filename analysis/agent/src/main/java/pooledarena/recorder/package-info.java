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

/**
 * The recorder: an agent that counts the confined arenas of any program on JDK 25, patched or not. On an older JVM it says in one
 * line that it does not.
 * <pre>{@code
 *     java -javaagent:build/arena-histogram.jar=out=DIR …
 *     jcmd PID JVMTI.agent_load /path/to/build/arena-histogram.jar '"out=DIR"'
 * }</pre>
 * <dl>
 * <dt>{@code out=DIR}<dd>where the file of each JVM is written, see {@code pooledarena.histogram}; made if it is missing
 * <dt>{@code every=SECONDS}<dd>how often it is written again, 60 unless given, so that a JVM that is killed leaves one; 0 for
 *     only when asked and at the end
 * <dt>{@code sites=N}<dd>one of so many arenas has its site looked for, chosen at random: 1, all of them, unless given; 0 for
 *     none. Looking for it is most of what recording costs. All other numbers are those of all arenas in any case.
 * <dt>{@code limit=N}<dd>how many open arenas, how many sites and, thrice, how many rows are kept, 131072 unless given. What is
 *     beyond is counted as dropped.
 * </dl>
 * The file is also written when {@code DIR/dump} is touched, which reaches all JVMs that write there, and when the agent is
 * loaded once more with the argument {@code dump}: {@code jcmd PID JVMTI.agent_load … dump}. While a flight recording is on, it
 * has the same numbers as events {@code pooledarena.ConfinedArenas} and {@code pooledarena.ConfinedArenaShape}.
 * <p>
 * What the numbers are: the sizes that were asked for, and of allocations that were made. The site is where
 * {@code Arena.ofConfined()} is called. An arena is closed by its opener if class and name of the method that calls
 * {@code close()} are those of the opening one; overloads are taken for the same method, and so are two activations of one. The
 * lifetime does not contain the recorder's own work at both ends, but that for the allocations. An arena that is open when
 * the file is written, or is collected without having been closed, counts as unclosed; one that was opened before the agent was
 * attached does not count.
 * <p>
 * The program does not notice: whatever fails in here is swallowed and counted, and nothing is printed but one line, to the
 * process's standard error, if options are wrong, the file cannot be written, or the arenas of this JVM look different, when
 * nothing is woven. (The JVM itself warns when an agent is attached, unless it has {@code -XX:+EnableDynamicAgentLoading}.)
 */
package pooledarena.recorder;
