"""Colours, font sizes and dimensions of all screens, in pixels of a 7-inch screen (133 per inch).

A war table by lamplight: the background is a map on near-black blue-green, the board is warm wood.
`ACT` is the only accent and has one meaning: act here, now. Every text has a contrast of at least
7 : 1 to its background, every edge of a part at least 3 : 1, and no colour carries information
that a shape, a sign or a word does not carry too.

The high-contrast colours, see `wear`, are white on plain black, at least 12 : 1.
"""

from typing import Final, TypeAlias, TypeVar

from engine.sides import Side

Colour: TypeAlias = tuple[float, float, float, float]
T = TypeVar("T")


def _hex(digits: str) -> Colour:
    red, green, blue = (int(digits[n : n + 2], 16) / 255 for n in (0, 2, 4))
    return red, green, blue, 1.0


GROUND = _hex("0a1416")
MAP = _hex("1a3034")
"""The lines of the map in the background: faintly visible."""
RAISED = _hex("12211f")
"""Cards, and buttons that are not the primary action."""
PRESSED = _hex("1f3634")
EDGE = _hex("6f8f8a")
TEXT = _hex("f5efe2")
QUIET = _hex("b9c7c1")
"""Secondary text."""
ACT = _hex("ffb627")
ACT_PRESSED = _hex("ffd57a")
ON_ACT = _hex("140d02")
RED: Final = _hex("ff8a78")
BLUE: Final = _hex("7cc0ff")

WOOD: Final = _hex("c29a66")
WOOD_DARK: Final = _hex("8f6039")
SHADE: Final = _hex("120a06")
"""Outline of objects on the wood, and their shadow."""
TRACE: Final = _hex("4f9f88")
"""The squares of the last move: verdigris on the wood."""
SHORE: Final = _hex("e2c690")
LAKE: Final = _hex("17505f")
LAKE_DEEP: Final = _hex("0f3a48")
RIPPLE: Final = _hex("6fb7bd")

SIDES: Final = {Side.RED: RED, Side.BLUE: BLUE}
CLOTH = {Side.RED: _hex("6e211a"), Side.BLUE: _hex("1d3f70")}
"""Cloth of banners."""

BODY: Final = 20
HEAD: Final = 28
TITLE: Final = 40
NAME: Final = 64
"""Readable from across the room: 12 mm high."""

TOUCH: Final = 64
"""Minimum height of a touch target: 12 mm."""
GAP: Final = 12
SCREEN: Final = (800, 480)
"""Size of the layout of all screens; a larger window shows it enlarged."""
LEAST: Final = (640, 384)
"""Minimum size of the window: the smallest letters have 16 pixels in it."""
BOARD = 480
"""The width of the board beside a panel."""
LARGE = False
"""Whether letters are large, so that layouts for large letters take more room."""

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
"""The board makes room for large letters."""


def wear(*, high_contrast: bool, large_letters: bool) -> None:
    """Select the players' colours and dimensions, before the screens are rebuilt."""
    globals().update(
        _USUAL
        | (_HIGH_CONTRAST if high_contrast else {})
        | (_LARGE_LETTERS if large_letters else {})
    )


def choose(usual: T, *, large: T) -> T:
    """Return a value of the layout, by the size of the letters."""
    return large if LARGE else usual
