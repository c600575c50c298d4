"""The table: the deterministic core between the board, the players and the referee.

Inputs with their time go in, accepted actions and events come out. There is no clock, no thread, no
file and no screen in here, so the same inputs always give the same events.

While a game is played, what the board must show (`Table.expected`) follows from the referee alone.
Every settled image is read against it as a gesture (`firmware_bridge.gestures`), and the gesture
is put to the referee as an action. What the referee does not accept stays on the screen, with the
way back, until the board shows something else.
"""

import math
import random
from collections.abc import Iterable
from dataclasses import dataclass, field

from companion import inputs
from companion.events import (
    BoardConnected,
    BoardDiffers,
    BoardDisconnected,
    ClearUp,
    DrawOpened,
    Event,
    Lifted,
    RankAsked,
    Restored,
    SetupSeen,
    SetupTimeUp,
    SideReady,
    TakeBackOpened,
    TurnBegan,
)
from companion.inputs import Input
from engine.actions import (
    Action,
    AgreeDraw,
    AnswerGuess,
    CannotMove,
    Declare,
    Forfeit,
    Infiltrate,
    Insist,
    Move,
    OpenAttack,
    Override,
    PlaceArmies,
    Resign,
    RunOut,
    SettleDispute,
    StrikeOn,
    TakeBack,
    WithdrawAttack,
)
from engine.clocks import TIME_CONTROLS, Clock, ClockState, Limit, TimeControl
from engine.editions import Edition
from engine.position import Phase
from engine.ranks import Rank, ranks_in
from engine.referee import Referee
from engine.rulings import Combat, Contradiction, Infiltrated, Ruling, Violation, refuses
from engine.secrecy import Secret
from engine.sides import Side
from engine.squares import Square, SquareSet, set_of, squares_in
from firmware_bridge.gestures import (
    AtRest,
    Attacked,
    Carried,
    Difference,
    Disturbed,
    Gesture,
    InHand,
    OutOfTurn,
    compare,
    read,
)
from firmware_bridge.image import Image
from firmware_bridge.settling import Settling

NO_DIFFERENCE = Difference(missing=0, surplus=0)
NO_CLOCK = TIME_CONTROLS["none"]
_CONVERSATIONS = (OpenAttack, StrikeOn, Infiltrate, Override)
SETUP_PATIENCE = 0.3
"""For how many seconds an army must stand unchanged before its pieces are counted."""


@dataclass(frozen=True)
class Step:
    """What came of one input. The actions must be on disk before the events are told."""

    actions: tuple[Action, ...] = ()
    events: tuple[Event, ...] = ()
    clock: ClockState = field(default_factory=ClockState)
    """What the clock shows after it."""


class Table:
    """One game at one board."""

    def __init__(
        self,
        edition: Edition,
        seed: int,
        actions: Iterable[Action] = (),
        *,
        control: TimeControl = NO_CLOCK,
        clock: ClockState | None = None,
    ) -> None:
        """Begin a game, or take up one whose accepted actions, and clock, are given.

        `seed` shuffles the tiles of the declarations and nothing else.
        """
        self.referee = Referee.replay(edition, actions)
        self.clock = Clock(control, clock)
        """Runs while a side may move. It stands while ranks are declared or the board is
        disturbed; who has made a wrong move sets it right in the own time."""
        self.connected = False
        self.sees_colours = True
        self.setup = SetupSeen(red=0, blue=0, astray=())
        self.ready: frozenset[Side] = frozenset()
        """The sides that have said that their army stands."""
        self.lifted: Square | None = None
        self.reveal: Combat | None = None
        """The combat whose result the board does not show yet; after that it is gone for good."""
        self.violation: Violation | None = None
        """The rule that the latest gesture breaks, until the board shows something else."""
        self.contradiction: Contradiction | None = None
        """What is wrong with the latest declaration, for the eyes of its owner."""
        self.difference = NO_DIFFERENCE
        """What has to be changed on the board before the game goes on."""
        self.draw_offer: Side | None = None
        self.take_back_offer: Side | None = None
        """Who asks to take the latest ply back."""
        self.due: float | None = None
        """The moment at which the table wants to be told that time has passed, if any."""
        self._seed = seed
        self._settling = Settling()
        self._clearing = self.referee.phase is Phase.PLAY and bool(self.referee.last_combat)
        self._taken: tuple[Image, Phase, int] | None = None
        self._dismissed: Image | None = None
        self._refused: Move | OpenAttack | None = None
        """The action that the standing violation refuses."""
        self._restoring = self.referee.actions[-1:] == [TakeBack()]
        """Whether the board has to show first what stood before something was taken back."""
        self._setup_time_told = False
        self._turn_told: int | None = None
        self._at = 0.0
        self._actions: list[Action] = []
        self._events: list[Event] = []

    @property
    def expected(self) -> Image:
        """What the board must show while nothing is in a hand."""
        return Image(self.referee.board.red, self.referee.board.blue)

    @property
    def is_waiting_for_board(self) -> bool:
        """Whether the board has to show the result of a combat, or something has to go back."""
        return self._clearing or self._restoring or bool(self.difference)

    @property
    def is_running(self) -> bool:
        """Whether the armies stand and nobody has won yet."""
        return self.referee.phase not in (Phase.SETUP, Phase.OVER)

    @property
    def can_take_back(self) -> bool:
        """Whether there is a ply or an open attack that both sides may agree to take back."""
        return self.is_running and bool(self.referee.plies or self.referee.phase is not Phase.PLAY)

    @property
    def can_let_stand(self) -> bool:
        """Whether there is a refused move or attack that an arbiter may let stand."""
        if self._refused is None:
            return False
        way = self._refused.source, self._refused.target
        return bool(self.referee.find_violation(*way)) and self.referee.can_stand(*way)

    @property
    def question(self) -> RankAsked | None:
        """The declaration that is awaited next, for the eyes of its owner."""
        attack = self.referee.attack
        if attack is None or attack.disputed or not attack.awaited:
            return None
        owner = attack.awaited[0]
        tiles = list(ranks_in(attack.possible[owner]))
        random.Random(f"{self._seed} {self.referee.plies} {owner.value}").shuffle(tiles)
        square = attack.source if owner is self.referee.to_move else attack.target
        return RankAsked(owner, square, tuple(tiles))

    def handle(self, given: Input) -> Step:
        """Take one input and say what came of it.

        Inputs that do not fit the moment, such as a second touch on a button that is already gone,
        change nothing.
        """
        self._at = max(self._at, given.at)
        if isinstance(given, inputs.BoardSeen) and self._is_stale(given.image):
            return Step()
        self._actions, self._events = [], []
        self._call_time()
        self.due = None
        self._take_input(given)
        if self.connected and self._settling.image is not None:
            self._observe(self._settling.image)
        self._run_clock()
        return Step(tuple(self._actions), tuple(self._events), self.clock.state(self._at))

    def _is_stale(self, image: Image) -> bool:
        """Whether a frame shows what has been seen already, and nothing is due."""
        return image == self._settling.image and (self.due is None or self._at < self.due)

    def _take_input(self, given: Input) -> None:
        phase = self.referee.phase
        match given:
            case inputs.BoardSeen():
                self._settling.see(self._at, given.image)
            case inputs.BoardFound():
                self.connected, self.sees_colours = True, given.sees_colours
                self._forget_image()
                self._tell(BoardConnected(given.sees_colours))
            case inputs.BoardLost():
                self.connected = False
                self._forget_image()
                self._tell(BoardDisconnected())
            case inputs.Ready() if phase is Phase.SETUP:
                self._take_ready(given.side)
            case inputs.AttackOnScreen() if self._is_open_to_turns:
                further = self.referee.can_strike_on(given.source, given.target)
                self._attempt((StrikeOn if further else OpenAttack)(given.source, given.target))
            case inputs.NoAttack() if self._can_withdraw:
                self._attempt(WithdrawAttack())
                self._dismissed = self._settling.image
            case inputs.RankDeclared() if self._is_asked(given.rank.owner):
                self._attempt(Declare(given.rank))
            case inputs.Insisted() if self._is_contradicted(given.rank):
                self._attempt(Insist(given.rank))
            case inputs.DisputeSettled() if phase is Phase.DISPUTE:
                self._attempt(SettleDispute(given.accepted))
            case inputs.Infiltrating() if self._is_open_to_turns:
                self._attempt(Infiltrate(given.source, given.target, given.guess))
            case inputs.GuessAnswered() if phase is Phase.GUESS:
                self._attempt(AnswerGuess(given.right))
            case inputs.LetStand() if self.can_let_stand:
                assert self._refused
                self._attempt(Override(self._refused.source, self._refused.target))
            case inputs.CannotMove() if phase is Phase.PLAY:
                self._attempt(CannotMove())
            case inputs.Resigned() if self.is_running:
                self._attempt(Resign(given.side))
            case inputs.Forfeited() if self.is_running:
                self._attempt(Forfeit(given.side))
            case inputs.DrawOffered() if self.is_running:
                self._take_draw_offer(given.side)
            case inputs.TakeBackOffered() if self.can_take_back:
                self._take_take_back_offer(given.side)

    def _tell(self, *events: Event) -> None:
        self._events.extend(events)

    def _forget_image(self) -> None:
        self._settling = Settling()
        self._taken = None

    def _is_asked(self, side: Side) -> bool:
        return self.question is not None and self.question.owner is side

    def _is_contradicted(self, declared: Secret[Rank]) -> bool:
        found = self.contradiction
        return found is not None and declared == Secret(found.owner, found.proof.rank)

    @property
    def _can_withdraw(self) -> bool:
        attack = self.referee.attack
        return attack is not None and not (attack.declared or attack.disputed)

    @property
    def _is_open_to_turns(self) -> bool:
        """Whether a turn can be made on the screen: the board has nothing left to put right."""
        return self.referee.phase is Phase.PLAY and not (self._clearing or self._restoring)

    def _take_draw_offer(self, side: Side) -> None:
        if self.draw_offer is side.other:
            self._attempt(AgreeDraw())
        elif self.draw_offer is None:
            self.draw_offer = side
            self._tell(DrawOpened(side))

    def _take_take_back_offer(self, side: Side) -> None:
        if self.take_back_offer is side.other:
            self._attempt(TakeBack())
            self.reveal, self._clearing, self._restoring = None, False, True
        elif self.take_back_offer is None:
            self.take_back_offer = side
            self._tell(TakeBackOpened(side))

    def _attempt(self, action: Action) -> None:
        """Put an action to the referee and take the consequences of the answer."""
        plies, turn = self.referee.plies, self._turn
        rulings = self.referee.apply(action)
        self._tell(*rulings)
        self.violation = self.contradiction = self._refused = None
        if refuses(rulings):
            self._take_refusal(action, rulings[0])
            return
        self._actions.append(action)
        self._taken = None
        self.lifted = None
        self.difference = NO_DIFFERENCE
        if self.referee.plies != plies:
            self.draw_offer = None
        if self._turn != turn:
            self.take_back_offer = None
        if self.referee.phase is Phase.PLAY and self._leaves_to_clear(rulings):
            self.reveal, self._clearing = self.referee.last_combat, True
        if self.question:
            self._tell(self.question)

    @property
    def _turn(self) -> tuple[int, bool]:
        """What would be taken back: the latest ply, or one that is still being made."""
        return self.referee.plies, self.referee.phase is Phase.PLAY

    def _take_refusal(self, action: Action, ruling: Ruling) -> None:
        if isinstance(ruling, Violation):
            self.violation = ruling
            self._refused = action if isinstance(action, Move | OpenAttack) else None
        if isinstance(ruling, Contradiction):
            self.contradiction = ruling
        if self.question:
            self._tell(self.question)

    def _leaves_to_clear(self, rulings: tuple[Ruling, ...]) -> bool:
        """Whether there are pieces to be taken from the board after these rulings."""
        return any(
            isinstance(ruling, Combat) or (isinstance(ruling, Infiltrated) and ruling.right)
            for ruling in rulings
        )

    def _call_time(self) -> None:
        """See whether time has run out; if so, that was before whatever happens now."""
        expired = self.clock.expired(self._at)
        if expired is Limit.SETUP and not self._setup_time_told:
            self._setup_time_told = True
            self._tell(SetupTimeUp())
        elif expired and self.is_running:
            self._attempt(RunOut(None if expired is Limit.WHOLE else Side(expired.value)))

    def _run_clock(self) -> None:
        """Let the clock run or stand as the conversation asks for."""
        match self.referee.phase:
            case Phase.SETUP:
                self.clock.set_up(self._at)
            case Phase.OVER:
                self.clock.stop(self._at)
            case _:
                self.clock.turn(self.referee.to_move, self._at)
                if self._is_time_out:
                    self.clock.pause(self._at)
        if self.clock.due is not None:
            self.due = min(self.clock.due, math.inf if self.due is None else self.due)

    @property
    def _is_time_out(self) -> bool:
        """Whether nobody's time runs: it is not for the side to move to go on."""
        disturbed = bool(self.difference) and self.violation is None
        waiting = not self.connected or self._clearing or self._restoring or disturbed
        return waiting or self.referee.phase is not Phase.PLAY

    def _observe(self, seen: Image) -> None:
        """Read the image until it says nothing new; an accepted gesture changes what it means."""
        while self._read_once(seen):
            pass

    def _read_once(self, seen: Image) -> bool:
        """Take the image at its word if it has settled; say whether the game went on by it."""
        moment = (seen, self.referee.phase, self.referee.plies)
        match self.referee.phase:
            case Phase.SETUP:
                if self._is_news(moment, SETUP_PATIENCE):
                    self._watch_setup(seen)
            case Phase.PLAY:
                gesture = read(seen, self.expected, self.referee.to_move)
                if self._is_news(moment, gesture.patience):
                    self._watch_turn(seen, gesture)
            case Phase.ATTACK | Phase.DISPUTE | Phase.GUESS:
                if self._is_news(moment, Disturbed.patience):
                    self._watch_conversation(seen)
        return moment != (seen, self.referee.phase, self.referee.plies)

    def _is_news(self, moment: tuple[Image, Phase, int], patience: float) -> bool:
        """Say whether an image has stood long enough and has not been taken in this moment."""
        settled_at = self._settling.since + patience
        if self._at < settled_at:
            self.due = settled_at
            return False
        if moment == self._taken:
            return False
        self._taken = moment
        return True

    # Setting up

    def _watch_setup(self, seen: Image) -> None:
        red, blue = (_standing(seen, side) for side in Side)
        astray = seen.occupied & ~(red | blue)
        found = SetupSeen(red.bit_count(), blue.bit_count(), tuple(squares_in(astray)))
        if found != self.setup:
            self.setup = found
            self._tell(found)
        self.ready = frozenset(side for side in self.ready if self._is_complete(side))
        if len(self.ready) == len(Side) and not astray:
            self._attempt(PlaceArmies(red, blue))

    def _is_complete(self, side: Side) -> bool:
        count = self.setup.red if side is Side.RED else self.setup.blue
        return count == self.referee.edition.army.size

    def _take_ready(self, side: Side) -> None:
        if self._is_complete(side) and not self.setup.astray:
            self.ready |= {side}
            self._taken = None
            self._tell(SideReady(side))
        else:
            self._tell(self.setup)

    # A turn

    def _watch_turn(self, seen: Image, gesture: Gesture) -> None:
        difference = compare(seen, self.expected)
        if self._clearing and self._is_unclear(difference):
            self.reveal, self.difference = self.referee.last_combat, difference
            self._tell(ClearUp(difference, self.expected))
            return
        self._clearing, self.reveal = False, None
        if self._restoring and difference:
            self.difference = difference
            self._tell(BoardDiffers(difference, self.expected))
            return
        self._restoring = False
        was_off = bool(self.difference or self.lifted is not None)
        self.lifted, self.violation, self.difference = None, None, NO_DIFFERENCE
        self._refused = None
        if self._turn_told != self.referee.plies:
            self._turn_told = self.referee.plies
            self._tell(TurnBegan(self.referee.to_move))
            was_off = False
        if seen != self._dismissed:
            self._dismissed = None
        self._take_gesture(gesture, difference, was_off)

    def _is_unclear(self, difference: Difference) -> bool:
        """Whether the squares of the last combat do not show its result yet."""
        assert self.referee.last_move
        return bool((difference.missing | difference.surplus) & set_of(self.referee.last_move))

    def _take_gesture(self, gesture: Gesture, difference: Difference, was_off: bool) -> None:
        match gesture:
            case AtRest():
                if was_off:
                    self._tell(Restored())
            case InHand():
                self.lifted = gesture.square
                self._tell(Lifted(gesture.square))
            case Carried():
                self._attempt_on_board(Move(gesture.source, gesture.target), difference)
            case Attacked() if not self._dismissed:
                self._attempt_on_board(OpenAttack(gesture.source, gesture.target), difference)
            case OutOfTurn() if not self._dismissed and self._goes_on(gesture):
                self._attempt(StrikeOn(gesture.source, gesture.target))
            case OutOfTurn():
                self.violation = self.referee.find_violation(gesture.source, gesture.target)
                self._refused = Move(gesture.source, gesture.target)
                self.difference = difference
                assert self.violation, "nobody may move out of turn"
                self._tell(self.violation)
            case Attacked() | Disturbed():
                self.difference = difference
                self._tell(BoardDiffers(difference, self.expected))

    def _goes_on(self, gesture: OutOfTurn) -> bool:
        """Whether a scout that was set down in front of its target is now set down on it."""
        return self.referee.can_strike_on(gesture.source, gesture.target)

    def _attempt_on_board(self, action: Move | OpenAttack, difference: Difference) -> None:
        self._attempt(action)
        if self.violation:
            self.difference = difference

    # An open attack or infiltration: its two squares may show anything, the others stay as they are

    def _watch_conversation(self, seen: Image) -> None:
        opened = self.referee.attack or self.referee.infiltration
        assert opened
        began = next(a for a in reversed(self.referee.in_force) if isinstance(a, _CONVERSATIONS))
        # A scout that goes on to attack stands where it was set down, or is in the hand.
        elsewhere = ~set_of((opened.source, opened.target, began.source))
        difference = compare(seen, self.expected)
        difference = Difference(difference.missing & elsewhere, difference.surplus & elsewhere)
        if difference:
            self._tell(BoardDiffers(difference, self.expected))
        elif self.difference:
            self._tell(Restored())
        self.difference = difference


def _standing(seen: Image, side: Side) -> SquareSet:
    """The pieces of a side that stand in its own rows."""
    return (seen.of(side) | seen.unknown) & side.home
