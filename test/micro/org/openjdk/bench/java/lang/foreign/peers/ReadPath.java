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

import org.rocksdb.RocksDBException;

/** A way to a value in the database. An instance serves requests on any number of threads. */
interface ReadPath extends AutoCloseable {

    /** {@return the reading of {@code key}, or null if there is none} */
    Reading read(PathTimeKey key) throws RocksDBException;

    @Override
    void close();

    /** {@return the path called {@code name}} */
    static ReadPath of(String name) throws RocksDBException {
        return switch (name) {
            case "jniArrays" -> new JniArrays();
            case "jniPooledBuffers" -> new JniPooledBuffers();
            case "ffmArena" -> new FfmArena();
            default -> throw new IllegalArgumentException(name);
        };
    }
}
