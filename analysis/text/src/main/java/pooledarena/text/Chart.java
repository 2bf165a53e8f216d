/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.text;

import java.util.List;

/** Figures as a picture. */
public interface Chart {

    String title();

    /** {@return the chart as PNG; the lines {@code origin} under its title say where the figures are from} */
    byte[] png(List<String> origin);
}
