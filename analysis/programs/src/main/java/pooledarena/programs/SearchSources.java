/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.programs;

import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;

import module java.base;

/**
 * A search engine over source code: Lucene indexes each Java file of {@code java.base}, replaces a part of them, merges, and
 * answers queries from the mapped index.
 */
final class SearchSources {

    private static final int QUERIES = 20_000;

    /** @param args the JDK's {@code src.zip}, and a directory for the index */
    public static void main(String[] args) throws IOException {
        List<SourceFile> files = SourceFile.of(args[0]);
        try (Directory directory = new MMapDirectory(Path.of(args[1]))) {
            try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer())
                    .setOpenMode(IndexWriterConfig.OpenMode.CREATE))) {
                for (int i = 0; i < files.size(); i++) {
                    add(writer, files.get(i));
                    if (i % 500 == 0) {
                        writer.commit();
                    }
                }
                for (int i = 0; i < files.size(); i += 10) {
                    add(writer, files.get(i));
                }
                writer.forceMerge(1);
            }
            long hits = 0;
            try (DirectoryReader reader = DirectoryReader.open(directory)) {
                IndexSearcher searcher = new IndexSearcher(reader);
                RandomGenerator random = new SplittableRandom(1); // each run asks the same
                for (int i = 0; i < QUERIES; i++) {
                    hits += searcher.search(query(files.get(random.nextInt(files.size())), random), 10).totalHits.value();
                }
            }
            System.out.println(files.size() + " files indexed, " + QUERIES + " queries, " + hits + " hits");
        }
    }

    private static void add(IndexWriter writer, SourceFile file) throws IOException {
        Document document = new Document();
        document.add(new StringField("name", file.name(), Field.Store.YES));
        document.add(new TextField("text", file.text(), Field.Store.NO));
        writer.updateDocument(new Term("name", file.name()), document);
    }

    /** {@return a query for words that {@code file} has: one, two of which both must be there, a phrase, or a prefix} */
    private static Query query(SourceFile file, RandomGenerator random) {
        String[] words = file.text().toLowerCase(Locale.ROOT).split("\\W+");
        int at = random.nextInt(Math.max(1, words.length - 1));
        String first = words[at];
        String second = words[Math.min(at + 1, words.length - 1)];
        return switch (random.nextInt(4)) {
            case 0 -> new TermQuery(new Term("text", first));
            case 1 -> new BooleanQuery.Builder()
                    .add(new TermQuery(new Term("text", first)), BooleanClause.Occur.MUST)
                    .add(new TermQuery(new Term("text", second)), BooleanClause.Occur.MUST).build();
            case 2 -> new PhraseQuery("text", first, second);
            default -> new PrefixQuery(new Term("text", first.substring(0, Math.min(3, first.length()))));
        };
    }
}
