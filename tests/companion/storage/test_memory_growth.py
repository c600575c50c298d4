"""Memory, open files and threads do not grow with the number of games."""

import gc
import json
import subprocess
import sys
import tracemalloc
from contextlib import closing
from pathlib import Path
from statistics import linear_regression
from tempfile import TemporaryDirectory
from typing import TypedDict

from tests.campaigns import Campaign
from tests.companion.storage.many_games import Program, journals_in, open_files

GAMES = Campaign("many-games", part=0, whole=10_000)
MOST_KB = 1.0
"""Maximum memory growth per game, in KB."""
WARM = 0.2
"""Fraction of the games that is ignored, because the first games still create rarely used
objects."""
MEMORY = Path("/dev/shm")
"""Folder in memory, so that the result does not depend on the disk."""


class Taken(TypedDict):
    """Resources in use after `games` games."""

    games: int
    memory_kb: int
    handles: int
    threads: int


def test_game_leaks_no_memory(tmp_path: Path) -> None:
    """Only memory allocated by Python is measured."""
    with closing(journals_in(tmp_path)) as journals:
        program = Program(journals)
        for _ in range(20):
            program.play()
        tracemalloc.start()
        try:
            for _ in range(20):
                program.play()
            gc.collect()
            before, files = tracemalloc.get_traced_memory()[0], open_files()
            for _ in range(40):
                program.play()
            gc.collect()
            left = (tracemalloc.get_traced_memory()[0] - before) / 40 / 1024
        finally:
            tracemalloc.stop()
        assert left < MOST_KB
        assert open_files() == files


@GAMES
def test_memory_growth_per_game() -> None:
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        command = [sys.executable, "-m", "tests.companion.storage.many_games", folder]
        result = subprocess.run(
            [*command, str(GAMES.size)], capture_output=True, text=True, check=True
        ).stdout
    every: list[Taken] = [json.loads(line) for line in result.splitlines()]
    late = [each for each in every if each["games"] > WARM * GAMES.size]
    slope, _ = linear_regression(
        [each["games"] for each in late], [each["memory_kb"] for each in late]
    )
    assert late[-1]["games"] == GAMES.size
    assert slope < MOST_KB
    assert len({(each["handles"], each["threads"]) for each in late}) == 1
