/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

/** A JVM that is instrumented only in name: it tells what it has been asked for. */
final class Instrumented {

    final List<Class<?>> loaded = new ArrayList<>();
    final List<Class<?>> retransformed = new ArrayList<>();
    final List<ClassFileTransformer> transformers = new ArrayList<>();

    /** Which class cannot be retransformed. */
    Class<?> refused;

    final Instrumentation instrumentation = (Instrumentation) Proxy.newProxyInstance(getClass().getClassLoader(),
            new Class<?>[] {Instrumentation.class}, (_, method, arguments) -> {
                switch (method.getName()) {
                    case "addTransformer" -> transformers.add((ClassFileTransformer) arguments[0]);
                    case "getAllLoadedClasses" -> {
                        return loaded.toArray(Class<?>[]::new);
                    }
                    case "retransformClasses" -> {
                        for (Class<?> type : (Class<?>[]) arguments[0]) {
                            if (type == refused) {
                                throw new InternalError("refused");
                            }
                            retransformed.add(type);
                        }
                    }
                    default -> throw new AssertionError(method);
                }
                return null;
            });

    static byte[] bytes(Class<?> type) throws IOException {
        try (var stream = type.getResourceAsStream("/" + type.getName().replace('.', '/') + ".class")) {
            return stream.readAllBytes();
        }
    }

    /** {@return the class defined anew, of those bytes} */
    static Class<?> define(byte[] bytes) {
        return new ClassLoader(Instrumented.class.getClassLoader()) {
            Class<?> define() {
                return defineClass(null, bytes, 0, bytes.length);
            }
        }.define();
    }
}
