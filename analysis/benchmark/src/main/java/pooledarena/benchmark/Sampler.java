/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.benchmark;

import pooledarena.benchmark.Results.Measured;
import pooledarena.io.ProcessRunner.Failed;

import module java.base;

/**
 * Takes samples in turn, so that a change of the machine's speed affects all that is compared alike. What failed once
 * is not sampled again, and the others go on.
 *
 * @param measured what did not fail
 * @param failures a line for each case that did
 */
public record Sampler(List<Measured> measured, List<String> failures) {

    @FunctionalInterface
    public interface Sample<K, V> {
        V of(K each) throws Failed, IOException;
    }

    public Sampler() {
        this(new ArrayList<>(), new ArrayList<>());
    }

    /** Hands what each of {@code all} gave in its turns to {@code whole}, unless it failed. */
    <K, V> void takeTurns(List<K> all, int rounds, Function<K, String> label, Sample<K, V> sample,
                          BiConsumer<K, List<V>> whole) {
        Map<K, List<V>> taken = new LinkedHashMap<>();
        all.forEach(each -> taken.put(each, new ArrayList<>()));
        for (int round = 0; round < rounds; round++) {
            for (K each : List.copyOf(taken.keySet())) {
                try {
                    taken.get(each).add(sample.of(each));
                } catch (Failed | IOException e) {
                    taken.remove(each);
                    failures.add(label.apply(each) + ": " + e.getMessage());
                }
            }
        }
        taken.forEach(whole);
    }

    /** Measures without JMH: each sample has a value for each of {@code names}. */
    public <K> void measure(List<K> all, int rounds, String unit, List<String> names,
                            BiFunction<K, String, Case> place, Sample<K, double[]> sample) {
        takeTurns(all, rounds, each -> place.apply(each, names.getFirst()).label(), sample, (each, samples) -> {
            for (int i = 0; i < names.size(); i++) {
                int value = i;
                measured.add(new Measured(place.apply(each, names.get(i)),
                        Outcome.of(unit, samples.stream().mapToDouble(values -> values[value]).toArray())));
            }
        });
    }
}
