/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.model;

import pooledarena.io.WholeFiles;

import module java.base;

/** The pool's own sources, which the build puts beside this class, and the constants in them. */
enum PoolSource {

    PROPERTIES("ConfinedPoolProperties.java"), POOL("ConfinedSlotPool.java"), BLOCK("ConfinedBlock.java"),
    SESSION("ConfinedSession.java.patch"), THREAD("Thread.java.patch");

    private final String file;

    PoolSource(String file) {
        this.file = file;
    }

    /** {@return the constant of that name, which is a number} */
    int constant(String name) {
        return number("int " + name + " = (\\d+(?: << \\d+)?);", name);
    }

    /** {@return the number that is the first group of a pattern} */
    int number(String pattern, String name) {
        Matcher matcher = Pattern.compile(pattern).matcher(WholeFiles.resource(PoolSource.class, file));
        if (!matcher.find()) {
            throw new IllegalStateException(file + " has no number " + name);
        }
        String[] shifted = matcher.group(1).split(" << ");
        return Integer.parseInt(shifted[0]) << (shifted.length == 1 ? 0 : Integer.parseInt(shifted[1]));
    }
}
