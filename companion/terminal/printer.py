"""Output in the language of the players, and the word for yes."""

from typing import Final

from rich.console import Console
from rich.text import Text

from companion.speech.language import N_, Language

_YES: Final = "yes"
"""The answer for yes, in English for all languages like every command."""


class Printer:
    """A console for output to people."""

    def __init__(self, console: Console, language: Language) -> None:
        self.language = language
        self._console = console

    def say(self, message: str, style: str = "", **values: object) -> None:
        """Print a text of the program in the players' language."""
        self._console.print(self.language.text(message, **values), style=style)

    def show(self, text: str | Text, style: str = "") -> None:
        """Print a text that is already translated."""
        self._console.print(text, style=style)

    def means_yes(self, line: str) -> bool:
        words = (self.language.text(N_("y")), self.language.text(N_("yes")), _YES)
        return line.casefold() in words
