"""All colours of the product: screens, phones, hall, print and terminal.

`companion.ui.drawing.theme` reads the colours for Kivy; the SVG writers and the terminal use them
directly. For CSS, `make colours` writes them as custom properties, and a test checks that the CSS
is up to date. To ensure sufficient contrast, the colour of a side differs between media: `PIECES`
is for pieces on the touchscreen, `SCREENS` for touchscreen text and for phones, `HALL` for the
hall, and `PRINT` for diagrams.
"""

from typing import Final

from engine.board.geometry import Side

SCREENS: Final = {
    "background": "#0a1416",
    "map": "#1a3034",
    "surface": "#12211f",
    "pressed": "#1f3634",
    "edge": "#6f8f8a",
    "text": "#f5efe2",
    "text-secondary": "#b9c7c1",
    "accent": "#ffb627",
    "accent-pressed": "#ffd57a",
    "on-accent": "#140d02",
    "red": "#ff8a78",
    "blue": "#7cc0ff",
    "red-cloth": "#6e211a",
    "blue-cloth": "#1d3f70",
    "wood": "#c29a66",
    "wood-dark": "#8f6039",
    "shade": "#120a06",
    "trace": "#4f9f88",
    "shore": "#e2c690",
    "lake": "#17505f",
    "lake-deep": "#0f3a48",
    "ripple": "#6fb7bd",
    "veil": "#000000aa",
}
"""Dark colours for the screens and the pages on phones."""

LIGHT: Final = {
    "background": "#efe4c8",
    "map": "#ddcca4",
    "surface": "#e6d8b4",
    "pressed": "#d6c494",
    "edge": "#6b5634",
    "text": "#1d150a",
    "text-secondary": "#362a16",
    "accent": "#7d3600",
    "accent-pressed": "#5e2800",
    "on-accent": "#fff6e0",
    "red": "#8f1d12",
    "blue": "#14467f",
    "red-cloth": "#eab2a8",
    "blue-cloth": "#b4cdec",
}
"""Replacements for some screen colours in the light theme."""

HIGH_CONTRAST: Final = {
    "background": "#000000",
    "map": "#000000",
    "surface": "#000000",
    "pressed": "#2b2b2b",
    "edge": "#ffffff",
    "text": "#ffffff",
    "text-secondary": "#ffffff",
    "accent": "#ffc94d",
    "accent-pressed": "#ffe3a3",
    "on-accent": "#000000",
    "red-cloth": "#57130d",
    "blue-cloth": "#0f2c57",
}
"""Replacements for some screen colours in the high-contrast theme."""

PIECES: Final = {
    "red-shade": "#731c14",
    "red-body": "#c23826",
    "red-light": "#fa947a",
    "blue-shade": "#17366b",
    "blue-body": "#336bbd",
    "blue-light": "#a8d1ff",
    "unknown-shade": "#5c594f",
    "unknown-body": "#9e998c",
    "unknown-light": "#e6e0d1",
}
"""Shade, body and highlight colours of the pieces on the touchscreen."""

EXPLOSION: Final = {
    "ink": "#fff2cc",
    "outline": "#290805",
}
"""Colours of the explosion lettering."""

_RED_ON_WHITE: Final = "#b3261e"
_BLUE_ON_WHITE: Final = "#14508f"
"""Colours of the sides, with enough contrast against white."""

HALL: Final = {
    "background": "#14181d",
    "card": "#1f262e",
    "button": "#2b343e",
    "line": "#3a4550",
    "ink": "#f2f4f6",
    "soft": "#b6c0ca",
    "accent": "#ffc94d",
    "red": "#ff8a80",
    "blue": "#8ec5ff",
    "alarm": "#ff5c4d",
    "alarm-text": "#ffb3ab",
    "alarm-ground": "#5a1f1f",
    "field": "#d8cfb8",
    "field-edge": "#8d8468",
    "lake": "#5c86a8",
    "lake-edge": "#3d617e",
    "red-piece": _RED_ON_WHITE,
    "blue-piece": _BLUE_ON_WHITE,
    "piece-rim": "#ffffff",
}
"""Dark colours for the arbiters' console and for a tournament's projected lists, which are read
from a distance."""

SHEETS: Final = {
    "background": "#ffffff",
    "ink": "#111111",
    "soft": "#444444",
    "line": "#bbbbbb",
    "cut": "#555555",
    "red": _RED_ON_WHITE,
    "blue": _BLUE_ON_WHITE,
}
"""Colours for a tournament's printed lists and slips."""

PRINT: Final = {
    "paper": "#ffffff",
    "ink": "#12161c",
    "text-secondary": "#55606e",
    "rule": "#d5dae0",
    "field": "#edf0f3",
    "field-dark": "#e3e7ec",
    "water": "#bcdde8",
    "wave": "#5f9fb5",
    "dark-span": "#e8cf8a",
    "red": "#ff7a6b",
    "blue": "#6cb6ff",
    "unknown": "#b9c0c8",
    "red-edge": "#a03227",
    "blue-edge": "#1d5c98",
    "accepted": "#1c7c3c",
    "refused": "#a01010",
    "question": "#7a3fa0",
    "offer": "#b06000",
}
"""Colours for drawings on white: diagrams, timelines of traces, and the building guide."""

GUIDE: Final = {
    "supply": "#c0392b",
    "wood": "#e9d3ae",
    "part": "#3a424d",
    "lamp": "#f2c14e",
    "unused": "#d4dae1",
    "grid": "#aab2bc",
    "faint": "#dfe3e8",
    "iron": "#cfd6de",
    "too-hard": "#b5776c",
    "others": "#6d8299",
}
"""Colours for parts and wires in the building guide's drawings, in addition to `PRINT`."""

WIRES: Final = ("#ffd9a8", "#bfe3ff", "#d5efb5", "#f6c6dd", "#fff3a3", "#d9cff5", "#e2e5e9")
"""Fill colours that distinguish the groups of wires in the wiring chart."""

TERMINAL: Final = {
    "red": "red",
    "blue": "bright_blue",
    "unknown": "magenta",
    "lake": "cyan",
    "accent": "yellow",
    "good": "green",
}
"""Names of the terminal's built-in colours."""

GROUPS: Final = {"screens": SCREENS, "hall": HALL, "sheets": SHEETS}
"""Groups of colours that CSS uses as custom properties."""


def sides(colours: dict[str, str], suffix: str = "") -> dict[Side, str]:
    """Return the colours of both sides. `suffix` selects a variant, such as `-edge`."""
    return {side: colours[side.value + suffix] for side in Side}
