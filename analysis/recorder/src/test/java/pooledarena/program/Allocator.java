/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.program;

/** What the compiler makes a bridge for, where the type is known. */
public interface Allocator<S> {

    S allocateNoInit(long byteSize, long byteAlignment);
}
