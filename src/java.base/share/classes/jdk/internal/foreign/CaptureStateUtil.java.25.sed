# Adapted handles open a confined arena.
/BufferStack/d
/Arena acquireArena()/,/@ForceInline/d
s/POOL\.[^)]*)/Arena.ofConfined()/
s/Acquire the arena from the global pool/Open an arena/
s/"acquireArena",/Arena.class, "ofConfined",/
