/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.programs;

import io.github.jwharm.javagi.base.Out;
import org.freedesktop.gstreamer.gst.Bin;
import org.freedesktop.gstreamer.gst.Buffer;
import org.freedesktop.gstreamer.gst.Element;
import org.freedesktop.gstreamer.gst.Gst;
import org.freedesktop.gstreamer.gst.MessageType;
import org.freedesktop.gstreamer.gst.Pad;
import org.freedesktop.gstreamer.gst.State;

import module java.base;

/** A codec: GStreamer encodes a tone as Vorbis, and the program takes each packet and its times, as one that streams them does. */
final class EncodeTones {

    private static final String PIPELINE = "audiotestsrc num-buffers=20000 samplesperbuffer=1024 ! vorbisenc "
            + "! fakesink name=end signal-handoffs=true";

    private final LongAdder packets = new LongAdder();
    private final LongAdder bytes = new LongAdder();

    public static void main(String[] args) throws Exception {
        Gst.init(new Out<>(new String[0]));
        EncodeTones tones = new EncodeTones();
        Bin pipeline = (Bin) Gst.parseLaunch(PIPELINE);
        pipeline.getByName("end").connect("handoff", (Handoff) tones::take);
        pipeline.setState(State.PLAYING);
        var end = pipeline.getBus().timedPopFiltered(Gst.CLOCK_TIME_NONE, Set.of(MessageType.EOS, MessageType.ERROR));
        boolean encoded = end.readType().contains(MessageType.EOS);
        pipeline.setState(State.NULL);
        if (!encoded) {
            throw new IllegalStateException("GStreamer cannot run " + PIPELINE);
        }
        System.out.println(tones.packets + " packets, " + tones.bytes + " bytes");
    }

    /** A handler of the signal of that name. */
    @FunctionalInterface
    public interface Handoff {
        void run(Element end, Buffer packet, Pad pad);
    }

    private void take(Element end, Buffer packet, Pad pad) {
        Out<byte[]> content = new Out<>();
        packet.extractDup(0, packet.getSize(), content);
        packets.increment();
        bytes.add(content.get().length);
    }
}
