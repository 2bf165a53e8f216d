# By-value calls open a confined arena.
/^import .*BufferStack;/d
/int LINKER_STACK_SIZE/,/^$/d
s/LINKER_STACK.*;/Arena.ofConfined();/
