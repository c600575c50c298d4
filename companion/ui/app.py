"""Runs the companion with a screen: a board's touchscreen, or a window on a desktop.

SDL is restricted to certain video drivers, because by default it falls back to one that shows
nothing. Kivy reads its settings on import, so this module sets Kivy's environment variables first.
"""

import gc
import importlib
import json
import logging
import os
import sys
import time
from collections.abc import Callable, Mapping
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.devices.espeak import Earphone, Espeak
from companion.devices.lamps import PanelLamps
from companion.devices.watchdog import SystemdNotifier
from companion.session.game_host import BoardSource, CameraFeed, FarArbiter
from companion.speech.i18n import Language
from companion.storage.journal_provider import JournalProvider
from companion.ui.base.pads import USUAL, NetworkOptions
from companion.ui.drawing import theme
from engine.game.clocks import TimeControl
from engine.rules.editions import Edition

if TYPE_CHECKING:
    from companion.recorder.recorder import Recorder


DISPLAYS: Final = Path("/sys/class/drm")
"""Folder in which Linux lists the computer's display connectors."""
DESKTOP: Final = "x11,wayland"
BARE: Final = "kmsdrm"
"""SDL's driver for a display without a desktop environment (kernel mode setting, DRM)."""


def choose_drivers(environment: Mapping[str, str], *, has_display: bool) -> str | None:
    """Return the drivers in the order in which SDL tries them, or None if there is no display.

    If the user is logged in over SSH, this computer's own display does not count, because the user
    cannot see it.
    """
    if named := environment.get("SDL_VIDEODRIVER"):
        return named
    if environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"):
        return DESKTOP
    if has_display and not environment.get("SSH_CONNECTION"):
        return BARE
    return None


def find_drivers(environment: Mapping[str, str], displays: Path = DISPLAYS) -> str | None:
    return choose_drivers(environment, has_display=any(_connected(displays)))


def has_display_of(size: tuple[int, int], displays: Path = DISPLAYS) -> bool:
    """Whether a display of this size, in pixels, is connected."""
    modes = (output / "modes" for output in _connected(displays))
    preferred = (path.read_text().split("\n", 1)[0] for path in modes if path.is_file())
    return "{}x{}".format(*size) in preferred


def _connected(displays: Path) -> list[Path]:
    return [
        status.parent
        for status in sorted(displays.glob("*/status"))
        if status.read_text().strip() == "connected"
    ]


_ENVIRONMENT: Final = {
    "KIVY_NO_ARGS": "1",
    # Ignore the user's own Kivy settings. On a Pi, they may cause every touch to be delivered
    # twice.
    "KIVY_NO_CONFIG": "1",
    "KIVY_NO_FILELOG": "1",
    # Prevent Kivy from redirecting stderr, because our own error messages go there.
    "KIVY_LOG_MODE": "PYTHON",
    "KCFG_KIVY_LOG_LEVEL": "warning",
    # Do not let Kivy try its other window provider, which exits silently if there is no display.
    "KIVY_WINDOW": "sdl2",
    # Use SDL for images, too. It is loaded for the window anyway, and Kivy then does not try every
    # other image library.
    "KIVY_IMAGE": "sdl2",
    # Window class for the desktop environment. The default would be the interpreter's name.
    "SDL_VIDEO_X11_WMCLASS": "Boomboard",
    "SDL_VIDEO_WAYLAND_WMCLASS": "boomboard",
}


class NoDisplayError(Exception):
    """Raised if there is no display, or if no window can be opened on it."""


def run(
    source: BoardSource,
    journals: JournalProvider,
    language: Language | None,
    edition: Edition | None,
    control: TimeControl | None,
    lamps: PanelLamps,
    recorder: "Recorder | None",
    *,
    reach: NetworkOptions = USUAL,
    switch_off: Callable[[], str] | None = None,
    far_arbiter: FarArbiter | None = None,
    rotation: int | None = None,
    camera: CameraFeed | None = None,
) -> None:
    """Run the companion until its window closes.

    If an argument is None, the previous choice is kept. `reach` contains the network options for
    phones. With `switch_off`, users can shut down the computer from the screen (see
    `companion.devices.watchdog`). `rotation` is the clockwise display rotation in degrees. `camera`
    observes a board that has no sensors.

    Raise NoDisplayError if there is no display, and ImportError if a library is missing.
    """
    _prepare(fills_display=True)
    from companion.ui.program import BoomboardApp  # noqa: PLC0415 (needs the window)

    BoomboardApp(
        journals,
        source,
        language,
        edition,
        control,
        lamps=lamps,
        espeak=Espeak(),
        earphone=Earphone(),
        recorder=recorder,
        reach=reach,
        supervisor=SystemdNotifier(os.environ, time.monotonic),
        switch_off=switch_off,
        far_arbiter=far_arbiter,
        rotation=rotation,
        camera=camera,
    ).run()


def run_benchmark(begun: float) -> dict[str, float]:
    """Run the UI benchmark. `begun` is the process's start time on the monotonic clock."""
    _prepare(fills_display=False)
    from companion.ui.ui_benchmark import UiBenchmark  # noqa: PLC0415 (needs the window)

    return UiBenchmark(begun).run()


def _prepare(*, fills_display: bool) -> None:
    """Open the window and import the screens."""
    drivers = find_drivers(os.environ)
    if drivers is None:
        raise NoDisplayError
    os.environ["SDL_VIDEODRIVER"] = drivers
    # Collecting garbage would take a tenth of the start-up time and free little, because imported
    # modules are never freed. `companion.ui.program` enables the collector again.
    gc.disable()
    for name, value in _ENVIRONMENT.items():
        os.environ[name] = os.environ.get(name) or value
    # Kivy starts logging before it has read its log level.
    logging.disable(logging.DEBUG)
    # Without a desktop environment, or on one of the usual touchscreens, the window fills the
    # display and has no frame.
    whole_screen = drivers == BARE or any(map(has_display_of, theme.TOUCHSCREENS))
    _configure(fills_display=fills_display, whole_screen=whole_screen)
    _open_window()
    from companion.ui import program  # noqa: F401, PLC0415 (needs the window)
    from companion.ui.base import input_devices  # noqa: PLC0415 (needs the settings)

    input_devices.install_mouse()


def _open_window() -> None:
    _trim_style()
    before = logging.root.manager.disable
    # Kivy would log a failure with a traceback; the caller prints one sentence instead.
    logging.disable(logging.CRITICAL)
    try:
        from kivy.core.window import Window  # noqa: PLC0415 (opens the window)
    finally:
        logging.disable(before)
    if Window is None:
        # If a library is missing, this import raises an ImportError that names it.
        importlib.import_module("kivy.core.window.window_sdl2")
        raise NoDisplayError
    # The minimum size is not set in Kivy's settings, because Kivy would then draw the maximized
    # window too early and crash.
    is_upright = Window.height > Window.width
    least = theme.LEAST[::-1] if is_upright else theme.LEAST
    Window.minimum_width, Window.minimum_height = least


def _trim_style() -> None:
    """Make Kivy load only the style rules that we use; compiling all of them takes 0.1 s.

    Kivy reads the style rules from its data folder as soon as its language module is imported.
    """
    import kivy  # noqa: PLC0415 (reads the environment)

    whole = kivy.kivy_data_dir
    kivy.kivy_data_dir = str(resources.files("companion") / "ui" / "looks")
    try:
        importlib.import_module("kivy.lang")
    finally:
        kivy.kivy_data_dir = whole


def _configure(*, fills_display: bool, whole_screen: bool) -> None:
    from kivy.config import Config  # noqa: PLC0415 (reads the environment)

    width, height = theme.LANDSCAPE
    graphics = {
        "width": width,
        "height": height,
        # In a desktop environment, the window is maximized and has a frame.
        "window_state": "maximized" if fills_display and not whole_screen else "visible",
        "fullscreen": "auto" if whole_screen else 0,
        "show_cursor": 0 if whole_screen else 1,
        # No multisampling is needed, because we draw antialiased edges ourselves.
        "multisamples": 0,
        # Kivy's clock fires up to 9 ms early, so a limit of 30 yields 40 frames per second in
        # practice. At 30 actual frames per second, a lifted piece would be shown 5 ms later.
        "maxfps": 30,
    }
    for option, value in graphics.items():
        Config.set("graphics", option, value)
    Config.set("kivy", "exit_on_escape", 0)
    # SDL already reports the first finger as a mouse; any other provider would report that finger a
    # second time.
    Config.remove_section("input")
    Config.add_section("input")
    Config.set("input", "mouse", "mouse,disable_multitouch")


if __name__ == "__main__":
    print(json.dumps(run_benchmark(float(sys.argv[1]))))  # noqa: T201 (for the benchmark that started it)
