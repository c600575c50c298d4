"""Run the application in a window on a real X server, with a real mouse."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.ui.drawing import theme
from companion.ui.root import PEEK_SECONDS
from tests.campaigns import RARE, Campaign
from tests.companion.hall_packages import without_hall
from tests.companion.ui.window_probe import Point, WindowView

REAL = Campaign("looks", part=0, whole=1)
"""Marks tests that ordinary runs skip, because each of them opens the application in a real
window."""


@pytest.fixture
def display() -> Iterator[str]:
    for tool in ("Xvfb", "openbox", "xdotool"):
        assert shutil.which(tool), f"{tool} is missing; make setup installs it"
    reading, writing = os.pipe()
    # Without -noreset, the server restarts when xdotool disconnects. A client that connects during
    # the restart is rejected.
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


@pytest.fixture
def desktop(display: str) -> Iterator[str]:
    environment = {**os.environ, "DISPLAY": display}
    command = ["openbox", "--startup", "echo it runs"]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as manager:
        try:
            assert manager.stdout
            assert b"it runs\n" in iter(manager.stdout.readline, b"")
            yield display
        finally:
            manager.terminate()


class Player:
    """Player who watches the window and uses the mouse."""

    def __init__(self, display: str, program: subprocess.Popen[str]) -> None:
        self._environment = {**os.environ, "DISPLAY": display}
        assert program.stdout
        self._lines = program.stdout
        self.sight = self._look()
        self._window = self._do("search", "--class", "^Boomboard$").strip()

    def wait(self, condition: Callable[[WindowView], object]) -> None:
        """Watch the window until a condition is met."""
        while not condition(self.sight):
            self.sight = self._look()

    def click(self, button: str) -> None:
        self.wait(lambda sight: button in sight.buttons)
        self._do(*self._at(self.sight.buttons[button]), "mousedown", "1")
        self._do("mouseup", "1")

    def move(self, source: str, target: str) -> None:
        """Drag a piece within one frame, and wait for the ruling."""
        squares, plies = self.sight.squares, self.sight.plies
        there = self._at(squares[target])
        self._do(*self._at(squares[source]), "mousedown", "1", *there, "mouseup", "1")
        self.wait(lambda sight: sight.plies > plies)
        assert target in self.sight.standing
        assert source not in self.sight.standing

    def hold(self, button: str) -> None:
        """Press the mouse button on a screen button, and hold it down."""
        self.wait(lambda sight: button in sight.buttons)
        self._do(*self._at(self.sight.buttons[button]), "mousedown", "1")

    def minimize(self) -> None:
        self._do("windowminimize", self._window)

    def press(self, key: str) -> None:
        self._do("key", key)

    def click_title_twice(self) -> None:
        """Double-click the title bar, which maximizes or restores the window."""
        self._do("mousemove", "600", "8", "click", "--repeat", "2", "1")

    def resize(self, width: int, height: int) -> None:
        """Request a window size. The window manager may choose a different one."""
        self._do("windowsize", self._window, str(width), str(height))

    def _look(self) -> WindowView:
        line = self._lines.readline()
        assert line, "the program has ended"
        return WindowView.read(line)

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
def playing(
    display: str, folder: Path, environment: Mapping[str, str] = os.environ, *options: str
) -> Iterator[tuple[Player, subprocess.Popen[str]]]:
    """Start the application with these options, and always terminate it at the end."""
    environment = {**environment, "DISPLAY": display, "KCFG_KIVY_LOG_LEVEL": "warning"}
    del environment["SDL_VIDEODRIVER"]
    command = [sys.executable, "-m", "tests.companion.ui.window_probe"]
    with subprocess.Popen(
        [*command, "play", "--simulate", "--data", str(folder), *options],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as program:
        try:
            yield Player(display, program), program
        finally:
            program.kill()


def network_sockets(process: int) -> set[str]:
    held = Path(f"/proc/{process}/fd")
    # Listing the open files opens one more.
    own = {os.readlink(each).strip("socket:[]") for each in held.iterdir() if each.is_symlink()}
    return {
        line.split()[9]
        for kind in ("tcp", "tcp6", "udp", "udp6")
        for line in Path(f"/proc/{process}/net/{kind}").read_text().splitlines()[1:]
    } & own


def test_open_port_is_detected() -> None:
    with socket.create_server(("127.0.0.1", 0)):
        assert network_sockets(os.getpid())


@RARE
def test_game_with_mouse(display: str, tmp_path: Path) -> None:
    """Play without the packages that a hall needs. The application must not open a network
    socket."""
    with playing(display, tmp_path, without_hall(tmp_path)) as (player, program):
        player.click("begin")
        player.click("set_up")
        player.click("blue.ready")
        player.click("red.ready")
        player.wait(lambda sight: sight.view == "turn")
        player.move("e4", "e5")
        player.resize(1200, 760)  # the layout is 1200 × 720, between two bars of 20 pixels each
        player.wait(lambda sight: sight.size == (1200, 760))
        player.move("a7", "a6")
        assert not network_sockets(program.pid)
        program.send_signal(signal.SIGINT)
        _, errors = program.communicate()
        assert "Traceback" not in errors
        assert program.returncode == 130


@REAL
def test_mouse_is_rotated(display: str, tmp_path: Path) -> None:
    with playing(display, tmp_path, os.environ, "--turn", "90") as (player, _):
        player.click("begin")
        player.click("set_up")
        player.click("blue.ready")
        player.click("red.ready")
        player.wait(lambda sight: sight.view == "turn")
        (x, y), (further, same) = (player.sight.squares[name] for name in ("e4", "e5"))
        assert further > x  # the content is turned, so its upper edge is on the right
        assert abs(same - y) <= 1
        player.move("e4", "e5")


@REAL
def test_window_size_on_a_desktop(desktop: str, tmp_path: Path) -> None:
    whole = (1280, 800)
    with playing(desktop, tmp_path) as (player, _):
        player.wait(lambda sight: sight.size[0] == whole[0] and 700 < sight.size[1] < whole[1])
        beside_its_title = player.sight.size
        player.press("F11")
        player.wait(lambda sight: sight.size == whole)
        player.click("settings")
        player.click("filled")
        player.wait(lambda sight: sight.size == beside_its_title)


def test_minimized_window_hides_ranks(desktop: str, tmp_path: Path) -> None:
    with playing(desktop, tmp_path) as (player, _):
        player.click("begin")
        player.click("set_up")
        player.hold("red.eye")
        player.wait(lambda sight: sight.peeked == ["red"])
        player.minimize()  # the release of the button is never reported
        began = time.monotonic()
        player.wait(lambda sight: not sight.peeked)
        assert time.monotonic() - began < PEEK_SECONDS / 2, "the ranks are hidden immediately"


@REAL
def test_minimum_window_size(desktop: str, tmp_path: Path) -> None:
    with playing(desktop, tmp_path) as (player, _):
        player.wait(lambda sight: sight.size[0] > theme.SCREEN[0])
        player.click_title_twice()
        player.wait(lambda sight: sight.size == theme.SCREEN)
        player.resize(300, 200)
        player.wait(lambda sight: sight.size == theme.LEAST)


def test_missing_display_is_reported(tmp_path: Path) -> None:
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
    assert "No window can be opened, because no display was found." in ended.stderr
