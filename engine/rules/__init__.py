"""The rulebooks: rules, our interpretations of them, editions and the outcome of every combat.

Plain data. This package has no notion of a board or a game.

Board and movement: positions of the pieces, paths, and both repetition rules.

No proofs about pieces are kept here: possible ranks are passed in where they matter.
"""
