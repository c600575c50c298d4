"""Localization of a piece that no square detects, from the readings of the sensors around it.

`field_curve` is the deflection as a function of the distance. `feelings` collects the readings of a
board, and `place` finds the magnet position that explains them. The result is never certain enough
to base a ruling on it: it is only shown to the players.
"""
