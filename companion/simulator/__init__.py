"""Plays whole games with simulated hands, for `boomboard simulate`, tests and experiments.

A `simulation` is a board in simulated time. `simulated_match` plays one of the `random_games` on it
with `simulated_people`, with `side_actions` between the plies and disruptions of the board. All
modules are public.
"""
