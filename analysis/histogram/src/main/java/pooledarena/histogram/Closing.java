/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.histogram;

/** How an arena came to its end. */
public enum Closing {

    /** In the method that opened it: class and name of the closing method are those of the opening one. */
    BY_OPENER,

    ELSEWHERE,

    /** Closed, but as its opening site was not looked for, it is not known where. */
    NOT_TOLD,

    /** It was still open when the histogram was written, or was collected without having been closed. */
    UNCLOSED
}
