"""Plays whole games with simulated hands, for `boomboard simulate`, tests and experiments.

A `simulation` is a board in simulated time. On this board, `simulated_match` plays one of the
`random_games` with `simulated_people`, who perform `side_actions` between the plies while
disruptions happen to the board. All modules are public.
"""
