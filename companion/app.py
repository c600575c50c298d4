"""The companion with a screen: sets Kivy up for a board's touchscreen, or for a window elsewhere.

Kivy reads its settings when it is imported, so they are made before, and nowhere else.
"""

import logging
import os
from pathlib import Path
from typing import Final

from companion.journal import Journal
from companion.language import Language
from companion.panel_lamps import PanelLamps
from companion.screens import theme
from companion.screens.sitting import Source
from engine.clocks import TimeControl
from engine.editions import Edition

_ENVIRONMENT: Final = {
    "KIVY_NO_ARGS": "1",
    # Whatever stands in somebody's own settings of Kivy, such as every touch twice on a Pi.
    "KIVY_NO_CONFIG": "1",
    "KIVY_NO_FILELOG": "1",
    "KCFG_KIVY_LOG_LEVEL": "warning",
    # Where the desktop is not there yet, SDL would draw unseen, and Kivy's other way to a window
    # would end the program without a word.
    "SDL_VIDEODRIVER": "x11,wayland",
    "KIVY_WINDOW": "sdl2",
}
_DISPLAYS: Final = Path("/sys/class/drm")


def run(
    source: Source,
    journal: Journal,
    language: Language | None,
    edition: Edition | None,
    control: TimeControl | None,
    lamps: PanelLamps,
) -> None:
    """Show the companion until its window is closed; ImportError if no window can be opened.

    What is None is as the players chose it last.
    """
    for name, value in _ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    # Kivy talks before it has read how much it is to say.
    logging.disable(logging.DEBUG)
    _configure(wide=source.virtual is not None, whole_screen=_is_small_screen(_DISPLAYS))
    from kivy.core.window import Window  # noqa: PLC0415 (opens the window)

    if Window is None:
        raise ImportError("SDL finds no display that it can draw on")
    from companion.screens.program import BoomboardApp  # noqa: PLC0415 (needs the window)

    BoomboardApp(journal, source, language, edition, control, lamps=lamps).run()


def _configure(*, wide: bool, whole_screen: bool) -> None:
    from kivy.config import Config  # noqa: PLC0415 (reads the environment)

    width, height = theme.SCREEN
    graphics = {
        "width": width + theme.PANEL if wide else width,
        "height": height,
        "resizable": 0,
        "fullscreen": "auto" if whole_screen and not wide else 0,
        "show_cursor": 0 if whole_screen and not wide else 1,
        # Our shapes have smooth edges of their own.
        "multisamples": 0,
        "maxfps": 30,
    }
    for option, value in graphics.items():
        Config.set("graphics", option, value)
    Config.set("kivy", "exit_on_escape", 0)
    # SDL makes mouse events of the first finger; any other provider would bring it a second time.
    Config.remove_section("input")
    Config.add_section("input")
    Config.set("input", "mouse", "mouse,disable_multitouch")


def _is_small_screen(displays: Path) -> bool:
    """Whether the display is one of those that our screens fill, as the 7-inch one of a Pi."""
    for status in displays.glob("*/status"):
        modes = status.with_name("modes")
        if status.read_text().strip() == "connected" and modes.is_file():
            preferred = modes.read_text().split("\n", 1)[0]
            if preferred == "{}x{}".format(*theme.SCREEN):
                return True
    return False
