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
package pooledarena.benchmark;

import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.profile.Profiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * One fork of one benchmark, in a process of its own that has none of this process's options.
 *
 * @param benchmark  the qualified name of the benchmark method
 * @param parameters the value of each of the benchmark's parameters, by name
 * @param threads    how many threads run the benchmark at the same time
 * @param jvm        where
 * @param options    the options of the virtual machine
 */
public record Fork(String benchmark, Map<String, String> parameters, int threads, Jvm jvm, List<String> options) {

    /**
     * {@return what JMH measured, the garbage collector's profile included}
     *
     * @param effort    how much to measure; its number of forks is not looked at
     * @param profilers what else is to look on
     * @param log       gets JMH's own output
     * @throws RunnerException if the benchmark fails, or is not there
     */
    @SafeVarargs
    public final RunResult run(Effort effort, PrintStream log, Class<? extends Profiler>... profilers) throws RunnerException {
        ChainedOptionsBuilder builder = new OptionsBuilder()
                .include("^" + Pattern.quote(benchmark) + "$")
                .jvm(jvm.launcher())
                .jvmArgs(options.toArray(String[]::new))
                .threads(threads)
                .forks(1)
                .warmupForks(0)
                .warmupIterations(effort.warmupIterations())
                .warmupTime(TimeValue.milliseconds(effort.warmupMillis()))
                .measurementIterations(effort.iterations())
                .measurementTime(TimeValue.milliseconds(effort.iterationMillis()))
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true);
        for (Class<? extends Profiler> profiler : profilers) {
            builder.addProfiler(profiler);
        }
        parameters.forEach(builder::param);
        var results = new Runner(builder.build(), OutputFormatFactory.createFormatInstance(log, VerboseMode.NORMAL)).run();
        if (results.size() != 1) {
            throw new RunnerException(results.size() + " results instead of one");
        }
        return results.iterator().next();
    }
}
