/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import pooledarena.histogram.Shape;
import pooledarena.model.PoolModel;

import module java.base;

/**
 * A thread's arenas one after the other, or those of a carrier of virtual threads, made up so that they are like recorded ones. A
 * recording tells of each arena by how much the number of open ones had sunk before it: {@link Shape#dip}. A nest is a run of
 * them with dips from 1 on. So the schedule closes as many arenas as the next run has, the last one first, and opens that run.
 * Which arenas follow each other within that is left to chance.
 */
final class Schedule {

    /** Where a new thread begins. */
    static final int THREAD = -2;

    /** Where the last arena that is open is closed. */
    static final int CLOSE = -1;

    /** As long as an arena's number on its thread is told: then the thread goes on as it did. */
    private static final int YOUNG = 32;

    private static final int MOST_THREADS = 200;
    private static final double MOST_STEPS = 20_000;

    /** Beyond this no pool has a slot left. */
    private static final int MOST_DIP = PoolModel.MOST_SLOTS + 1;

    /** Arenas to choose from by their number. */
    private static final class Choice {

        private final NavigableMap<Double, Integer> rows = new TreeMap<>();
        private double total;

        private void add(int row, double count) {
            rows.put(total, row);
            total += count;
        }
    }

    private final List<Arenas> rows;
    private final Random random = new Random(42);

    /** By the dip, and of those on threads that had as many arenas before. */
    private final NavigableMap<Integer, Choice> byDip = new TreeMap<>();
    private final Map<Integer, NavigableMap<Integer, Choice>> byAge = new HashMap<>();

    /** By a length, the share of runs that are longer. */
    private final double[] longer = new double[MOST_DIP + 1];

    private int[] steps = new int[1024];
    private int length;
    private int open;
    private int age;

    /** How many arenas to open on a thread that goes on: fewer where each has many blocks. */
    private double most;

    /** From which step on arenas count, and by how many times more there are of each row than of them. */
    private final BitSet counted = new BitSet();
    private final double[] weights;

    Schedule(List<Arenas> rows) {
        this.rows = rows;
        weights = new double[rows.size()];
        for (int i = 0; i < rows.size(); i++) {
            Arenas row = rows.get(i);
            byDip.computeIfAbsent(dip(row), _ -> new Choice()).add(i, row.count());
            byAge.computeIfAbsent(row.shape().earlier(), _ -> new TreeMap<>()).computeIfAbsent(dip(row), _ -> new Choice())
                    .add(i, row.count());
        }
        for (int dip = MOST_DIP; dip > 0; dip--) {
            double of = byDip.containsKey(dip) ? byDip.get(dip).total : 0;
            longer[dip - 1] = Math.max(of, longer[dip]);
        }
        if (!rows.isEmpty()) {
            schedule();
        }
    }

    private static int dip(Arenas row) {
        return Math.min(row.shape().dip(), MOST_DIP);
    }

    private double count(IntPredicate age) {
        return byAge.entrySet().stream().filter(each -> age.test(each.getKey()))
                .flatMap(each -> each.getValue().values().stream()).mapToDouble(choice -> choice.total).sum();
    }

    private void schedule() {
        double work = rows.stream().mapToDouble(row -> row.count() * row.work()).sum() / count(_ -> true);
        most = Math.clamp(MOST_STEPS * 3 / work, 20, MOST_STEPS);
        double steady = count(earlier -> earlier >= YOUNG);
        int threads = (int) Math.clamp(count(earlier -> earlier == 0), 1, Math.clamp(most / 8, 1, MOST_THREADS));
        for (int i = 0; i < threads; i++) {
            begin();
            while (age < YOUNG && count(earlier -> earlier >= told()) > 0) {
                next(byAge.containsKey(told()));
            }
        }
        age = YOUNG; // if there were no young ones
        for (double left = Math.min(steady, most); left > 0;) {
            int before = age;
            next(steady <= most || left < most * 3 / 4); // else slots have to grow first
            left -= age - before;
        }
        for (int i = 0; i < rows.size(); i++) {
            if (weights[i] == 0) {
                int earlier = Math.min(rows.get(i).shape().earlier(), YOUNG);
                if (earlier < YOUNG) {
                    begin();
                }
                while (age < earlier) {
                    next(false);
                }
                run(Math.max(1, dip(rows.get(i))), true, i);
            }
        }
        for (int i = 0; i < weights.length; i++) {
            weights[i] = rows.get(i).count() / weights[i];
        }
    }

    private void begin() {
        add(THREAD);
        open = 0;
        age = 0;
    }

    /** {@return the number of earlier arenas, as recordings tell it} */
    private int told() {
        return age < 4 ? age : Math.min(YOUNG, Integer.highestOneBit(age));
    }

    private void next(boolean counts) {
        NavigableMap<Integer, Choice> choices = byAge.getOrDefault(told(), byDip);
        double all = choices.values().stream().mapToDouble(choice -> choice.total).sum();
        double more = choices.containsKey(0) ? choices.get(0).total : 0;
        if (open == 0 || longer[0] == 0 || random.nextDouble() * all < more) {
            open(pick(0), counts);
            return;
        }
        double share = random.nextDouble() * longer[0];
        int run = 1;
        while (run < MOST_DIP && longer[run] > share) {
            run++;
        }
        run(age < YOUNG ? Math.min(run, open) : run, counts, -1);
    }

    /** @param last the row of the last arena of the run, or -1 */
    private void run(int wanted, boolean counts, int last) {
        int run = (int) Math.min(wanted, most);
        for (int i = 0; i < Math.min(run, open); i++) {
            add(CLOSE);
        }
        open -= Math.min(run, open);
        for (int dip = 1; dip <= run; dip++) {
            open(dip == run && last >= 0 ? last : pick(dip), counts && (last < 0 || dip == run));
        }
    }

    private void open(int row, boolean counts) {
        if (counts) {
            counted.set(length);
            weights[row]++;
        }
        add(row);
        open++;
        age++;
    }

    private void add(int step) {
        if (length == steps.length) {
            steps = Arrays.copyOf(steps, 2 * length);
        }
        steps[length++] = step;
    }

    /** {@return a row with that dip, or the next one that there is} */
    private int pick(int dip) {
        NavigableMap<Integer, Choice> choices = byAge.getOrDefault(told(), byDip);
        Choice choice = choices.containsKey(dip) || !byDip.containsKey(dip) ? nearest(choices, dip) : byDip.get(dip);
        return choice.rows.floorEntry(random.nextDouble() * choice.total).getValue();
    }

    private static Choice nearest(NavigableMap<Integer, Choice> choices, int dip) {
        Map.Entry<Integer, Choice> nearest = choices.ceilingEntry(dip);
        return (nearest == null ? choices.lastEntry() : nearest).getValue();
    }

    int length() {
        return length;
    }

    /** {@return {@link #THREAD}, {@link #CLOSE}, or the number of a row, one of whose arenas is opened} */
    int step(int index) {
        return steps[index];
    }

    /** {@return for how many recorded arenas the one stands that is opened then} */
    double weight(int index) {
        return counted.get(index) ? weights[steps[index]] : 0;
    }
}
