"""Style sheets, graphics and pages use only palette colours."""

import re
import subprocess
from pathlib import Path

import pytest

from companion import palette
from companion.ui.drawing import theme
from engine.board.geometry import Side
from tools.colours import ROOT, coloured, style_sheets

SHARE = r"(?:0(?:\.\d+)?|1(?:\.0)?)"
LITERAL = re.compile(rf"\({SHARE}(?:, ?{SHARE}){{2,3}}\)")
"""A colour written as numbers from 0 to 1."""
HEX = re.compile(r"#[0-9a-fA-F]{3,8}\b(?!;?&)")
WRITTEN_IN = ("companion", "tools")
"""Folders whose Python files may not define colours.

`hardware` may define colours, because it draws real materials.
"""


def product_files(*patterns: str) -> list[Path]:
    found = subprocess.run(
        ["git", "ls-files", *patterns], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return [ROOT / line for line in found.stdout.split()]


@pytest.mark.parametrize("path", list(style_sheets()), ids=lambda path: path.name)
def test_style_sheets(path: Path) -> None:
    style = path.read_text("utf-8")
    assert style == coloured(style), "run make colours"
    own = HEX.findall(re.sub(r"/\* palette: .*?\}", "", style, flags=re.DOTALL))
    assert own == [], "use a custom property of the palette"
    used = set(re.findall(r"var\(--([\w-]+)", style))
    assert used <= set(re.findall(r"--([\w-]+):", style))


def test_pages_and_icon() -> None:
    for path in product_files("companion/**/*.html", "companion/**/*.svg"):
        assert set(HEX.findall(path.read_text("utf-8"))) <= set(palette.SCREENS.values()), path


def test_no_colours_outside_the_palette() -> None:
    files = [path for folder in WRITTEN_IN for path in product_files(f"{folder}/**/*.py")]
    assert len(files) > 100
    for path in files:
        if path.name != "palette.py":
            assert re.findall(r"\"#[0-9a-fA-F]{3,8}\"", path.read_text("utf-8")) == [], path


def test_no_numeric_colours_outside_the_palette() -> None:
    """Only black, white and transparent may be written as numeric values."""
    for path in product_files("companion/**/*.py"):
        for literal in LITERAL.findall(path.read_text("utf-8")):
            red, green, blue, *_alpha = map(float, literal.strip("()").split(","))
            assert {red, green, blue} <= {0, 1}, (path, literal)


def test_kivy() -> None:
    assert theme.SIDES[Side.RED] == (0xFF / 255, 0x8A / 255, 0x78 / 255, 1.0)
    assert set(palette.HIGH_CONTRAST) <= set(palette.SCREENS)
