"""The program as it is started, in a window of a real X server, with a real mouse."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.companion.screens.watched import Point, Sight


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


class Player:
    """Looks at the window of a program, and has the mouse."""

    def __init__(self, display: str, program: subprocess.Popen[str]) -> None:
        self._environment = {**os.environ, "DISPLAY": display}
        assert program.stdout
        self._lines = program.stdout
        self.sight = self._look()
        self._window = self._do("search", "--class", "^Boomboard$").strip()

    def wait(self, condition: Callable[[Sight], object]) -> None:
        """Look until the window shows something."""
        while not condition(self.sight):
            self.sight = self._look()

    def click(self, button: str) -> None:
        self.wait(lambda sight: button in sight.buttons)
        self._do(*self._at(self.sight.buttons[button]), "mousedown", "1")
        self._do("mouseup", "1")

    def move(self, source: str, target: str) -> None:
        """Carry a piece, faster than a frame of the program takes, and wait for the ruling."""
        squares, plies = self.sight.squares, self.sight.plies
        there = self._at(squares[target])
        self._do(*self._at(squares[source]), "mousedown", "1", *there, "mouseup", "1")
        self.wait(lambda sight: sight.plies > plies)
        assert target in self.sight.standing
        assert source not in self.sight.standing

    def resize(self, width: int, height: int) -> None:
        self._do("windowsize", self._window, str(width), str(height))
        self.wait(lambda sight: sight.size == (width, height))

    def _look(self) -> Sight:
        line = self._lines.readline()
        assert line, "the program has ended"
        return Sight.read(line)

    def _at(self, point: Point) -> tuple[str, ...]:
        return "mousemove", "--window", self._window, str(point[0]), str(point[1])

    def _do(self, *arguments: str) -> str:
        return subprocess.run(
            ["xdotool", *arguments],
            env=self._environment,
            capture_output=True,
            text=True,
            check=True,
        ).stdout


@contextmanager
def ending(program: subprocess.Popen[str]) -> Iterator[None]:
    """End a program, whatever happens."""
    try:
        yield
    finally:
        program.kill()


def test_a_game_begins_with_clicks_and_a_drag(display: str, tmp_path: Path) -> None:
    environment = {**os.environ, "DISPLAY": display, "KCFG_KIVY_LOG_LEVEL": "warning"}
    del environment["SDL_VIDEODRIVER"]
    command = [sys.executable, "-m", "tests.companion.screens.watched"]
    with (
        subprocess.Popen(
            [*command, "play", "--simulate", "--data", str(tmp_path)],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as program,
        ending(program),
    ):
        player = Player(display, program)
        player.click("begin")
        player.click("set_up")
        player.click("blue.ready")
        player.click("red.ready")
        player.wait(lambda sight: sight.view == "turn")
        player.move("e4", "e5")
        player.resize(1200, 760)  # a plane of 1200 × 720, with 20 pixels of ground above and below
        player.move("a7", "a6")
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
