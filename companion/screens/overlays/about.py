"""Version, licence and the folder of the games."""

from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from kivy.properties import StringProperty

from companion.screens.base.cover import Cover
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.texts import _


class AboutCover(Cover):
    """A few sentences about the program."""

    heading = StringProperty()
    kept = StringProperty()

    def __init__(self, journal: Path, close: Callable[[], None]) -> None:
        """Fill in the text; `journal` is the file with the games."""
        super().__init__()
        self._close = close
        self.heading = f"Boomboard {version('boomboard')}"
        self.kept = _("The games are kept in {file}.", file=journal)

    def close(self) -> None:
        self._close()


load_kv(__file__)
