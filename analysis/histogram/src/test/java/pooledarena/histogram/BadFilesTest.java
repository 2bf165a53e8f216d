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
package pooledarena.histogram;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What is not a whole histogram is refused with its fault, never half read. */
class BadFilesTest {

    private static final Histogram HISTOGRAM = HistogramTest.histogram(new Random(7), 1);

    @TempDir
    private Path directory;

    @Test
    void everyPlaceWhereItMayBeCutOff() throws IOException {
        byte[] whole = HistogramTest.bytes(HISTOGRAM);
        int last = new String(whole, UTF_8).lastIndexOf('}');
        for (int length = 1; length <= last; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            String fault = fault(part);
            assertTrue(fault.startsWith("is not whole JSON"), length + " bytes: " + fault);
        }
    }

    @Test
    void emptyForeignAndOther() throws IOException {
        assertEquals("is empty", fault(new byte[0]));
        assertEquals("is not a \"pooled-confined-arena histogram\"", fault("{\"format\": \"another\"}".getBytes(UTF_8)));
        assertEquals("is not a \"pooled-confined-arena histogram\"", fault("[1, 2]".getBytes(UTF_8)));
        assertEquals("is not whole JSON: line 1", fault(new byte[] {(byte) 0xca, (byte) 0xfe, (byte) 0xba, (byte) 0xbe}));
        assertEquals("has version 3; this tool reads version 2", fault(changed("\"version\": 2", "\"version\": 3")));
    }

    @Test
    void damage() throws IOException {
        assertEquals("is damaged: \"version\" is missing or is not what it should be",
                fault(changed("\"version\": 2", "\"version\": \"x\"")));
        assertEquals("is damaged: \"columns\" is missing or is not what it should be",
                fault(changed("\"slotBytes\"", "\"other\"")));
        assertEquals("is damaged: \"jvms\" is missing or is not what it should be", fault(changed("\"jvms\"", "\"other\"")));
        assertEquals("is damaged: \"pid\" is missing or is not what it should be", fault(changed("\"pid\": 1", "\"pid\": -1")));
        assertEquals("is damaged: \"dropped\" is missing or is not what it should be",
                fault(changed("\"dropped\": {\"arenas\": ", "\"dropped\": {\"arenas\": 0.5, \"x\": ")));
        String text = new String(HistogramTest.bytes(HISTOGRAM), UTF_8);
        String row = text.substring(text.lastIndexOf("\n[") + 1, text.lastIndexOf("]\n}"));
        assertEquals("is damaged: \"rows\" is missing or is not what it should be", fault(changed(row, row + ",\n" + row)));
        assertEquals("is damaged: \"rows\" is missing or is not what it should be",
                fault(changed(row, row.replaceFirst("-?\\d+", "99"))));
        assertEquals("is damaged: \"rows\" is missing or is not what it should be",
                fault(changed(row, row.replaceFirst("\\d+, ", ""))));
    }

    private String fault(byte[] bytes) throws IOException {
        Path file = Files.write(directory.resolve("histogram.json"), bytes);
        return assertThrows(BadHistogram.class, () -> HistogramReader.read(file)).getMessage();
    }

    private static byte[] changed(String from, String to) throws IOException {
        String text = new String(HistogramTest.bytes(HISTOGRAM), UTF_8);
        assertTrue(text.contains(from), from);
        return text.replace(from, to).getBytes(UTF_8);
    }
}
