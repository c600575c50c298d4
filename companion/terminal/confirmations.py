"""Questions before an action that ends the game, and when the game cannot be saved."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from companion.core import Step, Table
from companion.core.inputs import Command, Input, OfferDraw
from companion.session.session import Session
from companion.speech.i18n import N_
from companion.speech.small_texts import storage_error_text
from companion.storage.errors import StorageError
from companion.terminal.output import Printer
from engine.board.ranks import Rank
from engine.game.actions import (
    Action,
    AnswerGuess,
    AnswerStalemate,
    ClaimStalemate,
    Forfeit,
    Resign,
)
from engine.game.game_state import Phase


@dataclass(frozen=True)
class _Unconfirmed:
    """A typed action that may end the game, and the state of the game at that time."""

    action: Action | Command
    state: object


class EndConfirmation:
    """Delays an action that ends the game until the player has confirmed it.

    In a terminal the end of a game cannot be taken back.
    """

    def __init__(self, table: Table, printer: Printer) -> None:
        """Ask for confirmation at the terminal of a game."""
        self._table = table
        self._printer = printer
        self._asked: _Unconfirmed | None = None

    def asks(self, action: Action | Command) -> bool:
        """Ask for confirmation if an action may end the game; it then waits for the answer."""
        question, side = self._question(action), getattr(action, "side", None)
        if not question:
            return False
        self._asked = _Unconfirmed(action, self._game_state)
        named = self._printer.language.side(side or self._table.view.to_move)
        self._printer.say(question, side=named)
        self._printer.say(N_("Type: yes · anything else cancels"))
        return True

    def confirmed(self, line: str) -> Action | Command | None:
        """Return the waiting action if a line confirms it. Any other line cancels the action."""
        asked, self._asked = self._asked, None
        if asked is None or asked.state != self._game_state:
            return None
        if self._printer.means_yes(line):
            return asked.action
        self._printer.say(N_("Cancelled. The game continues."))
        return None

    @property
    def is_open(self) -> bool:
        """Whether an action is waiting for confirmation."""
        return self._asked is not None and self._asked.state == self._game_state

    @property
    def _game_state(self) -> object:
        return self._table.view.plies, self._table.view.phase

    def _question(self, action: Action | Command) -> str:
        """Return the question before an action, or an empty text if it would not end the game."""
        view = self._table.view
        match action:
            case _ if not self._table.is_running:
                return ""
            case Resign():
                return N_("{side} resigns and loses the game. Are you sure?")
            case Forfeit(side=None):
                return N_("Both sides lose the game. Are you sure?")
            case Forfeit():
                return N_("{side} loses the game. Are you sure?")
            case OfferDraw(side) if self._table.conversation.draw_offer is side.other:
                return N_("The game ends in a draw. Are you sure?")
            case ClaimStalemate() if view.phase is Phase.PLAY:
                return N_("{side} cannot move, which may end the game. Are you sure?")
            case AnswerStalemate(able=False) if view.phase in (Phase.STALEMATE, Phase.SHOWING):
                return N_("Neither side can move, so the game ends. Are you sure?")
            case AnswerGuess(right=True) if view.phase is Phase.GUESS and view.guess is Rank.FLAG:
                return N_("The flag is captured, so the game ends. Are you sure?")
        return ""


RETRY_SAVE: Final = "try again"
PLAY_ON: Final = "play on"


class SaveErrorPrompt:
    """Passes inputs to the session, and asks what to do when they cannot be saved.

    Events that cannot be saved are held back. Until one of the two commands has been typed, these
    events are not printed, and no other line reaches the table.
    """

    def __init__(self, session: Session, printer: Printer, hide: Callable[[], None]) -> None:
        """Wrap a session; `hide` removes private text from the screen."""
        self._session = session
        self._printer = printer
        self._hide = hide

    @property
    def waits(self) -> bool:
        """Whether there are events that must not be printed before they are saved."""
        return self._session.error is not None

    def give(self, received: Input) -> Step | None:
        """Pass an input to the session; return the result, or None if it is not saved."""
        try:
            step = self._session.handle(received)
        except StorageError as error:
            self._ask(error)
            return None
        return None if self.waits else step

    def answer(self, line: str) -> None:
        """Handle a line from the keyboard while events are held back."""
        assert self._session.error
        if line == PLAY_ON:
            self._printer.say(N_("From now on, this game is not saved."))
            self._session.continue_unsaved()
        elif line == RETRY_SAVE:
            try:
                self._session.retry_save()
            except StorageError as error:
                self._ask(error)
        else:
            self._ask(self._session.error)

    def tell_the_end(self, *, is_running: bool) -> None:
        """Print, at the end of the program, how much of the game is saved."""
        if not self._session.is_persistent:
            self._printer.say(N_("This game is not being saved."))
        elif self.waits:
            self._printer.say(N_("The last move is not saved."))
        elif is_running:
            self._printer.say(N_("The game is saved. Start again to continue."))

    def _ask(self, error: StorageError) -> None:
        self._hide()
        self._printer.say(N_("The game cannot be saved."), style="bold")
        self._printer.show(storage_error_text(error, self._printer.language))
        self._printer.say(
            N_("Without saving, a power cut loses the game.")
            if self._session.number is None
            else N_("Without saving, a power cut takes the game back to the last saved move.")
        )
        self._printer.say(N_("Type: try again · play on (without saving)"))
