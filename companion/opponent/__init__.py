"""The computer player: levels, knowledge of one side, belief, search and the player itself.

Nothing in this package uses a clock, a thread or a file, and all randomness is derived from a seed.
"""
