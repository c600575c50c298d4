"""Whole games played by simulated hands, for `boomboard simulate`, tests and experiments.

A `simulation` is a board in simulated time. There, `simulated_match` plays one of the
`random_games` with `simulated_people`, with `side_actions` between the plies and disruptions of the
board. All of these modules are public, and a simulation is composed of them.
"""
