"""The language that the screens speak, for Python and for kv files alike.

Both write ``_("Who begins?")``, so that one extraction finds every text.

What is for everybody is in the table's language, what is for one player in that player's. With
`Texts.speaking` something is built or shown anew in a language. What lies on top is what is
touched, so between two frames the root lets its language be spoken.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from kivy.lang.parser import global_idmap

from companion.speech.announcer import Announcer
from companion.speech.language import Language


class Texts:
    """Translates into the language that is spoken at the moment."""

    def __init__(self) -> None:
        self._usual = Language("en")
        self._meanwhile: list[Language] = []

    def speak(self, language: Language) -> None:
        """Change the language that is spoken unless another one is for a while."""
        self._usual = language

    @contextmanager
    def speaking(self, language: Language) -> Iterator[None]:
        """Speak a language for a while."""
        self._meanwhile.append(language)
        try:
            yield
        finally:
            self._meanwhile.pop()

    @property
    def language(self) -> Language:
        """The language that is spoken at the moment."""
        return self._meanwhile[-1] if self._meanwhile else self._usual

    @property
    def announcer(self) -> Announcer:
        """What is announced, in that language."""
        return Announcer(self.language)

    def __call__(self, message: str, **values: object) -> str:
        """Translate a text; `values` fill its ``{placeholders}``."""
        return self.language.text(message, **values)

    def plural(self, one: str, many: str, count: int) -> str:
        """Translate a text about so many ``{count}``."""
        return self.language.plural(one, many, count)


_ = Texts()
global_idmap["_"] = _
