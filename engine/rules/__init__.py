"""The rules as plain data: editions, our interpretations, combat, movement and repetition.

This package has no notion of a game in progress. Movement and repetition know the board, but keep
no proofs about pieces: possible ranks are passed in where they matter.
"""
