"""Prompts for possible input that an announcement does not mention."""

from collections.abc import Callable
from typing import Final

from companion.core import Table
from companion.core.events import (
    AttackSuggested,
    BoardOffered,
    ChooseAttacker,
    ChooseExplanation,
    ConfirmAttack,
    Event,
    TurnBegan,
)
from companion.speech.announcer import Announcer
from companion.speech.i18n import N_
from companion.terminal.output import Printer
from engine.board.geometry import Side, name
from engine.game.clocks import clock_text
from engine.game.game_state import Phase
from engine.game.rulings import (
    Disputed,
    InfiltrationOpened,
    MoveRequired,
    StalemateClaimed,
    Touched,
)

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
    """Prints prompts for the next input."""

    def __init__(
        self, table: Table, announcer: Announcer, printer: Printer, clock: Callable[[], float]
    ) -> None:
        """Prompt the players of a game."""
        self._table = table
        self._announcer = announcer
        self._language = announcer.language
        self._printer = printer
        self._clock = clock

    def begin(self) -> None:
        """Print the commands for the start of a game."""
        if self._table.view.phase is Phase.SETUP:
            self._printer.say(N_("Type: ready red · ready blue · help for more"))
        else:
            self._printer.say(N_("Type: help for all commands · Enter for the board"))
        self.ask()

    def help(self) -> None:
        """Print all commands."""
        self._printer.say(HELP)

    def hear(self, event: Event) -> None:
        """Print the possible input after an event if its announcement does not mention it."""
        match event:
            case TurnBegan() if self._times:
                self.tell_times()
            case ConfirmAttack(source, target):
                way = N_("Type: attack {source} {target} · no attack")
                self._printer.say(way, source=name(source), target=name(target))
            case ChooseAttacker(source, target):
                ways = N_("Type: attack {source} {target} · attack {target} {source} · no attack")
                self._printer.say(ways, source=name(source), target=name(target))
            case ChooseExplanation(explanations):
                self._list_explanations(explanations)
            case AttackSuggested():
                self._mention_offers()
            case BoardOffered():
                side, to_move = event.side.other.value, event.to_move.value
                way = N_("Type: {side} agrees, {to_move} moves")
                self._printer.say(way, side=side, to_move=to_move)
            case Touched(carried=True):
                self._printer.say(N_("In private, behind the curtain, type: touched"))
            case Disputed() | InfiltrationOpened() | StalemateClaimed() | MoveRequired():
                self.ask()

    def ask(self) -> None:
        """Print the public question that has to be answered before the game goes on, if any."""
        view = self._table.view
        mover, waiter = map(self._language.side, (view.to_move, view.to_move.other))
        match view.phase:
            case Phase.DISPUTE:
                self._printer.say(N_("Type: counts · does not count"))
            case Phase.GUESS:
                self._printer.say(N_("{side}, type: right · wrong"), side=waiter)
                self.mention_seals(view.to_move.other)
            case Phase.STALEMATE if view.stuck:
                asked = self._language.side(view.stuck.other)
                self._printer.say(N_("{side}, type: yes · no"), side=asked)
            case Phase.SHOWING:
                shown = N_("{side}, move on the board. If you find no move, type: no")
                self._printer.say(shown, side=mover)

    def mention_seals(self, side: Side) -> None:
        """Explain how to continue if a side has to open a seal whose opening is not stored here."""
        if side in self._table.view.sealed:
            way = N_(
                "{side} sealed the army elsewhere, and the seal cannot be opened in "
                "this terminal. The arbiter types: break seals {sealed}"
            )
            self._printer.say(way, side=self._language.side(side), sealed=side.value)

    def tell_times(self) -> None:
        if self._times:
            self._printer.say(N_("Time left: {times}"), times=" · ".join(self._times))
        else:
            self._printer.say(N_("There is no clock."))

    @property
    def _times(self) -> list[str]:
        """The remaining times of the clocks that apply now; empty without a clock."""
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
        self._printer.say(N_("Type the right number: it was 1 · or, if none is right: it was none"))

    def _mention_offers(self) -> None:
        """Print how to make an attack that may have been meant.

        If no attack was meant, nothing has to be typed.
        """
        for answer in self._table.state.asked.answers:
            if attack := answer.attack:
                way = N_("If {source} attacks {target}, type: attack {source} {target}")
                self._printer.say(way, source=name(attack.source), target=name(attack.target))
