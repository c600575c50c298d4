"""Entry of a name: a known one, or one typed on an on-screen keyboard."""

from collections.abc import Callable, Sequence
from typing import Final

from kivy.properties import StringProperty

from companion.screens.base.cover import Cover
from companion.screens.widgets import theme
from companion.screens.widgets.common import Press, load_kv
from companion.screens.widgets.texts import _

OFFERED: Final = 5
"""Number of known names that fit in a row."""
_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_OWN: Final = {
    "da": "ÆØÅÉ",
    "de": "ÄÖÜß",
    "es": "ÑÁÉÍ",
    "fi": "ÄÖÅÉ",
    "fr": "ÉÈÇË",
    "it": "ÈÀÒÙ",
    "nb": "ÆØÅÉ",
    "nl": "ËÏÉÖ",
    "sv": "ÅÄÖÉ",
}
"""Additional letters of a language, as many as fit on the keyboard."""
_OTHERS: Final = "ÄÉÖÜ"


class NameCover(Cover):
    """Known names as buttons, and a keyboard."""

    heading = StringProperty()
    name = StringProperty()

    def __init__(
        self,
        heading: str,
        name: str,
        *,
        longest: int,
        known: Sequence[str],
        done: Callable[[str], None],
    ) -> None:
        """Begin with `name`, which may be empty; `done` gets the final name."""
        super().__init__(heading=heading, name=name)
        self._longest, self._done = longest, done
        for each in known[:OFFERED]:
            self.ids.known.add_widget(_key(each, self.take))
        for letter in _LETTERS + _OWN.get(_.language.code, _OTHERS):
            self.ids.letters.add_widget(_key(letter, self.write))

    def write(self, letter: str) -> None:
        """Add a letter: a capital at the beginning of a word, otherwise a small one."""
        is_first = not self.name or self.name[-1] in " -"
        self.name = (self.name + (letter if is_first else letter.lower()))[: self._longest]

    def erase(self) -> None:
        """Delete the last letter."""
        self.name = self.name[:-1]

    def take(self, name: str) -> None:
        """Take a known name."""
        self.name = name
        self.close()

    def close(self) -> None:
        self._done(self.name.strip(" -"))


def _key(text: str, act: Callable[[str], None]) -> Press:
    key = Press(text=text, size_hint_y=1, font_size=theme.HEAD if len(text) == 1 else theme.BODY)
    key.bind(on_release=lambda _key: act(text))
    return key


load_kv(__file__)
