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

/** Reads with leased direct buffers through JNI: RocksDB reads and writes them in place. */
final class JniPooledBuffers implements ReadPath {

    private static final int KEY_BYTES = 256;
    private static final int VALUE_BYTES = 8192;

    private final RocksDB db = Database.open(false);
    private final ReadOptions options = new ReadOptions();
    private final BufferPool keys = new BufferPool(KEY_BYTES);
    private final BufferPool values = new BufferPool(VALUE_BYTES);

    JniPooledBuffers() throws RocksDBException {}

    @Override
    public Reading read(PathTimeKey key) throws RocksDBException {
        try (BufferPool.Lease keyLease = keys.lease(); BufferPool.Lease valueLease = values.lease()) {
            ByteBuffer encoded = keyLease.buffer();
            key.putInto(encoded);
            ByteBuffer value = valueLease.buffer().order(ByteOrder.LITTLE_ENDIAN);
            int size = db.get(options, encoded.flip(), value);
            if (size == RocksDB.NOT_FOUND) {
                return null;
            }
            if (size > value.capacity()) {
                throw new RocksDBException("a value of " + size + " bytes does not fit the pool's buffers");
            }
            return Reading.of(value);
        }
    }

    /** {@return how many buffers there are of keys and of values together} */
    int highWater() {
        return keys.highWater() + values.highWater();
    }

    @Override
    public void close() {
        options.close();
        db.close();
    }
}
