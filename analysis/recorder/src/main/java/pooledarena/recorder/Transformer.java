/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import pooledarena.recorder.hook.ArenaHook;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;

import module java.base;

/**
 * Instruments the JDK's arenas, and the call sites that open and close them, as their classes load. In classes of the boot
 * loader and in those that were loaded before, call sites are instrumented when a stack walk has found one.
 * <p>
 * A class that cannot be instrumented stays as it is, as do hidden classes, which the JVM does not pass here.
 */
final class Transformer implements ClassFileTransformer {

    // Here, as a class that is loaded when the first one is transformed would be found loading itself.
    static final String API = "java/lang/foreign/Arena";
    static final String HOOK = ArenaHook.class.getName().replace('.', '/');
    static final String BASE = "jdk/internal/foreign/ArenaImpl";
    static final String CONFINED = BASE + "$OfConfined";
    static final String RUNTIME = "java/lang/Runtime";

    private final Instrumentation instrumentation;
    private final Recorder recorder;
    private final CallSites callSites;

    /** Loaded classes whose call sites are to be instrumented soon, as one is no constant yet. */
    final LinkedTransferQueue<Class<?>> requests = new LinkedTransferQueue<>();

    /** @param callSites the numbers of call sites, or null if they are not wanted */
    Transformer(Instrumentation instrumentation, Recorder recorder, CallSites callSites) {
        this.instrumentation = instrumentation;
        this.recorder = recorder;
        this.callSites = callSites;
    }

    /** Instruments from now on what is loaded, and the arenas if they are loaded already. */
    void begin() {
        instrumentation.addTransformer(this, true);
        retransformArenas();
    }

    private void retransformArenas() {
        for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
            String name = loaded.getName().replace('.', '/');
            if (loaded.getClassLoader() == null && (name.equals(RUNTIME) || name.equals(API) || isArena(name))) {
                retransform(loaded);
            }
        }
    }

    void end() {
        instrumentation.removeTransformer(this);
        retransformArenas();
    }

    @Override
    public byte[] transform(Module module, ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain,
                            byte[] bytes) {
        boolean ofArena = loader == null && isArena(name);
        try {
            if (ofArena) {
                byte[] instrumented = ArenaInstrumenter.instrument(name, bytes);
                recorder.warmUp();
                return instrumented;
            }
            if (loader == null && (RUNTIME.equals(name) || API.equals(name))) {
                return ArenaInstrumenter.instrumentBegin(bytes);
            }
            boolean ofOthers = loader != null || redefined != null && !isPartOfArena(name);
            return callSites != null && name != null && ofOthers && !name.startsWith("pooledarena/recorder/")
                    ? CallSiteInstrumenter.instrument(callSites, bytes) : null;
        } catch (Throwable t) {
            if (ofArena) {
                Agent.stop(t instanceof IllegalArgumentException ? t.getMessage() : t.toString());
            }
            return null; // too large, for instance; its arenas have their call sites found by walking the stack
        }
    }

    /** {@return whether confined arenas are of that class, in this or another JDK; some classes have no name} */
    private static boolean isArena(String name) {
        return BASE.equals(name) || CONFINED.equals(name);
    }

    /** {@return whether that class of the boot loader takes part in opening and closing an arena} */
    static boolean isPartOfArena(String name) {
        return isArena(name) || name.equals(API) || name.equals(HOOK)
                || name.equals("jdk/internal/foreign/MemorySessionImpl")
                || name.equals("jdk/internal/foreign/ConfinedSession");
    }

    /** Does what is requested within so many nanoseconds. */
    void retransformFor(long time) throws InterruptedException {
        long begin = System.nanoTime();
        for (long left = time; left > 0; left = time - (System.nanoTime() - begin)) {
            Class<?> requested = requests.poll(left, TimeUnit.NANOSECONDS);
            if (requested != null) {
                retransform(requested);
            }
        }
    }

    private void retransform(Class<?> loaded) {
        try {
            instrumentation.retransformClasses(loaded);
        } catch (Exception | LinkageError | InternalError e) {
            if (isArena(loaded.getName().replace('.', '/'))) {
                Agent.stop(e.toString());
            } // else it stays as it is
        }
    }
}
