/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import pooledarena.io.BadInput;
import pooledarena.io.Tool;
import pooledarena.io.WholeFiles;

import module java.base;

/**
 * What arenas cost without and with a slot that holds them, as a comparison has measured it.
 *
 * @param source      where the figures are from
 * @param stock       in the stock JDK
 * @param pooled      where a slot holds all that was allocated
 * @param notResident what a slot that is not the resident one takes longer, in nanoseconds
 * @param carried     what the slot of a virtual thread's carrier takes longer
 * @param byValue     what a call that returns a struct by value takes less with the pool, without an arena of the program
 */
public record Costs(String source, Times stock, Times pooled, double notResident, double carried, double byValue) {

    /**
     * Nanoseconds of processor time by the size of an allocation, and bytes of heap.
     *
     * @param one            of opening an arena, one allocation, and closing
     * @param three          the same with three allocations
     * @param arenaHeap      of an arena in code that is not inlined
     * @param allocationHeap of each allocation beside that
     */
    public record Times(NavigableMap<Long, Double> one, NavigableMap<Long, Double> three, double arenaHeap, double allocationHeap) {

        /** {@return the time of an arena with so many allocations of that size} */
        public double arena(double allocations, double size) {
            double measured = Math.min(size, three.lastKey());
            double further = (at(measured, three) - at(measured, one)) / 2 + at(size, one) - at(measured, one);
            return at(size, one) + Math.max(0, allocations - 1) * Math.max(0, further);
        }

        public double heap(double arenas, double allocations) {
            return arenas * arenaHeap + allocations * allocationHeap;
        }
    }

    /** What a comparison has measured, and where that is from. */
    private record Comparison(String source, JsonNode root) {

        Times times(String jvm, NavigableMap<Long, Double> one) {
            double allocation = first(THREE, jvm, "bytesPerOp") / 3;
            return new Times(one, measured(THREE, jvm, TIME, 1),
                    first("ConfinedArenaEscape.allocateNotInlined", jvm, "bytesPerOp") - allocation, allocation);
        }

        double first(String method, String jvm, String quantity) {
            return measured(method, jvm, quantity, 1).firstEntry().getValue();
        }

        /** {@return what a benchmark gave on one thread of a virtual machine, by size; refused if that is fewer than {@code least}} */
        NavigableMap<Long, Double> measured(String method, String jvm, String quantity, int least) {
            NavigableMap<Long, Double> bySize = new TreeMap<>();
            for (JsonNode each : root.path("measured")) {
                JsonNode what = each.path("what");
                JsonNode figure = each.path("outcome").path(quantity);
                if (what.path("benchmark").asText().endsWith("." + method) && what.path("jvm").asText().equals(jvm)
                        && what.path("threads").asInt() == 1 && what.at("/parameters/arenas").asText("single").equals("single")
                        && figure.isNumber() && figure.asDouble() >= 0 && Double.isFinite(figure.asDouble())) {
                    bySize.put(what.at("/parameters/size").asLong(), figure.asDouble());
                }
            }
            if (bySize.size() < least) {
                throw refused(source, "lacks " + method);
            }
            return bySize;
        }
    }

    private static final String ONE = "ConfinedArenaAlloc.one";
    private static final String THREE = "ConfinedArenaAlloc.three";
    private static final String BY_VALUE = "ConfinedArenaStructReturn.twoRegisters";

    /** Of the process: what other programs do meanwhile changes it less than the time by the clock. */
    private static final String TIME = "cpuNsPerOp";

    private static final String FILE = "costs.json";

    /** {@return the costs that the project's documents have} */
    public static Costs documented() {
        return of("doc/performance/" + FILE, WholeFiles.resource(Costs.class, FILE));
    }

    public static Costs of(Path figures) {
        try {
            return of(figures.toString(), Files.readString(figures));
        } catch (IOException e) {
            throw refused(figures.toString(), "cannot be read (" + Tool.reason(e) + ")");
        }
    }

    private static Costs of(String source, String json) {
        JsonNode root;
        try {
            root = new ObjectMapper().readTree(json);
        } catch (JsonProcessingException e) {
            throw refused(source, "is not JSON");
        }
        Comparison comparison = new Comparison(source, root);
        String stock = root.at("/jvms/0/name").asText();
        String pooled = root.at("/jvms/1/name").asText();
        NavigableMap<Long, Double> slots = new TreeMap<>(comparison.measured(ONE, pooled, TIME, 2)
                .headMap((long) PoolModel.DEFAULT_SIZE, true));
        if (!slots.containsKey((long) PoolModel.DEFAULT_SIZE)) {
            throw refused(source, "lacks " + ONE + " with " + PoolModel.DEFAULT_SIZE + " bytes");
        }
        slots.putAll(comparison.measured("ConfinedArenaSettings.size65536", pooled, TIME, 0).tailMap((long) PoolModel.DEFAULT_SIZE, false));
        double one = slots.firstEntry().getValue();
        double eight = comparison.first("ConfinedArenaNested.eight", pooled, TIME);
        double carried = comparison.first("ConfinedArenaVirtual.allocate", pooled, TIME);
        return new Costs(source, comparison.times(stock, comparison.measured(ONE, stock, TIME, 2)), comparison.times(pooled, slots),
                Math.max(0, (eight - 8 * one) / 7), Math.max(0, carried - one),
                comparison.first(BY_VALUE, stock, TIME) - comparison.first(BY_VALUE, pooled, TIME));
    }

    private static BadInput refused(String source, String fault) {
        return new BadInput("--costs " + source + ": " + fault
                + "; the figures.json of make compare is accepted; nothing was written");
    }

    /** {@return the largest slots whose costs are measured: a power of two} */
    public int largestSlot() {
        return (int) Math.min(PoolModel.MAX_SIZE, Long.highestOneBit(pooled.one.lastKey()));
    }

    /** {@return the time for a size: linear between measured ones and beyond the largest, constant below the least} */
    static double at(double size, NavigableMap<Long, Double> times) {
        if (times.size() == 1 || size <= times.firstKey()) {
            return times.firstEntry().getValue();
        }
        var right = size > times.lastKey() ? times.lastEntry() : times.ceilingEntry((long) Math.ceil(size));
        var left = times.lowerEntry(right.getKey());
        double slope = (right.getValue() - left.getValue()) / (right.getKey() - left.getKey());
        return left.getValue() + slope * (size - left.getKey());
    }
}
