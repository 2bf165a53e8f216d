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

import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * Reads through RocksDB's C API with a confined arena for each request: for the key, an error and a length. The value
 * stays where RocksDB has it.
 */
final class FfmArena implements ReadPath {

    static {
        // The shared object that the Java API uses, from the same place.
        RocksDB.loadLibrary();
        System.loadLibrary("rocksdbjni-linux64");
    }

    private static final Linker LINKER = Linker.nativeLinker();
    private static final SymbolLookup ROCKSDB = SymbolLookup.loaderLookup();

    private static final MethodHandle GET = function("rocksdb_get_pinned",
            FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS));
    private static final MethodHandle VALUE = function("rocksdb_pinnableslice_value",
            FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS));
    private static final MethodHandle RELEASE = function("rocksdb_pinnableslice_destroy",
            FunctionDescriptor.ofVoid(ADDRESS));
    private static final MethodHandle FREE = function("rocksdb_free", FunctionDescriptor.ofVoid(ADDRESS));

    private final MemorySegment db;
    private final MemorySegment options;

    FfmArena() throws RocksDBException {
        try {
            db = open();
            options = (MemorySegment) function("rocksdb_readoptions_create", FunctionDescriptor.of(ADDRESS)).invokeExact();
        } catch (Throwable t) {
            throw rethrow(t);
        }
    }

    @Override
    public Reading read(PathTimeKey key) throws RocksDBException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment encoded = key.allocateIn(arena);
            MemorySegment error = arena.allocate(ADDRESS);
            MemorySegment slice = (MemorySegment) GET.invokeExact(db, options, encoded, encoded.byteSize(), error);
            check(error);
            if (slice.address() == 0) {
                return null;
            }
            try {
                MemorySegment length = arena.allocate(JAVA_LONG);
                MemorySegment value = (MemorySegment) VALUE.invokeExact(slice, length);
                return Reading.of(value.reinterpret(length.get(JAVA_LONG, 0)));
            } finally {
                RELEASE.invokeExact(slice);
            }
        } catch (Throwable t) {
            throw rethrow(t);
        }
    }

    @Override
    public void close() {
        try {
            function("rocksdb_close", FunctionDescriptor.ofVoid(ADDRESS)).invokeExact(db);
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }

    /** {@return the database, opened as {@link Database#open} does it} */
    private static MemorySegment open() throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment table = create("rocksdb_block_based_options_create");
            set("rocksdb_block_based_options_set_block_cache", table, (MemorySegment) function("rocksdb_cache_create_lru",
                    FunctionDescriptor.of(ADDRESS, JAVA_LONG)).invokeExact(Database.CACHE_BYTES));
            set("rocksdb_block_based_options_set_filter_policy", table,
                    (MemorySegment) function("rocksdb_filterpolicy_create_bloom",
                            FunctionDescriptor.of(ADDRESS, JAVA_DOUBLE)).invokeExact(Database.BLOOM_BITS));
            MemorySegment options = create("rocksdb_options_create");
            set("rocksdb_options_set_block_based_table_factory", options, table);
            MemorySegment error = arena.allocate(ADDRESS);
            MemorySegment db = (MemorySegment) function("rocksdb_open_for_read_only",
                    FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS, JAVA_BYTE, ADDRESS))
                    .invokeExact(options, arena.allocateFrom(Database.directory()), (byte) 0, error);
            check(error);
            return db;
        }
    }

    private static MemorySegment create(String name) throws Throwable {
        return (MemorySegment) function(name, FunctionDescriptor.of(ADDRESS)).invokeExact();
    }

    private static void set(String name, MemorySegment options, MemorySegment value) throws Throwable {
        function(name, FunctionDescriptor.ofVoid(ADDRESS, ADDRESS)).invokeExact(options, value);
    }

    /** Throws if {@code error} points to a message. */
    private static void check(MemorySegment error) throws Throwable {
        MemorySegment message = error.get(ADDRESS, 0);
        if (message.address() != 0) {
            String text = message.reinterpret(Long.MAX_VALUE).getString(0);
            FREE.invokeExact(message);
            throw new RocksDBException(text);
        }
    }

    private static MethodHandle function(String name, FunctionDescriptor descriptor) {
        return LINKER.downcallHandle(ROCKSDB.findOrThrow(name), descriptor);
    }

    private static RuntimeException rethrow(Throwable t) throws RocksDBException {
        switch (t) {
            case RocksDBException e -> throw e;
            case Error e -> throw e;
            default -> throw new IllegalStateException(t);
        }
    }
}
