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
package pooledarena.report;

import pooledarena.histogram.Site;

import java.util.Comparator;

/**
 * The arenas of a call site.
 *
 * @param site     null for all arenas whose site is not told
 * @param sum      all of them
 * @param empty    how many have no bytes
 * @param byOpener how many were closed in the method that opened them
 * @param most     the bytes of the largest
 */
record SiteSum(Site site, Sum sum, long empty, long byOpener, long most) {

    /** The site with the most arenas first. */
    static final Comparator<SiteSum> MOST_ARENAS_FIRST = Comparator.<SiteSum>comparingLong(s -> s.sum.arenas()).reversed()
            .thenComparing(SiteSum::name);

    SiteSum plus(SiteSum other) {
        return new SiteSum(site, sum.plus(other.sum), empty + other.empty, byOpener + other.byOpener, Math.max(most, other.most));
    }

    String name() {
        return site == null ? "(not told)"
                : site.className() + "." + site.method() + (site.line() < 0 ? "" : ":" + site.line());
    }
}
