/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.histogram;

/**
 * A Java virtual machine whose arenas were recorded.
 *
 * @param started  when it began, in ISO 8601
 * @param written  when its histogram was written, in ISO 8601
 * @param finished whether that was at the end of it or of the recording; otherwise both went on, or it was killed
 * @param attached whether recording began when it was running already; arenas opened before are missing
 * @param cpuMillis the processor time of the process while it was recorded, with what recording took; 0 if that is not known
 * @param sites    of how many arenas one had its site looked for; 0 for none
 */
public record RecordedJvm(String host, long pid, String started, String written, boolean finished, boolean attached, int sites,
                  long cpuMillis, String java, String program) {

    public String id() {
        return host + " " + pid + " " + started;
    }
}
