"""Block sets, boards, camera views and positions for the tests."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from queue import SimpleQueue
from random import Random
from typing import Any, Self

from engine.board.geometry import ALL, LAKES, Side, Square, set_of, squares_in
from firmware_bridge.camera.sources import TimedPicture
from firmware_bridge.image import ARMIES, Image
from tests.camera import renderer

LOOKS = {
    "wood": renderer.Look(),
    "green": renderer.Look(board=renderer.GREEN),
    "dark": renderer.Look(board=renderer.DARK, red=(220, 60, 50), blue=(80, 150, 220)),
    "grain": renderer.Look(pattern="grain", red=(200, 160, 40), blue=(30, 120, 60)),
    "chequered": renderer.Look(pattern="chequered"),
    "black-white": renderer.Look(board=renderer.GREEN, red=(30, 30, 34), blue=(238, 236, 230)),
    "cubes": renderer.Look(wide=0.6, deep=0.55, high=0.5),
    "flat": renderer.Look(wide=0.7, deep=0.7, high=0.15, ranks=False),
    "narrow": renderer.Look(wide=0.5, deep=0.22, high=0.8, board=(150, 160, 120)),
    "grey": renderer.Look(board=(176, 176, 172), red=(200, 90, 30), blue=(40, 90, 70)),
}
"""Ten looks, each for a board and its two armies."""
SHOTS = (
    renderer.Shot(tilt=25, distance=18, barrel=-0.1, width=960, height=720),
    renderer.Shot(tilt=45, azimuth=180, distance=22, barrel=-0.15),
    renderer.Shot(tilt=5, azimuth=90, distance=20, barrel=0.02, noise=4),
    renderer.Shot(tilt=45, azimuth=60, distance=17, focal=0.7, barrel=-0.2, width=960, height=720),
    renderer.Shot(tilt=30, azimuth=90, distance=18, height=960, warmth=0.08),
)


def army_blocks(dice: Random) -> dict[Square, renderer.Standing]:
    return {
        square: renderer.block_on(side, square, dice)
        for side in Side
        for square in squares_in(side.home)
    }


def random_blocks(dice: Random) -> dict[Square, renderer.Standing]:
    squares = dice.sample(list(squares_in(ALL & ~LAKES)), dice.randrange(15, 80))
    return {square: renderer.block_on(dice.choice(list(Side)), square, dice) for square in squares}


def image_of(blocks: dict[Square, renderer.Standing]) -> Image:
    """Return the image that perfect sensors would report."""
    red, blue = (
        set_of(square for square, block in blocks.items() if block.side is side)
        for side in (Side.RED, Side.BLUE)
    )
    return Image(red, blue)


class Studio:
    """Renderer with a fixed camera view and a fixed appearance."""

    def __init__(self, look: renderer.Look, shot: renderer.Shot, seed: int = 0) -> None:
        self._renderer = renderer.Renderer(look, shot, seed)
        self.look = look

    @property
    def shot(self) -> renderer.Shot:
        return self._renderer.shot

    def light(self, **changes: Any) -> None:
        self._renderer.shot = replace(self._renderer.shot, **changes)

    def picture(self, blocks: Iterable[renderer.Standing] = (), **scene: Any) -> renderer.Array:
        parts: dict[str, Any] = {"arms": [], **scene}
        return self._renderer.render(renderer.Scene(self.look, self.shot, list(blocks), **parts))


class Film:
    """Image source to which the test supplies the images."""

    def __init__(self) -> None:
        self._queue: SimpleQueue[TimedPicture | None] = SimpleQueue()
        self._at = 0.0

    def show(self, picture: renderer.Array | None) -> None:
        """Show an image. None simulates an unplugged camera."""
        self._at += 1.0
        self._queue.put(TimedPicture(self._at, picture))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._queue.put(None)

    def __iter__(self) -> Iterator[TimedPicture]:
        return iter(self._queue.get, None)


__all__ = ["ARMIES", "LOOKS", "SHOTS", "Film", "Studio", "army_blocks", "image_of", "random_blocks"]
