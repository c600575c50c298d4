"""A game in progress: its referee, where it is, and what has come of the input that is being taken.

All parts of a table share it. Nothing else puts an action to the referee, and nothing else goes
from one state to another.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from companion.table.events import Event
from companion.table.state import Clearing, SettingUp, State, ToMove
from companion.table.transitions import RESUMED, TRANSITIONS, Cause
from engine.play.actions import (
    AcceptBoard,
    Action,
    Attack,
    BreakSeals,
    Correct,
    FreeTouched,
    Move,
    ProveArmy,
    TakeBack,
)
from engine.play.moment import Phase
from engine.play.referee import Referee
from engine.play.rulings import Combat, Contradiction, Infiltrated, Ruling, refuses
from engine.play.views import PublicView, public_view
from engine.rulebook.violation import Violation
from engine.sides import Side
from engine.squares import Square
from firmware_bridge.image import ARMIES, Image

_CAUSES: Final[Mapping[Phase, Cause]] = {
    Phase.ATTACK: Cause.ATTACKED,
    Phase.DISPUTE: Cause.DISPUTED,
    Phase.GUESS: Cause.GUESSED,
    Phase.STANDSTILL: Cause.SHUT_IN,
    Phase.OVER: Cause.ENDED,
}
"""Why a game is where something has to be said first, or nothing any more."""


class Overhearer(Protocol):
    """Somebody who listens to every decision in the moment in which it falls."""

    def attempted(self, action: Action, rulings: tuple[Ruling, ...]) -> None:
        """Take note of what the referee has said to an action, before anybody else acts on it."""

    def told(self, events: tuple[Event, ...]) -> None:
        """Take note of what is told."""


class Proceedings:
    """One game, its state, and the outcome of one input."""

    def __init__(self, referee: Referee, *, clearing: bool) -> None:
        """Begin a game, or take one up; `clearing` if a combat had still to be cleared up."""
        self.referee = referee
        self.at = 0.0
        """The moment of the input that is being taken."""
        self.actions: list[Action] = []
        """The actions that it has brought about."""
        self.events: list[Event] = []
        """What it makes the table tell."""
        self.state = _resumed(referee, clearing)
        self.overhearer: Overhearer | None = None
        self._listeners: list[Callable[[Action, tuple[Ruling, ...]], None]] = []
        self._view: tuple[int, PublicView] | None = None
        """What everybody may see, and after how many actions."""

    @property
    def view(self) -> PublicView:
        """What everybody may see of the game."""
        accepted = len(self.referee.actions)
        if self._view is None or self._view[0] != accepted:
            self._view = accepted, public_view(self.referee)
        return self._view[1]

    @property
    def is_running(self) -> bool:
        """Whether the armies stand and nobody has won yet."""
        return self.referee.phase not in (Phase.SETUP, Phase.OVER)

    @property
    def expected(self) -> Image:
        """Where the pieces stand that the referee knows of."""
        position = self.referee.position
        return Image(position.squares(Side.RED), position.squares(Side.BLUE))

    @property
    def must_show(self) -> Image:
        """What has to stand while nothing is in a hand.

        While setting up, that is what stands whatever the players choose: armies that fill rows.
        """
        if self.referee.phase is not Phase.SETUP:
            return self.expected
        fills_its_rows = self.referee.edition.army.size == Side.RED.home.bit_count()
        return ARMIES if fills_its_rows else Image()

    def begin(self, at: float) -> None:
        """Begin to take an input."""
        self.at, self.actions, self.events = at, [], []

    def listen(self, listener: Callable[[Action, tuple[Ruling, ...]], None]) -> None:
        """Let a part of the table hear what the referee says to every action."""
        self._listeners.append(listener)

    def tell(self, *events: Event) -> None:
        """Tell something."""
        self.events.extend(events)
        if self.overhearer:
            self.overhearer.told(events)

    def go(self, cause: Cause, **what: Any) -> None:
        """Go to the state to which a cause leads; `what` belongs to it."""
        self.state = TRANSITIONS[type(self.state)][cause](**what)

    def attempt(self, action: Action) -> tuple[Ruling, ...]:
        """Put an action to the referee, and go where its answer leads.

        With touch-move a turn may show that its player has said in private that the touched piece
        cannot move. Then that comes to be in the record, and everybody is told.
        """
        if isinstance(action, Move | Attack) and self.referee.is_excused_for(action):
            self._put(FreeTouched())
        return self._put(action)

    def _put(self, action: Action) -> tuple[Ruling, ...]:
        rulings = self.referee.apply(action)
        if self.overhearer:
            self.overhearer.attempted(action, rulings)
        if refuses(rulings):
            self.tell(*rulings)
            if isinstance(rulings[0], Violation):
                self.forbid(rulings[0], action if isinstance(action, Move | Attack) else None)
        else:
            # A contradiction after a turn is not even told to be there.
            self.tell(*(each for each in rulings if not isinstance(each, Contradiction)))
            self.actions.append(action)
            self._go_on(action, rulings)
        for listener in self._listeners:
            listener(action, rulings)
        return rulings

    def forbid(self, violation: Violation, refused: Move | Attack | None) -> None:
        """Show a rule that forbids what was tried without a move of the hands."""
        if Cause.FORBIDDEN in TRANSITIONS[type(self.state)]:
            side = self.side_out_of_turn(refused.source) if refused else None
            self.go(Cause.FORBIDDEN, violation=violation, refused=refused, out_of_turn=side)

    def side_out_of_turn(self, source: Square) -> Side | None:
        """The owner of a piece, if it is not to move."""
        owner = self.referee.position.board.side_at(source)
        return owner if owner is self.referee.to_move.other else None

    def _go_on(self, action: Action, rulings: tuple[Ruling, ...]) -> None:
        """Go where an accepted action leads."""
        if isinstance(action, BreakSeals | ProveArmy):
            return  # what is open stays open
        phase = self.referee.phase
        if phase in _CAUSES:
            self.go(_CAUSES[phase])
        elif isinstance(action, TakeBack):
            self.go(Cause.TAKEN_BACK)
        elif phase is Phase.PLAY and _leaves_to_clear(rulings):
            self.go(Cause.FOUGHT, reveal=self.referee.position.last_combat)
        elif isinstance(action, AcceptBoard):
            self.go(Cause.ACCEPTED)
        elif not isinstance(action, Correct):
            self.go(Cause.PLAYED)
        elif Cause.SET_RIGHT in TRANSITIONS[type(self.state)]:
            self.go(Cause.SET_RIGHT)


def _resumed(referee: Referee, clearing: bool) -> State:
    """Say where a game is that was just begun or taken up."""
    if referee.phase is Phase.SETUP:
        return SettingUp()
    if referee.phase in _CAUSES:
        return RESUMED[_CAUSES[referee.phase]]()
    if referee.actions[-1:] == [TakeBack()]:
        return RESUMED[Cause.TAKEN_BACK]()
    return Clearing(referee.position.last_combat) if clearing else ToMove()


def _leaves_to_clear(rulings: tuple[Ruling, ...]) -> bool:
    """Whether there are pieces to be taken from the board after these rulings."""
    return any(
        isinstance(ruling, Combat) or (isinstance(ruling, Infiltrated) and ruling.right)
        for ruling in rulings
    )
