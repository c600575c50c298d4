"""Measure the memory of a game against the computer: ``python -m tests.bench.solo_memory``.

A person plays 200 plies by touch, and every ply is drawn in an off-screen window. The memory that a
computer with a graphics processor does not need is shown separately: the software renderer, and its
copies of the textures.
"""

import argparse
import gc
import re
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from rich.console import Console

import tests.conftest  # noqa: F401 (from here on Kivy draws off screen)
from engine.rules.editions import EDITIONS
from tests.companion.ui.driver import Driver
from tests.companion.ui.solo_hands import Hands, sit_down

_PLIES: Final = 200
_MAPPING: Final = re.compile(r"[0-9a-f]+-[0-9a-f]+ +\S+ +\S+ +\S+ +\S+ *(.*)")
"""Start of an entry in /proc/self/smaps, with the name of the mapped file."""
_RENDERER: Final = re.compile(r"libLLVM|swrast|libgallium|libz3|llvmpipe|memfd|/dev/shm|dri")


def resident() -> Counter[str]:
    """Return the resident memory of this process by kind, in megabytes."""
    kinds: Counter[str] = Counter()
    kind = ""
    for line in Path("/proc/self/smaps").read_text().splitlines():
        if mapping := _MAPPING.fullmatch(line):
            kind = _kind(mapping[1])
        elif line.startswith("Rss:"):
            kinds[kind] += int(line.split()[1])
    return Counter({each: round(size / 1000) for each, size in kinds.items()})


def _kind(file: str) -> str:
    if _RENDERER.search(file):
        return "renderer"
    return "libraries" if file.startswith("/") else file or "anonymous"


def play(plies: int, seed: int) -> None:
    """Play alone, and print the memory at the start and every 50 plies."""
    with ExitStack() as stack, TemporaryDirectory() as folder:

        def drive(**options: object) -> Driver:
            return stack.enter_context(Driver(Path(folder) / "games.sqlite", **options))  # type: ignore[arg-type]

        hands = sit_down(drive, EDITIONS["original-1992"], seed)
        dice = Random(seed)
        _report(hands, 0)
        shown = 0
        while hands.plies < plies and not hands.is_over():
            _move(hands, dice)
            hands.driver.pixels()
            if hands.plies // 50 > shown:
                shown = hands.plies // 50
                _report(hands, hands.plies)


def _move(hands: Hands, dice: Random) -> None:
    own = [(each, target) for each in hands.own() for target in sorted(hands.reach(each))]
    quiet = [move for move in own if hands.side_at(move[1]) is None]
    hands.play(*dice.choice(quiet or own))


def _report(hands: Hands, plies: int) -> None:
    hands.driver.pixels()
    gc.collect()
    kinds = resident()
    parts = ", ".join(f"{kind} {size}" for kind, size in kinds.most_common() if size)
    Console().print(f"{plies} plies: {sum(kinds.values())} MB ({parts})")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plies", type=int, default=_PLIES, help="default: %(default)s")
    parser.add_argument("--seed", type=int, default=3, help="default: %(default)s")
    options = parser.parse_args()
    play(options.plies, options.seed)
