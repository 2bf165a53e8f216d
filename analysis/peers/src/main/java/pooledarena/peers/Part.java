/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.peers;

import pooledarena.benchmark.JavaCommand;
import pooledarena.benchmark.MeasuringCommand.Extra;

import java.nio.file.Path;
import java.util.List;

/** What is measured beside one of the peers. */
interface Part {

    String title();

    List<Group> groups();

    /**
     * {@return what is measured without JMH}
     *
     * @param counter the library that counts native allocations; null if there is none
     * @param out     where the command's files go
     */
    default List<Extra> extras(List<JavaCommand> jvms, Path counter, Path out) {
        return List.of();
    }
}
