/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.text;

import module java.base;

/** Numbers as people read them, the same in every locale. */
public final class Figures {

    private Figures() {}

    public static String count(long n) {
        return String.format(Locale.ROOT, "%,d", n);
    }

    /** {@return how many and what of, in the singular or with an s} */
    public static String count(long n, String what) {
        return count(n) + " " + what + (n == 1 ? "" : "s");
    }

    /** {@return a share in percent} Near 0 and 100 it has three decimals, and is neither of these unless exactly. */
    public static String percent(double part, double whole) {
        double percent = part == 0 || whole == 0 ? 0 : 100 * part / whole;
        if (percent < 0) {
            String positive = percent(-part, whole);
            return positive.startsWith("<") ? ">-" + positive.substring(1) : "-" + positive;
        }
        return percent == 0 || part == whole ? Math.round(percent) + " %" : percent < 0.0005 ? "<0.001 %"
                : percent >= 99.9995 && part < whole ? ">99.999 %"
                : String.format(Locale.ROOT, percent < 1 || percent > 99 && percent < 101 ? "%.3f %%" : "%.1f %%", percent);
    }

    /** {@return {@code bytes} in the largest unit of which there is one or more, when rounded} */
    public static String bytes(double bytes) {
        return scaled(bytes, 1024, number -> number == Math.rint(number) ? decimals(number, 100) : significant(number),
                "B", "KiB", "MiB", "GiB", "TiB");
    }

    /** {@return {@code nanoseconds} in the largest unit of which there is one or more, when rounded} */
    public static String time(double nanoseconds) {
        return scaled(nanoseconds, 1000, Figures::significant, "ns", "us", "ms", "s");
    }

    private static String scaled(double value, double step, DoubleFunction<String> number, String... units) {
        int unit = 0;
        while (Math.abs(value) >= step - 0.5 && unit < units.length - 1) {
            value /= step;
            unit++;
        }
        return number.apply(value) + " " + units[unit];
    }

    /** {@return {@code value} with as many decimals as give {@code scale} three digits or so} */
    public static String decimals(double value, double scale) {
        return String.format(Locale.ROOT, scale < 10 ? "%.2f" : scale < 100 ? "%.1f" : "%.0f", value);
    }

    /** {@return {@code value} with three digits, or all that there are before the point} */
    public static String significant(double value) {
        double size = Math.abs(value);
        String format = size < 9.995 ? "%.2f" : size < 99.95 ? "%.1f" : "%,.0f";
        return value == 0 ? "0" : String.format(Locale.ROOT, format, value);
    }
}
