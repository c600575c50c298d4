"""Records a camera's images, and compares the boards read from them with the ground truth.

A recording is a folder that `sources` can read. Its ground truth is entered by hand in
``truth.txt``, one line per change. Each line begins with the time, in seconds, by which the arm had
left:

    0.0 empty
    8.5 armies
    21.4 a4-a5
    40.2 a5xa6 blue miner captain

``empty`` and ``armies`` describe the whole board. An attack names the side whose piece remains on
the target, or ``none``. The ranks of attacker and defender may follow, as in ``blue miner bomb``.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from statistics import median
from typing import Final

import cv2

from engine.board.geometry import Side, name, square, squares_in
from firmware_bridge.camera.observer import Observation, Observer
from firmware_bridge.camera.sources import TIMES, SourceError, TimedPicture
from firmware_bridge.image import ARMIES, Image

TRUTH: Final = "truth.txt"
_NOTE: Final = (
    "This folder holds pictures of a game. Before you share them, check that no face is visible "
    "and that everybody in the pictures agrees.\n"
)
_QUALITY: Final = 92
_INTERVAL: Final = 0.1
"""Minimum interval between recorded images, in seconds."""


def record(pictures: Iterable[TimedPicture], folder: Path) -> int:
    """Save images and their times in a new folder, and return the number of images.

    Raises FileExistsError if the folder exists. Images are saved one by one, so an interrupted
    recording contains everything up to the interruption. The folder is created once the source is
    open.
    """
    if folder.exists():
        raise FileExistsError(folder)
    pictures = iter(pictures)
    head = list(islice(pictures, 1))  # opens the source
    folder.mkdir(parents=True)
    (folder / "README.txt").write_text(_NOTE, encoding="utf-8")
    count, first, due = 0, None, 0.0
    with (folder / TIMES).open("w", encoding="utf-8") as times:
        for timed in chain(head, pictures):
            if timed.picture is None:
                continue
            first = timed.at if first is None else first
            at = timed.at - first
            if at < due:
                continue
            due = at + _INTERVAL
            count += 1
            path = folder / f"{count:06}.jpg"
            if not cv2.imwrite(str(path), timed.picture, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY]):
                raise SourceError(f"{path} cannot be written.")
            times.write(f"{at:.3f}\n")
            times.flush()
    return count


@dataclass(frozen=True)
class TrueBoard:
    """The actual state of the board from a given time on."""

    at: float
    image: Image
    change: str
    """Ground-truth line that produced this board."""


def read_truth(folder: Path) -> list[TrueBoard]:
    """Return the boards described by a recording's ground truth.

    Raises SourceError, quoting the line, if a line is faulty.
    """
    path = folder / TRUTH
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise SourceError(f"{path} cannot be read ({error.strerror}).") from error
    except UnicodeDecodeError as error:
        raise SourceError(f"{path} is not UTF-8 text.") from error
    boards: list[TrueBoard] = []
    for number, line in enumerate(lines, start=1):
        words = line.split()
        if not words:
            continue
        try:
            at = float(words[0])
            if not math.isfinite(at) or (boards and at < boards[-1].at):
                raise ValueError("the time is not a number, or decreases")
            image = _changed(boards[-1].image if boards else Image(), words[1:])
            boards.append(TrueBoard(at, image, " ".join(words[1:])))
        except (ValueError, KeyError, IndexError) as error:
            raise SourceError(
                f"Line {number} of {path} is {line!r}; expected a time, not before that of the "
                "previous line, and “empty”, “armies”, a move to an empty square such as a4-a5, "
                "or an attack on a piece such as a5xa6 with red, blue or none."
            ) from error
    return boards


def _changed(before: Image, words: Sequence[str]) -> Image:
    if words[0] in ("empty", "armies"):
        return ARMIES if words[0] == "armies" else Image()
    is_attack = "x" in words[0]
    source, target = map(square, words[0].split("x" if is_attack else "-"))
    rest = before.at(source).side
    if rest is None:
        raise ValueError(f"no piece is on {name(source)}")
    if bool(before.occupied >> target & 1) is not is_attack:
        raise ValueError(f"{name(target)} is {'empty' if is_attack else 'occupied'}")
    if is_attack:
        rest = None if words[1] == "none" else Side(words[1])
    gone = ~(1 << source | 1 << target)
    red, blue = (
        before.of(side) & gone | (1 << target if rest is side else 0)
        for side in (Side.RED, Side.BLUE)
    )
    return Image(red, blue)


@dataclass
class Judgement:
    """Results of comparing readings with the ground truth."""

    squares: int = 0
    wrong: int = 0
    withheld: int = 0
    ignored: int = 0
    """Number of images that were not read, because something crossed the frame or the colours had
    not been learned yet."""
    missed: list[str] = field(default_factory=list)
    """Changes that did not appear in any image before the next change."""
    delays: list[float] = field(default_factory=list)
    """Times, in seconds, from when the arm left the picture until the new position was read."""

    def __str__(self) -> str:
        delay = f"{median(self.delays):.2f} s" if self.delays else "unknown"
        missed = f": {', '.join(self.missed)}" if self.missed else ""
        return (
            f"Squares read: {self.squares}, {self.wrong} of them wrong and {self.withheld} "
            f"withheld.\nPictures ignored: {self.ignored}.\n"
            f"Changes read: {len(self.delays)}, missed: {len(self.missed)}{missed}.\n"
            f"Median delay after the arm has left: {delay}."
        )


def judge(
    pictures: Iterable[TimedPicture],
    truth: Sequence[TrueBoard],
    listener: Callable[[Observation], None],
) -> Judgement:
    """Read the images in a recording and compare the results with the ground truth.

    `listener` receives the observation of each image.
    """
    observer, result = Observer(), Judgement()
    shown: dict[int, float] = {}
    for timed in pictures:
        if timed.picture is None:
            continue
        observed = observer.take(timed.at, timed.picture)
        listener(observed)
        seen = observed.image
        begun = [n for n, board in enumerate(truth) if board.at <= timed.at]
        if seen is None or not begun:
            result.ignored += 1
            continue
        current = begun[-1]
        # Times entered by hand are not exact, so a reading that matches the board after the next
        # ply is also accepted.
        near = [n for n in (current, current + 1) if n < len(truth)]
        best = min(near, key=lambda n: seen.differing(truth[n].image).bit_count())
        differing = seen.differing(truth[best].image)
        result.squares += 100
        result.withheld += len(list(squares_in(differing & seen.unknown)))
        result.wrong += len(list(squares_in(differing & ~seen.unknown)))
        if not differing:
            shown.setdefault(best, timed.at)
    for number, board in enumerate(truth):
        if number in shown:
            result.delays.append(max(0.0, shown[number] - board.at))
        else:
            result.missed.append(board.change)
    return result
