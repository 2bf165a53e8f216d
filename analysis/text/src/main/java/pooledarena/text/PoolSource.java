/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.text;

import pooledarena.io.WholeFiles;

import module java.base;

/** The pool's own sources, which the build puts beside this class, and the constants in them. */
public enum PoolSource {

    PROPERTIES("ConfinedPoolProperties.java"), POOL("ConfinedSlotPool.java"), BLOCK("ConfinedBlock.java");

    private final String file;

    PoolSource(String file) {
        this.file = file;
    }

    /** {@return the constant of that name, which is a number, or that and no more than the size of slots} */
    public int constant(String name) {
        String number = "(?:Math\\.min\\(ConfinedSlotPool\\.SIZE, )?(\\d+)(?: << (\\d+))?\\)?;";
        Matcher matcher = Pattern.compile("int " + name + " = " + number)
                .matcher(WholeFiles.resource(PoolSource.class, file));
        if (!matcher.find()) {
            throw new IllegalStateException(file + " has no number " + name);
        }
        return Integer.parseInt(matcher.group(1)) << (matcher.group(2) == null ? 0 : Integer.parseInt(matcher.group(2)));
    }
}
