"""A game as it is played: positions, the line of a game, and the referee who judges actions.

From outside, `Referee`, the actions, the rulings and the views are meant to be used.
"""
