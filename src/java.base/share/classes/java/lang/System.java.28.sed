# Without what gives JDK 28's own pool its slots.
/StackTraceElement\.finishInit(/,/^        });/{
/@Override/,/^$/d
}
