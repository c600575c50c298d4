"""The computer player: difficulty levels, one side's knowledge, belief, search and player.

Nothing in this package uses a clock, threads or files, and all randomness is derived from a seed.
"""
