"""The context of a game: its referee, state and clock, and the results of the current input.

All modules of a table share one `GameContext`. Only the context submits actions to the referee and
changes the state.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from companion.core.events import Event, SetupTimeUp
from companion.core.game_options import BLANK, SavedState
from companion.core.inputs import AdjustClock
from companion.core.recognition_limits import LIMITS
from companion.core.state import (
    RESUMED,
    TRANSITIONS,
    Cause,
    Clearing,
    Finished,
    MovePending,
    SettingUp,
    TableState,
    ToMove,
    WrongMove,
)
from engine.board.geometry import Side, Square
from engine.game.actions import (
    Action,
    AdoptBoard,
    Attack,
    BreakSeals,
    Correct,
    FreeTouched,
    Move,
    OpenArmy,
    TakeBack,
    TimeExpired,
    Turn,
)
from engine.game.clocks import LONGEST, Clock, ClockState, Limit
from engine.game.game_state import Phase
from engine.game.position import Position
from engine.game.referee import Referee
from engine.game.rulings import (
    Combat,
    Contradiction,
    Infiltrated,
    Moved,
    Reason,
    Ruling,
    TakenBack,
    Touched,
)
from engine.game.views import PublicView, public_view
from engine.rules.rules import Violation
from firmware_bridge.image import Image, ImageDifference

_CAUSES: Final[Mapping[Phase, Cause]] = {
    Phase.ATTACK: Cause.ATTACKED,
    Phase.DISPUTE: Cause.DISPUTED,
    Phase.GUESS: Cause.GUESSED,
    Phase.STALEMATE: Cause.SHUT_IN,
    Phase.OVER: Cause.ENDED,
}
"""Reason why the game has ended or waits for a decision, keyed by phase."""


@dataclass(frozen=True)
class Step:
    """The result of one input. The actions must be on disk before the events are reported."""

    actions: tuple[Action, ...] = ()
    events: tuple[Event, ...] = ()
    clock: ClockState = field(default_factory=ClockState)
    """State of the clock after the input."""
    saved: SavedState = BLANK
    """State to be saved with the step, even if the step has no actions."""
    is_news: bool = True
    """Whether anything may have changed. False for a frame that repeats the image."""


class TableObserver(Protocol):
    """Interface for observers, which are called immediately after every decision."""

    def on_action(self, action: Action, rulings: tuple[Ruling, ...]) -> None:
        """Record the referee's rulings on an action before any other module acts on them."""

    def on_events(self, events: tuple[Event, ...]) -> None:
        """Record emitted events."""


class GameContext:
    """The referee and state of one game, and the results of the current input."""

    def __init__(
        self,
        referee: Referee,
        *,
        clearing: bool,
        move_pending: bool,
        computer: Side | None = None,
    ) -> None:
        """Begin or resume a game.

        Args:
            referee: The referee of the game.
            clearing: Whether the board still has to be cleared after a combat.
            move_pending: Whether the computer's latest move still has to be made on the board.
            computer: The side that the computer plays, or None if two people play.
        """
        self.referee = referee
        self.computer = computer
        self.is_reviewed = False
        """Whether the players have reviewed the finished game."""
        self.expected = _image_of(referee.position)
        """Image that corresponds to the referee's position."""
        self.at = 0.0
        """Time of the current input, in seconds."""
        self.actions: list[Action] = []
        """Actions that the current input has caused."""
        self.events: list[Event] = []
        """Events that the current input has caused."""
        self.state = _resumed(referee, clearing=clearing, move_pending=move_pending)
        self.observer: TableObserver | None = None
        self._listeners: list[tuple[Callable[[Action, tuple[Ruling, ...]], None], bool]] = []
        """Listeners, each with a flag that says whether it is also called for refused actions."""
        self._view: tuple[int, PublicView] | None = None
        """Cached public view, with the number of actions accepted when it was created."""

    @property
    def view(self) -> PublicView:
        accepted = len(self.referee.actions)
        if self._view is None or self._view[0] != accepted:
            self._view = accepted, public_view(self.referee)
        return self._view[1]

    @property
    def is_running(self) -> bool:
        """Whether both armies are placed and the game is not over."""
        return self.referee.phase not in (Phase.SETUP, Phase.OVER)

    @property
    def is_left_to_computer(self) -> bool:
        """Whether the computer, which plays with blank pieces, has to decide on a turn.

        Until it has decided, no hand can take its turn. Its army is sealed even if the rules do not
        require it. On the simulated board, the computer's own hands take its turns.
        """
        referee = self.referee
        if self.computer is None or self.computer is not referee.to_move:
            return False
        is_blank = self.computer in self.view.sealed and not self.view.edition.sealed_armies
        return is_blank and referee.phase.is_turn

    @property
    def is_end_final(self) -> bool:
        """Whether the end of the game cannot be undone.

        After a game against the computer, the screen shows the computer's ranks, and a review shows
        those of both sides. A person who knows them must not continue the game.
        """
        return self.computer is not None or self.is_reviewed

    @property
    def required_image(self) -> Image:
        """The image that the board has to show while no piece is lifted.

        During setup, the image contains only armies that fill their rows, because the players
        choose the squares of smaller armies.
        """
        if self.referee.phase is not Phase.SETUP:
            return self.expected
        red, blue = (
            side.home if self.referee.edition.army_of(side).size == side.home.bit_count() else 0
            for side in Side
        )
        return Image(red, blue)

    def begin(self, at: float) -> None:
        """Reset the results before an input is processed at the time `at`."""
        self.at, self.actions, self.events = at, [], []

    def listen(
        self, listener: Callable[[Action, tuple[Ruling, ...]], None], *, hears_refused: bool = False
    ) -> None:
        """Register a listener, which is called with each accepted action and its rulings.

        If `hears_refused` is set, the listener is also called for refused actions.
        """
        self._listeners.append((listener, hears_refused))

    def emit(self, *events: Event) -> None:
        self.events.extend(events)
        if self.observer:
            self.observer.on_events(events)

    def transition(self, cause: Cause, **what: Any) -> None:
        """Make the transition that `cause` triggers. `what` sets the fields of the new state."""
        self.state = TRANSITIONS[type(self.state)][cause](**what)

    def submit(self, action: Action) -> tuple[Ruling, ...]:
        """Submit an action to the referee, and make the transition triggered by the ruling.

        With touch-move, a player may declare in private that the touched piece cannot move. A turn
        with another piece reveals this. The declaration is then recorded and reported to everyone
        before the turn.
        """
        if isinstance(action, Turn) and self.referee.is_excused_for(action):
            self._put(FreeTouched())
        return self._put(action)

    def _put(self, action: Action) -> tuple[Ruling, ...]:
        # The order matters: first the observer, then the events, then the other modules. A recorder
        # of decisions must receive a ruling before its consequences.
        rulings = self.referee.apply(action)
        if self.observer:
            self.observer.on_action(action, rulings)
        is_refused = rulings is not self.referee.ruled
        if is_refused:
            self.emit(*rulings)
            if isinstance(rulings[0], Violation):
                self.show_violation(
                    rulings[0], action if isinstance(action, Move | Attack) else None
                )
        else:
            # The opponent must not even learn that a contradiction exists.
            self.emit(*(each for each in rulings if not isinstance(each, Contradiction)))
            self.actions.append(action)
            self.expected = _image_of(self.referee.position)
            self._go_on(action, rulings)
        for listener, hears_refused in self._listeners:
            if hears_refused or not is_refused:
                listener(action, rulings)
        return rulings

    def show_violation(self, violation: Violation, refused: Move | Attack | None) -> None:
        """Show which rule forbids a turn that a player has tried to make on the screen."""
        if Cause.FORBIDDEN in TRANSITIONS[type(self.state)]:
            side = self.side_out_of_turn(refused.source) if refused else None
            self.transition(Cause.FORBIDDEN, violation=violation, refused=refused, out_of_turn=side)

    def side_out_of_turn(self, source: Square) -> Side | None:
        """Return the owner of the piece on `source`, or None if the owner is the side to move."""
        owner = self.referee.position.board.side_at(source)
        return owner if owner is self.referee.to_move.other else None

    def _go_on(self, action: Action, rulings: tuple[Ruling, ...]) -> None:
        """Change to the state that follows an accepted action."""
        if isinstance(action, BreakSeals | OpenArmy):
            return  # a pending decision stays open
        phase = self.referee.phase
        # Pending decisions are checked before the type of action, because a take-back or a
        # correction may reopen an attack or a dispute.
        if phase in _CAUSES:
            self.transition(_CAUSES[phase])
        elif isinstance(action, TakeBack):
            self.transition(Cause.TAKEN_BACK)
        elif phase is Phase.PLAY and _leaves_to_clear(rulings):
            self.transition(Cause.FOUGHT, reveal=self.referee.position.last_combat)
        elif isinstance(action, AdoptBoard):
            self.transition(Cause.ACCEPTED)
        # A correction by an arbiter is not a turn. In states without a `SET_RIGHT` transition, such
        # as a cleanup, the correction changes only ranks, not the state.
        elif not isinstance(action, Correct):
            self.transition(Cause.PLAYED)
        elif Cause.SET_RIGHT in TRANSITIONS[type(self.state)]:
            self.transition(Cause.SET_RIGHT)


def _image_of(position: Position) -> Image:
    return Image(position.squares(Side.RED), position.squares(Side.BLUE))


def _resumed(referee: Referee, *, clearing: bool, move_pending: bool) -> TableState:
    """Return the first state of a new or resumed game."""
    if referee.phase is Phase.SETUP:
        return SettingUp()
    if referee.phase in _CAUSES:
        return RESUMED[_CAUSES[referee.phase]]()
    # The process may have restarted before the board was restored.
    if referee.actions[-1:] == [TakeBack()]:
        return RESUMED[Cause.TAKEN_BACK]()
    last = referee.position.last_move
    if move_pending and last:
        source, target = last
        difference = ImageDifference(missing=1 << target, surplus=1 << source)
        return MovePending(Move(source, target), difference)
    return Clearing(referee.position.last_combat) if clearing else ToMove()


def _leaves_to_clear(rulings: tuple[Ruling, ...]) -> bool:
    """Whether these rulings require pieces to be removed from the board."""
    return any(
        isinstance(ruling, Combat) or (isinstance(ruling, Infiltrated) and ruling.right)
        for ruling in rulings
    )


class Timekeeper:
    """Controls the clock of a game. Every call passes the time up to which the clock has run.

    Other code may read the clock but must not change it.
    """

    def __init__(self, context: GameContext, clock: Clock) -> None:
        self._context, self._clock = context, clock
        self._setup_called = False

    def call(self, at: float) -> None:
        """Report the end of the setup time, or end the game if a side has run out of time."""
        match self._clock.expired(at):
            case Limit.SETUP:
                if not self._setup_called:
                    self._setup_called = True
                    self._context.emit(SetupTimeUp())
            case Limit() as expired if self._context.is_running:
                side = None if expired is Limit.WHOLE else Side(expired.value)
                self._context.submit(TimeExpired(side))

    def can_give(self, given: AdjustClock, at: float) -> bool:
        """Whether the arbiter may change a side's clock by this amount.

        The adjustment must leave some time on the clock. Once the game is over, only a side that
        has run out of time can be given time, unless an army has been shown.
        """
        referee, left = self._context.referee, self._clock.remaining(given.side, at)
        if referee.phase is Phase.SETUP or left is None or not given.seconds:
            return False
        if not 0 < left + given.seconds <= LONGEST:
            return False
        if referee.outcome is None:
            return True
        is_final = self._context.is_end_final or bool(self._context.view.proved)
        is_by_time = referee.outcome.reason is Reason.TIME and not is_final
        return is_by_time and self._clock.expired(at) is Limit.of(given.side)

    def give(self, given: AdjustClock, at: float) -> None:
        """Adjust a side's clock. If the side has lost on time, the game continues."""
        if not self.can_give(given, at):
            return
        self._clock.add_time(given.side, given.seconds, at)
        self._context.emit(given)
        if self._context.referee.outcome:
            self._context.submit(TakeBack())

    def run(self, at: float, *, stands: bool) -> None:
        """Start or stop the clocks as the state of the game requires.

        Pass `stands=True` to stop both clocks, as in a pause or while no board is connected.
        """
        state = self._context.state
        match state:
            case SettingUp():
                self._clock.set_up(at)
                return
            case Finished():
                self._clock.stop(at)
                return
            # The offender's clock runs. Otherwise, a side could use up its opponent's time by
            # moving out of turn.
            case WrongMove(out_of_turn=Side() as owner):
                self._clock.deduct(owner, at)
            case _:
                self._clock.turn(self._context.referee.to_move, at)
        if stands or not state.time_runs:
            self._clock.pause(at)


class RevealTimer:
    """Holds the combat whose ranks are shown, until they are hidden permanently."""

    def __init__(self, context: GameContext, *, pending_reveal: bool) -> None:
        """With `pending_reveal`, show the latest combat of a resumed game again."""
        self.pending_reveal = latest_combat(context.referee) if pending_reveal else None
        """The combat whose ranks are shown, or None."""
        self._context = context
        self._until: float | None = None
        context.listen(self._take_answer)

    @property
    def due(self) -> float | None:
        """Time at which the ranks are hidden even without a touch, or None.

        A pending cleanup delays that time.
        """
        is_to_come = self._until is not None and self._until > self._context.at
        return self._until if is_to_come else None

    def begin(self) -> None:
        """Start the timer if a resumed game shows the ranks of a combat again."""
        if self.pending_reveal and self._until is None:
            self._until = self._context.at + LIMITS.combat_readable_seconds

    def is_over(self) -> bool:
        return self._until is not None and self._context.at >= self._until

    def close(self) -> None:
        """Hide the ranks, because the players have read them or have another message to read."""
        self.pending_reveal = self._until = None

    def _take_answer(self, action: Action, rulings: tuple[Ruling, ...]) -> None:
        """Show the ranks of a new combat, and hide earlier ranks that have been read."""
        # A fast player may touch or move a piece before the ranks have been read. All other actions
        # show that the players have read the ranks.
        if not isinstance(rulings[0], Moved | Touched | TakenBack):
            self.close()
        for ruling in rulings:
            if isinstance(ruling, Combat):
                self.pending_reveal = ruling
                self._until = self._context.at + LIMITS.combat_readable_seconds
        last = self._context.referee.position.last_combat
        if (
            isinstance(action, TakeBack) and self.pending_reveal != last
        ):  # the combat was taken back
            self.close()


def latest_combat(referee: Referee) -> Combat | None:
    """Return the latest combat that was not taken back, or None."""
    again, latest = Referee.waiting(referee.edition), None
    for action in referee.in_force:
        for ruling in again.apply(action):
            latest = ruling if isinstance(ruling, Combat) else latest
    return latest
