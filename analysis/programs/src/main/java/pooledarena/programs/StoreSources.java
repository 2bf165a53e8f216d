/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.programs;

import module java.base;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A service that keeps its data in RocksDB: stores each line of {@code java.base} under file and line number, then serves
 * requests on platform threads and on virtual ones, of which eight of ten read a line, one a page of twenty, one writes or
 * removes.
 */
final class StoreSources {

    private static final int REQUESTS = 1_000_000;
    private static final int CLIENTS = 1_000;

    /** @param args the JDK's {@code src.zip}, RocksDB's shared object, and a directory for the database */
    public static void main(String[] args) throws InterruptedException, ExecutionException {
        List<SourceFile> files = SourceFile.of(args[0]);
        LongAdder lines = new LongAdder();
        LongAdder bytes = new LongAdder();
        try (RocksDb db = new RocksDb(Path.of(args[1]), Path.of(args[2]))) {
            for (SourceFile file : files) {
                int number = 0;
                for (String line : (Iterable<String>) file.text().lines()::iterator) {
                    db.put(key(file, number++), line.getBytes(UTF_8));
                }
                lines.add(number);
            }
            serve(db, files, Executors.newFixedThreadPool(8), bytes);
            serve(db, files, Executors.newVirtualThreadPerTaskExecutor(), bytes);
        }
        System.out.println(lines + " lines stored, " + 2 * REQUESTS + " requests served, " + bytes + " bytes read");
    }

    private static void serve(RocksDb db, List<SourceFile> files, ExecutorService threads, LongAdder bytes)
            throws InterruptedException, ExecutionException {
        IntFunction<Callable<Void>> client = number -> () -> {
            RandomGenerator random = new SplittableRandom(number); // each run serves the same requests
            for (int i = 0; i < REQUESTS / CLIENTS; i++) {
                byte[] key = key(files.get(random.nextInt(files.size())), random.nextInt(200));
                request(db, key, random.nextInt(10), bytes);
            }
            return null;
        };
        try (threads) {
            for (Future<Void> served : threads.invokeAll(IntStream.range(0, CLIENTS).mapToObj(client).toList())) {
                served.get();
            }
        }
    }

    private static void request(RocksDb db, byte[] key, int kind, LongAdder bytes) {
        switch (kind) {
            case 0 -> db.range(key, 20, (name, line) -> bytes.add(line.length));
            case 1 -> {
                byte[] line = db.get(key);
                if (line == null) {
                    db.put(key, "// here was nothing".getBytes(UTF_8));
                } else {
                    db.delete(key);
                }
            }
            default -> {
                byte[] line = db.get(key);
                if (line != null) {
                    bytes.add(line.length);
                }
            }
        }
    }

    /** {@return the name, a zero byte, and the number with its highest byte first, so that keys are sorted as lines are} */
    private static byte[] key(SourceFile file, int line) {
        byte[] name = file.name().getBytes(UTF_8);
        return ByteBuffer.allocate(name.length + 5).put(name).put((byte) 0).putInt(line).array();
    }
}
