# Only BufferStack called these.
/public long currentOffset/,/MemorySegment trySlice/{
/trySlice/!d
}
