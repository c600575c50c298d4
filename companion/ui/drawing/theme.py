"""Colours, font sizes and dimensions for all screens, in pixels of a 7-inch screen (133 per inch).

The background is a map, on near-black blue-green in the dark theme and on parchment in the light
theme. The board is wooden in both themes. `ACCENT` marks the widget on which a player has to act
now. All text has a contrast of at least 7:1 against its background, and the edge of every widget at
least 3:1. Colour is never the only cue: a shape, a symbol or a word gives the same information.

The high-contrast theme of `apply_theme` is white on black, with a contrast of at least 12:1.
"""

from collections.abc import Mapping
from typing import Final, TypeAlias, TypeVar

from companion import palette
from engine.board.geometry import Side

Colour: TypeAlias = tuple[float, float, float, float]
T = TypeVar("T")


def _colour(name: str, colours: Mapping[str, str] = palette.SCREENS) -> Colour:
    red, green, blue = (int(colours[name][n : n + 2], 16) / 255 for n in (1, 3, 5))
    return red, green, blue, 1.0


BACKGROUND = _colour("background")
MAP = _colour("map")
"""Colour of the faint lines of the background map."""
SURFACE = _colour("surface")
"""Background colour of cards and secondary buttons."""
PRESSED = _colour("pressed")
EDGE = _colour("edge")
TEXT = _colour("text")
TEXT_SECONDARY = _colour("text-secondary")
ACCENT = _colour("accent")
ACCENT_PRESSED = _colour("accent-pressed")
ON_ACCENT = _colour("on-accent")

WOOD: Final = _colour("wood")
WOOD_DARK: Final = _colour("wood-dark")
SHADE: Final = _colour("shade")
"""Colour of outlines and shadows on the board."""
TRACE: Final = _colour("trace")
"""Colour that marks the squares of the last move."""
SHORE: Final = _colour("shore")
LAKE: Final = _colour("lake")
LAKE_DEEP: Final = _colour("lake-deep")
RIPPLE: Final = _colour("ripple")
MARK: Final = _colour("text")
"""Colour of marks and characters on the board and its pieces, in all themes."""
GLOW: Final = _colour("accent")
"""The accent colour on the board, in all themes."""
PIECES: Final = {
    side: tuple(
        _colour(f"{side.value if side else 'unknown'}-{part}", palette.PIECES)
        for part in ("shade", "body", "light")
    )
    for side in (*Side, None)
}
"""Colours of each side's pieces and of unknown pieces: shade, body and highlight."""
EXPLOSION_INK: Final = _colour("ink", palette.EXPLOSION)
EXPLOSION_OUTLINE: Final = _colour("outline", palette.EXPLOSION)
SIDE_MARKS: Final = {
    Side.RED: _colour("red"),
    Side.BLUE: _colour("blue"),
    None: _colour("text-secondary"),
}
"""Colours of seals, curtains and the outlines of missing pieces, in all themes."""

SIDES = {side: _colour(side.value) for side in Side}
CLOTH = {side: _colour(f"{side.value}-cloth") for side in Side}

BODY: Final = 20
HEAD: Final = 28
TITLE: Final = 40
NAME: Final = 64
"""Font size of a side's name. The letters are 12 mm high, and readable from across the room."""

TOUCH: Final = 64
"""Minimum height of a touch target (12 mm)."""
GAP: Final = 12
LANDSCAPE: Final = (800, 480)
"""Layout size in a landscape window."""
PORTRAIT: Final = (480, 800)
"""Minimum layout size in a portrait window."""
_HIGHEST: Final = 900
"""Maximum layout height in portrait. Estimated, not measured."""
_PANEL: Final = 392
"""Height of the panel below the board in portrait. During a turn, two lines of news and the rank
table fit into it in every language."""
_SMALL_BOARD: Final = 360
"""Board width in portrait with large text, small enough for the rank table to fit."""
TOUCHSCREENS: Final = (LANDSCAPE, PORTRAIT, (720, 1280))
"""Sizes of displays that are dedicated to the companion: the 7-inch screens and the Raspberry Pi
Touch Display 2."""
SCREEN = LANDSCAPE
"""Size of the current layout, which is scaled up in a larger window."""
LEAST: Final = (640, 384)
"""Minimum size of a landscape window. At this size, the smallest text is 16 pixels high."""
UPRIGHT = False
"""Whether the layout is in portrait format."""
ORIENTATION = "horizontal"
"""BoxLayout orientation of the board and its panel: side by side or, in portrait, one above the
other."""
BOARD = 480
"""Width of the board beside a panel."""
LARGE = False
"""Whether text is large relative to the screen width. This is the case in portrait, and if large
text is set. Layouts then wrap rows and use more pages."""
GROWTH = 1.0
"""Maximum factor by which text is enlarged."""
PLAIN = False
"""Whether to omit decoration, as with high contrast."""

_DARK: Final = {
    name: globals()[name]
    for name in (
        *("BACKGROUND", "MAP", "SURFACE", "PRESSED", "EDGE", "TEXT", "TEXT_SECONDARY"),
        *("ACCENT", "ACCENT_PRESSED", "ON_ACCENT", "SIDES", "CLOTH", "PLAIN"),
        *("SCREEN", "UPRIGHT", "ORIENTATION", "BOARD", "LARGE", "GROWTH"),
    )
}


def _replaced(colours: Mapping[str, str]) -> dict[str, object]:
    """Return theme values with some colours of `palette.SCREENS` replaced."""
    whole = {**palette.SCREENS, **colours}
    single = {name: name.lower().replace("_", "-") for name in _DARK}
    return {name: _colour(key, colours) for name, key in single.items() if key in colours} | {
        "SIDES": {side: _colour(side.value, whole) for side in Side},
        "CLOTH": {side: _colour(f"{side.value}-cloth", whole) for side in Side},
    }


_LIGHT: Final = _replaced(palette.LIGHT)
_HIGH_CONTRAST: Final = _DARK | _replaced(palette.HIGH_CONTRAST) | {"PLAIN": True}
_LARGE_LETTERS: Final = {"BOARD": 400, "LARGE": True, "GROWTH": 1.5}
"""Theme values for large text, such as a smaller board that leaves more room for text."""


def layout_size(window: tuple[float, float]) -> tuple[int, int]:
    """Return the layout size for a window of this size."""
    (width, height), (narrow, low) = window, PORTRAIT
    if height <= width:
        return LANDSCAPE
    return narrow, min(max(low, round(narrow * height / width)), _HIGHEST)


def apply_theme(
    *,
    high_contrast: bool,
    large_letters: bool,
    light: bool,
    screen: tuple[int, int] = LANDSCAPE,
) -> None:
    """Select the colours and dimensions. Rebuild the screens afterwards.

    High contrast takes precedence over the light theme. `screen` is the layout size.
    """
    width, height = screen
    portrait = {
        "SCREEN": screen,
        "UPRIGHT": True,
        "ORIENTATION": "vertical",
        "LARGE": True,
        "BOARD": min(width, height - _PANEL),
    }
    globals().update(
        _DARK
        | (_LIGHT if light else {})
        | (_HIGH_CONTRAST if high_contrast else {})
        | (portrait if height > width else {})
        | (_LARGE_LETTERS if large_letters else {})
        | ({"BOARD": _SMALL_BOARD} if large_letters and height > width else {})
    )


def choose(usual: T, **others: T) -> T:
    """Return a layout value: the first value in `others` that applies, or else `usual`.

    `grown` applies to large text, and `upright` to a portrait window. `large` applies to both,
    because a portrait window uses the layouts for large text.
    """
    if GROWTH > 1 and "grown" in others:
        return others["grown"]
    if UPRIGHT and "upright" in others:
        return others["upright"]
    return others.get("large", usual) if LARGE else usual


def text(*, quiet: object) -> Colour:
    """Return the text colour. `quiet` selects the secondary one."""
    return TEXT_SECONDARY if quiet else TEXT


def on_fill(*, accented: object) -> Colour:
    """Return the colour of text on a control.

    `accented` tells whether the control has the accent colour.
    """
    return ON_ACCENT if accented else TEXT


def fill(*, pressed: bool, main: bool = False) -> Colour:
    """Return the background colour of a control. `main` selects the accent colour."""
    if main:
        return ACCENT_PRESSED if pressed else ACCENT
    return PRESSED if pressed else SURFACE
