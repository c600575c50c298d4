"""Whole games by simulated hands: for `boomboard simulate`, for the checks, and to try things out.

A `simulation` is a board in simulated time; `players` play `simulated_games` at it as `people` do,
with `interludes` between their plies and `disruptions` of the board. All may be used from outside:
a simulation is put together of them. Of a game for people, only `dealing` takes part, where the
simulated board stands in for a real one.
"""
