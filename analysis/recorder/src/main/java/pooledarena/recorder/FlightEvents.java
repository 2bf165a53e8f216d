/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import pooledarena.histogram.HistogramWriter;
import pooledarena.histogram.Shape;
import pooledarena.histogram.Site;
import pooledarena.histogram.Tally;

import java.util.List;

import module jdk.jfr;

/**
 * The rows of the histogram as periodic events of Flight Recorder, with the file's columns. Unless a recording sets another period,
 * they come with every chunk, so that a recording has them at its end. Registered when somebody starts the first recording.
 */
record FlightEvents(Recorder recorder, Output output) implements FlightRecorderListener {

    static void offer(Recorder recorder, Output output) {
        FlightRecorder.addListener(new FlightEvents(recorder, output));
    }

    @Override
    public void recorderInitialized(FlightRecorder flightRecorder) {
        EventFactory events = EventFactory.create(
                List.of(new AnnotationElement(Name.class, "pooledarena.ConfinedArenaShape"),
                        new AnnotationElement(Category.class, new String[] {"Pooled Confined Arena"}),
                        new AnnotationElement(Period.class, "everyChunk"), new AnnotationElement(StackTrace.class, false)),
                HistogramWriter.COLUMNS.stream().map(column -> new ValueDescriptor(
                        column.equals("site") || column.equals("closing") ? String.class : long.class, column)).toList());
        FlightRecorder.addPeriodicEvent(events.newEvent().getClass(), () -> {
            if (events.getEventType().isEnabled()) {
                recorder.histogram(output.jvm()).rows().forEach((shape, tally) -> commit(events.newEvent(), shape, tally));
            }
        });
    }

    private static void commit(Event event, Shape shape, Tally tally) {
        Site site = shape.site();
        long[] row = HistogramWriter.row(0, shape, tally);
        for (int i = 0; i < HistogramWriter.COLUMNS.size(); i++) {
            event.set(i, switch (HistogramWriter.COLUMNS.get(i)) {
                case "site" -> site == null ? null : site.className() + "." + site.method() + ":" + site.line();
                case "closing" -> shape.closing().name();
                default -> row[i];
            });
        }
        event.commit();
    }
}
