"""Tests that every viewer can read the format of the animations."""

from pathlib import Path

import pytest
from PIL import Image, ImageSequence

from tools.make_animation import FOLDER, halved, save

RED, BLUE = (248, 0, 0), (0, 0, 248)


def test_animation_frames_are_ordered(tmp_path: Path) -> None:
    colours = RED, BLUE, RED
    save([Image.new("RGB", (4, 3), colour) for colour in colours], tmp_path / "film.png")
    with Image.open(tmp_path / "film.png") as film:
        seen = []
        for n in range(3):
            film.seek(n)
            seen.append(film.convert("RGB").getpixel((1, 1)))
    assert tuple(seen) == colours


def test_screen_picture_is_scaled_and_flipped() -> None:
    bottom, top = b"\x10\x20\x30\xff" * 800, b"\xf0\xe0\xd0\xff" * 800
    picture = halved(bottom * 2 + top * 478)
    assert picture.size == (400, 240)
    assert picture.getpixel((0, 0)) == (0xF0, 0xE0, 0xD0)
    assert picture.getpixel((0, 239)) == (0x10, 0x20, 0x30)


@pytest.mark.parametrize("file", ["alone.png", "attack.png"])
def test_documented_animations_move(file: str) -> None:
    with Image.open(FOLDER / file) as film:
        assert len([*ImageSequence.Iterator(film)]) > 60
        assert film.info["loop"] == 1
    assert (FOLDER / file).stat().st_size < 3_000_000
