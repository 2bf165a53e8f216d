/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * DO NOT ALTER OR REMOVE COPYRIGHT NOTICES OR THIS FILE HEADER.
 *
 * This code is free software; you can redistribute it and/or modify it
 * under the terms of the GNU General Public License version 2 only, as
 * published by the Free Software Foundation.  The Pooled Confined Arena
 * authors designate this particular file as subject to the "Classpath"
 * exception as provided in the LICENSE file that accompanied this code.
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

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Checks that the tests of the pool notice mutants: small changes to its code, one at a time. {@code mutants.txt} lists them.
 * <p>
 * All mutants are compiled into one copy of the patched classes, and a system property chooses one. A mutant is killed when a
 * test fails that the list names for it. These tests have to pass without a mutant.
 * <p>
 * Run from source: {@code java MutatePool.java SOURCES LIBRARIES OUT [REGEX]}. SOURCES is the directory of the patched sources,
 * LIBRARIES that of the jars of JUnit and TestNG, OUT what is created; REGEX chooses mutants by their text.
 * Exit status: 0 if enough mutants are killed, the list gives a reason for each other one, and none is killed of which it says that it
 * survives; otherwise 1.
 */
public final class MutatePool {

    static final int LEAST_SCORE = 85; // percent

    /** How long a test may take, in addition to four times what it takes without a mutant. */
    private static final int SECONDS = 20;

    private final List<Mutant> mutants;
    private final PoolTests tests;
    private final Path out;

    public static void main(String[] args) {
        int status;
        try {
            status = new MutatePool(Path.of(args[0]), Path.of(args[1]), Path.of(args[2]).toAbsolutePath(),
                    Pattern.compile(args.length > 3 ? args[3] : "")).run();
        } catch (Mutant.Unusable e) {
            System.err.println(e.getMessage() + "; no mutant was run");
            status = 1;
        } catch (PatternSyntaxException e) {
            System.err.println(args[3] + ": accepted is a regular expression; no mutant was run");
            status = 1;
        } catch (Exception e) {
            e.printStackTrace();
            status = 1;
        }
        System.exit(status); // also if other threads still run tests
    }

    private MutatePool(Path sources, Path libraries, Path out, Pattern chosen) throws Exception {
        List<Mutant> all = Mutant.readAll();
        mutants = all.stream().filter(mutant -> chosen.matcher(mutant.text()).find()).toList();
        if (mutants.isEmpty()) {
            throw new Mutant.Unusable("No mutant of " + Mutant.LIST + " matches " + chosen);
        }
        if (out.toString().matches(".*\\s.*")) {
            throw new Mutant.Unusable(out + ": a path without spaces is accepted, since tests split options there");
        }
        this.out = out;
        PoolTests.deleteAll(out);
        MutantClasses classes = new MutantClasses(sources, out);
        classes.compileAll(all);
        tests = new PoolTests(classes, libraries, out);
    }

    private int run() throws Exception {
        Set<String> named = new LinkedHashSet<>();
        mutants.forEach(mutant -> named.addAll(mutant.tests()));
        for (String test : named) {
            if (!tests.contain(test)) {
                throw new Mutant.Unusable(Mutant.LIST + ": there is no test " + test);
            }
        }
        ExecutorService threads = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        System.out.println("Running " + named.size() + " tests without a mutant");
        Map<String, Future<PoolTests.Result>> without = new HashMap<>();
        named.forEach(test -> without.put(test, threads.submit(() -> tests.run(null, test, Integer.MAX_VALUE))));
        List<String> failed = new ArrayList<>();
        for (String test : named) {
            if (without.get(test).get().failed()) {
                failed.add(test);
            }
        }
        if (!failed.isEmpty()) {
            throw new Mutant.Unusable("Without a mutant fail " + failed + ", see " + out.resolve("logs"));
        }
        System.out.println("Running them with " + mutants.size() + " mutants");
        Map<Mutant, Future<String>> results = new HashMap<>();
        mutants.forEach(mutant -> results.put(mutant, threads.submit(() -> verdict(mutant, without))));
        return report(results);
    }

    private String verdict(Mutant mutant, Map<String, Future<PoolTests.Result>> without) throws Exception {
        for (String test : mutant.tests()) {
            long limit = SECONDS + 4 * (long) without.get(test).get().seconds();
            PoolTests.Result result = tests.run(mutant, test, limit);
            if (!result.ended()) { // perhaps other tests took the processors
                result = tests.run(mutant, test, 2 * limit);
            }
            if (result.failed()) {
                return String.format("killed in %.1f s by %s", result.seconds(), test) + (result.ended() ? "" : ", which did not end")
                        + (mutant.excuse().isEmpty() ? "" : "; but the list says \"" + mutant.excuse() + '"')
                        + (mutant.isSaidToSurvive() ? ", which must be corrected" : "");
            }
        }
        return mutant.excuse().isEmpty() ? "survived" : mutant.excuse();
    }

    private int report(Map<Mutant, Future<String>> results) throws Exception {
        int killed = 0;
        int equivalent = 0;
        int unexplained = 0;
        int unexpected = 0;
        List<String> lines = new ArrayList<>();
        for (Mutant mutant : mutants) {
            String result = results.get(mutant).get();
            killed += result.startsWith("killed") ? 1 : 0;
            equivalent += result.startsWith("equivalent: ") ? 1 : 0;
            unexplained += result.equals("survived") ? 1 : 0;
            unexpected += result.startsWith("killed") && mutant.isSaidToSurvive() ? 1 : 0;
            lines.add(mutant.id() + " " + mutant.text() + ": " + result);
            System.out.println(lines.getLast());
        }
        int score = mutants.size() == equivalent ? 100 : 100 * killed / (mutants.size() - equivalent);
        lines.add(mutants.size() + " mutants: " + killed + " killed (" + unexpected + " that should survive by the list), "
                + (mutants.size() - killed - equivalent) + " survived (" + unexplained + " without a reason), " + equivalent
                + " equivalent; score " + score + " %, accepted is " + LEAST_SCORE + " %");
        System.out.println(lines.getLast());
        Files.write(out.resolve("report.txt"), lines);
        return score >= LEAST_SCORE && unexplained == 0 && unexpected == 0 ? 0 : 1;
    }
}
