/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import com.fasterxml.jackson.annotation.*;
import pooledarena.histogram.*;
import pooledarena.model.Costs;
import pooledarena.model.PoolModel;
import pooledarena.recommend.Schedule.Step;

import module java.base;

/** What the pool would have done for recorded arenas with each setting: the model runs schedules like them. */
final class Replay {

    /**
     * What a setting does. It has a form as JSON.
     *
     * @param served       how many arenas with memory need no malloc
     * @param mallocs      how many mallocs are left
     * @param mallocsSaved how many there are less than without a pool
     * @param saved        the nanoseconds saved, whole ones, as a sum of many parts is off by less
     * @param memory       the bytes of the slots that a thread keeps when it has closed its arenas
     * @param heapSaved    how many bytes of heap arenas and segments take less, minus what the pools of threads take
     */
    record Estimate(@JsonUnwrapped Setting setting, @JsonProperty("arenasWithoutMalloc") long served, long mallocs,
                    long mallocsSaved, @JsonIgnore double saved, @JsonProperty("threadMemory") long memory,
                    @JsonProperty("heapBytesSaved") long heapSaved) {

        @JsonProperty
        long nanosSaved() {
            return Math.round(saved);
        }
    }

    /** All arenas that have memory: one byte, if they allocate nothing else than 0 bytes. Without a pool each allocation is a malloc. */
    final Tally all;

    /** How many of them virtual threads opened. */
    final long virtual;

    /** What they take without a pool, in nanoseconds. */
    final double time;

    /**
     * The arenas that the stock JDK opens for calls by value: the patched JDK opens others in their place. Those that allocate, for large
     * structs, count as other arenas do. Where the call site of one arena in N was told, each stands for N; for fewer if that differs
     * between the virtual machines.
     */
    final long callsByValue;

    /** The nanoseconds that each setting saves in calls by value. */
    final double savedByValue;

    final Costs costs;

    /** For each setting whose costs are measured, the least first. */
    final List<Estimate> estimates;

    Replay(Histogram histogram, Costs costs) {
        this.costs = costs;
        all = histogram.sum((shape, _) -> shape.allocations() > 0);
        virtual = histogram.sum((shape, _) -> shape.allocations() > 0 && shape.virtual()).arenas();
        callsByValue = histogram.jvms().stream().mapToLong(RecordedJvm::sites).filter(sites -> sites > 0).min().orElse(1)
                * histogram.sum((shape, _) -> shape.site() != null && shape.allocations() == 0
                        && shape.site().className().startsWith(Site.BY_VALUE)).arenas();
        savedByValue = callsByValue * costs.byValue();
        double heap = costs.stock().heap(all.arenas(), all.allocations()) - costs.pooled().heap(all.arenas(), all.allocations());
        Map<Boolean, List<Alike>> rows = Alike.of(histogram).stream().collect(Collectors.partitioningBy(row -> row.shape().virtual()));
        time = rows.values().stream().flatMap(List::stream).mapToDouble(row -> row.count() * row.stock(costs)).sum();
        Schedule platform = new Schedule(rows.get(false));
        Schedule carriers = new Schedule(rows.get(true));
        estimates = Setting.upTo(costs.largestSlot()).parallelStream().map(setting -> {
            Run own = new Run(setting, platform, false);
            Run carried = new Run(setting, carriers, true);
            long mallocs = Math.round(own.mallocs + carried.mallocs);
            return new Estimate(setting, Math.round(own.served + carried.served), mallocs, all.allocations() - mallocs,
                    Math.rint(time - own.time - carried.time), Math.max(own.memory, carried.memory),
                    Math.round(heap - own.heap - carried.heap));
        }).toList();
    }

    /** {@return what a setting does; null if there is none} */
    Estimate of(Setting setting) {
        return estimates.stream().filter(each -> each.setting.equals(setting)).findFirst().orElse(null);
    }

    private final class Run {

        private record Open(Alike row, PoolModel.Arena arena, double weight) {}

        private final Setting setting;
        private final boolean carried;
        private final Deque<Open> open = new ArrayDeque<>();
        private PoolModel pool;

        private double served;
        private double mallocs;
        private double time;
        private double heap;
        private long memory;

        Run(Setting setting, Schedule schedule, boolean carried) {
            this.setting = setting;
            this.carried = carried;
            for (List<Step> thread : schedule.threads) {
                pool = new PoolModel(setting.size(), setting.depth(), carried);
                for (Step step : thread) {
                    for (int i = 0; i < step.closes(); i++) {
                        close(open.pop());
                    }
                    open(step.row(), schedule.weight(step));
                }
                end();
            }
        }

        private void open(Alike row, double weight) {
            Open opened = new Open(row, new PoolModel.Arena(), weight);
            long before = pool.mallocs();
            long bytesBefore = pool.mallocBytes();
            int heapBefore = pool.heap();
            row.allocate(pool, opened.arena);
            heap += Schedule.isYoung(row) ? weight * (pool.heap() - heapBefore) : 0;
            open.push(opened);
            long made = pool.mallocs() - before;
            served += made == 0 ? weight : 0;
            mallocs += weight * made * row.scale();
            time += weight * row.pooled(costs, setting.size(), made, pool.mallocBytes() - bytesBefore,
                    carried ? costs.carried() : pool.hasResident(opened.arena) ? 0 : costs.notResident());
        }

        private void close(Open closed) {
            long before = pool.mallocs();
            long bytesBefore = pool.mallocBytes();
            pool.close(closed.arena);
            if (pool.mallocs() > before) { // for a slot that replaces others
                mallocs += closed.weight;
                time += closed.weight * costs.stock().arena(1, pool.mallocBytes() - bytesBefore);
            }
        }

        /** At the end of a thread; what is never closed holds its slot. */
        private void end() {
            open.removeIf(each -> each.row.shape().closing() == Closing.UNCLOSED);
            while (!open.isEmpty()) {
                close(open.pop());
            }
            memory = Math.max(memory, pool.kept());
        }
    }
}
