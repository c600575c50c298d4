"""Whole games played by simulated hands, for `boomboard simulate`, tests and experiments.

A `simulation` is a board in simulated time. At it `simulated_match` plays one of the `random_games`
as `simulated_people` do, with `side_actions` between the plies and disruptions of the board. All of
these are public: a simulation is composed of them. `opponent` is also used in games of one real
person against the program.
"""
