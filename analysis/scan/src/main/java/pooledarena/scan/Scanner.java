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
package pooledarena.scan;

import java.io.IOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.LoadableConstantEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.MethodHandleEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.constant.ConstantDescs;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Looks through the class files of one library. */
final class Scanner {

    private final Library library;
    private final Hierarchy hierarchy = new Hierarchy();
    private final Program program;
    private final List<String> faults = new ArrayList<>();
    private final List<Opening> openings = new ArrayList<>();
    private final Map<String, Integer> otherArenas = new TreeMap<>();

    private Scanner(Library library) {
        this.library = library;
        program = new Program(library, hierarchy);
    }

    static LibraryScan scan(Library library) {
        return new Scanner(library).scan();
    }

    private LibraryScan scan() {
        int classes = 0;
        int newer = 0;
        int previews = 0;
        List<ClassModel> foreign = new ArrayList<>();
        for (String file : library.files()) {
            try {
                Optional<ClassModel> read = library.read(file);
                if (read.isEmpty()) {
                    newer++;
                } else if (isOtherPreview(read.get())) {
                    previews++;
                } else if (!read.get().isModuleInfo()) {
                    classes++;
                    hierarchy.add(read.get());
                    if (usesForeign(read.get())) {
                        foreign.add(read.get());
                    }
                }
            } catch (IOException | IllegalArgumentException | IndexOutOfBoundsException e) {
                faults.add(file + ": not a class file that can be read (" + reason(e) + ")");
            }
        }
        if (library.files().isEmpty()) {
            faults.add("has no classes");
        }
        foreign.forEach(this::scan);
        int java = Runtime.version().feature();
        if (newer > 0) {
            faults.add("class files of a newer Java than " + java + ", left out: " + newer + "; run this with that Java");
        }
        if (previews > 0) {
            faults.add("class files with previews of another Java than " + java + ", which does not load them, left out: "
                    + previews);
        }
        return new LibraryScan(library.name(), classes, foreign.size(), otherArenas, openings, faults);
    }

    private static boolean isOtherPreview(ClassModel model) {
        return model.minorVersion() == ClassFile.PREVIEW_MINOR_VERSION
                && model.majorVersion() != ClassFile.latestMajorVersion();
    }

    private static boolean usesForeign(ClassModel model) {
        for (PoolEntry entry : model.constantPool()) {
            if (entry instanceof ClassEntry type && type.name().stringValue().startsWith("java/lang/foreign/")) {
                return true;
            }
        }
        return false;
    }

    private void scan(ClassModel model) {
        for (MethodModel method : model.methods()) {
            if (method.findAttribute(Attributes.code()).isEmpty()) {
                continue;
            }
            String owner = model.thisClass().name().stringValue();
            try {
                if (opens(model, method)) {
                    interpret(program.code(owner, model, method.methodName().stringValue(), method.methodType().stringValue())
                            .orElseThrow());
                }
            } catch (RuntimeException e) {
                // Bytecode that no verifier would pass can make the interpreter fail anywhere.
                faults.add(owner.replace('/', '.') + "." + method.methodName() + ": cannot be followed (" + reason(e) + ")");
            }
        }
    }

    /** {@return whether the method opens a confined arena} Notes other arenas and references to methods on the way. */
    private boolean opens(ClassModel model, MethodModel method) {
        boolean opens = false;
        int line = 0;
        for (CodeElement element : method.code().orElseThrow()) {
            switch (element) {
                case LineNumber number -> line = number.line();
                case InvokeInstruction call -> {
                    opens |= Api.opensConfined(call.method());
                    countOther(call.method());
                }
                case InvokeDynamicInstruction call -> {
                    for (LoadableConstantEntry constant : call.invokedynamic().bootstrap().arguments()) {
                        if (constant instanceof MethodHandleEntry handle) {
                            countOther(handle.reference());
                            if (Api.opensConfined(handle.reference())) {
                                Place place = new Place(model.thisClass().name().stringValue().replace('/', '.'),
                                        method.methodName().stringValue(), line);
                                openings.add(new Opening(place, Closing.ESCAPES, EnumSet.of(Escape.REFERENCE), Set.of(),
                                        Set.of(), 0, List.of()));
                            }
                        }
                    }
                }
                default -> { }
            }
        }
        return opens;
    }

    private void countOther(MemberRefEntry method) {
        String name = method.name().stringValue();
        if (method.owner().name().equalsString(Api.ARENA) && Set.of("ofShared", "ofAuto", "global").contains(name)) {
            otherArenas.merge(name, 1, Integer::sum);
        }
    }

    private void interpret(Code code) {
        List<Value> arguments = new ArrayList<>();
        if (!code.method.flags().has(AccessFlag.STATIC)) {
            arguments.add(Value.SELF);
        }
        code.method.methodTypeSymbol().parameterList().forEach(type -> arguments.add(
                Value.unknown(type.equals(ConstantDescs.CD_long) || type.equals(ConstantDescs.CD_double))));
        Interpreter interpreter = program.interpret(code, arguments);
        interpreter.run();
        interpreter.openings().forEach((index, site) -> {
            Uses uses = interpreter.uses(site);
            openings.add(new Opening(Place.of(code, index),
                    Closing.of(uses.atReturn, uses.atThrow, uses.closed, !uses.escapes.isEmpty()),
                    uses.escapes, uses.passedTo, uses.lifetimes, uses.nesting, List.copyOf(uses.allocations())));
        });
    }

    private static String reason(Exception e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
}
