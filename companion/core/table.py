"""A table: one game on one board. It processes inputs and returns actions and events.

During a game, the referee alone determines what the board must show. Each image is passed to the
module for the current state: setup, turns, declarations or cleanup. An action that the referee
accepts leads to the next state.
"""

import math
from collections.abc import Iterable, Mapping
from typing import Final

from companion.core import inputs
from companion.core.conversation import ArbiterCall, Conversation, ScreenTurns
from companion.core.events import SetupSeen
from companion.core.explanation import Explanation
from companion.core.game_context import GameContext, RevealTimer, Step, TableObserver, Timekeeper
from companion.core.game_options import BLANK, SavedState
from companion.core.move_recognizer import MoveRecognizer
from companion.core.observed_board import Misplaced, MisplacedPiece, ObservedBoard
from companion.core.recognition_limits import LIMITS
from companion.core.recovery import BoardAdoption, Cleanup, DeclarationWatch
from companion.core.setup_watch import SetupWatch
from companion.core.state import (
    IN_TURN,
    Cause,
    Clearing,
    Finished,
    MovePending,
    Restoring,
    SettingUp,
    TableState,
)
from companion.core.turns import Turns
from engine.board.geometry import SQUARES, Side, Square, SquareSet, set_of
from engine.deduction.commitment import ArmyCommitment
from engine.game.actions import Action, Amend, Attack, Forfeit, FreeTouched, Infiltrate, Move
from engine.game.clocks import NO_CLOCK, Clock, ClockState, TimeControl
from engine.game.game_state import Phase
from engine.game.referee import Referee
from engine.game.rulings import Combat, Moved, Ruling, TakenBack
from engine.game.views import PublicView
from engine.rules.editions import Edition
from firmware_bridge.image import Image

_NEARLY: Final = 1e-9
"""Tolerance for rounding errors in sums of times, in seconds. The recognizer uses the same
tolerance."""
MOST_AT_ONCE: Final = 8
"""Maximum number of actions per frame. Further actions can wait for the next frame, which follows
soon."""


class Table:
    """One game on one board."""

    def __init__(
        self,
        edition: Edition,
        seed: int,
        actions: Iterable[Action] = (),
        *,
        control: TimeControl = NO_CLOCK,
        clock: ClockState | None = None,
        saved: SavedState = BLANK,
        computer: Side | None = None,
    ) -> None:
        """Begin a game, or resume one from its accepted actions, its clock and its saved state.

        `seed` only determines the order of the tiles for declaring a rank. `computer` is the side
        that the computer plays, or None if two people play.
        """
        self.referee = Referee.replay(edition, actions)
        self.clock = Clock(control.under(edition.handicap), clock)
        """The clock runs while a side may move, and stops while ranks are declared. While a side
        corrects a wrong move, its own clock runs, even if the move was out of turn. A disturbed
        board also stops the clock, because a sleeve, a child or a sensor may be the cause."""
        self._context = context = GameContext(
            self.referee,
            clearing=saved.clearing,
            move_pending=saved.move_pending,
            computer=computer,
        )
        self.conversation = Conversation(context, seed)
        self.arbiter_call = ArbiterCall(context, saved.call)
        self._timekeeper = Timekeeper(context, self.clock)
        self._reveal_timer = RevealTimer(context, pending_reveal=saved.unread)
        self._reader = reader = MoveRecognizer()
        self._sight = ObservedBoard(context, reader, saved.doubted)
        self._setup_watch = SetupWatch(edition)
        self._cleanup = Cleanup(context, self._sight, reader)
        self._declaration_watch = DeclarationWatch(context, self._sight)
        self._turns = Turns(context, self._sight, reader, self._cleanup)
        self._screen_turns = ScreenTurns(context, self._sight)
        self.is_paused = saved.paused
        """Whether the game is paused. No rulings are made during a pause."""
        self.adoption = BoardAdoption(context, self._sight)
        self._misplaced = MisplacedPiece(context, self._sight)
        context.listen(self._take_answer)
        self._moments: tuple[float, ...] = ()
        """Times at which the state may change without a new image. Once one of these times has
        passed, even a repeated frame has to be processed."""
        self._look_ahead()
        self._nothing_new = Step(saved=self.saved, is_news=False)
        """Result of processing a frame that repeats the previous image."""

    # -- public state

    @property
    def state(self) -> TableState:
        return self._context.state

    @property
    def is_connected(self) -> bool:
        """Whether the board can be read."""
        return self._sight.is_connected

    @property
    def view(self) -> PublicView:
        """The public view of the game, used by the screens, the terminal and the lamps."""
        return self._context.view

    @property
    def is_running(self) -> bool:
        """Whether both armies are placed and the game is not over."""
        return self._context.is_running

    @property
    def expected(self) -> Image:
        return self._context.expected

    @property
    def required_image(self) -> Image:
        """The image that the board has to show while no piece is lifted (see `GameContext`)."""
        return self._context.required_image

    @property
    def observed(self) -> Image | None:
        """The latest image, if any. On ignored squares, it shows the pieces that are expected."""
        return self._sight.image

    @property
    def doubted(self) -> SquareSet:
        """The squares that the players or the arbiter have chosen to ignore."""
        return self._sight.doubted

    @property
    def failing(self) -> SquareSet:
        """The squares whose sensors the board reports as failed."""
        return self._sight.failing

    @property
    def unbelieved(self) -> SquareSet:
        """All ignored squares (`doubted` or `failing`). They count as showing what is expected."""
        return self._sight.unbelieved

    @property
    def is_supply_low(self) -> bool:
        """Whether the board's supply voltage is low."""
        return self._sight.is_supply_low

    @property
    def is_seeking(self) -> bool:
        """Whether the board should search between the squares for a missing piece."""
        return bool(self._misplaced.missing) and not self.is_paused

    @property
    def misplaced(self) -> Misplaced | None:
        """The missing piece that the board detects between squares, or None."""
        return None if self.is_paused else self._misplaced.found

    def ways(self, source: Square) -> SquareSet:
        """Return the squares to which the piece on `source` may move according to public facts."""
        return set_of(each for each in SQUARES if not self.referee.find_violation(source, each))

    @property
    def sees_colours(self) -> bool:
        """Whether the board distinguishes red from blue."""
        return self._sight.sees_colours

    @property
    def setup(self) -> SetupSeen:
        return self._setup_watch.seen

    @property
    def ready(self) -> frozenset[Side]:
        """The sides that have reported that their army is complete."""
        return self._setup_watch.ready

    @property
    def sealed(self) -> frozenset[Side]:
        """The sides with valid seals. Before the game, the sides that have submitted seals."""
        return frozenset(self.commitments)

    @property
    def commitments(self) -> Mapping[Side, ArmyCommitment]:
        """The valid seals of each side. Before the game, the submitted seals."""
        if self.referee.phase is Phase.SETUP:
            return self._setup_watch.commitments
        given = {side: self.referee.position.player(side).commitment for side in Side}
        return {side: commitment for side, commitment in given.items() if commitment}

    def unsealed(self, side: Side) -> SquareSet:
        """Return the squares where a side's army differs from its seals. Empty after the setup."""
        return self._setup_watch.unsealed(side)

    def pieces_standing(self, side: Side) -> SquareSet:
        """Return the squares of a side's pieces in its own rows. Empty after the setup."""
        return self._setup_watch.standing(side)

    @property
    def unread_combat(self) -> Combat | None:
        """The combat whose ranks are still shown, or None. Once hidden, ranks stay hidden."""
        return self._reveal_timer.pending_reveal

    @property
    def explanations(self) -> tuple[Explanation, ...]:
        """Candidate explanations from the last recognition, most likely first."""
        return self._reader.explanations

    @property
    def dropped(self) -> tuple[str, ...]:
        """Contradictions that made the last recognition drop interpretations."""
        return self._reader.dropped

    @property
    def next_deadline(self) -> float | None:
        """The time at which the table has to be called again, or None."""
        at = self._context.at
        return min((moment for moment in self._moments if moment > at), default=None)

    @property
    def idle_until(self) -> float:
        """Repeated frames before this time have no effect and can be dropped.

        The time is -inf if even the next frame may have an effect.
        """
        return min(self._moments, default=math.inf) if self._sight.is_at_rest else -math.inf

    @property
    def shown_clock(self) -> ClockState:
        return self.clock.state(self._clock_at)

    @property
    def saved(self) -> SavedState:
        """The state that must be saved so that the game can be resumed."""
        # All other state can be derived from the actions.
        is_cleaning_up = isinstance(self._context.state, Clearing)
        is_move_pending = isinstance(self._context.state, MovePending)
        unread, call = self.unread_combat is not None, self.arbiter_call.open
        return SavedState(
            unread, is_cleaning_up, self.doubted, self.is_paused, is_move_pending, call
        )

    def observe(self, observer: TableObserver) -> None:
        """Register an observer, which is called immediately after every decision."""
        self._context.observer = observer

    # -- inputs

    def handle(self, given: inputs.Input) -> Step:
        """Process one input and return its result.

        An input that is not valid in the current state has no effect. An example is a second touch
        on a button that has already disappeared.
        """
        context = self._context
        context.begin(self._moment(given.at))
        # Nearly all of the 50 frames per second repeat the image, so this check comes first.
        if isinstance(given, inputs.BoardSeen) and self._is_stale(given.image):
            return self._nothing_new
        self._reveal_timer.begin()
        # A turn is in time if its piece was released in time. The ruling may be made later, once
        # the piece has rested.
        self._timekeeper.call(self._clock_at)
        self._reader.begin_input()
        self._cleanup.advance()
        # A board does not report when a faulty sensor has started working again, so faults expire.
        if self._sight.advance():
            self._turns.released = None
        self._take_input(given)
        if not self.is_paused:
            self._observe()
            self._misplaced.report()
        self.adoption.see()
        # The ranks stay on the screen until the board shows the result, however long that takes.
        if not isinstance(context.state, Clearing) and self._reveal_timer.is_over():
            self._reveal_timer.close()
        self._run_clock()
        clock, saved = self.shown_clock, self.saved
        self._look_ahead()
        self._nothing_new = Step(saved=saved, is_news=False)
        return Step(tuple(context.actions), tuple(context.events), clock, saved)

    def _moment(self, at: float) -> float:
        """Return the time of an input, but never a time before the previous input.

        A time just before a deadline is rounded to the deadline.
        """
        at = max(self._context.at, at)
        # Rounding errors may put a frame just before a deadline, and the ruling would then come one
        # frame late.
        return next((due for due in self._moments if 0 < due - at < _NEARLY), at)

    def _look_ahead(self) -> None:
        """Update the deadlines after which the state may change without a new image."""
        moments = (
            self._reader.due,
            self.clock.due,
            self._reveal_timer.due,
            self._cleanup.due,
            self._sight.due,
        )
        self._moments = tuple(moment for moment in moments if moment is not None)

    def _is_stale(self, image: Image) -> bool:
        """Whether a frame repeats the image and no deadline has passed, so only its time is new."""
        at = self._context.at
        is_due = any(at >= moment for moment in self._moments)
        if is_due or not self._sight.shows_again(image):
            return False
        assert self._reader.watch.image is not None
        self._reader.watch.see(at, self._reader.watch.image)
        return True

    def _take_input(self, given: inputs.Input) -> None:
        asking = self._turns.asking
        match given:
            # During a pause the players may move pieces freely, so answers about the board are
            # ignored. Frames are still processed, because the game continues from the current
            # image.
            case (
                inputs.NoAttack()
                | inputs.RevealDismissed()
                | inputs.AttackerNamed()
                | inputs.ExplanationChosen()
                | inputs.BoardClaimed()
            ) if self.is_paused:
                pass
            case inputs.BoardSeen():
                if self._sight.on_frame(given):
                    self._screen_turns.forget_forbidden()
            case inputs.BoardFaultReported():
                if self._sight.on_fault(given):
                    self._turns.released = None
            case inputs.PieceLocated():
                self._misplaced.feel(given)
            case inputs.TimePassed():
                self._reader.watch.advance(self._context.at)
            case inputs.BoardFound():
                self._turns.released = None
                self._sight.on_connect(sees_colours=given.sees_colours)
                self._misplaced.forget()
            case inputs.BoardLost():
                self._turns.released = None
                self._sight.on_disconnect()
                self._misplaced.forget()
            case inputs.CommandInput(what=what):
                self._take_command(what)
            case inputs.ArmySealed() if self.referee.phase is Phase.SETUP:
                if taken := self._setup_watch.take_seals(given.side, given.commitment):
                    self._context.emit(taken)
            case inputs.RanksSeen():
                self._setup_watch.seen_ranks[given.side] = given.ranks
            case inputs.MoveDecided() if not self.is_paused:
                self._screen_turns.decide(given.source, given.target)
            case inputs.PiecesAwaited():
                self._sight.awaited = given.squares
            case inputs.NoAttack():
                asking.answer_none(self.observed, can_withdraw=self.conversation.can_withdraw)
            case inputs.RevealDismissed() if not isinstance(self._context.state, Clearing):
                self._reveal_timer.close()
            case inputs.GameReviewed() if self.referee.outcome:
                self._context.is_reviewed = True
            case inputs.AttackerNamed():
                asking.name_attacker(given.side)
            case inputs.ExplanationChosen():
                asking.choose(given.number)
            case inputs.BoardClaimed():
                self.adoption.hear(given.side, given.to_move)

    def _take_command(self, command: Action | inputs.Command) -> None:
        match command:
            case inputs.Resume() if self.is_paused:
                self._go_on(command)
            case inputs.AdjustClock():
                self._timekeeper.give(command, self._clock_at)
            case inputs.CallArbiter() | inputs.WithdrawCall() | inputs.AnswerCall():
                self.arbiter_call.hear(command)
            case Forfeit() if self.is_paused:  # a player may forfeit by not returning from a pause
                self.is_paused = False
                self.conversation.hear(command)
            case _ if self.is_paused:
                pass
            case inputs.Pause() if self.is_running:
                self.is_paused = True
                self._turns.released = None  # a piece that is still held has not moved
                self._context.emit(command)
            case inputs.Ready() if self.referee.phase is Phase.SETUP:
                self._context.emit(self._setup_watch.take_ready(command))
                # After this report, the same image may begin the game, so the image has to be
                # processed again.
                self._sight.clear()
            case inputs.IgnoreSquare():
                if self._sight.doubt(command):
                    self._screen_turns.forget_forbidden()
            case Attack() | Move() | Infiltrate():
                # If the players are asked about a turn of one side, the other side confirms that
                # turn by taking its own.
                self._turns.asking.confirm(command.source)
                self._screen_turns.take(command)
            case FreeTouched():
                self._turns.excuse_touched()
            case _:
                self.conversation.hear(command)  # the other commands do not depend on the board

    def _go_on(self, command: inputs.Resume) -> None:
        """Resume from the position before the pause. Changes during the pause are not turns."""
        self.is_paused = False
        self._context.emit(command)
        self._sight.reset()
        if isinstance(self._context.state, IN_TURN):
            self._context.transition(Cause.WENT_ON)

    # -- the board

    def _observe(self) -> None:
        """Process the image, repeatedly if it causes more than one action."""
        # One frame may contain two turns. The number of rounds is limited, because the table once
        # opened and withdrew an attack in an endless loop while two pieces were lifted.
        for _ in range(MOST_AT_ONCE):
            seen = self.observed
            if not self._sight.is_connected or seen is None:
                break
            accepted = len(self._context.actions)
            self._read_once(seen)
            if len(self._context.actions) == accepted:
                break

    def _read_once(self, seen: Image) -> None:
        """Process the image once. Only what has been stable for long enough counts."""
        # The cleanup is handled first, because the frame that completes it may also show the next
        # turn.
        if isinstance(self._context.state, Clearing | MovePending | Restoring):
            self._cleanup.watch(seen)
        match self._context.state:
            case SettingUp():
                if self._sight.is_settled(LIMITS.setup_count_seconds):
                    self._watch_setup(seen)
            case Clearing() | MovePending() | Restoring() | Finished():
                pass
            case _ if self.referee.phase.is_turn:
                self._turns.watch(seen)
                if self._context.state.difference or self._context.state.waits_for_answer:
                    self._reveal_timer.close()  # a message takes the ranks' place
            case _:
                # This call comes first, because the hands may withdraw the attack, which ends the
                # declaration.
                self._turns.follow_attack()
                if not self.referee.phase.is_turn:
                    self._declaration_watch.watch(seen)

    def _watch_setup(self, seen: Image) -> None:
        if self._setup_watch.count(seen):
            self._context.emit(self._setup_watch.seen)
        if placing := self._setup_watch.placing:
            self._context.submit(placing)

    # -- the clock

    @property
    def _clock_at(self) -> float:
        """Time up to which the clocks run: now, or the release of the next move to be ruled on."""
        at, released = self._context.at, self._turns.released
        return at if released is None else min(at, released)

    def _run_clock(self) -> None:
        stands = self.is_paused or not self.is_connected
        self._timekeeper.run(self._clock_at, stands=stands)

    def can_give_time(self, given: inputs.AdjustClock) -> bool:
        """Whether the arbiter may change a side's clock by this amount."""
        return self._timekeeper.can_give(given, self._clock_at)

    def _take_answer(self, action: Action, rulings: tuple[Ruling, ...]) -> None:
        # The clock was switched when the turn was first accepted, but the player is still moving.
        if isinstance(action, Amend) and isinstance(rulings[0], Moved | TakenBack):
            self.clock.undo_turn(self._clock_at)
        self._run_clock()
        self._turns.released = None
