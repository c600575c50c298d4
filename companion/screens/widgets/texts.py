"""The language that all screens speak, for Python and for kv files alike.

Both write ``_("Who begins?")``, so that one extraction finds every text.
"""

from kivy.lang.parser import global_idmap

from companion.speech.announcer import Announcer
from companion.speech.language import Language


class Texts:
    """Translates into the language that is spoken at the moment."""

    def __init__(self) -> None:
        self.speak(Language("en"))

    def speak(self, language: Language) -> None:
        """Change the language. Screens that stand already have to be built anew."""
        self.language = language
        self.announcer = Announcer(language)

    def __call__(self, message: str, **values: object) -> str:
        """Translate a text; `values` fill its ``{placeholders}``."""
        return self.language.text(message, **values)

    def plural(self, one: str, many: str, count: int) -> str:
        """Translate a text about so many ``{count}``."""
        return self.language.plural(one, many, count)


def capitalized(text: str) -> str:
    """A text with a large first letter; the others stay."""
    return text[:1].upper() + text[1:]


_ = Texts()
global_idmap["_"] = _
