"""Prompts for input and confirmations in a terminal."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from companion.core import events
from companion.core.game_context import Step
from companion.core.inputs import Command, Input, OfferDraw
from companion.core.table import Table
from companion.session.session import Session
from companion.speech.announcer import Announcer
from companion.speech.i18n import N_
from companion.speech.small_texts import storage_error_text
from companion.storage.errors import StorageError
from companion.terminal.output import Printer
from engine.board.geometry import Side, name
from engine.board.ranks import Rank
from engine.game import actions, rulings
from engine.game.clocks import clock_text
from engine.game.game_state import Phase

HELP: Final = N_(
    """\
Type: ready red · ready blue
Your turn: attack e4 e5 · no attack · infiltrate d8 d9 colonel · right · wrong
Asked what happened: it was 2 · it was none
You cannot move: cannot move · asked whether you can: yes · no
A touched piece cannot move: touched (behind the curtain)
Both players: take back red, take back blue · draw red, draw blue
The board is right as it is: board · then both players: red agrees, blue moves
In a dispute: insist (behind the curtain) · counts · does not count · break seals red
Arbiter: let stand · forfeit red · forfeit both · give red 1:30 · take red 0:30
In a hall: call arbiter · withdraw call
The record is wrong: correct e6 captain · exchanged e6 e7 · no long move e6
A sensor is wrong: doubt e5 · believe e5 · move e4 e5
Any time: Enter (the board) · time · resign red · help · quit"""
)


class Prompts:
    """Prints what the players can type next."""

    def __init__(
        self, table: Table, announcer: Announcer, printer: Printer, clock: Callable[[], float]
    ) -> None:
        self._table = table
        self._announcer = announcer
        self._language = announcer.language
        self._printer = printer
        self._clock = clock

    def begin(self) -> None:
        """Print the commands for starting a game."""
        if self._table.view.phase is Phase.SETUP:
            self._printer.print_text(N_("Type: ready red · ready blue · help for more"))
        else:
            self._printer.print_text(N_("Type: help for all commands · Enter for the board"))
        self.ask()

    def help(self) -> None:
        self._printer.print_text(HELP)

    def hear(self, event: events.Event) -> None:
        """Print what the players can type after an event.

        Nothing is printed if the event's announcement already says what they can type.
        """
        match event:
            case events.TurnBegan() if self._times:
                self.print_times()
            case events.ConfirmAttack(source, target):
                way = N_("Type: attack {source} {target} · no attack")
                self._printer.print_text(way, source=name(source), target=name(target))
            case events.ChooseAttacker(source, target):
                ways = N_("Type: attack {source} {target} · attack {target} {source} · no attack")
                self._printer.print_text(ways, source=name(source), target=name(target))
            case events.ChooseExplanation(explanations):
                self._list_explanations(explanations)
            case events.AttackSuggested():
                self._mention_offers()
            case events.BoardOffered():
                side, to_move = event.side.other.value, event.to_move.value
                way = N_("Type: {side} agrees, {to_move} moves")
                self._printer.print_text(way, side=side, to_move=to_move)
            case rulings.Touched(carried=True):
                self._printer.print_text(N_("In private, behind the curtain, type: touched"))
            case (
                rulings.Disputed()
                | rulings.InfiltrationOpened()
                | rulings.StalemateClaimed()
                | rulings.MoveRequired()
            ):
                self.ask()

    def ask(self) -> None:
        """If a public question must be answered before the game continues, print it."""
        view = self._table.view
        mover, waiter = map(self._language.side, (view.to_move, view.to_move.other))
        match view.phase:
            case Phase.DISPUTE:
                self._printer.print_text(N_("Type: counts · does not count"))
            case Phase.GUESS:
                self._printer.print_text(N_("{side}, type: right · wrong"), side=waiter)
                self.mention_seals(view.to_move.other)
            case Phase.STALEMATE if view.stuck:
                asked = self._language.side(view.stuck.other)
                self._printer.print_text(N_("{side}, type: yes · no"), side=asked)
            case Phase.SHOWING:
                shown = N_("{side}, move on the board. If you find no move, type: no")
                self._printer.print_text(shown, side=mover)

    def mention_seals(self, side: Side) -> None:
        """If a side has sealed its army elsewhere, explain how to continue without the seals."""
        if side in self._table.view.sealed:
            way = N_(
                "{side} sealed the army elsewhere, and the seal cannot be opened in "
                "this terminal. The arbiter types: break seals {sealed}"
            )
            self._printer.print_text(way, side=self._language.side(side), sealed=side.value)

    def print_times(self) -> None:
        if self._times:
            self._printer.print_text(N_("Time left: {times}"), times=" · ".join(self._times))
        else:
            self._printer.print_text(N_("There is no clock."))

    @property
    def _times(self) -> list[str]:
        """The remaining time on each clock in use, as text. Empty if there are no clocks."""
        clock, now = self._table.clock, self._clock()
        if self._table.view.phase is Phase.SETUP:
            lefts = {self._language.text(N_("setup")): clock.setup_left(now)}
        else:
            lefts = {self._language.side(side): clock.remaining(side, now) for side in Side}
            lefts[self._language.text(N_("the whole game"))] = clock.whole_left(now)
        return [f"{what} {clock_text(left)}" for what, left in lefts.items() if left is not None]

    def _list_explanations(self, explanations: tuple[str, ...]) -> None:
        for number, turns in enumerate(explanations, start=1):
            self._printer.show(f"{number:3}  {self._announcer.board.turns_in_words(turns)}")
        self._printer.print_text(
            N_("Type the right number: it was 1 · or, if none is right: it was none")
        )

    def _mention_offers(self) -> None:
        """Print how to make each attack that the players may have meant.

        If no attack was meant, the players do not have to type anything.
        """
        for answer in self._table.state.asked.answers:
            if attack := answer.attack:
                way = N_("If {source} attacks {target}, type: attack {source} {target}")
                self._printer.print_text(
                    way, source=name(attack.source), target=name(attack.target)
                )


@dataclass(frozen=True)
class _Unconfirmed:
    """A typed action that may end the game, and the game state when it was typed."""

    action: actions.Action | Command
    state: object


class EndConfirmation:
    """Asks for confirmation before an action that would end the game.

    In a terminal, such an action cannot be taken back.
    """

    def __init__(self, table: Table, printer: Printer) -> None:
        self._table = table
        self._printer = printer
        self._asked: _Unconfirmed | None = None

    def asks(self, action: actions.Action | Command) -> bool:
        """Return whether an action may end the game. If so, ask for confirmation."""
        question, side = self._question(action), getattr(action, "side", None)
        if not question:
            return False
        self._asked = _Unconfirmed(action, self._game_state)
        named = self._printer.language.side(side or self._table.view.to_move)
        self._printer.print_text(question, side=named)
        self._printer.print_text(N_("Type: yes · anything else cancels"))
        return True

    def confirmed(self, line: str) -> actions.Action | Command | None:
        """Return the pending action if a line confirms it. Any other line cancels the action."""
        asked, self._asked = self._asked, None
        if asked is None or asked.state != self._game_state:
            return None
        if self._printer.means_yes(line):
            return asked.action
        self._printer.print_text(N_("Cancelled. The game continues."))
        return None

    @property
    def is_open(self) -> bool:
        """Whether an action is waiting for confirmation."""
        return self._asked is not None and self._asked.state == self._game_state

    @property
    def _game_state(self) -> object:
        return self._table.view.plies, self._table.view.phase

    def _question(self, action: actions.Action | Command) -> str:
        """Return the question to ask before an action, or "" if it cannot end the game."""
        view = self._table.view
        match action:
            case _ if not self._table.is_running:
                return ""
            case actions.Resign():
                return N_("{side} resigns and loses the game. Are you sure?")
            case actions.Forfeit(side=None):
                return N_("Both sides lose the game. Are you sure?")
            case actions.Forfeit():
                return N_("{side} loses the game. Are you sure?")
            case OfferDraw(side) if self._table.conversation.draw_offer is side.other:
                return N_("The game ends in a draw. Are you sure?")
            case actions.ClaimStalemate() if view.phase is Phase.PLAY:
                return N_("{side} cannot move, which may end the game. Are you sure?")
            case actions.AnswerStalemate(able=False) if view.phase in (
                Phase.STALEMATE,
                Phase.SHOWING,
            ):
                return N_("Neither side can move, so the game ends. Are you sure?")
            case actions.AnswerGuess(right=True) if (
                view.phase is Phase.GUESS and view.guess is Rank.FLAG
            ):
                return N_("The flag is captured, so the game ends. Are you sure?")
        return ""


RETRY_SAVE: Final = "try again"
PLAY_ON: Final = "play on"


class SaveErrorPrompt:
    """Passes inputs to the session, and asks what to do if saving fails.

    Events that cannot be saved are not printed. No line reaches the table until a player has chosen
    to try again or to play on.
    """

    def __init__(self, session: Session, printer: Printer, hide: Callable[[], None]) -> None:
        """Wrap a session. `hide` is called to remove private text from the screen."""
        self._session = session
        self._printer = printer
        self._hide = hide

    @property
    def waits(self) -> bool:
        """Whether any events are held back until they have been saved."""
        return self._session.error is not None

    def give(self, received: Input) -> Step | None:
        """Pass an input to the session. Returns the result, or None if it has not been saved."""
        try:
            step = self._session.handle(received)
        except StorageError as error:
            self._ask(error)
            return None
        return None if self.waits else step

    def answer(self, line: str) -> None:
        """Handle a typed line while events are held back."""
        assert self._session.error
        if line == PLAY_ON:
            self._printer.print_text(N_("From now on, this game is not saved."))
            self._session.continue_unsaved()
        elif line == RETRY_SAVE:
            try:
                self._session.retry_save()
            except StorageError as error:
                self._ask(error)
        else:
            self._ask(self._session.error)

    def print_saved_state(self, *, is_running: bool) -> None:
        """Print, at the end of the program, how much of the game has been saved."""
        if not self._session.is_persistent:
            self._printer.print_text(N_("This game is not being saved."))
        elif self.waits:
            self._printer.print_text(N_("The last move is not saved."))
        elif is_running:
            self._printer.print_text(N_("The game is saved. Start again to continue."))

    def _ask(self, error: StorageError) -> None:
        self._hide()
        self._printer.print_text(N_("The game cannot be saved."), style="bold")
        self._printer.show(storage_error_text(error, self._printer.language))
        self._printer.print_text(
            N_("Without saving, a power cut loses the game.")
            if self._session.number is None
            else N_("Without saving, a power cut takes the game back to the last saved move.")
        )
        self._printer.print_text(N_("Type: try again · play on (without saving)"))
