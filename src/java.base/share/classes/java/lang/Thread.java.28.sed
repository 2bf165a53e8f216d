# Without the slots of JDK 28's own pool.
/^import jdk\.internal\.foreign\.ConfinedSegmentPool;/d
s/task, terminatingThreadLocals, and confinedMemoryPools,/task and terminatingThreadLocals,/
/ThreadLocalMap terminatingThreadLocals;/,/confinedMemoryPools;/{
/terminatingThreadLocals;/!d
}
/^    long\[\] confinedMemoryPools() {/,/^    \/\*\*/{
/^    \/\*\*/!d
}
/Must run after terminating-thread-local/,/^$/d
# Thread.exit ends with a finally clause, as on 25.
s/^        clearReferences();$/        try {\
        } finally {\
            clearReferences();\
        }/
