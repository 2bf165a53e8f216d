# Confined arenas are of no class of their own.
/@Override/{
N
/ ArenaImpl asArena/{
N
N
N
d
}
}
