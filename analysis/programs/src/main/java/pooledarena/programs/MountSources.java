/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.programs;

import org.cryptomator.jfuse.api.DirFiller;
import org.cryptomator.jfuse.api.Errno;
import org.cryptomator.jfuse.api.FileInfo;
import org.cryptomator.jfuse.api.Fuse;
import org.cryptomator.jfuse.api.FuseBuilder;
import org.cryptomator.jfuse.api.FuseOperations;
import org.cryptomator.jfuse.api.Stat;

import module java.base;

import static java.nio.charset.StandardCharsets.UTF_8;

/** A file system in user space: mounts the Java files of {@code java.base}, which another process lists, measures and reads. */
final class MountSources implements FuseOperations {

    private static final int LISTINGS = 40;

    private final Errno errno;
    private final Map<String, byte[]> files = new HashMap<>();
    private final Map<String, Set<String>> directories = new HashMap<>();

    private MountSources(Errno errno, String zip) {
        this.errno = errno;
        for (SourceFile file : SourceFile.of(zip)) {
            String path = "/" + file.name();
            files.put(path, file.text().getBytes(UTF_8));
            for (int slash; (slash = path.lastIndexOf('/')) >= 0; path = path.substring(0, slash)) {
                directories.computeIfAbsent(slash == 0 ? "/" : path.substring(0, slash), _ -> new TreeSet<>())
                        .add(path.substring(slash + 1));
            }
        }
    }

    /** @param args the JDK's {@code src.zip}, an empty directory, and FUSE's shared object */
    public static void main(String[] args) throws Exception {
        FuseBuilder builder = Fuse.builder();
        MountSources sources = new MountSources(builder.errno(), args[0]);
        builder.setLibraryPath(args[2]);
        try (Fuse fuse = builder.build(sources)) {
            fuse.mount("sources", Path.of(args[1]), "-s");
            for (int i = 0; i < LISTINGS; i++) {
                run("find", args[1], "-size", "+1000");
            }
            run("grep", "-r", "-c", "MemorySegment", args[1]);
        }
        System.out.println(sources.files.size() + " files in " + sources.directories.size() + " directories, listed " + LISTINGS
                + " times and read");
    }

    private static void run(String... command) throws IOException, InterruptedException {
        int status = new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT).start().waitFor();
        if (status > 1) {
            throw new IOException(String.join(" ", command) + ": exit status " + status);
        }
    }

    @Override
    public Errno errno() {
        return errno;
    }

    @Override
    public Set<Operation> supportedOperations() {
        return Set.of(Operation.GET_ATTR, Operation.OPEN_DIR, Operation.READ_DIR, Operation.RELEASE_DIR, Operation.OPEN,
                Operation.READ, Operation.RELEASE);
    }

    @Override
    public int getattr(String path, Stat stat, FileInfo info) {
        byte[] bytes = files.get(path);
        if (bytes == null && !directories.containsKey(path)) {
            return -errno.enoent();
        }
        stat.setMode(bytes == null ? Stat.S_IFDIR | 0755 : Stat.S_IFREG | 0444);
        stat.setNLink((short) 1);
        stat.setSize(bytes == null ? 0 : bytes.length);
        return 0;
    }

    @Override
    public int opendir(String path, FileInfo info) {
        return directories.containsKey(path) ? 0 : -errno.enoent();
    }

    @Override
    public int readdir(String path, DirFiller filler, long offset, FileInfo info, int flags) {
        try {
            filler.fill(".");
            filler.fill("..");
            for (String name : directories.get(path)) {
                filler.fill(name);
            }
            return 0;
        } catch (IOException e) {
            return -errno.eio();
        }
    }

    @Override
    public int releasedir(String path, FileInfo info) {
        return 0;
    }

    @Override
    public int open(String path, FileInfo info) {
        return files.containsKey(path) ? 0 : -errno.enoent();
    }

    @Override
    public int read(String path, ByteBuffer target, long size, long offset, FileInfo info) {
        byte[] bytes = files.get(path);
        int length = (int) Math.clamp(bytes.length - offset, 0, size);
        target.put(bytes, (int) Math.min(offset, bytes.length), length);
        return length;
    }

    @Override
    public int release(String path, FileInfo info) {
        return 0;
    }
}
