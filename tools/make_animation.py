"""Record two screen animations into docs/screens: ``make animation``.

`alone.png` shows the first turns of a game against the computer, and `attack.png` shows an attack
on a bomb. Both are animated PNGs at half size. A viewer that does not support animation shows the
first frame.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from PIL import Image

import tests.conftest  # noqa: F401 (from here on Kivy draws off screen)
from engine.board.geometry import WIDTH, Square, name

if TYPE_CHECKING:
    from tests.companion.ui.driver import Driver
    from tests.companion.ui.solo_hands import Hands

FOLDER: Final = Path(__file__).parents[1] / "docs" / "screens"
PACE: Final = 10
"""Frames per second."""
_WIDTH, _HEIGHT = 800, 480
_COLOURS: Final = 96


def halved(pixels: bytes) -> Image.Image:
    """Halve the size of a captured frame.

    The frame has four bytes per pixel, and its bottom row comes first.
    """
    whole = Image.frombytes("RGBA", (_WIDTH, _HEIGHT), pixels)
    return whole.convert("RGB").transpose(Image.Transpose.FLIP_TOP_BOTTOM).reduce(2)


def save(pictures: list[Image.Image], path: Path) -> None:
    """Save an animated PNG with a small palette that all frames share."""
    strip = Image.new("RGB", (pictures[0].width, pictures[0].height * len(pictures)))
    for n, picture in enumerate(pictures):
        strip.paste(picture, (0, n * picture.height))
    palette = strip.quantize(_COLOURS, dither=Image.Dither.NONE)
    first, *others = (each.quantize(palette=palette, dither=Image.Dither.NONE) for each in pictures)
    first.save(path, save_all=True, append_images=others, duration=1000 // PACE, loop=1)


def film_alone(driver: "Driver") -> Iterator[Image.Image]:
    """Play a quick game against the computer up to the first attack, and yield the frames."""
    from tests.companion.ui.solo_hands import Hands  # noqa: PLC0415

    def watch(seconds: float) -> Iterator[Image.Image]:
        for _ in range(round(seconds * PACE)):
            driver.script.waiting.append(driver.virtual_seen())
            driver.pass_time(1 / PACE)
            yield halved(driver.pixels())

    driver.connect()
    driver.pass_time(1)
    yield from watch(1.5)
    driver.tap("alone")
    yield from watch(1.5)
    driver.tap("quick")
    yield from watch(1.5)
    driver.tap_inside("red", "ready")
    hands = Hands(driver, seed=1)
    for _ in range(_TURNS):
        while not hands.is_my_turn() or driver.view != "turn":
            hands.put_right()
            if driver.view == "reveal" and driver.on_top("end"):
                yield from watch(2)
                driver.tap("end")
            yield from watch(0.3)
        attackers = [square for square in hands.own() if hands.can_attack(square)]
        source = max(attackers or hands.own(), key=lambda square: (_reach(hands, square), square))
        target = max(hands.reach(source))
        finger = driver.touch_at(*driver.on_board(name(source)))
        yield from watch(0.5)
        driver.slide(finger, *driver.on_board(name(target)))
        driver.release(finger)
        yield from watch(1.5)
        if attackers:
            yield from watch(3)
            return


_TURNS: Final = 12
"""Maximum number of turns by the human player."""


def _reach(hands: "Hands", square: Square) -> int:
    """Return the highest row that the piece on a square can reach, or -1 if it cannot move."""
    return max((target // WIDTH for target in hands.reach(square)), default=-1)


def film_attack(driver: "Driver") -> Iterator[Image.Image]:
    """Play an attack, and yield ten frames per second."""
    from companion.ui.widgets.buttons import HOLD_SECONDS  # noqa: PLC0415
    from engine.board.ranks import Rank  # noqa: PLC0415
    from tests.companion.ui import playing  # noqa: PLC0415

    def go_on(seconds: float) -> Iterator[Image.Image]:
        for _ in range(round(seconds * PACE)):
            driver.pass_time(1 / PACE)
            yield halved(driver.pixels())

    playing.begin(driver)
    image = playing.play(driver, playing.STANDING, "e4 e5", "a7 a6", "e5 e6", "a6 a5")
    driver.pass_time(3)
    yield from go_on(0.8)
    playing.attack_on_screen(driver, "e6", "e7")
    for rank in (Rank.SERGEANT, Rank.BOMB):
        yield from go_on(0.5)
        finger = driver.touch_at(*driver.middle(driver.find("hold")))
        yield from go_on(HOLD_SECONDS + 0.2)
        driver.release(finger)
        yield from go_on(0.6)
        finger = driver.touch_tile("tiles", rank)
        yield from go_on(HOLD_SECONDS + 0.1)
        driver.release(finger)
    yield from go_on(3.2)
    driver.show(playing.after(image, "e6 "))
    yield from go_on(1.5)


def main(folder: Path) -> None:
    os.environ["KCFG_KIVY_LOG_LEVEL"] = "warning"
    import tests.companion.ui.conftest  # noqa: F401, PLC0415 (sets Kivy up)
    from tests.companion.ui.driver import Driver  # noqa: PLC0415
    from tests.companion.ui.running_app import Script  # noqa: PLC0415

    films = {
        "alone.png": (film_alone, Script.with_simulated_board),
        "attack.png": (film_attack, Script),
    }
    for file, (film, board) in films.items():
        path = folder / file
        games = TemporaryDirectory()
        with games as kept, Driver(Path(kept) / "games.sqlite", source=board()) as driver:
            pictures = list(film(driver))
        save(pictures, path)
        print(f"{path}: {len(pictures)} pictures, {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
