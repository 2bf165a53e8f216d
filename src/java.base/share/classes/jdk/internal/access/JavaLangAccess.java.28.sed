# Without what gives JDK 28's own pool its slots.
/void finishInit(/,/getOrCreateConfinedMemoryPools(/{
/void finishInit(/!d
}
