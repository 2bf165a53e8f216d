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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A small change to the code of the pool.
 *
 * @param id     its number in the list
 * @param type   the class whose code it changes
 * @param code   the code with the change, <code>{{original => replacement}}</code>
 * @param effect what it breaks
 * @param tests  the tests that may notice: classes, or methods with the types of their parameters
 * @param excuse why no test notices, or not in each run, after {@code equivalent: }, {@code survives: } or {@code seldom: }; or an
 *               empty string
 */
record Mutant(int id, String type, String code, String effect, List<String> tests, String excuse) {

    static final Path LIST = Path.of("test/mutation/mutants.txt");

    private static final Pattern CODE = Pattern.compile("(.*)\\{\\{(.*?) ?=> ?(.*?)}}(.*)");

    /** {@return the mutants of the list} Its first lines say what they look like. */
    static List<Mutant> readAll() throws IOException {
        List<Mutant> mutants = new ArrayList<>();
        for (String entry : Files.readString(LIST).replaceAll("(?m)^#.*\n", "").strip().split("\n\\s*\n")) {
            List<String> lines = new ArrayList<>(entry.strip().lines().map(String::strip).toList());
            String excuse = lines.getLast().matches("(equivalent|survives|seldom): .+") ? lines.removeLast() : "";
            if (lines.size() != (excuse.startsWith("equivalent") ? 2 : 3) || !lines.getFirst().contains(": ")) {
                throw new Unusable(LIST + ": " + lines.getFirst()
                        + ": accepted is a class and its code, a line on what breaks, and one with tests or a reason");
            }
            String[] code = lines.getFirst().split(": ", 2);
            mutants.add(new Mutant(mutants.size() + 1, code[0], code[1], lines.get(1),
                    lines.size() == 2 ? List.of() : List.of(lines.get(2).split(" ")), excuse));
        }
        return mutants;
    }

    String text() {
        return type + ": " + code + " - " + effect;
    }

    Unusable unusable(String why) {
        return new Unusable(LIST + ": " + text() + ": " + why);
    }

    /** {@return whether the list says that no test notices it} */
    boolean isSaidToSurvive() {
        return excuse.startsWith("survives: ");
    }

    private String part(int group) {
        Matcher matcher = CODE.matcher(code);
        if (!matcher.matches()) {
            throw unusable("accepted is code with {{original => replacement}}");
        }
        return matcher.group(group);
    }

    String replacement() {
        return part(3);
    }

    /** {@return whether it adds a member to a class, which cannot depend on a property} */
    boolean addsMember() {
        return part(2).isEmpty();
    }

    /** {@return where the original starts and ends in the source, which may have other white space} */
    int[] range(String source) {
        Matcher matcher = Pattern.compile(literal(part(1)) + "\\s*(" + literal(part(2)) + ")\\s*" + literal(part(4)))
                .matcher(source);
        int count = 0;
        int[] range = new int[2];
        for (; matcher.find(); count++) {
            range = new int[] {matcher.start(1), matcher.end(1)};
        }
        if (count != 1) {
            throw unusable("found " + count + " times in the code, accepted is once");
        }
        return range;
    }

    private static String literal(String code) {
        return code.isBlank() ? "" : Pattern.compile("\\s+").splitAsStream(code.strip()).map(Pattern::quote)
                .collect(Collectors.joining("\\s*"));
    }

    /** The list or the code is not as it has to be. */
    static final class Unusable extends RuntimeException {
        private static final long serialVersionUID = 1;

        Unusable(String message) {
            super(message);
        }
    }
}
