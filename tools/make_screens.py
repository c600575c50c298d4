"""Take screenshots of every screen, in two languages, into docs/screens: ``make screens``.

``make screens NAME=tour_of_failures`` takes those of one tour alone, and leaves all other pictures
as they are. The overview page is generated as well, and so is the icon of the window, which is our
own drawing too.
"""

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from babel import Locale
from PIL import Image

import tests.conftest  # noqa: F401 (from here on Kivy draws off screen)
from companion.rules_pages.markdown import table

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "screens"
PAGE = "README.md"
SHOWN = ("en", "de")
"""Languages of the pictures. All ten would make a thousand pictures."""
FAILURE = "failure-"
"""Prefix of the names of pictures that show a failure."""
COLOURS = 128
"""Colours per picture: more make no visible difference, and the file is a third as large."""


def page(folder: Path) -> str:
    """Return the page that shows every screen in these languages, side by side."""
    names = sorted({path.stem for path in folder.glob("*/*.png")})
    return "\n".join(
        [
            "# The screens of the companion",
            "",
            "As they are in the tests of the screens, made by `make screens`. At the end: "
            "[when something fails](#when-something-fails).",
            "",
            _shown(name for name in names if not name.startswith(FAILURE)),
            "",
            "## When something fails",
            "",
            "Games, settings, boards and voices that cannot be used, and a board that ails: each "
            "is told in a sentence, with what to do about it.",
            "",
            _shown(name for name in names if name.startswith(FAILURE)),
            "",
        ]
    )


def _shown(names: Iterable[str]) -> str:
    """Return a table of pictures, one name per line."""
    languages = {code: str(Locale(code).get_display_name("en")) for code in SHOWN}
    called = {name: name.removeprefix(FAILURE).replace("-", " ") for name in names}
    rows = [
        [what, *(f"![{what}, {languages[code]}]({code}/{name}.png)" for code in languages)]
        for name, what in called.items()
    ]
    return table(["screen", *languages.values()], rows)


def shrink(path: Path) -> None:
    """Reduce a picture to a palette."""
    with Image.open(path) as photograph:
        flat = photograph.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    flat.save(path, optimize=True)


def draw_icon(path: Path) -> None:
    """Draw the bomb on a dark tile."""
    from kivy.graphics import Fbo  # noqa: PLC0415

    from companion.screens.widgets import theme  # noqa: PLC0415
    from companion.screens.widgets.pen import Pen  # noqa: PLC0415
    from companion.screens.widgets.rank_symbol import draw_small  # noqa: PLC0415
    from engine.ranks import Rank  # noqa: PLC0415

    size = 256
    sheet = Fbo(size=(size, size))
    tile = Pen(sheet, 0, 0, size)
    tile.colour(theme.RAISED)
    tile.box(2, 2, 96, 96, 18)
    bomb = Pen(sheet, size * 0.16, size * 0.14, size * 0.7)
    bomb.colour(theme.ACT)
    draw_small(bomb, Rank.BOMB)
    sheet.draw()
    sheet.texture.save(str(path), flipped=True)


def main(folder: Path, only: str) -> None:
    """Make all pictures, or those of one tour."""
    os.environ["KCFG_KIVY_LOG_LEVEL"] = "warning"
    import tests.companion.screens.conftest  # noqa: F401, PLC0415 (sets Kivy up)
    from tests.companion.screens.driver import Driver  # noqa: PLC0415
    from tests.companion.screens.tours import TOURS  # noqa: PLC0415

    for code in SHOWN:
        place = folder / code
        place.mkdir(parents=True, exist_ok=True)
        old = set(place.glob("*.png"))
        for lead, board in TOURS:
            if only not in ("", lead.__name__):
                continue
            with (
                TemporaryDirectory() as kept,
                Driver(Path(kept) / "games.sqlite", language=code, source=board()) as driver,
            ):
                draw_icon(ROOT / "companion" / "screens" / "icon.png")
                for name in lead(driver):
                    driver.photograph(place / f"{name}.png")
                    shrink(place / f"{name}.png")
                    old.discard(place / f"{name}.png")
        for picture in old if not only else ():
            picture.unlink()  # of a screen that no longer exists
        print(f"{place}: {len(list(place.glob('*.png')))} screens")
    (folder / PAGE).write_text(page(folder), encoding="utf-8")


if __name__ == "__main__":
    main(FOLDER, *sys.argv[1:] or [""])
