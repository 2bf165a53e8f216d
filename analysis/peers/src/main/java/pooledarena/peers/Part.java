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
record Part(String title, List<Group> groups, Extras extras) {

    /** What is measured without JMH. The library that counts native allocations is null if there is none. */
    interface Extras {
        List<Extra> of(List<JavaCommand> jvms, Path mallocCounter, Path out);
    }

    Part(String title, List<Group> groups) {
        this(title, groups, (_, _, _) -> List.of());
    }
}
