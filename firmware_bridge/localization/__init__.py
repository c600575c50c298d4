"""Localization of a piece that no square detects, from the readings of the sensors around it.

`residuals` computes which deflections the detected pieces do not explain. `localize` collects the
readings of a board (`FieldSampler`), and finds the position of a piece that explains them. The
result is never certain enough for a ruling, so it is only shown to the players.
"""
