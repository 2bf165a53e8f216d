/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import pooledarena.histogram.Site;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Numbers for the places that open arenas and for the methods that open and close them, which instrumented code has as
 * constants. Classes are told by their names, as the classes themselves would be kept from being unloaded.
 */
final class CallSites {

    /** A place that opens arenas, the number of its method and its own. */
    record CallSite(Site site, int method, int number) {}

    private final int limit;
    private final Map<Site, Integer> numbers = new HashMap<>();
    private final Map<String, Integer> methods = new HashMap<>();

    /** By number; replaced when it grows, so that it is read without a lock. */
    private volatile CallSite[] sites = new CallSite[64];

    CallSites(int limit) {
        this.limit = limit;
    }

    /** {@return the number of that call site, or 0 if there are too many} */
    synchronized int number(Site site) {
        Integer known = numbers.get(site);
        if (known != null) {
            return known;
        }
        int method = method(site.className(), site.method());
        if (method == 0 || numbers.size() >= limit) {
            return 0;
        }
        int number = numbers.size() + 1;
        CallSite[] all = number < sites.length ? sites : Arrays.copyOf(sites, 2 * sites.length);
        all[number] = new CallSite(site, method, number);
        sites = all;
        numbers.put(site, number);
        return number;
    }

    CallSite get(int number) {
        return sites[number];
    }

    /** {@return the number of that method, or 0 if there are too many} Overloads are one, and so are a method and its lambdas. */
    synchronized int method(String className, String method) {
        String name = className + '.' + enclosing(method);
        Integer known = methods.get(name);
        if (known == null && methods.size() < 2 * limit) {
            known = methods.size() + 1;
            methods.put(name, known);
        }
        return known == null ? 0 : known;
    }

    /** {@return the method that has the lambda which javac, kotlinc or scalac has made this method of, or the method itself} */
    static String enclosing(String method) {
        String name = method;
        while (true) {
            int index = name.lastIndexOf('$');
            if (index < 0 || index + 1 == name.length() || !isNumber(name, index + 1)) {
                return name;
            }
            String lambda = name.substring(0, index);
            if (lambda.startsWith("lambda$")) {
                name = lambda.substring("lambda$".length());
            } else if (lambda.startsWith("$anonfun$")) {
                name = lambda.substring("$anonfun$".length());
            } else if (lambda.endsWith("$lambda")) {
                name = lambda.substring(0, lambda.length() - "$lambda".length());
            } else {
                return name;
            }
            name = name.equals("new") ? "<init>" : name.equals("static") ? "<clinit>" : name;
        }
    }

    private static boolean isNumber(String s, int from) {
        for (int i = from; i < s.length(); i++) {
            if (s.charAt(i) < '0' || s.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }
}
