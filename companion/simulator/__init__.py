"""Plays complete games with simulated hands, for `boomboard simulate`, tests and experiments.

`simulation` provides a board in simulated time. On this board, `simulated_match` plays one of the
`random_games` with `simulated_people`. Between plies, they perform `side_actions`. The board may be
disrupted at any time. All modules are public.
"""
