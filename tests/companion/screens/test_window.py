"""The program as it is started, in a window of a real X server, with a real mouse."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TypeVar

import pytest

T = TypeVar("T")
SECONDS = 40.0
"""How long something may take before it has failed; nothing waits when it is there."""


def wait_for(look: Callable[[], T | None]) -> T:
    """Look until there is something; looking asks other processes and takes its time."""
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        found = look()
        if found:
            return found
    raise AssertionError(f"it did not happen in {SECONDS} seconds")


@pytest.fixture
def display() -> Iterator[str]:
    for tool in ("Xvfb", "xdotool"):
        assert shutil.which(tool), f"{tool} is missing; make setup installs it"
    reading, writing = os.pipe()
    # Without -noreset the server starts anew whenever xdotool leaves it alone, and a program that
    # connects in that moment is turned away.
    options = ["-noreset", "-screen", "0", "1280x480x24", "-nolisten", "tcp"]
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), *options],
        pass_fds=[writing],
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    try:
        with open(reading) as answer:
            yield f":{answer.readline().strip()}"
    finally:
        server.terminate()
        server.wait(SECONDS)


class Mouse:
    def __init__(self, display: str) -> None:
        self._environment = {**os.environ, "DISPLAY": display}
        self._window = wait_for(lambda: self._do("search", "--class", ".+").strip())

    def click(self, x: int, y: int) -> None:
        self._do(*self._at(x, y))
        self._do("mousedown", "1")
        self._do("mouseup", "1")

    def drag(self, source: tuple[int, int], target: tuple[int, int]) -> None:
        """Carry something faster than a frame of the program takes."""
        self._do(*self._at(*source), "mousedown", "1", *self._at(*target), "mouseup", "1")

    def _at(self, x: int, y: int) -> tuple[str, ...]:
        return "mousemove", "--window", self._window, str(x), str(y)

    def _do(self, *arguments: str) -> str:
        return subprocess.run(
            ["xdotool", *arguments],
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        ).stdout


def rows(path: Path, query: str) -> list[tuple[object, ...]]:
    if not path.exists():
        return []
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        try:
            return connection.execute(query).fetchall()
        except sqlite3.OperationalError:
            return []


def test_a_game_begins_with_clicks_and_a_drag(display: str, tmp_path: Path) -> None:
    environment = {**os.environ, "DISPLAY": display, "KCFG_KIVY_LOG_LEVEL": "warning"}
    del environment["SDL_VIDEODRIVER"]
    program = subprocess.Popen(
        [sys.executable, "-m", "companion", "play", "--simulate", "--data", str(tmp_path)],
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        mouse = Mouse(display)
        journal = tmp_path / "games.sqlite"

        new_game, set_up, ready = (400, 180), (890, 26), ((640, 186), (640, 326))

        def begun() -> bool:
            # The window may be there before the program listens; more clicks do no harm.
            for where in (new_game, set_up, *ready * 9):
                mouse.click(*where)
            return bool(rows(journal, "SELECT * FROM action"))

        wait_for(begun)
        e4, e5 = (1023, 301), (1023, 262)
        mouse.drag(e4, e5)
        wait_for(lambda: rows(journal, "SELECT * FROM action WHERE action LIKE '%\"e5\"%'"))
        program.send_signal(signal.SIGINT)
        _, errors = program.communicate(timeout=SECONDS)
        assert "Traceback" not in errors
        assert program.returncode == 130
    finally:
        program.kill()
        program.communicate(timeout=SECONDS)


def test_a_desktop_that_is_not_there_yet_is_no_place_to_draw(tmp_path: Path) -> None:
    environment = {**os.environ, "DISPLAY": ":59999"}
    del environment["SDL_VIDEODRIVER"]
    ended = subprocess.run(
        [sys.executable, "-m", "companion", "play", "--board", "--data", str(tmp_path)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert ended.returncode == 2
    assert "No window can be opened on a display" in ended.stderr
