"""Colours, sizes of type and measures of all screens, in pixels of a 7-inch screen (133 a inch).

Dark and calm. `ACT` is the one accent: what has that colour waits to be touched. Every text has a
contrast of at least 4.5 : 1 to what is under it, and no colour says anything that a shape, a sign
or a word does not say too.
"""

from typing import Final, TypeAlias

from engine.sides import Side

Colour: TypeAlias = tuple[float, float, float, float]


def _hex(digits: str) -> Colour:
    red, green, blue = (int(digits[n : n + 2], 16) / 255 for n in (0, 2, 4))
    return red, green, blue, 1.0


GROUND: Final = _hex("12161c")
RAISED: Final = _hex("1e252e")
"""Cards, and buttons that are not the main thing to do."""
PRESSED: Final = _hex("323d4b")
EDGE: Final = _hex("55606e")
TEXT: Final = _hex("f4f1ea")
QUIET: Final = _hex("aab4c0")
"""Text of second importance."""
ACT: Final = _hex("ffb627")
ACT_PRESSED: Final = _hex("ffd57a")
ON_ACT: Final = _hex("1a1304")
RED: Final = _hex("ff7a6b")
BLUE: Final = _hex("6cb6ff")

FIELD: Final = _hex("2b333d")
FIELD_DARK: Final = _hex("262e37")
LAKE: Final = _hex("10384a")

SIDES: Final = {Side.RED: RED, Side.BLUE: BLUE}

SMALL: Final = 16
BODY: Final = 20
HEAD: Final = 28
TITLE: Final = 48
"""Readable at one metre: 9 mm high."""

TOUCH: Final = 52
"""The height of what can be touched: 10 mm."""
GAP: Final = 12
SCREEN: Final = (800, 480)
TOUCH_BOARD: Final = 480
"""The width of the simulated board beside the screen."""
