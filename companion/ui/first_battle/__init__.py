"""The first battle, a tutorial in seven steps on small boards."""
