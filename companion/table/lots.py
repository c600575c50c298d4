"""Lots for the colours: which of two people plays Red, and so begins.

Nothing else hangs on it: the game is the same whoever plays which colour, and nothing of it is
kept. Chance is passed in.
"""

from collections.abc import Callable

from companion.table.events import ColoursDrawn


def draw_colours(one: str, other: str, draw: Callable[[], int]) -> ColoursDrawn:
    """Draw between two people, each called by what tells them apart; `draw` gives any number."""
    return ColoursDrawn(one, other) if draw() % 2 else ColoursDrawn(other, one)
