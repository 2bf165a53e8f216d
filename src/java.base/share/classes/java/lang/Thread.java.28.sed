# Without the slots of JDK 28's own pool.
/^import jdk\.internal\.foreign\.ConfinedSegmentPool;/d
/task, terminatingThreadLocals, and confinedMemoryPools,/{
N
s/task, .*are accessed/task and terminatingThreadLocals, are accessed/
}
/ThreadLocalMap terminatingThreadLocals;/,/confinedMemoryPools;/{
/terminatingThreadLocals;/!d
}
/^    long\[\] confinedMemoryPools() {/,/^    \/\*\*/{
/^    \/\*\*/!d
}
/Must run after terminating-thread-local/,/^$/d
# Thread.exit ends with a try statement, as on 25.
/^        if (terminatingThreadLocals() != null) {/,/^        }/{
s/^/    /
/if (/i\
        try {
}
s/^        clearReferences();$/        } finally {\
            clearReferences();\
        }/
