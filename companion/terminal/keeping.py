"""Storage errors of a game in a terminal, and the commands for them.

Events that cannot be saved are held back. Until one of the two ways on has been typed, none of them
is printed, and no other line reaches the table.
"""

from collections.abc import Callable
from typing import Final

from companion.speech.language import N_
from companion.speech.storage_words import storage_words
from companion.store.session import Session
from companion.store.storage_trouble import StorageError
from companion.table.inputs import Input
from companion.terminal.printer import Printer

SAVE_AGAIN: Final = "try again"
PLAY_ON: Final = "play on"


class Keeping:
    """Passes inputs to the session, and asks what to do when they cannot be saved."""

    def __init__(self, session: Session, printer: Printer, hide: Callable[[], None]) -> None:
        """Wrap a session; `hide` removes private text from the screen."""
        self._session = session
        self._printer = printer
        self._hide = hide

    @property
    def waits(self) -> bool:
        """Whether there are events that must not be printed before they are saved."""
        return self._session.trouble is not None

    def give(self, given: Input) -> None:
        """Pass an input to the session."""
        try:
            self._session.handle(given)
        except StorageError as error:
            self._ask(error)

    def answer(self, line: str) -> None:
        """Handle a line from the keyboard while events are held back."""
        assert self._session.trouble
        if line == PLAY_ON:
            self._printer.say(N_("From now on nothing of this game is kept."))
            self._session.play_on_unkept()
        elif line == SAVE_AGAIN:
            try:
                self._session.save_again()
            except StorageError as error:
                self._ask(error)
        else:
            self._ask(self._session.trouble)

    def tell_the_end(self, *, is_running: bool) -> None:
        """Print, at the end of the program, how much of the game is saved."""
        if not self._session.is_kept:
            self._printer.say(N_("This game is not kept."))
        elif self.waits:
            self._printer.say(N_("What was done last is not kept."))
        elif is_running:
            self._printer.say(N_("The game is kept. Start again to go on."))

    def _ask(self, error: StorageError) -> None:
        self._hide()
        self._printer.say(N_("The game cannot be saved."), style="bold")
        self._printer.show(storage_words(error, self._printer.language))
        self._printer.say(
            N_("Without keeping: after a power cut the game is gone.")
            if self._session.number is None
            else N_("Without keeping: after a power cut the game goes on from the last saved move.")
        )
        self._printer.say(N_("Type: try again · play on (without keeping)"))
