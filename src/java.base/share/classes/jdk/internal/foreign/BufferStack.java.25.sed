# Its users open confined arenas.
d
