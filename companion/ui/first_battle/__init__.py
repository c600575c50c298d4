"""The first battle: a guided game of seven steps on small boards, for a person new to the game."""
