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
    options = ["-noreset", "-screen", "0", "1280x800x24", "-nolisten", "tcp"]
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


Point = tuple[int, int]
MOVED = "SELECT * FROM action WHERE action LIKE '%\"{to}\"%'"


class Mouse:
    def __init__(self, display: str, program: subprocess.Popen[str]) -> None:
        """Wait for the window of the program."""
        self._environment = {**os.environ, "DISPLAY": display}
        search = ("search", "--class", "^Boomboard$")
        self._window = wait_for(lambda: self._do(*search).strip(), program)

    def click(self, x: int, y: int) -> None:
        self._do(*self._at(x, y), "mousedown", "1")
        self._do("mouseup", "1")

    def waits(self) -> bool:
        """Let the program have a moment: as long as asking for the mouse takes."""
        return bool(self._do("getmouselocation"))

    def drag(self, source: Point, target: Point) -> None:
        """Carry something faster than a frame of the program takes."""
        self._do(*self._at(*source), "mousedown", "1", *self._at(*target), "mouseup", "1")

    def resize(self, width: int, height: int) -> None:
        self._do("windowsize", "--sync", self._window, str(width), str(height))

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


def dragged(mouse: Mouse, journal: Path, source: Point, target: Point, to: str) -> bool:
    """Drag a piece once more, and say whether it is known to have gone there.

    What has only just come takes no touch, and the window may have its new size before the program
    knows of it. A piece that was dragged elsewhere, or nowhere, is not on that square.
    """
    mouse.drag(source, target)
    return bool(rows(journal, MOVED.format(to=to)))


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
        journal, settings = tmp_path / "games.sqlite", tmp_path / "settings.json"

        new_game, set_up, ready = (180, 150), (716, 368), ((570, 98), (570, 229))
        times = count(9, step=9)

        def chosen() -> bool:
            # The window may be there before the program listens, so it is clicked again and again;
            # but each time later, for in the set-up that follows it would touch the board.
            mouse.click(*new_game)
            return any(mouse.waits() and settings.exists() for _ in range(next(times)))

        def begun() -> bool:
            # The slower the computer is, the longer the board has to settle before they begin anew.
            # Where they say that an army is ready there is nothing to be touched before.
            mouse.click(*set_up)
            for _ in range(next(times)):
                for where in ready:
                    mouse.click(*where)
                if rows(journal, "SELECT * FROM action"):
                    return True
            return False

        wait_for(chosen, program)
        wait_for(begun, program)
        wait_for(lambda: dragged(mouse, journal, (218, 286), (218, 242), "e5"), program)
        mouse.resize(1200, 760)  # a plane of 1200 × 720, with 20 pixels of ground above and below
        wait_for(lambda: dragged(mouse, journal, (63, 249), (63, 315), "a6"), program)
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
