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

    // Constants of this class: another class would be loaded while the first class is transformed, which the JVM refuses as circular.
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
            if (loaded.getClassLoader() == null && (isOfOthers(name) || isArena(name))) {
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
        try {
            if (loader == null && isArena(name)) {
                byte[] instrumented = ArenaInstrumenter.instrument(name, bytes);
                recorder.warmUp();
                return instrumented;
            }
            if (loader == null && isOfOthers(name)) {
                return ArenaInstrumenter.instrumentBegin(bytes);
            }
            boolean hasSites = loader != null || redefined != null && !isPartOfArena(name);
            return callSites != null && name != null && hasSites && !name.startsWith("pooledarena/recorder/")
                    ? CallSiteInstrumenter.instrument(callSites, bytes) : null;
        } catch (Throwable t) {
            if (loader == null) {
                fail(name, t);
            }
            return null; // too large, for instance; its arenas have their call sites found by walking the stack
        }
    }

    /** {@return whether confined arenas are of that class, in this or another JDK; some classes have no name} */
    private static boolean isArena(String name) {
        return BASE.equals(name) || CONFINED.equals(name);
    }

    /** {@return whether that class opens arenas of other kinds, or halts the JVM} */
    private static boolean isOfOthers(String name) {
        return RUNTIME.equals(name) || API.equals(name);
    }

    /** A class of the boot loader cannot be instrumented. Without the others, arenas of other kinds or the last file are missing. */
    private static void fail(String name, Throwable t) {
        if (isArena(name)) {
            Agent.stop(t);
        } else if (isOfOthers(name)) {
            ArenaHook.failures++;
        }
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
            fail(loaded.getName().replace('.', '/'), e); // or it stays as it is
        }
    }
}
