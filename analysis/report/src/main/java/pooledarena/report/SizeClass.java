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
package pooledarena.report;

import java.util.function.LongPredicate;

/** The sizes that a report gives shares of. They overlap. */
enum SizeClass {

    EMPTY("0 bytes", bytes -> bytes == 0),
    UP_TO_15("up to 15 bytes", bytes -> bytes <= 15),
    UP_TO_31("up to 31 bytes", bytes -> bytes <= 31),
    UP_TO_63("up to 63 bytes", bytes -> bytes <= 63),
    BELOW_64_KIB("below 64 KiB", bytes -> bytes < 64 << 10),
    FROM_64_KIB("from 64 KiB", bytes -> bytes >= 64 << 10),
    FROM_512_KIB("from 512 KiB", bytes -> bytes >= 512 << 10);

    final String title;
    private final LongPredicate range;

    SizeClass(String title, LongPredicate range) {
        this.title = title;
        this.range = range;
    }

    boolean contains(long bytes) {
        return range.test(bytes);
    }
}
