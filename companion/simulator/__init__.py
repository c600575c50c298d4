"""Whole games played by simulated hands, for `boomboard simulate`, tests and experiments.

A `simulation` is a board in simulated time; `players` play `simulated_games` at it as `people` do,
with `interludes` between their plies and `disruptions` of the board. All of these are public: a
simulation is composed of them. The only part that a game of real people uses is `dealing`, when the
simulated board replaces a real one.
"""
