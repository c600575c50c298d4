"""Take screenshots into build/screens: ``make screens``.

``python -m tools.make_screens [TOUR …] [--language CODE] [--large] [--size WIDTHxHEIGHT]`` takes
the screenshots of the named tours, or of all tours. Some of the screenshots are kept in
docs/screens for the documentation. Each run replaces those that belong to its tours. A run without
arguments also replaces those that show another language, large text or a portrait window. The
window icon is also drawn.
"""

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from PIL import Image

import tests.conftest  # noqa: F401 (from here on Kivy draws off-screen)
from companion.speech.i18n import codes
from tools.kept_screens import KEPT, PAGE, Kept, page

ROOT: Final = Path(__file__).parents[1]
BUILD: Final = ROOT / "build" / "screens"
DOCS: Final = ROOT / "docs" / "screens"
COLOURS: Final = 96
"""Number of colours per screenshot. More colours make no visible difference, and this number
shrinks the file to a third of its original size."""

SMALLEST: Final = 320
LARGEST: Final = 4096
"""Limits of the width and height of a window, in pixels."""


@dataclass(frozen=True)
class Style:
    """Language, text size and window size of screenshots."""

    language: str = "en"
    large: bool = False
    size: tuple[int, int] | None = None
    """Width and height of the window, or None for those of the touchscreen."""

    @property
    def folder(self) -> str:
        size = ["x".join(map(str, self.size))] if self.size else []
        return "-".join([self.language, *["large"] * self.large, *size])


KEPT_STYLES: Final = (Style(), Style("de"), Style(large=True), Style(size=(480, 800)))


def shrink(path: Path) -> None:
    """Reduce a screenshot to a palette of `COLOURS` colours."""
    with Image.open(path) as photograph:
        flat = photograph.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    flat.save(path, optimize=True)


def draw_icon(path: Path) -> None:
    """Draw the window icon: the bomb on a dark tile."""
    from kivy.graphics import Fbo  # noqa: PLC0415

    from companion.ui.drawing import theme  # noqa: PLC0415
    from companion.ui.drawing.rank_symbol import draw_small  # noqa: PLC0415
    from companion.ui.drawing.vector_pen import Pen  # noqa: PLC0415
    from engine.board.ranks import Rank  # noqa: PLC0415

    size = 256
    sheet = Fbo(size=(size, size))
    tile = Pen(sheet, 0, 0, size)
    tile.colour(theme.SURFACE)
    tile.box(2, 2, 96, 96, 18)
    bomb = Pen(sheet, size * 0.16, size * 0.14, size * 0.7)
    bomb.colour(theme.ACCENT)
    draw_small(bomb, Rank.BOMB)
    sheet.draw()
    sheet.texture.save(str(path), flipped=True)


def take(style: Style, tours: Sequence[str]) -> list[Path]:
    """Take all screenshots of the given tours, and return their files."""
    os.environ["KCFG_KIVY_LOG_LEVEL"] = "warning"
    from tests.companion.ui.driver import Driver  # noqa: PLC0415 (opens the window)
    from tests.companion.ui.playing import enlarge  # noqa: PLC0415
    from tests.companion.ui.tours import TOURS  # noqa: PLC0415

    draw_icon(ROOT / "companion" / "ui" / "icon.png")
    folder = BUILD / style.folder
    folder.mkdir(parents=True, exist_ok=True)
    taken: list[Path] = []
    for tour, board in TOURS:
        if tour.__name__ not in tours:
            continue
        with (
            TemporaryDirectory() as games,
            Driver(Path(games) / "games.sqlite", language=style.language, source=board()) as driver,
        ):
            if style.large:
                enlarge(driver)
            if style.size:
                driver.resize(*style.size)
            for name in tour(driver):
                taken.append(folder / f"{name}.png")
                driver.photograph(taken[-1])
                shrink(taken[-1])
    return taken


def keep(taken: Iterable[Path]) -> None:
    """Copy the kept screenshots to docs/screens, and write the page that shows them."""
    kept = {each.file for each in KEPT}
    for path in taken:
        file = str(path.relative_to(BUILD))
        if file in kept:
            (DOCS / file).parent.mkdir(parents=True, exist_ok=True)
            (DOCS / file).write_bytes(path.read_bytes())
    (DOCS / PAGE).write_text(page(), encoding="utf-8")


def all_tours() -> list[str]:
    from tests.companion.ui.tours import TOURS  # noqa: PLC0415 (opens the window)

    return [tour.__name__ for tour, _ in TOURS]


def main(arguments: Sequence[str]) -> None:
    options = _options(arguments)
    if arguments:
        style = Style(options.language, options.large, options.size)
        taken = take(style, options.tours or all_tours())
    else:
        taken = take(Style(), all_tours())
        for style in KEPT_STYLES[1:]:
            taken += take(style, _tours_of(style, KEPT))
    keep(taken)
    for folder, paths in groupby(taken, key=lambda path: path.parent):
        print(f"{folder}: {len(list(paths))} pictures")


def _enlarge_window(width: int, height: int) -> None:
    """Create a window of at least this size, because an off-screen window cannot be enlarged."""
    from kivy.config import Config  # noqa: PLC0415 (reads the command line unless Kivy is set up)

    for option, wanted in (("width", width), ("height", height)):
        Config.set("graphics", option, max(wanted, Config.getint("graphics", option)))


def _tours_of(style: Style, kept: Iterable[Kept]) -> list[str]:
    return [each.tour for each in kept if Path(each.file).parent.name == style.folder]


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make_screens", description="Take screenshots.")
    parser.add_argument("tours", nargs="*", metavar="TOUR", help="default: all tours")
    parser.add_argument("--language", default="en", choices=codes(), help="default: en")
    parser.add_argument("--large", action="store_true", help="large text")
    parser.add_argument("--size", type=_size, metavar="WIDTHxHEIGHT", help="default: 800x480")
    options = parser.parse_args(arguments)
    if options.size:
        _enlarge_window(*options.size)
    if unknown := set(options.tours) - set(known := all_tours()):
        parser.error(f"expected tours from {', '.join(known)}; found {', '.join(sorted(unknown))}")
    return options


def _size(text: str) -> tuple[int, int]:
    try:
        width, height = map(int, text.split("x"))
    except ValueError:
        width = height = 0
    if min(width, height) < SMALLEST or max(width, height) > LARGEST:
        raise argparse.ArgumentTypeError(
            f"expected WIDTHxHEIGHT, each from {SMALLEST} to {LARGEST}; found {text!r}"
        )
    return width, height


if __name__ == "__main__":
    main(sys.argv[1:])
