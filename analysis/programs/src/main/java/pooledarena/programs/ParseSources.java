/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.programs;

import io.github.treesitter.jtreesitter.InputEdit;
import io.github.treesitter.jtreesitter.Language;
import io.github.treesitter.jtreesitter.Node;
import io.github.treesitter.jtreesitter.Parser;
import io.github.treesitter.jtreesitter.Point;
import io.github.treesitter.jtreesitter.Query;
import io.github.treesitter.jtreesitter.QueryCursor;
import io.github.treesitter.jtreesitter.QueryMatch;
import io.github.treesitter.jtreesitter.Tree;
import io.github.treesitter.jtreesitter.TreeCursor;

import module java.base;

/**
 * What an editor or a linter does with tree-sitter, through jtreesitter: parses each Java file of {@code java.base}, looks
 * for empty catch blocks and for the longest method with a query, measures how deep the tree is, and parses a file again
 * after a keystroke.
 */
final class ParseSources {

    private static final String PATTERNS = """
            (catch_clause body: (block . "}")) @empty
            (method_declaration name: (identifier) @name) @method
            """;

    /**
     * @param args the JDK's {@code src.zip}, and the directory with {@code libtree-sitter.so}, which must be in
     *        {@code java.library.path} too, and {@code libtree-sitter-java.so}
     */
    @SuppressWarnings("restricted")
    public static void main(String[] args) {
        List<SourceFile> files = SourceFile.of(args[0]);
        Language java = Language.load(
                SymbolLookup.libraryLookup(Path.of(args[1], "libtree-sitter-java.so"), Arena.global()), "tree_sitter_java");
        int emptyCatches = 0;
        int methods = 0;
        int deepest = 0;
        int longest = 0;
        String longestName = "";
        try (Parser parser = new Parser(java);
                Query query = new Query(java, PATTERNS)) {
            for (SourceFile file : files) {
                try (Tree tree = parser.parse(file.text()).orElseThrow(); QueryCursor cursor = new QueryCursor(query)) {
                    deepest = Math.max(deepest, depth(tree));
                    for (QueryMatch match : (Iterable<QueryMatch>) cursor.findMatches(tree.getRootNode())::iterator) {
                        emptyCatches += match.findNodes("empty").size();
                        for (Node method : match.findNodes("method")) {
                            methods++;
                            int lines = method.getEndPoint().row() - method.getStartPoint().row() + 1;
                            if (lines > longest) {
                                longest = lines;
                                longestName = file.name() + " " + match.findNodes("name").getFirst().getText();
                            }
                        }
                    }
                    // A space typed before the first character.
                    tree.edit(new InputEdit(0, 0, 1, new Point(0, 0), new Point(0, 0), new Point(0, 1)));
                    parser.parse(" " + file.text(), tree).orElseThrow().close();
                }
            }
        }
        System.out.println(files.size() + " files, " + methods + " methods, the longest of " + longest + " lines ("
                + longestName + "), " + emptyCatches + " empty catch blocks, trees up to " + deepest + " deep");
    }

    /** {@return how deep the tree is, as found by walking all of it} */
    private static int depth(Tree tree) {
        int deepest = 0;
        try (TreeCursor cursor = tree.walk()) {
            while (true) {
                if (cursor.gotoFirstChild()) {
                    deepest = Math.max(deepest, cursor.getCurrentDepth());
                    continue;
                }
                while (!cursor.gotoNextSibling()) {
                    if (!cursor.gotoParent()) {
                        return deepest;
                    }
                }
            }
        }
    }
}
