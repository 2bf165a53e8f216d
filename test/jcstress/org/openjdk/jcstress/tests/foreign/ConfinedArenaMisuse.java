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
package org.openjdk.jcstress.tests.foreign;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A thread that does not own an arena tries to close it and to allocate from it, while the owner closes it and its memory
 * is used again by the owner's next arena.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "The other thread gets the exception of the stock JDK.")
@Outcome(id = "0, 2", expect = Expect.ACCEPTABLE, desc = "The other thread came before there was an arena.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The other thread got something else, or changed what the owner has.")
@State
public class ConfinedArenaMisuse {

    private Arena published;

    @Actor
    public void owner(II_Result result) {
        Arena arena = Arena.ofConfined();
        published = arena;
        arena.allocate(ValueLayout.JAVA_LONG).set(ValueLayout.JAVA_LONG, 0, -1);
        arena.allocate(8193).fill((byte) -1); // in a large block, which is freed at close
        arena.close();
        try (Arena next = Arena.ofConfined()) {
            MemorySegment segment = next.allocate(ValueLayout.JAVA_LONG);
            result.r1 = segment.get(ValueLayout.JAVA_LONG, 0) == 0 ? 0 : 1;
            next.allocate(8193).fill((byte) -1);
        }
    }

    @Actor
    public void stranger(II_Result result) {
        Arena arena = published;
        if (arena == null) {
            result.r2 = 2;
        } else {
            result.r2 = isRefused(arena::close) && isRefused(() -> arena.allocate(8)) ? 0 : 1;
        }
    }

    private static boolean isRefused(Runnable action) {
        try {
            action.run();
            return false;
        } catch (WrongThreadException e) {
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }
}
