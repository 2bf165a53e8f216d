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
package pooledarena.recordings;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.nio.file.Path;
import java.util.List;

/** The parameters of a command that reads histogram files. */
public final class Places {

    @Parameters(paramLabel = "DIR", arity = "0..*", defaultValue = "build/record",
            description = "directories with histogram files, *.json, also deeper down, or single files, which may be merged ones "
                    + "(default: ${DEFAULT-VALUE})")
    private List<Path> places;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    /** {@return what the files have; each that is left out is named on the command's standard error} */
    public Recordings read() {
        return Recordings.read(places, command.commandLine().getErr());
    }
}
