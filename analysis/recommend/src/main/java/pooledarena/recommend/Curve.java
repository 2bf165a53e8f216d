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
package pooledarena.recommend;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** A quantity that was measured at some sizes: linear between two of them and beyond the largest, constant below the least. */
final class Curve {

    private final NavigableMap<Double, Double> points;

    /** @param points by size, at least two */
    Curve(Map<Double, Double> points) {
        this.points = new TreeMap<>(points);
        if (points.size() < 2) {
            throw new IllegalArgumentException("a curve of " + points.size() + " points");
        }
    }

    /** {@return the largest size that was measured} */
    double largest() {
        return points.lastKey();
    }

    double at(double size) {
        if (size <= points.firstKey()) {
            return points.firstEntry().getValue();
        }
        Map.Entry<Double, Double> right = size > points.lastKey() ? points.lastEntry() : points.ceilingEntry(size);
        Map.Entry<Double, Double> left = points.lowerEntry(right.getKey());
        double slope = (right.getValue() - left.getValue()) / (right.getKey() - left.getKey());
        return left.getValue() + slope * (size - left.getKey());
    }
}
