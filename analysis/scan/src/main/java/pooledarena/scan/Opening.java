/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import module java.base;

import com.fasterxml.jackson.annotation.JsonProperty;
import pooledarena.model.PoolModel;

/**
 * A call site that opens a confined arena, and what the library does with it as far as that is known.
 *
 * @param escapes where else the arena gets to, also while it is open
 * @param nesting how many other arenas of the method are open when it is opened
 */
record Opening(String site, ClosingPaths closing, Set<Escape> escapes, int nesting, List<Allocation> allocations) {

    /** On which paths the method that opens an arena closes it. */
    enum ClosingPaths {
        /** Closed on every path out of the method, as by try-with-resources. */
        STRUCTURED,
        /** Closed on every path that returns, but not on some that an exception takes. */
        LEAKS_ON_EXCEPTION,
        /** Not closed, or not on every path, but others have it, who may close it. */
        ESCAPES,
        LEAKS
    }

    /** How others get the arena. */
    enum Escape {
        STORED_IN_A_FIELD,
        STORED_IN_AN_ARRAY,
        RETURNED,
        /** By a lambda or a method reference. */
        CAPTURED,
        /** An argument of a call whose target is unknown or not in the library. */
        PASSED_ON
    }

    static Opening of(MethodEffects found, int nesting) {
        boolean isClosed = (found.atReturn & State.OPEN) == 0;
        ClosingPaths closing = isClosed && (found.atThrow & State.OPEN) == 0 ? ClosingPaths.STRUCTURED
                : isClosed ? ClosingPaths.LEAKS_ON_EXCEPTION
                : found.escapes.isEmpty() ? ClosingPaths.LEAKS : ClosingPaths.ESCAPES;
        return new Opening(found.code.site(found.opening), closing, found.escapes, nesting, found.allocations());
    }

    /**
     * {@return how large a slot must be for the most that one arena of this call site can allocate, none of it with an alignment
     * that its size does not give it; null if that is unknown} Call sites that exclude each other are added up.
     */
    @JsonProperty
    Long mostBytes() {
        if (!Set.of(Escape.CAPTURED).containsAll(escapes)
                || allocations.stream().anyMatch(allocation -> allocation.bytes() == null || allocation.repeated())) {
            return null;
        }
        long used = 0;
        for (Allocation allocation : allocations) {
            used = PoolModel.end(used, allocation.bytes(), 1);
        }
        return used;
    }
}
