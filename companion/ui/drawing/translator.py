"""The current UI language.

Both Python and .kv files write ``_("Who begins?")``, so a single extraction run finds every
message.

Text for both players is in the table's language, and text for one player is in that player's
language. Inside `Translator.speaking`, widgets are built or updated in a given language. Between
frames, the root sets the language of the topmost widget, because that widget receives the touches.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from kivy.lang.parser import global_idmap

from companion.speech.announcer import Announcer
from companion.speech.i18n import Language


class Translator:
    """Translates messages into the current language."""

    def __init__(self) -> None:
        self._usual = Language("en")
        self._overrides: list[Language] = []
        self.solo = False
        """Whether one person plays against the computer."""

    def speak(self, language: Language) -> None:
        """Set the table's language. The language set by `speaking` takes precedence."""
        self._usual = language

    @contextmanager
    def speaking(self, language: Language) -> Iterator[None]:
        """Use this language for the duration of the context."""
        self._overrides.append(language)
        try:
            yield
        finally:
            self._overrides.pop()

    @property
    def language(self) -> Language:
        return self._overrides[-1] if self._overrides else self._usual

    @property
    def announcer(self) -> Announcer:
        return Announcer(self.language, solo=self.solo)

    def __call__(self, message: str, **values: object) -> str:
        """Translate a message. `values` fill its ``{placeholders}``."""
        return self.language.text(message, **values)

    def plural(self, one: str, many: str, count: int) -> str:
        """Translate a message in the form for `count`, and replace ``{count}`` by the number."""
        return self.language.plural(one, many, count)


_ = Translator()
global_idmap["_"] = _
