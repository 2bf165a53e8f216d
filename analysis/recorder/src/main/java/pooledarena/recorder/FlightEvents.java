/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import pooledarena.histogram.*;

import java.lang.ref.SoftReference;
import java.util.List;
import java.util.Set;

import module jdk.jfr;

/**
 * The rows of the histogram as periodic events of Flight Recorder, with the file's columns. Each has the total until then. So,
 * unless a recording sets another period, they come at the end of every chunk only. The first recording that starts registers
 * them.
 */
final class FlightEvents implements FlightRecorderListener {

    private static final Set<String> IN_WORDS = Set.of("site", "closing");

    /** Whose rows they are: the last one's, also when that has ended, but then it must not keep the program's threads for ever. */
    private static volatile SoftReference<Recorder> latest;

    static void offer(Recorder recorder) {
        boolean isFirst = latest == null;
        latest = new SoftReference<>(recorder);
        if (isFirst) {
            FlightRecorder.addListener(new FlightEvents());
        }
    }

    @Override
    public void recorderInitialized(FlightRecorder flightRecorder) {
        List<AnnotationElement> annotations = List.of(
                new AnnotationElement(Name.class, "pooledarena.ConfinedArenaShape"),
                new AnnotationElement(Category.class, new String[] {"Pooled Confined Arena"}),
                new AnnotationElement(Period.class, "endChunk"), new AnnotationElement(StackTrace.class, false));
        EventFactory events = EventFactory.create(annotations, HistogramWriter.COLUMNS.stream()
                .map(name -> new ValueDescriptor(IN_WORDS.contains(name) ? String.class : long.class, name)).toList());
        FlightRecorder.addPeriodicEvent(events.newEvent().getClass(), () -> {
            Recorder recorder = latest.get();
            if (recorder != null && events.getEventType().isEnabled()) {
                recorder.forEachRow((shape, tally) -> commit(events.newEvent(), shape, tally));
            }
        });
    }

    private static void commit(Event event, Shape shape, Tally tally) {
        Site site = shape.site();
        long[] row = HistogramWriter.row(0, shape, tally);
        for (int i = 0; i < HistogramWriter.COLUMNS.size(); i++) {
            event.set(i, switch (HistogramWriter.COLUMNS.get(i)) {
                case "site" -> site == null ? null : site.frame();
                case "closing" -> shape.closing().name();
                default -> row[i];
            });
        }
        event.commit();
    }
}
