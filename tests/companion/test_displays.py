"""Choose a display: a desktop window, a bare display, or none."""

import ctypes
import os
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

import pytest

from companion.ui.app import BARE, DESKTOP, choose_drivers, find_drivers, has_display_of

SCREEN = (800, 480)


@pytest.mark.parametrize(
    ("environment", "has_display", "drivers"),
    [
        ({}, True, BARE),
        ({}, False, None),
        ({"DISPLAY": ":0"}, True, DESKTOP),
        ({"WAYLAND_DISPLAY": "wayland-0"}, False, DESKTOP),
        ({"DISPLAY": "", "WAYLAND_DISPLAY": ""}, True, BARE),
        ({"SSH_CONNECTION": "10.0.0.2 5000 10.0.0.3 22"}, True, None),
        ({"SSH_CONNECTION": "10.0.0.2 5000 10.0.0.3 22", "DISPLAY": ":10"}, True, DESKTOP),
        ({"SDL_VIDEODRIVER": "offscreen", "DISPLAY": ":0"}, True, "offscreen"),
    ],
)
def test_drivers_depend_on_the_environment(
    environment: Mapping[str, str], has_display: bool, drivers: str | None
) -> None:
    assert choose_drivers(environment, has_display=has_display) == drivers


def plug_in(displays: Path, name: str, status: str, modes: str) -> None:
    output = displays / name
    output.mkdir()
    (output / "status").write_text(f"{status}\n")
    (output / "modes").write_text(modes)


@pytest.mark.parametrize(
    ("status", "modes", "drivers", "small"),
    [
        ("connected", "800x480\n640x480\n", BARE, True),
        ("connected", "1920x1080\n800x480\n", BARE, False),
        ("disconnected", "800x480\n", None, False),
        ("connected", "", BARE, False),
    ],
)
def test_connected_displays(
    tmp_path: Path, status: str, modes: str, drivers: str | None, small: bool
) -> None:
    plug_in(tmp_path, "card0-HDMI-A-1", "disconnected", "")
    plug_in(tmp_path, "card1-DSI-1", status, modes)
    assert find_drivers({}, tmp_path) == drivers
    assert has_display_of(SCREEN, tmp_path) is small


def test_computer_without_displays(tmp_path: Path) -> None:
    assert find_drivers({}, tmp_path / "none") is None
    assert not has_display_of(SCREEN, tmp_path / "none")


def load_sdl() -> ctypes.CDLL:
    """Load the SDL library that Kivy uses."""
    spec = find_spec("kivy")
    assert spec
    assert spec.origin
    [library] = Path(spec.origin).parents[1].glob("[Kk]ivy.libs/libSDL2-2*")
    return ctypes.CDLL(str(library))


def test_bundled_sdl_has_the_drivers() -> None:
    sdl = load_sdl()
    sdl.SDL_GetVideoDriver.restype = ctypes.c_char_p
    known = {sdl.SDL_GetVideoDriver(n).decode() for n in range(sdl.SDL_GetNumVideoDrivers())}
    # SDL ignores case in driver names.
    assert BARE in {name.lower() for name in known}
    assert known & set(DESKTOP.split(","))


def test_unusable_display_is_explained(tmp_path: Path) -> None:
    assert not Path("/dev/dri").exists(), "this test needs a computer without a graphics card"
    command = [sys.executable, "-m", "companion", "play", "--board", "--data", str(tmp_path)]
    done = subprocess.run(
        command,
        env=os.environ | {"SDL_VIDEODRIVER": BARE},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    [sentence] = done.stderr.splitlines()
    assert sentence.startswith(
        "boomboard: No window can be opened, because no display was found. Connect"
    )
