"""Colours, sizes of type and measures of all screens, in pixels of a 7-inch screen (133 a inch).

A war table by lamplight: the ground is a map on near-black blue-green, the board is warm wood.
`ACT` is the one accent and means one thing: act here, now. Every text has a contrast of at least
7 : 1 to what is under it, every edge of a part at least 3 : 1, and no colour says anything that a
shape, a sign or a word does not say too.

Who needs more contrast takes other colours, see `wear`: white on plain black, at least 12 : 1.
"""

from typing import Final, TypeAlias

from engine.sides import Side

Colour: TypeAlias = tuple[float, float, float, float]


def _hex(digits: str) -> Colour:
    red, green, blue = (int(digits[n : n + 2], 16) / 255 for n in (0, 2, 4))
    return red, green, blue, 1.0


GROUND = _hex("0a1416")
MAP = _hex("1a3034")
"""The lines of the map on the ground: to be felt, not to be read."""
RAISED = _hex("12211f")
"""Cards, and buttons that are not the main thing to do."""
PRESSED = _hex("1f3634")
EDGE = _hex("6f8f8a")
TEXT = _hex("f5efe2")
QUIET = _hex("b9c7c1")
"""Text of second importance."""
ACT = _hex("ffb627")
ACT_PRESSED = _hex("ffd57a")
ON_ACT = _hex("140d02")
RED: Final = _hex("ff8a78")
BLUE: Final = _hex("7cc0ff")

WOOD: Final = _hex("c29a66")
WOOD_DARK: Final = _hex("8f6039")
SHADE: Final = _hex("120a06")
"""The outline of what stands on the wood, and its shadow."""
TRACE: Final = _hex("4f9f88")
"""The squares of the last move: verdigris on the wood."""
SHORE: Final = _hex("e2c690")
LAKE: Final = _hex("17505f")
LAKE_DEEP: Final = _hex("0f3a48")
RIPPLE: Final = _hex("6fb7bd")

SIDES: Final = {Side.RED: RED, Side.BLUE: BLUE}
CLOTH = {Side.RED: _hex("6e211a"), Side.BLUE: _hex("1d3f70")}
"""What banners are made of."""

BODY: Final = 20
HEAD: Final = 28
TITLE: Final = 40
NAME: Final = 64
"""Readable from across the room: 12 mm high."""

TOUCH: Final = 64
"""The height of what can be touched: 12 mm."""
GAP: Final = 12
SCREEN: Final = (800, 480)
"""What all screens are laid out on; a larger window shows it enlarged."""
LEAST: Final = (640, 384)
"""The smallest window: the smallest letters have 16 pixels in it."""
BOARD = 480
"""The width of the board beside a panel."""
LARGE = False
"""Whether letters are large, so that what is laid out for them takes more room."""

_USUAL: Final = {
    name: globals()[name]
    for name in (
        *("GROUND", "MAP", "RAISED", "PRESSED", "EDGE", "TEXT", "QUIET"),
        *("ACT", "ACT_PRESSED", "ON_ACT", "CLOTH", "BOARD", "LARGE"),
    )
}
_HIGH_CONTRAST: Final = {
    "GROUND": _hex("000000"),
    "MAP": _hex("000000"),
    "RAISED": _hex("000000"),
    "PRESSED": _hex("2b2b2b"),
    "EDGE": _hex("ffffff"),
    "TEXT": _hex("ffffff"),
    "QUIET": _hex("ffffff"),
    "ACT": _hex("ffc94d"),
    "ACT_PRESSED": _hex("ffe3a3"),
    "ON_ACT": _hex("000000"),
    "CLOTH": {Side.RED: _hex("57130d"), Side.BLUE: _hex("0f2c57")},
}
_LARGE_LETTERS: Final = {"BOARD": 400, "LARGE": True}
"""The board makes room for them."""


def wear(*, high_contrast: bool, large_letters: bool) -> None:
    """Take the colours and measures that the players want, before the screens are built anew."""
    globals().update(
        _USUAL
        | (_HIGH_CONTRAST if high_contrast else {})
        | (_LARGE_LETTERS if large_letters else {})
    )
