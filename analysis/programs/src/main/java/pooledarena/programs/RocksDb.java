/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.programs;

import module java.base;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * A database, through RocksDB's C API: what one who needs five of its functions writes. Each call has a confined arena for
 * its keys, values and out-parameters.
 *
 * <p>May be used by any number of threads at once.
 */
@SuppressWarnings("restricted")
final class RocksDb implements AutoCloseable {

    private static final Linker LINKER = Linker.nativeLinker();

    private final SymbolLookup library;
    private final MethodHandle put;
    private final MethodHandle get;
    private final MethodHandle value;
    private final MethodHandle release;
    private final MethodHandle delete;
    private final MethodHandle newIterator;
    private final MethodHandle seek;
    private final MethodHandle valid;
    private final MethodHandle next;
    private final MethodHandle iteratorKey;
    private final MethodHandle iteratorValue;
    private final MethodHandle destroyIterator;
    private final MethodHandle free;
    private final MemorySegment db;
    private final MemorySegment readOptions;
    private final MemorySegment writeOptions;

    /** Opens the database in {@code directory}, made if it is not there; {@code object} is RocksDB's shared object. */
    RocksDb(Path object, Path directory) {
        library = SymbolLookup.libraryLookup(object, Arena.global());
        put = function("put", FunctionDescriptor.ofVoid(ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS));
        get = function("get_pinned", FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS));
        value = function("pinnableslice_value", FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS));
        release = function("pinnableslice_destroy", FunctionDescriptor.ofVoid(ADDRESS));
        delete = function("delete", FunctionDescriptor.ofVoid(ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS));
        newIterator = function("create_iterator", FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS));
        seek = function("iter_seek", FunctionDescriptor.ofVoid(ADDRESS, ADDRESS, JAVA_LONG));
        valid = function("iter_valid", FunctionDescriptor.of(JAVA_BOOLEAN, ADDRESS));
        next = function("iter_next", FunctionDescriptor.ofVoid(ADDRESS));
        iteratorKey = function("iter_key", FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS));
        iteratorValue = function("iter_value", FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS));
        destroyIterator = function("iter_destroy", FunctionDescriptor.ofVoid(ADDRESS));
        free = function("free", FunctionDescriptor.ofVoid(ADDRESS));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment options = create("options_create");
            function("options_set_create_if_missing", FunctionDescriptor.ofVoid(ADDRESS, JAVA_BYTE))
                    .invokeExact(options, (byte) 1);
            MemorySegment error = arena.allocate(ADDRESS);
            db = (MemorySegment) function("open", FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS, ADDRESS))
                    .invokeExact(options, arena.allocateFrom(directory.toString()), error);
            check(error);
            readOptions = create("readoptions_create");
            writeOptions = create("writeoptions_create");
        } catch (Throwable t) {
            throw failure(t);
        }
    }

    void put(byte[] key, byte[] bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = arena.allocate(ADDRESS);
            put.invokeExact(db, writeOptions, arena.allocateFrom(JAVA_BYTE, key), (long) key.length,
                    arena.allocateFrom(JAVA_BYTE, bytes), (long) bytes.length, error);
            check(error);
        } catch (Throwable t) {
            throw failure(t);
        }
    }

    /** {@return the value of {@code key}, or null} */
    byte[] get(byte[] key) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = arena.allocate(ADDRESS);
            MemorySegment slice = (MemorySegment) get.invokeExact(db, readOptions, arena.allocateFrom(JAVA_BYTE, key),
                    (long) key.length, error);
            check(error);
            if (slice.address() == 0) {
                return null;
            }
            MemorySegment length = arena.allocate(JAVA_LONG);
            MemorySegment bytes = (MemorySegment) value.invokeExact(slice, length);
            byte[] result = bytes.reinterpret(length.get(JAVA_LONG, 0)).toArray(JAVA_BYTE);
            release.invokeExact(slice);
            return result;
        } catch (Throwable t) {
            throw failure(t);
        }
    }

    void delete(byte[] key) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = arena.allocate(ADDRESS);
            delete.invokeExact(db, writeOptions, arena.allocateFrom(JAVA_BYTE, key), (long) key.length, error);
            check(error);
        } catch (Throwable t) {
            throw failure(t);
        }
    }

    /** Gives {@code to} at most {@code limit} keys with their values, from {@code first} on. */
    void range(byte[] first, int limit, BiConsumer<byte[], byte[]> to) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment iterator = (MemorySegment) newIterator.invokeExact(db, readOptions);
            seek.invokeExact(iterator, arena.allocateFrom(JAVA_BYTE, first), (long) first.length);
            MemorySegment length = arena.allocate(JAVA_LONG);
            for (int i = 0; i < limit && (boolean) valid.invokeExact(iterator); i++) {
                MemorySegment key = (MemorySegment) iteratorKey.invokeExact(iterator, length);
                byte[] name = key.reinterpret(length.get(JAVA_LONG, 0)).toArray(JAVA_BYTE);
                MemorySegment bytes = (MemorySegment) iteratorValue.invokeExact(iterator, length);
                to.accept(name, bytes.reinterpret(length.get(JAVA_LONG, 0)).toArray(JAVA_BYTE));
                next.invokeExact(iterator);
            }
            destroyIterator.invokeExact(iterator);
        } catch (Throwable t) {
            throw failure(t);
        }
    }

    @Override
    public void close() {
        try {
            function("close", FunctionDescriptor.ofVoid(ADDRESS)).invokeExact(db);
        } catch (Throwable t) {
            throw failure(t);
        }
    }

    private void check(MemorySegment error) throws Throwable {
        MemorySegment message = error.get(ADDRESS, 0);
        if (message.address() != 0) {
            String text = message.reinterpret(Long.MAX_VALUE).getString(0);
            free.invokeExact(message);
            throw new IllegalStateException(text);
        }
    }

    private MemorySegment create(String name) throws Throwable {
        return (MemorySegment) function(name, FunctionDescriptor.of(ADDRESS)).invokeExact();
    }

    private MethodHandle function(String name, FunctionDescriptor descriptor) {
        return LINKER.downcallHandle(library.findOrThrow("rocksdb_" + name), descriptor);
    }

    /** {@return what a method throws that declares nothing} Also for {@link Sqlite}. */
    static RuntimeException failure(Throwable t) {
        return t instanceof RuntimeException e ? e : new IllegalStateException(t);
    }
}
