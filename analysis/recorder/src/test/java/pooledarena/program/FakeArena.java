/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.program;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Has the methods of the JDK's class of confined arenas, with a bridge as there, and several ways out of them. */
public final class FakeArena implements Arena, Allocator<MemorySegment> {

    private final Arena arena;

    public FakeArena(Arena arena) {
        if (arena != null) {
            this.arena = arena;
            return;
        }
        this.arena = Arena.ofConfined();
    }

    @Override
    public MemorySegment allocate(long byteSize) {
        return MemorySegment.NULL;
    }

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        return allocateNoInit(byteSize, byteAlignment);
    }

    @Override
    public MemorySegment allocateNoInit(long byteSize, long byteAlignment) {
        return byteSize == 0 ? MemorySegment.NULL : arena.allocate(byteSize, byteAlignment);
    }

    @Override
    public MemorySegment.Scope scope() {
        return arena.scope();
    }

    @Override
    public void close() {
        arena.close();
    }
}
