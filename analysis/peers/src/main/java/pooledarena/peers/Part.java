/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.peers;

import pooledarena.benchmark.JavaCommand;
import pooledarena.benchmark.MeasuringCommand.Extra;
import pooledarena.benchmark.Sampler;
import pooledarena.io.ProcessRunner.Failed;

import module java.base;

/** What is measured beside one of the peers. */
interface Part {

    Map<String, Part> ALL = Map.of("rocksdb", new RocksDbPart(), "netty", new NettyPart(), "okio", new OkioPart(),
            "arenas", new ArenasPart());

    /** Runs programs that measure without JMH. The library that counts native allocations is null if there is none. */
    record Programs(List<String> options, Path counter, Path out) {

        /** {@return what a program prints} {@code arguments} are Java's, with the class. */
        List<String> lines(JavaCommand jvm, Map<String, String> environment, String... arguments) throws Failed {
            return jvm.lines(environment, Stream.of(options, List.of("--enable-native-access=ALL-UNNAMED",
                    "--sun-misc-unsafe-memory-access=allow"), List.of(arguments)).flatMap(List::stream).toList());
        }
    }

    String title();

    List<Group> groups();

    default List<Extra> extras(List<JavaCommand> jvms, Programs programs) {
        return List.of();
    }
}
