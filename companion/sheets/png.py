"""Rendering of an SVG as a PNG, the same on every machine: system fonts are not used."""

from importlib.util import find_spec
from pathlib import Path
from typing import Final

import resvg_py

_FONT: Final = "Roboto"
_FACES: Final = ("Roboto-Regular.ttf", "Roboto-Bold.ttf")


def png(svg: str, width: int = 1000) -> bytes:
    """Render an SVG as a PNG, `width` pixels wide; ValueError if it is not a valid SVG.

    All text is set in Roboto, whatever family the SVG asks for.
    """
    return resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        skip_system_fonts=True,
        font_files=[str(_fonts() / face) for face in _FACES],
        font_family=_FONT,
        sans_serif_family=_FONT,
    )


def _fonts() -> Path:
    """The folder of the fonts that are installed with Kivy, found without importing Kivy."""
    kivy = find_spec("kivy")
    assert kivy
    assert kivy.origin
    return Path(kivy.origin).parent / "data" / "fonts"
