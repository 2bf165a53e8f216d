# Without the class of confined arenas, with which this one need not be open to subclasses.
/^import jdk.internal.vm.annotation.ForceInline;/,/^$/d
s/^public sealed class/public final class/
s/protected final MemorySessionImpl session/private final MemorySessionImpl session/
s/this\.shouldReserve /shouldReserveMemory /
s/\(shouldReserve\)\([;,]\)/\1Memory\2/
/boolean shouldReserve/{
n
d
}
s/public final Scope/public Scope/
/, true);/{
n
:rest
N
$!b rest
s/\n.*/\
}/
}
