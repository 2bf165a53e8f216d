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
package org.openjdk.bench.java.lang.foreign.peers;

import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * The database on disk that all read paths ask: for each kind of values some thousand paths with a few timestamps
 * each. Set up as RocksDB's guide advises for reads: a Bloom filter of 10 bits a key and a block cache, here one that
 * all of it fits in, so that what differs between read paths is not drowned by input and output.
 */
final class Database {

    static final long CACHE_BYTES = 256L << 20;
    static final double BLOOM_BITS = 10;

    private static final Path DIRECTORY = Path.of("build/peers/data/db");
    private static final int TIMESTAMPS = 4;
    private static final long FIRST_TIMESTAMP = 1_700_000_000_000L;

    private Database() {}

    /** {@return where the database is} */
    static String directory() {
        return DIRECTORY.toString();
    }

    /** {@return the keys whose values are of {@code kind}: a size in bytes, or mixed, 16 to 8192 bytes} */
    static PathTimeKey[] keys(String kind) {
        int paths = kind.equals("8192") ? 1_024 : 4_096;
        PathTimeKey[] keys = new PathTimeKey[paths * TIMESTAMPS];
        for (int i = 0; i < keys.length; i++) {
            byte[] path = "/plants/%s/sensors/%04d".formatted(kind, i / TIMESTAMPS).getBytes(US_ASCII);
            keys[i] = new PathTimeKey(path, FIRST_TIMESTAMP + 60_000L * (i % TIMESTAMPS));
        }
        return keys;
    }

    /** {@return the database} Several processes read it at once, so only the one that creates it may lock it. */
    static RocksDB open(boolean create) throws RocksDBException {
        RocksDB.loadLibrary();
        Options options = new Options()
                .setCreateIfMissing(create)
                .setTableFormatConfig(new BlockBasedTableConfig()
                        .setBlockCache(new LRUCache(CACHE_BYTES))
                        .setFilterPolicy(new BloomFilter(BLOOM_BITS)));
        return create ? RocksDB.open(options, directory()) : RocksDB.openReadOnly(options, directory());
    }

    /** Makes the database with values of the kinds {@code args}. */
    public static void main(String[] args) throws RocksDBException, IOException {
        Files.createDirectories(DIRECTORY);
        Random random = new Random(25);
        try (RocksDB db = open(true)) {
            for (String kind : args) {
                for (PathTimeKey key : keys(kind)) {
                    db.put(key.toArray(), value(kind, random));
                }
            }
            // From here on everything is in one sorted run, as in a database that has been read for a while.
            db.compactRange();
        }
    }

    /** {@return samples; small sizes are as likely as large ones among mixed values, on a logarithmic scale} */
    private static byte[] value(String kind, Random random) {
        int size = kind.equals("mixed")
                ? (int) Math.round(16 * Math.pow(512, random.nextDouble())) & -Long.BYTES
                : Integer.parseInt(kind);
        ByteBuffer value = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
        while (value.hasRemaining()) {
            value.putLong(random.nextLong());
        }
        return value.array();
    }
}
