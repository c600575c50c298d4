"""The first battle: a tutorial of seven steps on small boards."""
