/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import pooledarena.recorder.hook.ArenaHook;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;

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
    static final String SESSION = "jdk/internal/foreign/MemorySessionImpl";
    static final String CONFINED_SESSION = "jdk/internal/foreign/ConfinedSession";

    private final Instrumentation instrumentation;
    private final Recorder recorder;
    private final CallSites callSites;
    private final ConcurrentLinkedQueue<Class<?>> requests = new ConcurrentLinkedQueue<>();
    private volatile Thread worker;

    /** @param callSites the numbers of call sites, or null if they are not wanted */
    Transformer(Instrumentation instrumentation, Recorder recorder, CallSites callSites) {
        this.instrumentation = instrumentation;
        this.recorder = recorder;
        this.callSites = callSites;
    }

    /** Instruments from now on what is loaded, and the arenas if they are loaded already. */
    void begin() {
        instrumentation.addTransformer(this, true);
        for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
            if (loaded.getClassLoader() == null && isArena(loaded.getName().replace('.', '/'))) {
                retransform(loaded);
            }
        }
    }

    @Override
    public byte[] transform(Module module, ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain,
                            byte[] bytes) {
        if (name == null) {
            return null;
        }
        boolean ofBootLoader = loader == null;
        if (ofBootLoader && isArena(name)) {
            return arena(name, bytes);
        }
        if (callSites == null || ofBootLoader && (redefined == null || isPartOfArena(name))
                || name.startsWith("pooledarena/recorder/")) {
            return null;
        }
        try {
            return CallSiteInstrumenter.instrument(callSites, bytes);
        } catch (Throwable t) {
            return null; // too large, for instance; its arenas have their call sites found by walking the stack
        }
    }

    private byte[] arena(String name, byte[] bytes) {
        try {
            byte[] instrumented = ArenaInstrumenter.instrument(name, bytes);
            recorder.warmUp();
            return instrumented;
        } catch (Throwable t) {
            Agent.stop(t instanceof IllegalArgumentException ? t.getMessage() : t.toString());
            return null;
        }
    }

    /** {@return whether confined arenas are of that class, in this or another JDK} */
    private static boolean isArena(String name) {
        return name.equals(BASE) || name.equals(CONFINED);
    }

    /** {@return whether that class of the boot loader takes part in opening and closing an arena} */
    static boolean isPartOfArena(String name) {
        return isArena(name) || name.equals(API) || name.equals(HOOK) || name.equals(SESSION) || name.equals(CONFINED_SESSION);
    }

    /** Has the call sites of a class instrumented soon that is loaded already. */
    void request(Class<?> loaded) {
        requests.add(loaded);
        LockSupport.unpark(worker);
    }

    /** Waits up to {@code nanos} for requests, and does what they ask for. */
    void await(long nanos) {
        worker = Thread.currentThread();
        if (requests.isEmpty()) {
            LockSupport.parkNanos(nanos);
        }
        Set<Class<?>> classes = new HashSet<>();
        for (Class<?> requested = requests.poll(); requested != null; requested = requests.poll()) {
            if (classes.add(requested) && instrumentation.isModifiableClass(requested)) {
                retransform(requested);
            }
        }
    }

    private void retransform(Class<?> loaded) {
        try {
            instrumentation.retransformClasses(loaded);
        } catch (UnmodifiableClassException | RuntimeException | LinkageError | InternalError e) {
            if (isArena(loaded.getName().replace('.', '/'))) {
                Agent.stop(e.toString());
            } // else it stays as it is
        }
    }
}
