"""The program as it is started, in a window of a real X server, with a real mouse."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from typing import TypeVar

import pytest

T = TypeVar("T")


def wait_for(look: Callable[[], T | None], program: subprocess.Popen[str]) -> T:
    """Look until there is something; looking asks other processes and takes its time."""
    while not (found := look()):
        assert program.poll() is None, "the program has ended"
    return found


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
        server.wait()


class Mouse:
    def __init__(self, display: str, program: subprocess.Popen[str]) -> None:
        """Wait for the window of the program."""
        self._environment = {**os.environ, "DISPLAY": display}
        self._window = wait_for(lambda: self._do("search", "--class", ".+").strip(), program)

    def click(self, x: int, y: int) -> None:
        self._do(*self._at(x, y), "mousedown", "1")
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
            check=False,
        ).stdout


@contextmanager
def ending(program: subprocess.Popen[str]) -> Iterator[None]:
    """End a program, whatever happens."""
    try:
        yield
    finally:
        program.kill()


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
    with (
        subprocess.Popen(
            [sys.executable, "-m", "companion", "play", "--simulate", "--data", str(tmp_path)],
            env=environment,
            stderr=subprocess.PIPE,
            text=True,
        ) as program,
        ending(program),
    ):
        mouse = Mouse(display, program)
        journal = tmp_path / "games.sqlite"

        new_game, set_up, ready = (400, 180), (890, 26), ((640, 186), (640, 326))
        times = count(9, step=9)

        def begun() -> bool:
            # The window may be there before the program listens; more clicks do no harm. The
            # slower the computer is, the longer the board has to settle before they begin anew.
            for where in (new_game, set_up):
                mouse.click(*where)
            for _ in range(next(times)):
                for where in ready:
                    mouse.click(*where)
                if rows(journal, "SELECT * FROM action"):
                    return True
            return False

        wait_for(begun, program)
        e4, e5 = (1023, 301), (1023, 262)
        mouse.drag(e4, e5)
        moved = "SELECT * FROM action WHERE action LIKE '%\"e5\"%'"
        wait_for(lambda: rows(journal, moved), program)
        program.send_signal(signal.SIGINT)
        _, errors = program.communicate()
        assert "Traceback" not in errors
        assert program.returncode == 130


def test_a_desktop_that_is_not_there_yet_is_no_place_to_draw(tmp_path: Path) -> None:
    environment = {**os.environ, "DISPLAY": ":59999"}
    del environment["SDL_VIDEODRIVER"]
    ended = subprocess.run(
        [sys.executable, "-m", "companion", "play", "--board", "--data", str(tmp_path)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 2
    assert "No window can be opened on a display" in ended.stderr
