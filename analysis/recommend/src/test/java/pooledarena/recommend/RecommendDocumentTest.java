/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import org.junit.jupiter.api.Test;
import pooledarena.histogram.Closing;
import pooledarena.histogram.Shape;
import pooledarena.recordings.Histograms;
import pooledarena.text.Chart.Axis;
import pooledarena.text.Chart.Point;

import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class RecommendDocumentTest {

    /** One arena of virtual threads was beside 12 others, for which the default keeps slots; a depth of 1 does without. */
    @Test
    void whatASmallerDepthRisks() {
        Shape many = new Shape(null, true, Closing.BY_OPENER, 0, 13, 5000, 5000, 1, 5000, 5000, 1, true);
        Shape one = new Shape(null, true, Closing.BY_OPENER, 0, 1, 5000, 5000, 1, 5000, 5000, 1, true);
        Recommendation recommendation = RecommendTest.recommended(Map.of(many, 1L, one, 100_000L));
        assertEquals(Setting.DEFAULT, recommendation.setting());
        assertEquals(Setting.DEFAULT.size(), recommendation.smaller().size());
        String option = RecommendTest.document(Map.of(many, 1L, one, 100_000L)).smaller();
        assertTrue(option.endsWith("But then each arena beyond that depth may cost a malloc, and the next run may have more open at "
                + "once."), option);
    }

    /** A logarithmic axis has no 0: slots of 8 and 16 bytes serve nothing of 20 bytes. */
    @Test
    void whereThereIsNoMemory() {
        RecommendDocument document = RecommendTest.document(Map.of(Histograms.shape(null, 20, 0), 1000L));
        assertEquals(new Point(32, 32 + 64), document.points(8, new Axis("B", true), Replay.Estimate::memory).getFirst());
        assertEquals(new Point(8, 0), document.points(8, new Axis("%", false), Replay.Estimate::served).getFirst());
    }
}
