/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import org.junit.jupiter.api.Test;
import pooledarena.histogram.Closing;
import pooledarena.histogram.Site;
import pooledarena.program.Counted;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.Arena;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class CallSiteInstrumenterTest {

    private static final String HOOK = "pooledarena/recorder/hook/ArenaHook";

    private final CallSites sites = MemoryTest.sites(1000);

    @Test
    void theConstantOfEachCall() throws IOException {
        ClassModel instrumented = ClassFile.of().parse(CallSiteInstrumenter.instrument(sites, bytes(Counted.class)));
        List<Integer> opening = constants(instrumented, "small", "beforeOpen");
        assertEquals(1, opening.size());
        Site site = sites.site(opening.getFirst());
        assertEquals("small", site.method());
        assertEquals(Counted.class.getName(), site.className());
        assertTrue(site.line() > 0);
        int small = CallSites.method(Counted.class.getName(), "small");
        assertEquals(List.of(small, small), constants(instrumented, "small", "beforeClose")); // with an exception and without
        assertEquals(Closing.BY_OPENER, sites.closing(opening.getFirst(), small));
        assertEquals(List.of(), constants(instrumented, "use", "beforeOpen"));
    }

    @Test
    void aClassWithoutArenasStaysAsItIs() throws IOException {
        assertNull(CallSiteInstrumenter.instrument(sites, bytes(CallSiteInstrumenterTest.class)));
    }

    /** Stack maps and all, in classes of many forms. */
    @Test
    void whatIsMadeIsValid() throws IOException {
        int count = 0;
        Path programs = Path.of(Counted.class.getProtectionDomain().getCodeSource().getLocation().getPath());
        for (Path root : List.of(Path.of(URI.create("jrt:/java.base/jdk/internal")), Path.of(URI.create("jrt:/java.base/java")), programs)) {
            try (Stream<Path> files = Files.walk(root)) {
                for (Path file : files.filter(path -> path.toString().endsWith(".class")).toList()) {
                    byte[] instrumented = CallSiteInstrumenter.instrument(sites, Files.readAllBytes(file));
                    if (instrumented != null) {
                        assertEquals(List.of(), ClassFile.of().verify(instrumented), file.toString());
                        count++;
                    }
                }
            }
        }
        assertTrue(count > 10, count + " classes");
    }

    /** The calls make a jump over them longer. If it then needs further instructions, the class stays as it is. */
    @Test
    void aJumpThatBecomesTooLong() {
        for (int length : List.of(32_000, 32_758)) {
            byte[] bytes = ClassFile.of().build(ClassDesc.of("Far"), far -> far.withMethodBody("jump",
                    MethodTypeDesc.ofDescriptor("(I)V"), ClassFile.ACC_STATIC, code -> {
                        Label end = code.newLabel();
                        code.iload(0).ifeq(end).invokestatic(ClassDesc.of(Arena.class.getName()), "ofConfined",
                                MethodTypeDesc.ofDescriptor("()Ljava/lang/foreign/Arena;"), true).pop();
                        for (int i = 0; i < length; i++) {
                            code.nop();
                        }
                        code.labelBinding(end).return_();
                    }));
            assertEquals(List.of(), ClassFile.of().verify(bytes));
            if (length == 32_000) {
                assertEquals(List.of(), ClassFile.of().verify(CallSiteInstrumenter.instrument(sites, bytes)));
            } else {
                assertThrows(IllegalArgumentException.class, () -> CallSiteInstrumenter.instrument(sites, bytes));
            }
        }
    }

    @Test
    void numbersAreLimited() {
        CallSites few = MemoryTest.sites(2);
        assertEquals(1, few.number(new Site("A", "a", 1)));
        assertEquals(2, few.number(new Site("A", "a", 2)));
        assertEquals(0, few.number(new Site("A", "a", 3)));
        assertEquals(1, few.number(new Site("A", "a", 1)));
        assertNull(few.site(0));
    }

    @Test
    void whoClosesAnArena() {
        int opener = sites.number(new Site("A", "a", 1));
        assertEquals(Closing.BY_OPENER, sites.closing(opener, CallSites.method("A", "a")));
        assertEquals(Closing.BY_OPENER, sites.closing(opener, CallSites.method("A", "lambda$lambda$a$0$1")));
        assertEquals(Closing.ELSEWHERE, sites.closing(opener, CallSites.method("A", "b")));
        assertEquals(Closing.ELSEWHERE, sites.closing(opener, CallSites.method("B", "a"))); // of the same name, but of another class
        assertEquals(Closing.ELSEWHERE, sites.closing(opener, 0)); // one too many
        assertEquals(Closing.ELSEWHERE, sites.closing(opener, -1)); // native code
        assertEquals(Closing.NOT_TOLD, sites.closing(0, CallSites.method("A", "a")));
        assertEquals(Closing.UNCLOSED, sites.closing(opener, OpenArena.NOBODY));
        assertEquals(Closing.UNCLOSED, sites.closing(0, OpenArena.NOBODY));
    }

    @Test
    void lambdasAreOfTheirMethod() {
        assertEquals("f", CallSites.enclosing("lambda$f$0"));
        assertEquals("<init>", CallSites.enclosing("lambda$new$12"));
        assertEquals("<clinit>", CallSites.enclosing("lambda$static$1"));
        assertEquals("f", CallSites.enclosing("$anonfun$f$3"));
        assertEquals("f", CallSites.enclosing("f$lambda$0"));
        assertEquals("access$000", CallSites.enclosing("access$000"));
        assertEquals("f$", CallSites.enclosing("f$"));
    }

    /** {@return the constants that the method loads right before it calls that method of the hook} */
    private static List<Integer> constants(ClassModel model, String method, String called) {
        List<Integer> constants = new ArrayList<>();
        for (MethodModel candidate : model.methods()) {
            if (candidate.methodName().equalsString(method)) {
                int constant = 0;
                for (CodeElement element : candidate.code().orElseThrow()) {
                    if (element instanceof ConstantInstruction load && load.constantValue() instanceof Integer value) {
                        constant = value;
                    } else if (element instanceof InvokeInstruction call && call.owner().asInternalName().equals(HOOK)
                            && call.name().equalsString(called)) {
                        constants.add(constant);
                    }
                }
            }
        }
        return constants;
    }

    private static byte[] bytes(Class<?> type) throws IOException {
        try (var stream = type.getResourceAsStream(type.getSimpleName() + ".class")) {
            return stream.readAllBytes();
        }
    }
}
