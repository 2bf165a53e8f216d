/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.programs;

import module java.base;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static pooledarena.programs.RocksDb.failure;

/**
 * A connection to a database, through SQLite's C API. Each call that passes a string or has an out-parameter opens a confined
 * arena, as a JDBC driver has to, which knows nothing of the next call.
 *
 * <p>For one thread at a time.
 */
@SuppressWarnings("restricted")
final class Sqlite implements AutoCloseable {

    private static final int ROW = 100;
    private static final int DONE = 101;

    /** SQLite copies the string. */
    private static final MemorySegment TRANSIENT = MemorySegment.ofAddress(-1);

    private static final SymbolLookup LIBRARY = SymbolLookup.libraryLookup(System.mapLibraryName("sqlite3") + ".0", Arena.global());
    private static final MethodHandle OPEN = function("open", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
    private static final MethodHandle CLOSE = function("close", FunctionDescriptor.of(JAVA_INT, ADDRESS));
    private static final MethodHandle ERROR = function("errmsg", FunctionDescriptor.of(ADDRESS, ADDRESS));
    private static final MethodHandle PREPARE = function("prepare_v2",
            FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT, ADDRESS, ADDRESS));
    private static final MethodHandle BIND_TEXT = function("bind_text",
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS));
    private static final MethodHandle BIND_INT = function("bind_int", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
    private static final MethodHandle STEP = function("step", FunctionDescriptor.of(JAVA_INT, ADDRESS));
    private static final MethodHandle RESET = function("reset", FunctionDescriptor.of(JAVA_INT, ADDRESS));
    private static final MethodHandle FINALIZE = function("finalize", FunctionDescriptor.of(JAVA_INT, ADDRESS));
    private static final MethodHandle COLUMN_TEXT = function("column_text", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT));
    private static final MethodHandle COLUMN_BYTES = function("column_bytes", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));

    private final MemorySegment db;

    /** Opens the database in {@code file}, made if it is not there. */
    Sqlite(Path file) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ADDRESS);
            int status = (int) OPEN.invokeExact(arena.allocateFrom(file.toString()), result);
            db = result.get(ADDRESS, 0);
            require(status == 0);
        } catch (Throwable t) {
            throw failure(t);
        }
    }

    /** Does what gives no rows. */
    void execute(String sql) {
        try (Statement statement = prepare(sql)) {
            statement.next();
        }
    }

    Statement prepare(String sql) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ADDRESS);
            int status = (int) PREPARE.invokeExact(db, arena.allocateFrom(sql), -1, result, MemorySegment.NULL);
            require(status == 0);
            return new Statement(result.get(ADDRESS, 0));
        } catch (Throwable t) {
            throw failure(t);
        }
    }

    @Override
    public void close() {
        try {
            int status = (int) CLOSE.invokeExact(db);
            require(status == 0);
        } catch (Throwable t) {
            throw failure(t);
        }
    }

    /** A statement and the row at which it is; parameters are numbered from 1, columns from 0. */
    final class Statement implements AutoCloseable {

        private final MemorySegment statement;

        private Statement(MemorySegment statement) {
            this.statement = statement;
        }

        Statement set(int parameter, String text) {
            try (Arena arena = Arena.ofConfined()) {
                int status = (int) BIND_TEXT.invokeExact(statement, parameter, arena.allocateFrom(text), -1, TRANSIENT);
                require(status == 0);
                return this;
            } catch (Throwable t) {
                throw failure(t);
            }
        }

        Statement set(int parameter, int number) {
            try {
                int status = (int) BIND_INT.invokeExact(statement, parameter, number);
                require(status == 0);
                return this;
            } catch (Throwable t) {
                throw failure(t);
            }
        }

        /** {@return whether there is a row more} After the last it can be set and run again. */
        boolean next() {
            try {
                int status = (int) STEP.invokeExact(statement);
                require(status == ROW || status == DONE);
                if (status == DONE) {
                    int reset = (int) RESET.invokeExact(statement);
                    require(reset == 0);
                }
                return status == ROW;
            } catch (Throwable t) {
                throw failure(t);
            }
        }

        byte[] text(int column) {
            try {
                MemorySegment text = (MemorySegment) COLUMN_TEXT.invokeExact(statement, column);
                return text.reinterpret((int) COLUMN_BYTES.invokeExact(statement, column)).toArray(JAVA_BYTE);
            } catch (Throwable t) {
                throw failure(t);
            }
        }

        @Override
        public void close() {
            try {
                int ignored = (int) FINALIZE.invokeExact(statement);
            } catch (Throwable t) {
                throw failure(t);
            }
        }
    }

    private void require(boolean done) throws Throwable {
        if (!done) {
            throw new IllegalStateException(((MemorySegment) ERROR.invokeExact(db)).reinterpret(Long.MAX_VALUE).getString(0));
        }
    }

    private static MethodHandle function(String name, FunctionDescriptor descriptor) {
        return Linker.nativeLinker().downcallHandle(LIBRARY.findOrThrow("sqlite3_" + name), descriptor);
    }
}
