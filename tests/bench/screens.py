"""Screen benchmark: timings of a game in the companion."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Final

from tests.bench.measures import MILLISECONDS, PER_CENT, Figure

SECONDS: Final = "s"
MEGABYTES: Final = "MB"
_FIGURES: Final = (
    ("first-frame", "from the command to the first frame", SECONDS, 1.0),
    ("resident", "memory at the start, but for a software renderer", MEGABYTES, 160),
    ("at-rest", "of a core, while both think", PER_CENT, 2),
    ("lifted", "a frame shows a piece lifted until that is seen", MILLISECONDS, 40),
    ("touched", "a touch until it is seen", MILLISECONDS, 34),
    ("bang", "the longest frame of a bang", MILLISECONDS, 50),
)


class ScreensError(Exception):
    """Raised if the screens' delays, memory and CPU load cannot be measured. The message states the
    reason."""


def measure_screens() -> Mapping[str, float]:
    """Run a session of the app. If there is no display, the screens are drawn off-screen."""
    environment = dict(os.environ)
    if not (environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY")):
        environment |= {"SDL_VIDEODRIVER": "offscreen", "SDL_AUDIODRIVER": "dummy"}
    command = [sys.executable, "-m", "companion.ui.app", str(time.monotonic())]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ScreensError(done.stderr.strip().splitlines()[-1] if done.stderr else "no reason")
    measured: Mapping[str, float] = json.loads(done.stdout)
    return measured


def screen_figures(rounds: Sequence[Mapping[str, float]]) -> list[Figure]:
    return [
        Figure(name, meaning, unit, median(each[name] for each in rounds), goal=goal)
        for name, meaning, unit, goal in _FIGURES
    ]
