"""Tests that the tables and drawings in the documentation match the parts."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from hardware.mechanics import tables
from hardware.mechanics.__main__ import BOOK, PAGE
from hardware.mechanics.assembly import assembly, button_assembly, console_assembly
from hardware.mechanics.drawing import drawing, pdf
from hardware.mechanics.flat import Part
from hardware.mechanics.pictures import pictures

TEXT = PAGE.read_text(encoding="utf-8")


def test_tables_are_current(made: list[Part]) -> None:
    assert tables.draw(TEXT, made) == TEXT, "run make mechanics"


def pixels(image: Image.Image) -> "np.ndarray[tuple[int, ...], np.dtype[np.float64]]":
    return np.asarray(image.convert("RGB"), dtype=float)


def differs(name: str, made: list[Part]) -> bool:
    kept = pixels(Image.open(BOOK / f"mechanics-{name}.png"))
    painted = pixels(pictures(made)[name]())
    if kept.shape != painted.shape:
        return True
    # On a different computer, lines may shift by a pixel. A changed part makes a much larger
    # difference.
    return bool((np.abs(kept - painted).max(axis=2) > 40).mean() > 0.002)


@pytest.mark.parametrize("name", ["whole", "exploded", "cap", "tools", "console"])
def test_pictures_are_current(name: str, made: list[Part]) -> None:
    assert not differs(name, made), "run make mechanics"


def test_outdated_picture_is_found(made: list[Part]) -> None:
    def other(part: Part) -> Part:
        return replace(part, solid=part.solid.moved(z=1)) if part.name == "depth-gauge" else part

    assert differs("tools", [other(part) for part in made])


def test_screws_match_holes(made: list[Part]) -> None:
    counts = re.findall(r"\*\*(\d+)\*\* (?:brass|screws|of M3)", TEXT)

    def screws(*starts: str) -> int:
        wholes = [assembly(40, made, []), console_assembly(made), *[button_assembly(made)] * 2]
        return sum(each.name.startswith(starts) for whole in wholes for each in whole.screws)

    assert [int(count) for count in counts] == [
        screws("tile screw", "post screw", "foot screw", "controller screw"),
        screws("clamp screw"),
        screws("clamp screw", "foot screw", "controller screw"),  # these screws have nuts
        screws("lid screw", "bottom screw"),
        screws("case screw", "stand screw"),
        screws("clip screw"),
    ]


def test_drawing_has_dimensions(made: list[Part]) -> None:
    for part in made:
        words = set(re.findall(r">([^<]+)</text>", drawing(part)))
        assert {f"{round(length, 2):g}" for length in part.solid.size} <= words, part.name
        assert {f"· {note}" for note in part.notes} <= words, part.name


def test_drawings_are_one_pdf(made: list[Part], tmp_path: Path) -> None:
    path = tmp_path / "drawings.pdf"
    pdf((drawing(part) for part in made[:3]), path)
    document = path.read_bytes()
    assert b"/MediaBox [0 0 841.89 595.28]" in document
    assert document.count(b"/Type /Page\n") == 3
