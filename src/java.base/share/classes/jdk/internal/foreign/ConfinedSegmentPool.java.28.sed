# The pool that JDK 28 has of its own: a file of which nothing is left is deleted.
d
