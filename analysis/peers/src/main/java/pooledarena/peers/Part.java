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
package pooledarena.peers;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** What is measured beside one of the peers. */
interface Part {

    /** The parts by the names that the command line takes. */
    Map<String, Part> ALL = Map.of(
            "rocksdb", new RocksDbPart(),
            "netty", new NettyPart(),
            "okio", new OkioPart(),
            "arenas", new ArenasPart());

    String title();

    /** {@return all the cases there are, before any filter} */
    List<Case> cases();

    /** {@return the names of what is measured beside the cases, which a filter is matched with} */
    default List<String> extras() {
        return List.of();
    }

    /**
     * {@return the report's sections}
     *
     * @param results of those cases that were asked for
     * @param lab     for what is measured beside
     */
    List<Section> report(Results results, Lab lab) throws IOException;
}
