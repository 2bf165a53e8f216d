/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
/**
 * The recorder: an agent that counts the confined arenas of any program on JDK 25 and later, patched or not.
 * <pre>{@code
 *     java -javaagent:build/arena-recorder.jar=out=DIR …
 *     jcmd PID JVMTI.agent_load /path/to/build/arena-recorder.jar '"out=DIR"'
 * }</pre>
 * <dl>
 * <dt>{@code out=DIR}<dd>where each JVM writes its file, see {@code pooledarena.histogram}; made if it is missing
 * <dt>{@code every=SECONDS}<dd>how often the file is written at least, 60 by default, but after 1/16, 1/4, 1, 4 and 16 seconds, too.
 *     0: only at the start, at the end, and when {@code DIR/dump} is touched
 * <dt>{@code sites=N}<dd>the call site of one arena in N, chosen at random: 1, all of them, by default; 0 for none
 * <dt>{@code frames=N}<dd>how many frames a call site has at most: 1 by default, up to 100. With more, they are found by walking the
 *     stack: 10,000 times for each thread, then one time in 100.
 * <dt>{@code skip=PREFIX}<dd>what the names of a library's classes begin with. Its frames are left out: what it opens and closes
 *     counts as its caller's, and the stack is walked as with frames. May stand several times.
 * <dt>{@code memory=SIZE}<dd>how much of the heap the recorder takes at most, as {@code 8m}, which is the default, or an eighth of
 *     the heap if that is less. When half of it is in use, further shapes are rounded up to powers of two; the file counts what
 *     is rounded and what is dropped. The first arena of each thread takes about 500 bytes beside.
 * <dt>{@code faults=FILE}<dd>a file that exists, for what could not be recorded. The command {@code record} reads it.
 * </dl>
 * A JVM that loads the agent once more with {@code stop=DIR} ends the recording into that directory, and may be recorded again.
 * <p>
 * How it works: {@link pooledarena.recorder.Transformer} has the JDK's class of arenas call the recorder, and has each call
 * site that opens or closes an arena pass a constant right before it does. {@link pooledarena.recorder.Recorder} keeps what is
 * open, by thread ({@link pooledarena.recorder.Threads}). What has ended has a row by its shape
 * ({@link pooledarena.recorder.Ledger}); each thread counts how often, so that no memory is shared.
 * <p>
 * What the numbers are: the sizes that were asked for, and of allocations that were made. An arena is closed by its opener if
 * class and name of the method that calls {@code close()} are those of the opening one. Overloads are taken for the same method;
 * so are two activations, and a method and its lambdas. Kotlin's {@code use}, Scala's {@code Using}, Guava's {@code Closer} and
 * Groovy's {@code withCloseable} close for their caller. An arena that is open when the file is written, or is collected without
 * having been closed, counts as unclosed; one that was opened before the agent was attached does not count.
 * <p>
 * The program does not notice: whatever fails in here is caught and counted. The recorder prints one line, to the process's
 * standard error, if options are wrong, if the file cannot be written, or if the arenas of this JVM look different or cannot be
 * instrumented, when it records nothing. The JVM itself warns when an agent is attached, unless it has
 * {@code -XX:+EnableDynamicAgentLoading}, and when a class loads while its stack is almost full, as with any agent.
 */
package pooledarena.recorder;
