"""The rules as plain data: editions, our interpretations, combat, movement and repetition.

This package does not handle games in progress. Movement and repetition use the board. The caller
passes in the possible ranks of a piece.
"""
