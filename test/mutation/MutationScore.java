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
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Says how many of PIT's mutants of the Java tools the tests notice, module by module, and which of the others nobody has
 * looked at. {@code survivors.txt} of a module lists those that stay, one in a line:
 * <pre>
 *     Class#method Mutator count reason
 * </pre>
 * Class is the simple binary name; {@code *} stands for any method or mutator; the reason begins with {@code equivalent:} if no
 * test could notice the change.
 * <p>
 * Run from source: {@code java MutationScore.java REPORTS MODULES}. REPORTS has PIT's {@code MODULE/mutations.xml}, MODULES
 * has {@code MODULE/survivors.txt}.
 * Exit status: 0 if the tests notice enough of the mutants that they could notice, and all others are listed; otherwise 1.
 */
public final class MutationScore {

    /** A mutant that no test notices. */
    private record Survivor(String type, String method, String mutator, String place) {}

    /** A line of the list, and how many more survivors it stands for. */
    private static final class Entry {

        private static final Pattern LINE = Pattern.compile("(\\S+)#(\\S+) (\\S+) (\\d+) (.+)");

        private final MatchResult fields;
        private int left;

        Entry(Path list, String line) {
            Matcher matcher = LINE.matcher(line);
            if (!matcher.matches()) {
                throw new Mutant.Unusable(list + ": not Class#method Mutator count reason: " + line);
            }
            fields = matcher;
            left = Integer.parseInt(fields.group(4));
        }

        boolean takes(Survivor survivor) {
            if (left == 0 || !fields.group(1).equals(survivor.type) || !is(fields.group(2), survivor.method)
                    || !is(fields.group(3), survivor.mutator)) {
                return false;
            }
            left--;
            return true;
        }

        private static boolean is(String pattern, String name) {
            return pattern.equals("*") || pattern.equals(name);
        }

        boolean isEquivalent() {
            return fields.group(5).startsWith("equivalent:");
        }
    }

    private int mutants;
    private int noticed;
    private int equivalent;
    private int unlisted;

    public static void main(String[] args) throws Exception {
        Path lists = Path.of(args[1]);
        List<Path> reports;
        try (Stream<Path> modules = Files.list(Path.of(args[0]))) {
            reports = modules.map(module -> module.resolve("mutations.xml")).filter(Files::exists).sorted().toList();
        }
        if (reports.isEmpty()) {
            System.err.println("No mutation was run: no mutations.xml in " + args[0]);
            System.exit(1);
        }
        MutationScore all = new MutationScore();
        try {
            for (Path report : reports) {
                Path module = report.getParent().getFileName();
                MutationScore score = new MutationScore();
                score.read(report, lists.resolve(module).resolve("survivors.txt"));
                System.out.println(module + ": " + score);
                all.add(score);
            }
        } catch (Mutant.Unusable e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
        System.out.println("all: " + all);
        System.exit(all.score() >= MutatePool.LEAST_SCORE && all.unlisted == 0 ? 0 : 1);
    }

    private void read(Path report, Path list) throws Exception {
        List<Entry> entries = new ArrayList<>();
        for (String line : Files.exists(list) ? Files.readAllLines(list) : List.<String>of()) {
            if (!line.isBlank() && !line.startsWith("#")) {
                entries.add(new Entry(list, line));
            }
        }
        NodeList elements = DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder().parse(report.toFile())
                .getElementsByTagName("mutation");
        for (int i = 0; i < elements.getLength(); i++) {
            Element mutation = (Element) elements.item(i);
            mutants++;
            if (mutation.getAttribute("detected").equals("true")) {
                noticed++;
            } else {
                add(survivor(mutation), entries);
            }
        }
        for (Entry entry : entries) {
            if (entry.left > 0) {
                System.out.println("listed, but noticed " + entry.left + " times: " + entry.fields.group());
            }
        }
    }

    private void add(Survivor survivor, List<Entry> entries) {
        for (Entry entry : entries) {
            if (entry.takes(survivor)) {
                equivalent += entry.isEquivalent() ? 1 : 0;
                return;
            }
        }
        unlisted++;
        System.out.println("not listed: " + survivor.type + "#" + survivor.method + " " + survivor.mutator + ", "
                + survivor.place);
    }

    private static Survivor survivor(Element mutation) {
        String type = text(mutation, "mutatedClass");
        String mutator = text(mutation, "mutator");
        return new Survivor(type.substring(type.lastIndexOf('.') + 1),
                text(mutation, "mutatedMethod").replaceFirst("^(lambda\\$.*)\\$\\d+$", "$1"),
                mutator.substring(mutator.lastIndexOf('.') + 1).replace("Mutator", ""),
                text(mutation, "sourceFile") + ":" + text(mutation, "lineNumber") + " " + text(mutation, "description"));
    }

    private static String text(Element mutation, String name) {
        return mutation.getElementsByTagName(name).item(0).getTextContent();
    }

    private void add(MutationScore other) {
        mutants += other.mutants;
        noticed += other.noticed;
        equivalent += other.equivalent;
        unlisted += other.unlisted;
    }

    /** {@return the percentage of the mutants noticed that a test could notice} */
    private int score() {
        return mutants == equivalent ? 100 : 100 * noticed / (mutants - equivalent);
    }

    @Override
    public String toString() {
        return mutants + " changes, " + noticed + " noticed, " + equivalent + " equivalent: " + score() + " %; "
                + unlisted + " not listed";
    }
}
