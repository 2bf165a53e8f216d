/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * DO NOT ALTER OR REMOVE COPYRIGHT NOTICES OR THIS FILE HEADER.
 *
 * This code is free software; you can redistribute it and/or modify it
 * under the terms of the GNU General Public License version 2 only, as
 * published by the Free Software Foundation.  The authors designate this
 * particular file as subject to the "Classpath" exception as provided
 * in the LICENSE file that accompanied this code.
 *
 * This code is distributed in the hope that it will be useful, but WITHOUT
 * ANY WARRANTY; without even the implied warranty of MERCHANTABILITY or
 * FITNESS FOR A PARTICULAR PURPOSE.  See the GNU General Public License
 * version 2 for more details (a copy is included in the LICENSE file that
 * accompanied this code).
 *
 * You should have received a copy of the GNU General Public License version
 * 2 along with this work; if not, write to the Free Software Foundation,
 * Inc., 51 Franklin St, Fifth Floor, Boston, MA 02110-1301 USA.
 */

/*
 * @test
 * @summary No object of a thread is larger than in the stock JDK, but by 8 bytes where its layout has no room
 * @modules java.base/java.lang:open
 *          java.base/jdk.internal.misc
 *          jdk.management
 * @build JavaProcess
 * @run testng TestConfinedPoolThreadSize
 */

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.invoke.MethodHandles;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.sun.management.ThreadMXBean;
import jdk.internal.misc.Unsafe;
import org.testng.SkipException;
import org.testng.annotations.*;

import static org.testng.Assert.*;

/**
 * In virtual machines with several layouts of objects, what only platform threads have is compared with an object of the same fields but
 * the pool's. From release 28 on the stock JDK has a field there for a pool of its own. {@code Thread} itself, into which the virtual
 * machine puts fields, has none of a pool. With {@code -Dpool.stress.stock=DIR}, an unpatched JDK of the same build, all objects are
 * compared with those of that JDK, too, whatever the names of their fields are.
 */
public class TestConfinedPoolThreadSize {

    private static final String HOLDER = "java.lang.Thread$FieldHolder";

    @DataProvider
    public static Object[][] layouts() {
        return new Object[][] {
            {"-XX:+UseG1GC"},
            {"-XX:+UseSerialGC"},
            {"-XX:+UseZGC"},
            {"-XX:-UseCompressedOops"},
            {"-XX:-UseCompactObjectHeaders"},
            {"-XX:+UseCompactObjectHeaders"},
            {"-XX:+UseCompactObjectHeaders -XX:+UseZGC"},
            {"-XX:ObjectAlignmentInBytes=16"},
        };
    }

    @Test(dataProvider = "layouts")
    public void threadsDoNotGrow(String layout) throws Exception {
        Map<String, Integer> sizes = sizes(JavaProcess.TESTED_JDK, layout, "" + growth(layout));
        String stock = System.getProperty("pool.stress.stock");
        if (stock != null && System.getProperty("test.vm.opts", "").isEmpty()) { // these may change the layout
            Map<String, Integer> expected = sizes(Path.of(stock), layout);
            assertEquals(sizes.keySet(), expected.keySet());
            sizes.forEach((type, size) -> assertTrue(size - expected.get(type) <= (type.equals(HOLDER) ? growth(layout) : 0),
                    type + " has " + size + " bytes, in the stock JDK " + expected.get(type)));
        }
    }

    /** {@return the bytes of each object of a thread, by the names of their classes} */
    private static Map<String, Integer> sizes(Path jdk, String layout, String... growth) throws Exception {
        JavaProcess process = JavaProcess.run(jdk, Stream.of(
                Stream.of("-XX:+UnlockExperimentalVMOptions", "-Xint", "-Xmx64m", "--add-opens=java.base/java.lang=ALL-UNNAMED",
                        "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED"),
                Stream.of(layout.split(" "))).flatMap(options -> options).toList(),
                Stream.concat(Stream.of(Sizes.class.getName()), Stream.of(growth)).toArray(String[]::new));
        List<String> lines = Stream.concat(process.out().stream(), process.err().stream()).toList();
        if (lines.stream().anyMatch(line -> line.startsWith("Unrecognized") || line.startsWith("Conflicting")
                || line.contains("Multiple garbage collectors") || line.startsWith("Option") && line.endsWith("not supported"))) {
            throw new SkipException("this JDK, or this run's options, have no such layout: " + lines);
        }
        lines.forEach(System.out::println);
        assertEquals(process.status(), 0, lines.toString());
        // Without continuations a virtual thread has a FieldHolder, too.
        return lines.stream().distinct().filter(line -> line.matches("\\S+ has \\d+ bytes")).map(line -> line.split(" "))
                .collect(Collectors.toMap(words -> words[0], words -> Integer.valueOf(words[2])));
    }

    // In these layouts FieldHolder has no room for a reference. JDK 27 has compact headers by default, and a further field. JDK 28
    // has a reference of its own there.
    private static int growth(String layout) {
        int feature = Runtime.version().feature();
        boolean full = layout.contains("ZGC") || layout.contains("-UseCompressedOops") || layout.contains("+UseCompactObjectHeaders")
                || feature == 27 && !layout.contains("-UseCompactObjectHeaders");
        int alignment = layout.contains("ObjectAlignmentInBytes=16") ? 16 : 8;
        return full && feature < 28 ? alignment : 0;
    }

    /** Prints the sizes. Compares them with what is expected if its argument says by how many bytes threads may grow. */
    static final class Sizes {

        private static final int COUNT = 10_000;

        public static void main(String[] args) throws Exception {
            for (Thread thread : List.of(new Thread(), Thread.ofVirtual().unstarted(() -> {}))) {
                print(thread.getClass());
                for (Class<?> type = thread.getClass(); type != Object.class; type = type.getSuperclass()) {
                    for (Field field : instanceFields(type)) {
                        check(args.length == 0 || !isOfPool(field), field + " is in each thread");
                    }
                }
                Field field = Thread.class.getDeclaredField("holder");
                field.setAccessible(true);
                Object holder = field.get(thread);
                if (holder != null) {
                    long size = print(holder.getClass());
                    long growth = args.length == 0 ? 0 : size - size(asInStock(holder.getClass()));
                    check(args.length == 0 || growth <= Integer.parseInt(args[0]), "threads grow by " + growth + " bytes");
                }
            }
        }

        private static long print(Class<?> type) throws InstantiationException {
            long size = size(type);
            System.out.println(type.getName() + " has " + size + " bytes");
            return size;
        }

        private static void check(boolean holds, String message) {
            if (!holds) {
                throw new AssertionError(message);
            }
        }

        private static boolean isOfPool(Field field) {
            String name = field.getType().getName() + field.getName();
            return name.contains("jdk.internal.foreign") || name.toLowerCase(Locale.ROOT).contains("confined");
        }

        private static List<Field> instanceFields(Class<?> type) {
            return Arrays.stream(type.getDeclaredFields()).filter(field -> !Modifier.isStatic(field.getModifiers())).toList();
        }

        /** {@return a class whose objects have the fields that they have in the stock JDK} */
        private static Class<?> asInStock(Class<?> type) throws IllegalAccessException {
            check(type.getSuperclass() == Object.class, type + " has a superclass");
            return MethodHandles.lookup().defineHiddenClass(ClassFile.of().build(ClassDesc.of("Copy"), builder -> {
                instanceFields(type).stream().filter(field -> !isOfPool(field)).forEach(field -> addField(builder, field));
                if (Runtime.version().feature() >= 28) {
                    builder.withField("ownPool", ConstantDescs.CD_Object, 0); // which the patch replaces
                }
            }), false).lookupClass();
        }

        private static void addField(ClassBuilder builder, Field field) {
            Class<?> type = field.getType();
            ClassDesc copied = type.isPrimitive() ? type.describeConstable().orElseThrow() : ConstantDescs.CD_Object;
            builder.withField(field.getName(), copied, 0);
        }

        /** {@return the bytes that one object takes} */
        private static long size(Class<?> type) throws InstantiationException {
            ThreadMXBean bean = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            Object[] objects = new Object[COUNT];
            Unsafe unsafe = Unsafe.getUnsafe();
            unsafe.allocateInstance(type);
            long before = bean.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < COUNT; i++) {
                objects[i] = unsafe.allocateInstance(type);
            }
            long allocated = bean.getCurrentThreadAllocatedBytes() - before;
            return Math.round((double) allocated / COUNT);
        }
    }
}
