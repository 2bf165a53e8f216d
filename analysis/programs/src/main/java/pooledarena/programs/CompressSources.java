/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.programs;

import org.elasticsearch.foreign.CloseableByteBuffer;
import org.elasticsearch.logging.Level;
import org.elasticsearch.logging.Logger;
import org.elasticsearch.logging.internal.spi.LoggerFactory;
import org.elasticsearch.nativeaccess.NativeAccess;
import org.elasticsearch.nativeaccess.Zstd;

import java.lang.reflect.Proxy;
import module java.base;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * What a store of documents does: compresses the Java files of {@code java.base} in pages of 4 KiB with Elasticsearch's binding
 * of Zstandard, and reads each page back. Input and output of each call are confined buffers of the binding.
 */
final class CompressSources {

    private static final int PAGE = 4096;
    private static final int ROUNDS = 10;
    private static final int LEVEL = 1;

    /** @param args the JDK's {@code src.zip}, and the directory of the shared object of Zstandard */
    public static void main(String[] args) {
        System.setProperty("es.nativelibs.path", args[1]);
        System.setProperty("org.elasticsearch.nativeaccess.enableVectorLibrary", "false");
        LoggerFactory.setInstance(new Silence());
        NativeAccess access = NativeAccess.instance();
        long bytes = 0;
        long compressed = 0;
        for (int round = 0; round < ROUNDS; round++) {
            for (SourceFile file : SourceFile.of(args[0])) {
                byte[] text = file.text().getBytes(UTF_8);
                for (int from = 0; from < text.length; from += PAGE) {
                    int length = Math.min(PAGE, text.length - from);
                    byte[] page = compress(access, text, from, length);
                    if (!decompress(access, page, length).equals(ByteBuffer.wrap(text, from, length))) {
                        throw new IllegalStateException(file.name() + ": page at " + from);
                    }
                    bytes += length;
                    compressed += page.length;
                }
            }
        }
        System.out.println(bytes + " bytes compressed to " + compressed);
    }

    private static byte[] compress(NativeAccess access, byte[] text, int from, int length) {
        Zstd zstd = access.getZstd();
        try (CloseableByteBuffer source = access.newConfinedBuffer(length);
             CloseableByteBuffer target = access.newConfinedBuffer(zstd.compressBound(length))) {
            source.buffer().put(text, from, length).flip();
            byte[] result = new byte[zstd.compress(target, source, LEVEL)];
            target.buffer().get(result);
            return result;
        }
    }

    private static ByteBuffer decompress(NativeAccess access, byte[] page, int length) {
        try (CloseableByteBuffer source = access.newConfinedBuffer(page.length);
             CloseableByteBuffer target = access.newConfinedBuffer(length)) {
            source.buffer().put(page).flip();
            byte[] result = new byte[access.getZstd().decompress(target, source)];
            target.buffer().get(result);
            return ByteBuffer.wrap(result);
        }
    }

    /** The binding needs a logger. */
    private static final class Silence extends LoggerFactory {

        private static final Logger LOGGER = (Logger) Proxy.newProxyInstance(Silence.class.getClassLoader(),
                new Class<?>[] {Logger.class}, (_, method, _) -> method.getReturnType() == boolean.class ? Boolean.FALSE : null);

        @Override
        public Logger getLogger(String name) {
            return LOGGER;
        }

        @Override
        public Logger getLogger(Class<?> type) {
            return LOGGER;
        }

        @Override
        public void setRootLevel(Level level) {
        }

        @Override
        public Level getRootLevel() {
            return Level.OFF;
        }
    }
}
