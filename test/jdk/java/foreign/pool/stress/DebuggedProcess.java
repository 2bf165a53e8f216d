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

import com.sun.jdi.Bootstrap;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.request.ClassPrepareRequest;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.util.Map;

/**
 * A virtual machine that a test debugs. It does what it is told to on its standard input, and first prints {@code ready}. Its main class
 * has the exception that is thrown into its threads, in the static field EXCEPTION.
 */
final class DebuggedProcess implements AutoCloseable {

    final VirtualMachine vm;
    final ObjectReference exception;
    private final BufferedReader out;
    private final BufferedWriter in;

    /**
     * Starts the process.
     *
     * @param options of the virtual machine, beside those that all have
     * @param arguments of the main method
     */
    DebuggedProcess(Class<?> main, String options, String arguments) throws Exception {
        LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
        Map<String, Connector.Argument> connectorArguments = connector.defaultArguments();
        connectorArguments.get("home").setValue(System.getProperty("java.home"));
        connectorArguments.get("options").setValue(System.getProperty("test.vm.opts", "") + " " + System.getProperty("test.java.opts", "")
                + " -cp \"" + System.getProperty("java.class.path") + "\" -Xmx256m -XX:NativeMemoryTracking=summary"
                + " --enable-native-access=ALL-UNNAMED --add-exports=java.base/jdk.internal.misc=ALL-UNNAMED"
                + " -Djdk.foreign.confinedPool.size=256 -Djdk.foreign.confinedPool.depth=3 " + options);
        connectorArguments.get("main").setValue(main.getName() + " " + arguments);
        vm = connector.launch(connectorArguments);
        out = vm.process().inputReader();
        in = vm.process().outputWriter();
        try {
            BufferedReader err = vm.process().errorReader();
            Thread.ofPlatform().daemon().start(() -> err.lines().forEach(System.err::println));
            // The process is stopped before main: let it go as far as its class is there.
            ClassPrepareRequest request = vm.eventRequestManager().createClassPrepareRequest();
            request.addClassFilter(main.getName());
            request.enable();
            for (boolean prepared = false; !prepared; ) {
                EventSet events = vm.eventQueue().remove();
                prepared = events.stream().anyMatch(event -> event instanceof ClassPrepareEvent);
                events.resume();
            }
            expect("ready");
            ReferenceType type = vm.classesByName(main.getName()).get(0);
            exception = (ObjectReference) type.getValue(type.fieldByName("EXCEPTION"));
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    void say(String line) throws IOException {
        in.write(line);
        in.newLine();
        in.flush();
    }

    /** Reads the line that the process must print next. If the process crashes instead, prints what it says about that. */
    void expect(String expected) throws IOException {
        String line = out.readLine();
        if (line != null && line.startsWith("#")) {
            out.lines().forEach(System.out::println);
        }
        Stress.check(expected.equals(line), "the debugged process said " + line + " instead of " + expected);
    }

    /** Lets the process end, and prints what it reports. */
    void quit() throws IOException, InterruptedException {
        say("quit");
        out.lines().forEach(System.out::println);
        Stress.check(vm.process().waitFor() == 0, "the debugged process failed");
    }

    @Override
    public void close() {
        vm.process().destroyForcibly();
    }
}
