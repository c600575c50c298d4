"""A game in progress: positions, the history of a game, and the referee who judges actions.

The public API consists of `Referee`, the actions, the rulings and the views.
"""
