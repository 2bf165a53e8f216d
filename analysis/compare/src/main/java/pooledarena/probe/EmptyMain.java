/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.probe;

/** The program whose start-up is measured. */
public final class EmptyMain {

    private EmptyMain() {}

    public static void main(String[] args) {}
}
