/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import pooledarena.program.Counted;
import pooledarena.program.FakeArena;
import pooledarena.recorder.hook.ArenaHook;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.foreign.Arena;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What an instrumented class of arenas tells the hook, and which classes are not taken for it. */
class ArenaInstrumenterTest {

    private static final String FAKE = "pooledarena/program/FakeArena";
    private static final int FINAL = ClassFile.ACC_FINAL;

    private final List<String> told = new ArrayList<>();

    /** What it throws, if it does. */
    private RuntimeException thrown;

    /** Tells what was called, of which arena if there is one. */
    private final class Told extends ArenaHook {

        private void tell(String what, Object arena) {
            told.add(what);
            assertTrue(arena == null || arena.getClass().getName().equals(FakeArena.class.getName()));
            if (thrown != null) {
                throw thrown;
            }
        }

        @Override
        public void opening(int site) {
            tell("opening " + site, null);
        }

        @Override
        public void closing(Object arena, int method) {
            tell("closing " + method, arena);
        }

        @Override
        public void opened(Object arena) {
            tell("opened", arena);
        }

        @Override
        public void allocated(Object arena, long byteSize, long byteAlignment) {
            tell("allocated " + byteSize + " " + byteAlignment, arena);
        }

        @Override
        public void closed(Object arena) {
            tell("closed", arena);
        }

        @Override
        public void beginning(int method) {
            tell("beginning " + method, null);
        }
    }

    @Test
    void halting() throws Exception {
        byte[] bytes = ArenaInstrumenter.instrumentBegin(Instrumented.bytes(Runtime.class));
        assertEquals(List.of(), ClassFile.of().verify(bytes));
        assertEquals(List.of("halt"), ClassFile.of().parse(bytes).methods().stream()
                .filter(method -> method.code().isPresent() && method.code().get().elementStream().anyMatch(
                        element -> element instanceof InvokeInstruction call && call.name().equalsString("begin")))
                .map(method -> method.methodName().stringValue()).toList());
        for (RuntimeException thrownThere : new RuntimeException[] {null, new RuntimeException()}) {
            thrown = thrownThere;
            ArenaHook.begin(3);
        }
        assertEquals(List.of("beginning 3", "beginning 3"), told);
        assertEquals(1, ArenaHook.failures);
    }

    @BeforeEach
    void tell() {
        ArenaHook.target = new Told();
        ArenaHook.failures = 0;
    }

    @AfterEach
    void forgetFailures() {
        ArenaHook.failures = 0;
    }

    private static Arena instrumented(Arena arena) throws Exception {
        Class<?> type = Instrumented.define(ArenaInstrumenter.instrument(FAKE, Instrumented.bytes(FakeArena.class)));
        return (Arena) type.getConstructor(Arena.class).newInstance(arena);
    }

    @Test
    void confined() throws Exception {
        for (Arena given : new Arena[] {null, Arena.ofConfined()}) {
            told.clear();
            Arena arena = instrumented(given);
            assertEquals(List.of("opened"), told);
            told.clear();
            arena.allocate(8, 4);
            assertEquals(List.of("allocated 8 4", "allocated 8 4"), told); // as this one's allocate() calls allocateNoInit()
            told.clear();
            arena.allocate(8);
            assertThrows(IllegalArgumentException.class, () -> arena.allocate(-1, 1));
            assertEquals(List.of(), told);
            for (Method method : arena.getClass().getMethods()) {
                if (method.isBridge() && method.getName().equals("allocateNoInit")) {
                    method.invoke(arena, 0, 2);
                }
            }
            assertEquals(List.of("allocated 0 2"), told);
            told.clear();
            arena.close();
            assertEquals(List.of("closed"), told);
            assertThrows(IllegalStateException.class, arena::close);
            assertEquals(List.of("closed", "closed"), told);
        }
        assertEquals(0, ArenaHook.failures);
    }

    /** As where another thread has the arena. */
    @Test
    void aCloseThatIsRefused() throws Exception {
        Arena arena = instrumented(null);
        told.clear();
        List<RuntimeException> refused = new ArrayList<>();
        Thread thread = new Thread(() -> refused.add(assertThrows(WrongThreadException.class, arena::close)));
        thread.start();
        thread.join();
        assertEquals(1, refused.size());
        assertEquals(List.of(), told);
        arena.close();
    }

    @Test
    void otherKindsAreNotOpened() throws Exception {
        Arena shared = Arena.ofShared();
        instrumented(shared);
        ArenaHook.afterAllocate(shared, 8, 1);
        shared.close();
        ArenaHook.afterClose(shared);
        instrumented(Arena.global());
        ArenaHook.afterAllocate(Arena.global(), 8, 1);
        assertEquals(List.of(), told);
        assertEquals(0, ArenaHook.failures);
    }

    @Test
    void callSites() throws Exception {
        ArenaHook.beforeOpen(5);
        Arena arena = instrumented(null);
        ArenaHook.beforeClose(arena, 6);
        ArenaHook.beforeClose(new Object(), 7);
        arena.close();
        assertEquals(List.of("opening 5", "opened", "closing 6", "closed"), told);
        assertEquals(0, ArenaHook.failures);
    }

    /** A program does not notice what the recorder throws; it is counted. */
    @Test
    void failures() throws Exception {
        thrown = new IllegalStateException("thrown on purpose");
        ArenaHook.beforeOpen(5);
        assertEquals(1, ArenaHook.failures);
        Arena arena = instrumented(null);
        assertEquals(2, ArenaHook.failures);
        ArenaHook.afterAllocate(arena, 8, 8);
        assertEquals(3, ArenaHook.failures);
        ArenaHook.beforeClose(arena, 6);
        assertEquals(4, ArenaHook.failures);
        arena.close();
        assertEquals(5, ArenaHook.failures);
    }

    @Test
    void theClassesOfThisJdk() throws IOException {
        Path classes = Path.of(URI.create("jrt:/java.base/jdk/internal/foreign"));
        Path confined = classes.resolve("ArenaImpl$OfConfined.class");
        byte[] base = Files.readAllBytes(classes.resolve("ArenaImpl.class"));
        byte[] instrumented;
        if (Files.exists(confined)) {
            assertNull(ArenaInstrumenter.instrument(Transformer.BASE, base));
            instrumented = ArenaInstrumenter.instrument(Transformer.CONFINED, Files.readAllBytes(confined));
        } else {
            instrumented = ArenaInstrumenter.instrument(Transformer.BASE, base);
        }
        assertNotNull(instrumented);
        assertEquals(List.of(), ClassFile.of().verify(instrumented));
    }

    @Test
    void differences() throws IOException {
        byte[] fake = Instrumented.bytes(FakeArena.class);
        byte[] open = changed(fake, _ -> true, 0);
        assertDifference("FakeArena is not final", FAKE, open);
        assertDifference("ArenaImpl$OfConfined is not final", Transformer.CONFINED, open);
        assertDifference("FakeArena has other ways to open, allocate and close", FAKE,
                changed(fake, method -> !method.methodName().equalsString("close"), FINAL));
        assertDifference("FakeArena has other ways to open, allocate and close", FAKE,
                changed(fake, method -> !method.methodName().equalsString("allocateNoInit"), FINAL));
        assertDifference("Counted has other ways to open, allocate and close", "pooledarena/program/Counted",
                Instrumented.bytes(Counted.class));
        if (Files.notExists(Path.of(URI.create("jrt:/java.base/jdk/internal/foreign/ArenaImpl$OfConfined.class")))) {
            assertDifference("there is no class jdk.internal.foreign.ArenaImpl$OfConfined", Transformer.BASE, open);
        }
    }

    private static void assertDifference(String difference, String name, byte[] bytes) {
        assertEquals(difference, assertThrows(IllegalArgumentException.class, () -> ArenaInstrumenter.instrument(name, bytes))
                .getMessage());
    }

    /** {@return the class with those of its methods} */
    private static byte[] changed(byte[] bytes, Predicate<MethodModel> kept, int isFinal) {
        ClassModel model = ClassFile.of().parse(bytes);
        return ClassFile.of().build(model.thisClass().asSymbol(), builder -> {
            model.forEach(element -> {
                if (!(element instanceof MethodModel method) || kept.test(method)) {
                    builder.with(element);
                }
            });
            builder.withFlags(model.flags().flagsMask() & ~FINAL | isFinal);
        });
    }
}
