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

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/**
 * Two arenas of virtual threads were opened on one carrier. Each of the actors carries one of these threads while it closes
 * its arena, so that the slot goes to another carrier, and then a thread that opens an arena, which gets that slot.
 * <p>
 * That it gets the slot is certain. The carrier has a pool, but no spare slot: that was taken by the arena which the carrier opened last.
 * No arena was closed on it since. So the returned slot becomes the spare one, which the next arena takes.
 */
@JCStressTest
@Outcome(id = "0, 0, 0, 2", expect = Expect.ACCEPTABLE,
        desc = "Each arena has a slot of its own, which is zero at first. Two were handed over.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A slot is not zero, has two owners, or was not handed over.")
@State
public class ConfinedArenaHandOver {

    private final CarriedArena first = new CarriedArena().openInSlot();
    private final CarriedArena second = new CarriedArena().openInSlot();
    private final CarriedArena third = new CarriedArena();
    private final CarriedArena fourth = new CarriedArena();

    @Actor
    public void actor1(IIII_Result result) {
        first.close();
        third.open();
    }

    @Actor
    public void actor2(IIII_Result result) {
        second.close();
        fourth.open();
    }

    @Arbiter
    public void arbiter(IIII_Result result) {
        result.r3 = third.isSharedWith(fourth) | first.isSharedWith(second);
        result.r4 = third.hasSlotOf(first) + fourth.hasSlotOf(second);
        third.close();
        fourth.close();
        result.r1 = first.isBroken() | third.isBroken();
        result.r2 = second.isBroken() | fourth.isBroken();
    }
}
