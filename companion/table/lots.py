"""Lots for the colours: which of two people plays Red, and so begins.

The colours have no other effect: the game is the same with either assignment, and the draw is not
saved. The source of randomness is passed in.
"""

from collections.abc import Callable

from companion.table.events import ColoursDrawn


def draw_colours(one: str, other: str, draw: Callable[[], int]) -> ColoursDrawn:
    """Draw between two people, each identified by a name; `draw` returns any number."""
    return ColoursDrawn(one, other) if draw() % 2 else ColoursDrawn(other, one)
