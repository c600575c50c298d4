"""The rules as plain data: editions, our interpretations, combat, movement and repetition.

This package does not handle games in progress. The functions for movement and repetition are given
the occupied squares or the pieces. Where a rule depends on a piece's rank, the caller passes in the
possible ranks.
"""
