/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import pooledarena.histogram.Closing;
import pooledarena.histogram.Histogram;

import module jdk.jfr;

/**
 * The histogram as periodic events of Flight Recorder: one for all arenas together, and one for each row. Unless a recording
 * sets another period, they come with every chunk, so that a recording has them at its end.
 */
record FlightEvents(Recorder recorder, Output output) implements FlightRecorderListener {

    @Name("pooledarena.ConfinedArenas")
    @Label("Confined Arenas")
    @Category("Pooled Confined Arena")
    @Period("everyChunk")
    @StackTrace(false)
    static final class Totals extends Event {
        @Label("Arenas") long arenas;
        @Label("Arenas Without Bytes") long emptyArenas;
        @Label("Unclosed Arenas") long unclosedArenas;
        @Label("Arenas of Virtual Threads") long virtualArenas;
        @Label("Allocations") long allocations;
        @Label("Bytes") @DataAmount long bytes;
        @Label("Dropped Arenas") @Description("Arenas in no row") long droppedArenas;
        @Label("Failures") @Description("How often the recorder failed") long failures;
    }

    @Name("pooledarena.ConfinedArenaShape")
    @Label("Confined Arena Shape")
    @Category("Pooled Confined Arena")
    @Period("everyChunk")
    @StackTrace(false)
    static final class Row extends Event {
        @Label("Class") String className;
        @Label("Method") String method;
        @Label("Line") int line;
        @Label("Virtual") boolean virtual;
        @Label("Closing") String closing;
        @Label("Open Before") int openBefore;
        @Label("Kept") @Description("How many free slots must be kept for each; 0 if no number would do") int kept;
        @Label("Bytes of Each") @DataAmount long bytes;
        @Label("Slot Bytes of Each") @DataAmount long slotBytes;
        @Label("Allocations of Each") long allocations;
        @Label("First Allocation") @DataAmount long first;
        @Label("Largest Allocation") @DataAmount long largest;
        @Label("Largest Alignment") long alignment;
        @Label("Exact") boolean exact;
        @Label("Arenas") long arenas;
        @Label("Sum of Bytes") @DataAmount long sumOfBytes;
        @Label("Sum of Allocations") long sumOfAllocations;
    }

    /** Registers the events now or when somebody starts the first recording. */
    static void offer(Recorder recorder, Output output) {
        FlightRecorder.addListener(new FlightEvents(recorder, output));
    }

    @Override
    public void recorderInitialized(FlightRecorder flightRecorder) {
        FlightRecorder.addPeriodicEvent(Totals.class, this::totals);
        FlightRecorder.addPeriodicEvent(Row.class, this::rows);
    }

    private void totals() {
        Totals event = new Totals();
        if (!event.isEnabled()) {
            return;
        }
        Histogram histogram = recorder.histogram(output.jvm());
        histogram.rows().forEach((shape, tally) -> {
            event.arenas += tally.arenas();
            event.emptyArenas += shape.bytes() == 0 ? tally.arenas() : 0;
            event.unclosedArenas += shape.closing() == Closing.UNCLOSED ? tally.arenas() : 0;
            event.virtualArenas += shape.virtual() ? tally.arenas() : 0;
            event.allocations += tally.allocations();
            event.bytes += tally.bytes();
        });
        event.droppedArenas = histogram.dropped().arenas();
        event.failures = histogram.dropped().failures();
        event.commit();
    }

    private void rows() {
        if (!new Row().isEnabled()) {
            return;
        }
        recorder.histogram(output.jvm()).rows().forEach((shape, tally) -> {
            Row event = new Row();
            if (shape.site() != null) {
                event.className = shape.site().className();
                event.method = shape.site().method();
                event.line = shape.site().line();
            }
            event.virtual = shape.virtual();
            event.closing = shape.closing().name();
            event.openBefore = shape.openBefore();
            event.kept = shape.kept();
            event.bytes = shape.bytes();
            event.slotBytes = shape.slotBytes();
            event.allocations = shape.allocations();
            event.first = shape.first();
            event.largest = shape.largest();
            event.alignment = shape.alignment();
            event.exact = shape.exact();
            event.arenas = tally.arenas();
            event.sumOfBytes = tally.bytes();
            event.sumOfAllocations = tally.allocations();
            event.commit();
        });
    }
}
