"""Full screen: the window fills the whole display of a desktop, or is one of its windows."""

from kivy.config import Config
from kivy.core.window import Window


def can_be_chosen() -> bool:
    """Whether the window can leave full screen: not on a display that shows only the companion."""
    return bool(Config.get("graphics", "fullscreen") == "0")


def is_filled() -> bool:
    """Whether the window is in full screen now."""
    return bool(Window.fullscreen)


def fill(*, fills: bool) -> None:
    """Switch to full screen or back to a window, as large as a desktop has room for."""
    Window.fullscreen = "auto" if fills else False
    if not fills:
        Window.maximize()
