"""Plays complete games with simulated hands, for `boomboard simulate`, tests and experiments.

`simulation` provides a board in simulated time. `simulated_match` plays one of the `random_games`
on it with `simulated_people`, who perform `side_actions` between plies while the board is being
disrupted. All modules are public.
"""
