/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */

import module java.base;

/** Replaces the running {@code java} with one that has the patched classes in {@code java.base}. */
final class Exec {

    private static final Charset NATIVE = Charset.forName(System.getProperty("native.encoding"));

    /** Returns, with status 1, only when the system does not let it. */
    static void patched(Path jar, String[] args) throws IOException {
        List<String> command = commandLine();
        List<String> patch = List.of("--patch-module", "java.base=" + jar);
        // Options that stand before the argument file are kept.
        int argumentFile = IntStream.range(1, command.size())
                .filter(i -> command.get(i).startsWith("@") && command.get(i).endsWith("pooled.args")).findFirst().orElse(-1);
        if (argumentFile > 0) {
            command.remove(argumentFile);
            command.addAll(argumentFile, patch);
        } else {
            command.subList(1, command.size()).clear();
            command.addAll(patch);
            command.addAll(List.of(args));
        }
        command.set(0, Path.of(System.getProperty("java.home"), "bin", "java").toString());
        exec(command);
        System.err.println("pooled.args: " + command.getFirst() + " could not be started");
        System.exit(1);
    }

    /** The command line of this process as it was given; of an empty name alone where the system does not tell. */
    private static List<String> commandLine() throws IOException {
        Path linux = Path.of("/proc/self/cmdline");
        if (!Files.exists(linux)) {
            var arguments = ProcessHandle.current().info().arguments().orElse(new String[0]);
            return Stream.concat(Stream.of(""), Stream.of(arguments)).collect(Collectors.toCollection(ArrayList::new));
        }
        // Each argument ends with a zero; the limit keeps empty ones, of which the last is none.
        List<String> arguments = new ArrayList<>(List.of(new String(Files.readAllBytes(linux), NATIVE).split("\0", -1)));
        arguments.removeLast();
        return arguments;
    }

    private static void exec(List<String> command) {
        Linker linker = Linker.nativeLinker();
        MethodHandle execv = linker.downcallHandle(linker.defaultLookup().findOrThrow("execv"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment arguments = arena.allocate(ValueLayout.ADDRESS, command.size() + 1);
            for (int i = 0; i < command.size(); i++) {
                arguments.setAtIndex(ValueLayout.ADDRESS, i, arena.allocateFrom(command.get(i), NATIVE));
            }
            int status = (int) execv.invokeExact(arguments.get(ValueLayout.ADDRESS, 0), arguments);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
