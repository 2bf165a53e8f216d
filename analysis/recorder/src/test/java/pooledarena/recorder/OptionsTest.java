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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

class OptionsTest {

    @Test
    void defaults() {
        assertEquals(new Options(Path.of("x").toAbsolutePath(), 60, 1, 131_072, null), Options.parse("out=x"));
    }

    @Test
    void all() {
        assertEquals(new Options(Path.of("/a=b"), 0, 100, 20, Path.of("f").toAbsolutePath()),
                Options.parse("every=0,out=/a=b,sites=100,limit=20,faults=f"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"every=86400", "sites=0", "sites=1000000", "limit=1", "limit=10000000"})
    void bounds(String option) {
        Options options = Options.parse("out=x," + option);
        int value = Integer.parseInt(option.substring(option.indexOf('=') + 1));
        assertEquals(value, option.startsWith("every") ? options.every() : option.startsWith("sites") ? options.sites()
                : options.limit());
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
            "out=x,limit=0  | limit=0: a number from 1 to 10000000 is accepted",
            "out=x,limit=10000001 | limit=10000001: a number from 1 to 10000000 is accepted",
            "out=x,every=1s | every=1s: a number from 0 to 86400 is accepted",
            "out=x,every=99999999999 | every=99999999999: a number from 0 to 86400 is accepted",
    })
    void faults(String options, String fault) {
        assertEquals(fault + "; accepted are out=DIR, every=SECONDS, sites=N and limit=N, separated by commas, of which out is "
                + "needed", assertThrows(IllegalArgumentException.class, () -> Options.parse(options)).getMessage());
    }
}
