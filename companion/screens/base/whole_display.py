"""The window fills the whole display of a desktop, or is a window among others."""

from kivy.config import Config
from kivy.core.window import Window


def can_be_chosen() -> bool:
    """Whether there is anything else: not where nothing but the companion is on the display."""
    return bool(Config.get("graphics", "fullscreen") == "0")


def is_filled() -> bool:
    """Whether the window fills it now."""
    return bool(Window.fullscreen)


def fill(*, fills: bool) -> None:
    """Fill it, or give the window back: as large as a desktop has room for."""
    Window.fullscreen = "auto" if fills else False
    if not fills:
        Window.maximize()
