"""Measure memory use in a game against the computer: ``python -m tests.bench.solo_memory``.

A game of 200 plies is played by touch, twice: once drawn off-screen with the software renderer, and
once without drawing.
"""

import argparse
import gc
import os
import subprocess
import sys
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
_STEP: Final = 50
"""Number of plies between reports."""
_STANDIN: Final = {"KIVY_GL_BACKEND": "mock", "KCFG_KIVY_LOG_LEVEL": "critical"}


def memory() -> str:
    """Return the resident memory, in total and without mapped files such as libraries."""
    gc.collect()
    lines = Path("/proc/self/status").read_text().splitlines()
    kilobytes = {
        line.split()[0]: line.split()[1] for line in lines if line.startswith(("VmRSS", "RssAnon"))
    }
    resident, own = (int(kilobytes[name]) * 1024 / 1e6 for name in ("VmRSS:", "RssAnon:"))
    return f"{resident:.0f} MB, {own:.0f} MB without files"


def play(plies: int, seed: int) -> None:
    """Play against the computer. Print the memory usage at the start and at regular intervals."""
    with ExitStack() as stack, TemporaryDirectory() as folder:

        def drive(**options: object) -> Driver:
            return stack.enter_context(Driver(Path(folder) / "games.sqlite", **options))  # type: ignore[arg-type]

        hands = sit_down(drive, EDITIONS["original-1992"], seed)
        dice = Random(seed)
        due = 0
        while True:
            hands.driver.pixels()
            if hands.plies >= due:
                due += _STEP
                Console().print(f"  {hands.plies} plies: {memory()}")
            if hands.plies >= plies or hands.is_over():
                return
            _move(hands, dice)


def _move(hands: Hands, dice: Random) -> None:
    """Make a random move. To make the game long, attack only if no move is possible."""
    moves = [(each, target) for each in hands.own() for target in sorted(hands.reach(each))]
    quiet = [move for move in moves if hands.side_at(move[1]) is None]
    hands.play(*dice.choice(quiet or moves))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plies", type=int, default=_PLIES, help="default: %(default)s")
    parser.add_argument("--seed", type=int, default=3, help="default: %(default)s")
    parser.add_argument("--once", action="store_true", help="play with the current renderer only")
    options = parser.parse_args()
    if options.once:
        play(options.plies, options.seed)
        sys.exit()
    command = [sys.executable, "-m", "tests.bench.solo_memory", "--once", *sys.argv[1:]]
    for renderer, environment in (("software renderer", {}), ("nothing is drawn", _STANDIN)):
        Console().print(renderer)
        subprocess.run(command, env={**os.environ, **environment}, check=True)
