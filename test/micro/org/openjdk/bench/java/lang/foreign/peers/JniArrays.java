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

import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Reads with arrays through JNI: two on the heap for each request, and both are copied. */
final class JniArrays implements ReadPath {

    private final RocksDB db = Database.open(false);
    private final ReadOptions options = new ReadOptions();

    JniArrays() throws RocksDBException {}

    @Override
    public Reading read(PathTimeKey key) throws RocksDBException {
        byte[] value = db.get(options, key.toArray());
        return value == null ? null : Reading.of(ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN));
    }

    @Override
    public void close() {
        options.close();
        db.close();
    }
}
