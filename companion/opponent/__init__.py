"""The computer player: its difficulty levels, its knowledge, its search and its choice of turns.

Nothing in this package uses a clock, threads or files, and all randomness is derived from a seed.
"""
