"""Board and movement: positions of the pieces, paths, and both repetition rules.

No proofs about pieces are kept here: possible ranks are passed in where they matter.
"""
