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
 */
public final class Sampler {

    private Sampler() {}

    @FunctionalInterface
    public interface Sample<K, V> {
        V of(K each) throws Failed;
    }

    /** What one of them gave, in its order, or why it failed. */
    record Samples<V>(List<V> values, String failure) {

        Outcome outcome(Function<List<V>, Outcome> of) {
            return failure == null ? of.apply(values) : Outcome.failed(failure);
        }
    }

    static <K, V> Map<K, Samples<V>> takeTurns(List<K> all, int rounds, Sample<K, V> sample) {
        Map<K, Samples<V>> taken = new LinkedHashMap<>();
        all.forEach(each -> taken.put(each, new Samples<>(new ArrayList<>(), null)));
        for (int round = 0; round < rounds; round++) {
            taken.replaceAll((each, samples) -> {
                try {
                    if (samples.failure == null) {
                        samples.values.add(sample.of(each));
                    }
                    return samples;
                } catch (Failed e) {
                    return new Samples<>(List.of(), e.getMessage());
                }
            });
        }
        return taken;
    }

    /** {@return the figures of samples that have a value for each of {@code names}} They are measured without JMH. */
    public static <K> List<Measured> measure(List<K> all, int rounds, String unit, List<String> names,
                                             BiFunction<K, String, Case> place, Sample<K, double[]> sample) {
        Sample<K, double[]> checked = each -> {
            double[] values = sample.of(each);
            if (values.length != names.size()) {
                throw new Failed("gave " + values.length + " values, not " + names.size());
            }
            return values;
        };
        List<Measured> measured = new ArrayList<>();
        takeTurns(all, rounds, checked).forEach((each, samples) -> {
            for (int i = 0; i < names.size(); i++) {
                int value = i;
                measured.add(new Measured(place.apply(each, names.get(i)), samples.outcome(values ->
                        Outcome.of(unit, values.stream().mapToDouble(of -> of[value]).toArray()))));
            }
        });
        return measured;
    }
}
