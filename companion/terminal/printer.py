"""Prints on a console in the language of the players, and knows their word for yes."""

from typing import Final

from rich.console import Console
from rich.text import Text

from companion.speech.language import N_, Language

_YES: Final = "yes"
"""What is typed for yes in any language, as all commands are."""


class Printer:
    """A console that people read."""

    def __init__(self, console: Console, language: Language) -> None:
        self.language = language
        self._console = console

    def say(self, message: str, style: str = "", **values: object) -> None:
        """Print a text of the program in the players' language."""
        self._console.print(self.language.text(message, **values), style=style)

    def show(self, text: str | Text, style: str = "") -> None:
        """Print what is in their language already."""
        self._console.print(text, style=style)

    def means_yes(self, line: str) -> bool:
        """Whether somebody has typed yes."""
        words = (self.language.text(N_("y")), self.language.text(N_("yes")), _YES)
        return line.casefold() in words
