/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import pooledarena.histogram.Shape;

import module java.base;

/**
 * A thread's arenas one after the other, or those of a carrier of virtual threads, made up so that they are like recorded ones. A
 * recording tells of each arena by how much the number of open ones had sunk before it: {@link Shape#dip}. A nest is a run of
 * them with dips from 1 on. So the schedule closes as many arenas as the next run has, the last one first, and opens that run.
 * Which arenas follow each other within that is left to chance.
 */
final class Schedule {

    /** So many arenas are closed, the last one first; then one of {@code row} is opened. */
    record Step(int closes, Alike row, boolean counts) {}

    /** As long as an arena's number on its thread is told: then the thread goes on as it did. */
    private static final int YOUNG = Shape.MOST_EARLIER;

    /** Recordings tell how many of its thread's arenas were before one: the range that begins with one of these. */
    private static final int[] AGES = IntStream.rangeClosed(0, YOUNG).map(Shape::earlier).distinct().toArray();

    private static final int MOST_THREADS = 200;
    private static final double MOST_STEPS = 20_000;

    /** Beyond this a dip counts as so much: only pools of the least slots have more than that free. */
    private static final int MOST_DIP = 1000;

    /** Arenas to choose from, by their dip: then each row by the number of arenas up to its last one. */
    private static final class Choices {

        private final NavigableMap<Integer, NavigableMap<Double, Alike>> byDip = new TreeMap<>();
        private double total;

        private void add(Alike row) {
            NavigableMap<Double, Alike> alike = byDip.computeIfAbsent(dip(row), _ -> new TreeMap<>(Map.of(0.0, row)));
            alike.putIfAbsent(alike.lastKey() + row.count(), row);
            total += row.count();
        }

        /** {@return one of that dip, or of the next one that there is; {@code share} of those are before it} */
        private Alike choose(int dip, double share) {
            Map.Entry<Integer, NavigableMap<Double, Alike>> nearest = byDip.ceilingEntry(dip);
            NavigableMap<Double, Alike> alike = (nearest == null ? byDip.lastEntry() : nearest).getValue();
            return alike.higherEntry(share * alike.lastKey()).getValue();
        }
    }

    private final Random random = new Random(42);

    /** All, and those on threads that had as many arenas before. */
    private final Choices all = new Choices();
    private final NavigableMap<Integer, Choices> byAge = new TreeMap<>();

    /** The most that there are of one dip. */
    private final double likeliest;

    /** What threads do, one after the other. What is open at the end of one is closed then. */
    final List<List<Step>> threads = new ArrayList<>();
    private int open;
    private int age;

    /** How many arenas to open on a thread that goes on: fewer where each has many blocks. */
    private double most;

    /** How many of the opened arenas of each row count. */
    private final Map<Alike, Integer> counted = new IdentityHashMap<>();

    Schedule(List<Alike> rows) {
        for (Alike row : rows) {
            all.add(row);
            byAge.computeIfAbsent(row.shape().earlier(), _ -> new Choices()).add(row);
        }
        likeliest = all.byDip.tailMap(1).values().stream().mapToDouble(NavigableMap::lastKey).max().orElse(0);
        if (!rows.isEmpty()) {
            schedule(rows);
        }
    }

    private static int dip(Alike row) {
        return Math.min(row.shape().dip(), MOST_DIP);
    }

    /** {@return true if the arenas are among the first of their threads} */
    static boolean isYoung(Alike row) {
        return row.shape().earlier() < YOUNG;
    }

    private double count(int age) {
        return byAge.containsKey(age) ? byAge.get(age).total : 0;
    }

    private void schedule(List<Alike> rows) {
        double work = rows.stream().mapToDouble(row -> row.count() * row.work()).sum() / all.total;
        most = Math.clamp(MOST_STEPS * 3 / work, 20, MOST_STEPS);
        double steady = byAge.tailMap(YOUNG).values().stream().mapToDouble(choices -> choices.total).sum();
        int young = (int) Math.clamp(count(0), 1, Math.min(most / 8, MOST_THREADS));
        double[] lived = lived(steady > 0);
        for (int i = young - 1; i >= 0; i--) { // the one that lives longest is the last, and goes on
            begin();
            for (int life = life((i + 0.5) / young, lived); age < life;) {
                next(byAge.containsKey(Shape.earlier(age)));
            }
        }
        age = YOUNG;
        for (double left = Math.min(steady, most); left > 0;) {
            int before = age;
            next(steady <= most || left < most * 3 / 4); // else slots have to grow first
            left -= age - before;
        }
        NavigableMap<Integer, Deque<Alike>> leftOut = new TreeMap<>();
        for (Alike row : rows) {
            if (counted.containsKey(row)) {
                continue;
            }
            int dip = (int) Math.clamp(dip(row), 1, most);
            if (isYoung(row)) {
                begin();
                while (age < row.shape().earlier()) {
                    next(false);
                }
                run(dip, false, new TreeMap<>(Map.of(dip, new ArrayDeque<>(List.of(row)))));
            } else {
                leftOut.computeIfAbsent(dip, _ -> new ArrayDeque<>()).add(row);
            }
        }
        while (age < YOUNG && !leftOut.isEmpty()) {
            next(false);
        }
        while (!leftOut.isEmpty()) {
            run(leftOut.lastKey(), false, leftOut);
        }
    }

    /** {@return about how many threads lived through each range of ages, and through that or a later one} */
    private double[] lived(boolean goesOn) {
        double[] lived = new double[AGES.length];
        lived[AGES.length - 1] = goesOn ? Double.MIN_VALUE : 0; // some or none: recordings do not tell how many
        for (int i = AGES.length - 2; i >= 0; i--) {
            lived[i] = Math.max(count(AGES[i]) / (AGES[i + 1] - AGES[i]), lived[i + 1]);
        }
        return lived;
    }

    /**
     * {@return how many of its first arenas a thread opens} Threads that end within a range of ages are taken to end together: in its
     * middle, unless there are too few later arenas for that.
     *
     * @param share what part of the threads opens more
     */
    private static int life(double share, double[] lived) {
        double left = lived[0];
        for (int i = 0; i < AGES.length - 1; i++) {
            double goOn = lived[i + 1] == 0 ? 0 : Math.max(2 * lived[i] - left, lived[i + 1]);
            if (share * lived[0] >= goOn) {
                return AGES[i] + (int) Math.round((AGES[i + 1] - AGES[i]) * (lived[i] - goOn) / (left - goOn));
            }
            left = goOn;
        }
        return YOUNG;
    }

    private void begin() {
        threads.add(new ArrayList<>());
        open = 0;
        age = 0;
    }

    private Choices choices() {
        return byAge.getOrDefault(Shape.earlier(age), all);
    }

    private void next(boolean counts) {
        NavigableMap<Double, Alike> more = choices().byDip.get(0);
        if (open == 0 || likeliest == 0 || random.nextDouble() * choices().total < (more == null ? 0 : more.lastKey())) {
            open(0, pick(0), counts);
            return;
        }
        double share = random.nextDouble() * likeliest;
        int run = all.byDip.descendingMap().entrySet().stream().filter(each -> each.getValue().lastKey() > share).findFirst()
                .orElseThrow().getKey();
        run(age < YOUNG ? Math.min(run, open) : run, counts, new TreeMap<>());
    }

    /**
     * @param counts  whether rows count that are not of {@code leftOut}
     * @param leftOut by dip: one of each is opened, and all of those that are as deep as is told
     */
    private void run(int wanted, boolean counts, NavigableMap<Integer, Deque<Alike>> leftOut) {
        int run = (int) Math.min(wanted, most);
        int closes = Math.min(run, open);
        for (int dip = 1; dip <= run; dip++) {
            Deque<Alike> left = leftOut.getOrDefault(dip, new ArrayDeque<>());
            boolean isLeftOut = !left.isEmpty();
            open(dip == 1 ? closes : 0, isLeftOut ? left.remove() : pick(dip), counts || isLeftOut);
            while (dip == MOST_DIP && !left.isEmpty()) {
                open(0, left.remove(), true);
            }
            if (left.isEmpty()) {
                leftOut.remove(dip);
            }
        }
    }

    private void open(int closes, Alike row, boolean counts) {
        threads.getLast().add(new Step(closes, row, counts));
        if (counts) {
            counted.merge(row, 1, Integer::sum);
        }
        open += 1 - closes;
        age++;
    }

    /** {@return a row with that dip, of threads that are as old if they have one, or else with the next one that they have} */
    private Alike pick(int dip) {
        boolean isOfOthers = all.byDip.containsKey(dip) && !choices().byDip.containsKey(dip);
        return (isOfOthers ? all : choices()).choose(dip, random.nextDouble());
    }

    /** {@return for how many recorded arenas the one stands that is opened then} */
    double weight(Step step) {
        return step.counts ? (double) step.row.count() / counted.get(step.row) : 0;
    }
}
