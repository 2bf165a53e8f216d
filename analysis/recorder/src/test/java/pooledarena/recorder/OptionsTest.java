/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

class OptionsTest {

    @Test
    void defaults() {
        assertEquals(new Options(Path.of("x").toAbsolutePath(), 60, 1, 1, List.of(), 8 << 20, null), Options.parse("out=x"));
    }

    @Test
    void all() {
        assertEquals(new Options(Path.of("/a=b"), 0, 100, 5, List.of("a.", "jdk.internal.f."), 128 << 10, Path.of("f").toAbsolutePath()),
                Options.parse("every=0,out=/a=b,sites=100,skip=a.,frames=5,memory=128k,faults=f,skip=jdk.internal.f."));
    }

    @ParameterizedTest
    @ValueSource(strings = {"every=86400", "sites=0", "sites=1000000", "frames=1", "frames=100", "memory=65536",
        "memory=1073741824"})
    void bounds(String option) {
        Options options = Options.parse("out=x," + option);
        long value = Long.parseLong(option.substring(option.indexOf('=') + 1));
        assertEquals(value, option.startsWith("every") ? options.every() : option.startsWith("sites") ? options.sites()
                : option.startsWith("frames") ? options.frames() : options.memory());
    }

    @ParameterizedTest
    @CsvSource({"64k, 65536", "64K, 65536", "8m, 8388608", "1M, 1048576", "1g, 1073741824", "1G, 1073741824"})
    void sizes(String text, long size) {
        assertEquals(size, Options.parse("out=x,memory=" + text).memory());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "               | out=DIR is missing",
            "''             | out=DIR is missing",
            "every=1        | out=DIR is missing",
            "out=           | out=: not the name of a directory",
            "out=x,speed=1  | speed=1: unknown",
            "out=x,quiet    | quiet: unknown",
            "out=x,=1       | =1: unknown",
            "out=x,sites=-1 | sites=-1: a number from 0 to 1000000 is accepted",
            "out=x,sites=1000001 | sites=1000001: a number from 0 to 1000000 is accepted",
            "out=x,frames=0 | frames=0: a number from 1 to 100 is accepted",
            "out=x,frames=101 | frames=101: a number from 1 to 100 is accepted",
            "out=x,skip= | skip=: not the beginning of a class name",
            "out=x,skip=j | skip=j: jdk.internal.foreign.BufferStack must not be left out",
            "out=x,skip=jdk.internal.foreign. | skip=jdk.internal.foreign.: jdk.internal.foreign.BufferStack must not be left out",
            "out=x,frames=2,sites=0 | sites=0: without call sites there are no frames, and none to skip",
            "out=x,sites=0,skip=a. | sites=0: without call sites there are no frames, and none to skip",
            "out=x,memory= | memory=: a size from 64k to 1g is accepted",
            "out=x,memory=m | memory=m: a size from 64k to 1g is accepted",
            "out=x,memory=63k | memory=63k: a size from 64k to 1g is accepted",
            "out=x,memory=2g | memory=2g: a size from 64k to 1g is accepted",
            "out=x,memory=8t | memory=8t: a size from 64k to 1g is accepted",
            "out=x,memory=99999999999 | memory=99999999999: a size from 64k to 1g is accepted",
            "out=x,every=1s | every=1s: a number from 0 to 86400 is accepted",
            "out=x,every=99999999999 | every=99999999999: a number from 0 to 86400 is accepted",
    })
    void faults(String options, String fault) {
        assertEquals(fault + "; accepted are out=DIR, every=SECONDS, sites=N, frames=N, skip=PREFIX and memory=SIZE, separated by "
                + "commas, of which out is needed",
                assertThrows(IllegalArgumentException.class, () -> Options.parse(options)).getMessage());
    }
}
