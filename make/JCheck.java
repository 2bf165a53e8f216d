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
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Checks this repository against its {@code .jcheck/conf}: the files that git tracks or would track, as they are in the
 * work tree, and the messages of the commits that led to {@code HEAD}.
 * <p>
 * Run from source, {@code java make/JCheck.java [--since REV]}, so it needs a JDK and git and nothing else.
 * {@code --since} leaves out the commits that {@code REV} already has; files are always all checked.
 * <p>
 * The format of the configuration is that of OpenJDK's jcheck. Where OpenJDK's rule needs a service (bug ids, reviewers,
 * the census) the configuration does not list it; a check it lists that is unknown here is an error, never ignored.
 * <p>
 * Exit status: 0 nothing found, 1 errors found, 2 the check could not be done.
 */
final class JCheck {

    private static final String CONF = ".jcheck/conf";
    private static final Set<String> CHECKS = Set.of("whitespace", "executable", "symlink", "copyright", "license",
            "problemlists", "content", "message");

    private static final Pattern SECTION = Pattern.compile("\\[(\\w+)(?: \"(\\w+)\")?]");
    private static final Pattern SETTING = Pattern.compile("([\\w-]+)\\s*=\\s*(.*)");
    private static final Pattern HUNK = Pattern.compile("@@ -\\d+(?:,(\\d+))? \\+\\d+(?:,(\\d+))? @@.*");
    private static final Pattern FILE_NAME = Pattern.compile("[\\x21-\\x7e]+");
    private static final Pattern BUG = Pattern.compile("\\d{7}(?:,\\d{7})*|https?://\\S+");
    private static final Pattern PLATFORM = Pattern.compile("(?:generic|linux|macosx|windows|aix)-[a-z0-9]+");

    /** Why nothing could be checked. */
    private static final class Unusable extends RuntimeException {
        Unusable(String message) {
            super(message);
        }
    }

    public static void main(String[] args) {
        String since = null;
        if (args.length == 2 && args[0].equals("--since")) {
            since = args[1];
        } else if (args.length != 0) {
            System.err.println("jcheck: cannot use " + String.join(" ", args)
                    + "; accepted is nothing, or --since REV; the check was not done");
            System.exit(2);
        }
        int status;
        try {
            status = new JCheck().run(since) == 0 ? 0 : 1;
        } catch (Unusable | IOException e) {
            System.err.println("jcheck: " + (e instanceof Unusable ? e.getMessage() : e.toString())
                    + "; the check was not done");
            status = 2;
        }
        System.exit(status);
    }

    private final Path root;
    private final Map<String, Map<String, String>> conf;
    private final Set<String> enabled = new HashSet<>();
    private final Map<String, Pattern> patterns = new HashMap<>();
    private int errors;

    private JCheck() throws IOException {
        root = Path.of(git(Path.of(""), "rev-parse", "--show-toplevel").strip());
        conf = parseConf();
        for (String check : setting("checks", "error").split(",")) {
            if (!CHECKS.contains(check.strip())) {
                throw new Unusable(CONF + " asks for the check \"" + check.strip() + "\"; known are " + new TreeSet<>(CHECKS));
            }
            enabled.add(check.strip());
        }
    }

    private int run(String since) throws IOException {
        int files = 0;
        var names = new TreeSet<>(List.of(git(root, "ls-files", "-z", "-co", "--exclude-standard").split("\0")));
        names.remove("");
        for (String name : names) {
            if (checkFile(name)) {
                files++;
            }
        }
        int commits = checkCommits(since);
        System.out.println("jcheck: " + files + " files, " + commits + " commits, " + errors + " errors");
        return errors;
    }

    private void error(String file, int line, String check, String message) {
        errors++;
        System.out.println(file + ":" + line + ": " + check + ": " + message);
    }

    // Files

    /** {@return whether there is such a file; one deleted but not yet committed is still listed by git} */
    private boolean checkFile(String name) throws IOException {
        if (!FILE_NAME.matcher(name).matches()) {
            error(name, 1, "whitespace", "the file name has a character other than printable ASCII");
            return true;
        }
        Path file = root.resolve(name);
        if (Files.isSymbolicLink(file)) {
            if (enabled.contains("symlink")) {
                error(name, 1, "symlink", "is a symbolic link to " + Files.readSymbolicLink(file));
            }
            return true;
        }
        if (!Files.exists(file)) {
            return false;
        }
        if (Files.isDirectory(file)) {
            error(name, 1, "content", "is another git repository inside this one");
            return true;
        }
        byte[] bytes = Files.readAllBytes(file);
        String text = decode(bytes);
        boolean asText = matches("whitespace", "files", name);
        if (text == null) {
            if (asText) {
                error(name, 1, "whitespace", "is not UTF-8 text; the names of binary files are in " + CONF);
            }
            text = "";
        }
        List<String> lines = List.of(text.split("\n", -1));
        List<String> own = name.endsWith(".patch") ? ownLines(lines) : lines;
        if (asText && enabled.contains("whitespace")) {
            checkWhitespace(name, lines, own);
        }
        if (enabled.contains("executable")) {
            checkExecutable(name, file, text.startsWith("#!"));
        }
        if (enabled.contains("content")) {
            for (int i = 0; i < own.size(); i++) {
                checkContent(name, i + 1, own.get(i));
            }
        }
        List<String> header = leadingComment(lines);
        if (enabled.contains("copyright") && matches("copyright", "files", name)) {
            checkCopyright(name, header);
        }
        if (enabled.contains("license") && matches("license", "files", name)) {
            checkLicense(name, header);
        }
        if (enabled.contains("problemlists")) {
            for (String dir : setting("checks problemlists", "dirs").split("\\|")) {
                if (name.startsWith(dir + "/") && matches("problemlists", "pattern", file.getFileName().toString())) {
                    checkProblemList(name, root.resolve(dir), lines);
                }
            }
        }
        return true;
    }

    /** {@return the text, or {@code null} when it is none: not UTF-8, or with a NUL, which is how git tells binaries} */
    private static String decode(byte[] bytes) {
        try {
            String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            return text.indexOf('\0') < 0 ? text : null;
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    /**
     * The lines of a unified diff with those emptied that belong to the file it patches. Hunks are followed by their line
     * counts, as an added or removed line can look like a file header.
     */
    private static List<String> ownLines(List<String> diff) {
        var own = new ArrayList<String>(diff.size());
        int before = 0;
        int after = 0;
        for (String line : diff) {
            char kind = line.isEmpty() ? ' ' : line.charAt(0);
            Matcher hunk;
            if ((before > 0 || after > 0) && kind != '\\') {
                before -= kind == '+' ? 0 : 1;
                after -= kind == '-' ? 0 : 1;
                own.add(kind == '+' ? line.substring(1) : "");
            } else if ((hunk = HUNK.matcher(line)).matches()) {
                before = hunk.group(1) == null ? 1 : Integer.parseInt(hunk.group(1));
                after = hunk.group(2) == null ? 1 : Integer.parseInt(hunk.group(2));
                own.add("");
            } else {
                own.add(line);
            }
        }
        return own;
    }

    private void checkWhitespace(String name, List<String> lines, List<String> own) {
        boolean leadingTabs = matches("whitespace", "ignore-tabs", name);
        for (int i = 0; i < lines.size(); i++) {
            // A CR is looked for in context lines too: the JDK's sources have none.
            if (lines.get(i).indexOf('\r') >= 0) {
                error(name, i + 1, "whitespace", "carriage return");
                continue;
            }
            String line = own.get(i);
            if (line.endsWith(" ") || line.endsWith("\t")) {
                error(name, i + 1, "whitespace", "trailing whitespace");
            }
            int start = 0;
            while (leadingTabs && start < line.length() && line.charAt(start) == '\t') {
                start++;
            }
            if (line.indexOf('\t', start) >= 0) {
                error(name, i + 1, "whitespace", "tab");
            }
        }
        if (!lines.getLast().isEmpty()) {
            error(name, lines.size(), "whitespace", "no newline at the end of the file");
        }
    }

    private void checkExecutable(String name, Path file, boolean script) throws IOException {
        boolean executable = Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS)
                                  .contains(PosixFilePermission.OWNER_EXECUTE);
        boolean listed = matches("executable", "files", name);
        if (executable && !listed) {
            error(name, 1, "executable", "is executable, but not where " + CONF + " has scripts");
        } else if (executable && !script) {
            error(name, 1, "executable", "is executable, but does not begin with #!");
        } else if (!executable && listed && script) {
            error(name, 1, "executable", "begins with #!, but is not executable");
        }
    }

    private void checkContent(String name, int line, String text) {
        for (String key : section("checks content").keySet()) {
            Matcher found = pattern("content", key).matcher(text);
            if (found.find()) {
                error(name, line, "content", key + " \"" + found.group() + "\"");
            }
        }
    }

    private static List<String> leadingComment(List<String> lines) {
        boolean block = lines.getFirst().startsWith("/*");
        var comment = new ArrayList<String>();
        for (String line : lines) {
            if (!block && !line.startsWith("#")) {
                break;
            }
            comment.add(line);
            if (block && line.contains("*/")) {
                break;
            }
        }
        return comment;
    }

    private void checkCopyright(String name, List<String> header) {
        for (String key : section("checks copyright").keySet()) {
            if (!key.endsWith("_locator")) {
                continue;
            }
            String holder = key.substring(0, key.length() - "_locator".length());
            boolean found = false;
            for (int i = 0; i < header.size(); i++) {
                if (matches("copyright", key, header.get(i))) {
                    found = true;
                    if (!matches("copyright", holder + "_validator", header.get(i))) {
                        error(name, i + 1, "copyright", "the copyright line is not of the form in " + CONF);
                    }
                }
            }
            if (!found && Boolean.parseBoolean(setting("checks copyright", holder + "_required"))) {
                error(name, 1, "copyright", "no copyright line in a comment at the beginning of the file");
            }
        }
    }

    private void checkLicense(String name, List<String> header) {
        var words = new StringBuilder();
        for (String line : header) {
            words.append(line.replaceAll("^\\s*[/*#]+|\\*/\\s*$", "")).append(' ');
        }
        String text = words.toString().replaceAll("\\s+", " ");
        var settings = section("checks license");
        for (String key : settings.keySet()) {
            if (key.endsWith("_text")) {
                String paragraph = key.substring(0, key.length() - "_text".length());
                boolean wanted = !settings.containsKey(paragraph + "_files")
                        || matches("license", paragraph + "_files", name);
                if (wanted && !pattern("license", key).matcher(text).find()) {
                    error(name, 1, "license", "the comment at the beginning of the file lacks the " + paragraph
                            + " text of " + CONF);
                }
            }
        }
    }

    /** Checks lines of the form {@code test[#id] bug[,bug] platform[,platform]}, as jtreg takes them. */
    private void checkProblemList(String name, Path suite, List<String> lines) throws IOException {
        var seen = new HashMap<String, Integer>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            String[] fields = line.split("\\s+");
            if (fields.length != 3) {
                error(name, i + 1, "problemlists", "wanted: test, bug and platforms, three fields; found " + fields.length);
                continue;
            }
            String[] test = fields[0].split("#", 2);
            Path file = suite.resolve(test[0]);
            if (!Files.isRegularFile(file)) {
                error(name, i + 1, "problemlists", "no test " + test[0]);
            } else if (test.length == 2 && !Pattern.compile("@test\\s+id=" + Pattern.quote(test[1]) + "(?!\\S)")
                                                   .matcher(Files.readString(file)).find()) {
                error(name, i + 1, "problemlists", test[0] + " has no test with the id " + test[1]);
            }
            if (!BUG.matcher(fields[1]).matches()) {
                error(name, i + 1, "problemlists", "\"" + fields[1] + "\" is neither seven-digit bug numbers nor a URL");
            }
            for (String platform : fields[2].split(",", -1)) {
                if (!PLATFORM.matcher(platform).matches()) {
                    error(name, i + 1, "problemlists", "\"" + platform + "\" is no platform such as generic-all or linux-x64");
                }
            }
            Integer first = seen.putIfAbsent(fields[0], i + 1);
            if (first != null) {
                error(name, i + 1, "problemlists", fields[0] + " is already in line " + first);
            }
        }
    }

    // Commits

    private int checkCommits(String since) throws IOException {
        boolean message = enabled.contains("message");
        if (since != null) {
            since = verify(since);
            if (since == null) {
                throw new Unusable("--since names no commit of this repository; accepted is any revision git knows");
            }
        }
        if (!message || verify("HEAD") == null) {
            return 0;
        }
        String range = since == null ? "HEAD" : since + "..HEAD";
        int commits = 0;
        for (String commit : git(root, "log", "-z", "--no-show-signature", "--encoding=UTF-8", "--format=%H%n%B", range).split("\0")) {
            if (!commit.isEmpty()) {
                int eol = commit.indexOf('\n');
                checkMessage("commit " + commit.substring(0, 12), commit.substring(eol + 1).replaceFirst("\n+$", ""));
                commits++;
            }
        }
        return commits;
    }

    /** {@return the full id of a commit, or {@code null} when there is none of that name} */
    private String verify(String revision) throws IOException {
        Result result = tryGit(root, "rev-parse", "--quiet", "--verify", "--end-of-options", revision + "^{commit}");
        return result.status() == 0 ? result.out().strip() : null;
    }

    private void checkMessage(String commit, String message) {
        List<String> lines = List.of(message.split("\n", -1));
        String subject = lines.getFirst();
        int limit = number("message", "subject-length");
        if (subject.isBlank()) {
            error(commit, 1, "message", "no subject");
        }
        if (subject.codePointCount(0, subject.length()) > limit) {
            error(commit, 1, "message", "the subject has " + subject.codePointCount(0, subject.length())
                    + " characters, more than " + limit);
        }
        if (subject.strip().endsWith(".")) {
            error(commit, 1, "message", "the subject ends in a period: \"" + subject + "\"");
        }
        if (matches("message", "subject-forbid", subject)) {
            error(commit, 1, "message", "not a subject that says what the change does: \"" + subject + "\"");
        }
        if (lines.size() > 1 && !lines.get(1).isBlank()) {
            error(commit, 2, "message", "the line after the subject is not blank");
        }
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (!line.equals(line.stripTrailing()) || line.indexOf('\t') >= 0) {
                error(commit, i + 1, "message", "tab or trailing whitespace");
            }
            if (enabled.contains("content")) {
                checkContent(commit, i + 1, line);
            }
        }
    }

    // Configuration

    /** Sections by name, {@code [checks "x"]} as {@code checks x}; the order of keys is kept, so errors come in that order. */
    private Map<String, Map<String, String>> parseConf() throws IOException {
        Path file = root.resolve(CONF);
        if (!Files.isRegularFile(file)) {
            throw new Unusable("this git repository has no " + CONF);
        }
        var sections = new HashMap<String, Map<String, String>>();
        Map<String, String> section = null;
        int number = 0;
        for (String raw : Files.readAllLines(file)) {
            number++;
            String line = raw.strip();
            if (line.isEmpty() || line.startsWith(";") || line.startsWith("#")) {
                continue;
            }
            Matcher start = SECTION.matcher(line);
            Matcher setting = SETTING.matcher(line);
            if (start.matches()) {
                String name = start.group(2) == null ? start.group(1) : start.group(1) + " " + start.group(2);
                section = sections.computeIfAbsent(name, _ -> new LinkedHashMap<>());
            } else if (section == null || !setting.matches()) {
                throw new Unusable(CONF + ":" + number + ": neither [section], key=value nor a comment");
            } else if (section.putIfAbsent(setting.group(1), setting.group(2)) != null) {
                throw new Unusable(CONF + ":" + number + ": " + setting.group(1) + " is set twice");
            }
        }
        return sections;
    }

    private Map<String, String> section(String name) {
        Map<String, String> section = conf.get(name);
        if (section == null) {
            throw new Unusable(CONF + " has no section for " + name);
        }
        return section;
    }

    private String setting(String section, String key) {
        String value = section(section).get(key);
        if (value == null) {
            throw new Unusable(CONF + " has no " + key + "= in the section for " + section);
        }
        return value;
    }

    private int number(String check, String key) {
        String value = setting("checks " + check, key);
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new Unusable(CONF + ": " + key + "=" + value + " is not a number");
        }
    }

    private Pattern pattern(String check, String key) {
        return patterns.computeIfAbsent(check + "." + key, _ -> {
            String regex = setting("checks " + check, key);
            try {
                return Pattern.compile(regex);
            } catch (PatternSyntaxException e) {
                throw new Unusable(CONF + ": " + key + " of " + check + " is not a regular expression, " + e.getDescription());
            }
        });
    }

    private boolean matches(String check, String key, String text) {
        return pattern(check, key).matcher(text).matches();
    }

    // git

    private record Result(int status, String out, String err) { }

    private static String git(Path dir, String... args) throws IOException {
        Result result = tryGit(dir, args);
        if (result.status() != 0) {
            throw new Unusable("git " + args[0] + " failed (" + result.err().lines().findFirst().orElse("no reason given")
                    + "); run jcheck inside a git clone of this project");
        }
        return result.out();
    }

    private static Result tryGit(Path dir, String... args) throws IOException {
        var command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(args));
        var builder = new ProcessBuilder(command).directory(dir.toAbsolutePath().toFile());
        builder.environment().put("LC_ALL", "C");
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            // What git says on standard error is far smaller than a pipe, so reading one after the other cannot block.
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Result(process.waitFor(), out, err);
        } catch (IOException e) {
            throw new Unusable("git cannot be run (" + e.getMessage() + "); install the package git");
        } catch (InterruptedException e) {
            throw new Unusable("interrupted");
        }
    }
}
