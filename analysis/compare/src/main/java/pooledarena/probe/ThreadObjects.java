/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.probe;

import javax.management.JMException;
import javax.management.ObjectName;
import java.lang.management.ManagementFactory;
import module java.base;

/**
 * Prints sizes of live objects in bytes, from the virtual machine's own class histogram: of a
 * {@code platform} thread's object with its field holder, of a {@code virtual} thread's object, and of
 * what stays on the heap for a platform thread that used one {@code arena}. Not with JOL, which walks from objects that it
 * is given: what an arena leaves may hang anywhere, and the way there is closed without options that change the process.
 */
public final class ThreadObjects {

    private static final int THREADS = 1000;
    private static final Pattern LINE = Pattern.compile("(?m)^ *\\d+: +(\\d+) +(\\d+) +(\\S+)");

    record Objects(long instances, long bytes) {}

    private ThreadObjects() {}

    public static void main(String[] args) throws InterruptedException, JMException {
        ParkedThreads threads = ParkedThreads.withOneArena(THREADS, 16, 2_000);
        Thread virtual = Thread.ofVirtual().unstarted(() -> { });
        histogram(); // the first leaves objects of its own
        Map<String, Objects> before = histogram();
        threads.work();
        Map<String, Objects> after = histogram();
        System.out.println("platform " + (each(before, "java.lang.Thread") + each(before, "java.lang.Thread$FieldHolder")));
        System.out.println("virtual " + each(before, virtual.getClass().getName()));
        System.out.println("arena " + perThread(before, after, THREADS));
    }

    private static Map<String, Objects> histogram() throws JMException {
        return parse((String) ManagementFactory.getPlatformMBeanServer().invoke(
                new ObjectName("com.sun.management:type=DiagnosticCommand"), "gcClassHistogram",
                new Object[] {new String[0]}, new String[] {String[].class.getName()}));
    }

    /** {@return the classes of {@code histogram}, the text of the command GC.class_histogram} */
    static Map<String, Objects> parse(String histogram) {
        Map<String, Objects> classes = new HashMap<>();
        LINE.matcher(histogram).results().forEach(line ->
                classes.put(line.group(3), new Objects(Long.parseLong(line.group(1)), Long.parseLong(line.group(2)))));
        return classes;
    }

    /** {@return the size of an instance of the class, of which there must be one} */
    static long each(Map<String, Objects> histogram, String className) {
        Objects objects = histogram.get(className);
        return objects.bytes / objects.instances;
    }

    /** {@return the growth for each of {@code threads}, in classes that got at least one instance for each} */
    static long perThread(Map<String, Objects> before, Map<String, Objects> after, int threads) {
        Objects none = new Objects(0, 0);
        return after.keySet().stream()
                .filter(name -> after.get(name).instances - before.getOrDefault(name, none).instances >= threads)
                .mapToLong(name -> after.get(name).bytes - before.getOrDefault(name, none).bytes).sum() / threads;
    }
}
