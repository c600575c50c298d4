"""One game at one board, from the inputs of an evening to its actions and events.

While a game is played, what the board must show (`Table.expected`) follows from the referee alone.
Every settled image is read against it as a gesture (`firmware_bridge.gestures`), and the gesture
is put to the referee as an action. What the referee does not accept stays on the screen, with the
way back, until the board shows something else.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from companion.table import inputs
from companion.table.conversation import TURN_PHASES
from companion.table.events import (
    BoardConnected,
    BoardDiffers,
    BoardDisconnected,
    ClearUp,
    Event,
    Restored,
    SensorFlickers,
    SetupSeen,
    SetupTimeUp,
    TurnBegan,
)
from companion.table.ignored_squares import IgnoredSquares
from companion.table.inputs import Input, Said
from companion.table.question import NOTHING_ASKED
from companion.table.saved_state import BLANK, SavedState
from companion.table.sayings import Doubt, Ready, Saying
from companion.table.setup_watch import SETUP_PATIENCE, SetupWatch
from companion.table.story import STOOD
from companion.table.tidying import TIDYING, Tidying, may_be_fought
from companion.table.timekeeper import Timekeeper
from companion.table.turns import NO_DIFFERENCE, Turns
from engine.play.actions import (
    Action,
    Amend,
    Attack,
    Infiltrate,
    Move,
    Override,
    PlaceArmies,
    TakeBack,
    WithdrawAttack,
)
from engine.play.clocks import NO_CLOCK, Clock, ClockState, TimeControl
from engine.play.moment import Phase
from engine.play.referee import Referee
from engine.play.rulings import Combat, Infiltrated, Moved, Ruling, TakenBack, Touched, refuses
from engine.rulebook.editions import Edition
from engine.sides import Side
from engine.squares import SquareSet, set_of
from firmware_bridge.difference import Difference, compare
from firmware_bridge.image import Image
from firmware_bridge.sensing.flicker import Flicker
from firmware_bridge.sensing.watch import Span

READING_SECONDS: Final = 10.0
"""For how long the ranks of a combat can be read at least, however soon the board shows its result
and however fast the next move is. A touch ends it, and so does what has to be read next."""
CONVERSATION_PATIENCE: Final = 0.8
"""Seconds for which a board has to be disturbed while ranks are declared, before that is told."""
LIFTED_PATIENCE: Final = 3.0
"""The same for pieces that are only taken up."""
CLEARING_PATIENCE: Final = 0.2
"""Seconds after which what is left to clear up is told anew."""
CLEARED: Final = 0.1
"""Seconds for which the result of a combat has to stand."""
Moment: TypeAlias = tuple[Image, Phase, int]
"""An image, and how far the game was when it was taken: the phase, and how many plies."""
_CONVERSATIONS = (Attack, Amend, Infiltrate, Override)


@dataclass(frozen=True)
class Step:
    """What came of one input. The actions must be on disk before the events are told."""

    actions: tuple[Action, ...] = ()
    events: tuple[Event, ...] = ()
    clock: ClockState = field(default_factory=ClockState)
    """What the clock shows after it."""
    saved: SavedState = BLANK
    """What has to be on disk as well, whether or not there are actions."""


class Table(Turns):
    """One game at one board."""

    def __init__(
        self,
        edition: Edition,
        seed: int,
        actions: Iterable[Action] = (),
        *,
        control: TimeControl = NO_CLOCK,
        clock: ClockState | None = None,
        saved: SavedState = BLANK,
    ) -> None:
        """Begin a game, or take up one whose accepted actions, clock and saved state are given.

        `seed` shuffles the tiles of the declarations and nothing else.
        """
        super().__init__(Referee.replay(edition, actions), seed)
        self.clock = Clock(control, clock)
        """Runs while a side may move. It stands while ranks are declared or the board is
        disturbed. A wrong move is put right in the time of the side that made it, out of turn too.

        When a board is disturbed, nobody can tell whose fault it is: a sleeve, a child, a sensor.
        """
        self.connected = False
        self.sees_colours = True
        self.reveal: Combat | None = None
        """The combat whose result the board does not show yet."""
        self.unread = latest_combat(self.referee) if saved.unread else None
        """The combat whose ranks may still be read; after that they are gone for good."""
        self._timekeeper = Timekeeper(self.clock)
        self._taken: Moment | None = None
        self._ignored = IgnoredSquares(saved.doubted)
        self._setup_watch = SetupWatch(edition.army.size)
        self._reading_until: float | None = None
        self._clearing = saved.clearing
        self.is_restoring = self.referee.actions[-1:] == [TakeBack()]
        """Whether the board has to show first what stood before something was taken back."""
        self._tidying_until: float | None = None
        self._flicker = Flicker()
        self._turn_told: int | None = None
        self._at = 0.0

    @property
    def due(self) -> float | None:
        """The moment at which the table wants to be told that time has passed, if any."""
        return min((moment for moment in self._moments if moment > self._at), default=None)

    @property
    def _moments(self) -> list[float]:
        """The moments at which something may change. Of those that have come a frame may tell."""
        moments = (
            self._reader.due,
            self.clock.due,
            self._reading_due,
            self._tidying_until,
            self._flicker.due,
        )
        return [moment for moment in moments if moment is not None]

    @property
    def saved(self) -> SavedState:
        """What has to be kept for a restart."""
        return SavedState(self.unread is not None, self._clearing, self._ignored.doubted)

    @property
    def doubted(self) -> SquareSet:
        """The squares about which the board is not believed; they count as it is expected."""
        return self._ignored.doubted

    @property
    def seen(self) -> Image | None:
        """What is believed of the latest image; None if there is none."""
        steady = self._reader.watch.image
        if steady is None or not self._ignored.doubted:
            return steady
        setting_up = self.referee.phase is Phase.SETUP
        return self._ignored.fill(
            steady, self._setup_watch.expected if setting_up else self.expected
        )

    @property
    def setup(self) -> SetupSeen:
        """How far the setting up is."""
        return self._setup_watch.seen

    @property
    def ready(self) -> frozenset[Side]:
        """The sides that have said that their army stands."""
        return self._setup_watch.ready

    @property
    def is_waiting_for_board(self) -> bool:
        """Whether the board has to show the result of a combat, or something has to go back."""
        return self._clearing or self.is_restoring or bool(self.difference)

    def handle(self, given: Input) -> Step:
        """Take one input and say what came of it.

        Inputs that do not fit the moment, such as a second touch on a button that is already gone,
        change nothing.
        """
        self._at = max(self._at, given.at)
        if isinstance(given, inputs.BoardSeen) and self._is_stale(given.image):
            return Step(saved=self.saved)
        self._actions, self._events = [], []
        if self.unread and self._reading_until is None:  # the game was just taken up
            self._reading_until = self._at + READING_SECONDS
        self._call_time()
        self._reader.due = None
        self._take_input(given)
        self._observe()
        if not self._clearing and self._reading_until and self._at >= self._reading_until:
            self._close_reveal()
        self._run_clock()
        return Step(
            tuple(self._actions), tuple(self._events), self.clock.state(self._clock_at), self.saved
        )

    def _is_stale(self, image: Image) -> bool:
        """Whether a frame shows what has been seen already, and nothing is due."""
        if image != self._ignored.shown or any(self._at >= moment for moment in self._moments):
            return False
        assert self._reader.watch.image is not None
        self._reader.watch.see(self._at, self._reader.watch.image)
        return True

    def _take_input(self, given: Input) -> None:
        match given:
            case inputs.BoardSeen():
                self._look(given.image)
            case inputs.TimePassed():
                self._reader.watch.let_pass(self._at)
            case inputs.BoardFound():
                self.connected, self.sees_colours = True, given.sees_colours
                self._lose_sight()
                self._tell(BoardConnected(given.sees_colours))
            case inputs.BoardLost():
                self.connected = False
                self._lose_sight()
                self._tell(BoardDisconnected())
            case Said(what=what):
                self._take_word(what)
            case inputs.NoAttack() if self.is_asking:
                self._forget_gesture()
                self._dismissed = self.seen
            case inputs.NoAttack() if self.asked.answers:
                self._declined |= {answer.deeds[-1] for answer in self.asked.answers}
                self.asked = NOTHING_ASKED
            case inputs.NoAttack() if self.can_withdraw:
                self._attempt(WithdrawAttack())
                self._dismissed = self.seen
            case inputs.RevealRead() if not self._clearing:
                self._close_reveal()
            case inputs.AttackerNamed() if given.side in self.asked.attackers:
                self._attempt(self.asked.attackers[given.side])
            case inputs.CourseChosen() if 0 <= given.number < len(self.asked.answers):
                self._take_answer(self.asked.answers[given.number])

    def _take_word(self, said: Action | Saying) -> None:
        match said:
            case Ready() if self.referee.phase is Phase.SETUP:
                self._tell(self._setup_watch.take_ready(said))
                self._taken = None
            case Doubt():
                self._take_doubt(said)
            case Attack() if self._is_open_to_turns:
                self._attack_on_screen(said.source, said.target)
            case Move() if self._is_open_to_turns:
                if self.doubted & set_of((said.source, said.target)):
                    self._attempt(said)
            case Infiltrate() if self._is_open_to_turns and self.referee.phase is Phase.PLAY:
                self._attempt(said)
            case _:
                self._hear(said)  # what the board has no part in

    def _look(self, shown: Image) -> None:
        self._ignored.shown = shown
        known = len(self._flicker.squares)
        steady = self._ignored.steady(self._flicker.see(self._at, shown, self.expected))
        self._tell(*map(SensorFlickers, list(self._flicker.squares)[known:]))
        self._reader.lag = max(self._flicker.squares.values(), default=0.0)
        if steady != self._reader.watch.image and self.violation and not self.difference:
            self._forget_gesture()  # it was said at the screen, and the players have gone on
        self._flickering = set_of(self._flicker.squares)
        self._reader.look(self._at, steady, self._ignored.doubted | self._flickering)

    def _lose_sight(self) -> None:
        self._ignored.shown = self._taken = self._released = None
        self._flicker.forget()
        self._reader.lose_sight()

    def _take_doubt(self, said: Doubt) -> None:
        """Believe the board about a square no more, or again."""
        if not self._ignored.doubt(said.square, doubted=said.doubted):
            return
        self._tell(said)
        self._taken = None
        self._reader.base = None
        if self._ignored.shown:
            self._look(self._ignored.shown)

    @property
    def _is_open_to_turns(self) -> bool:
        """Whether a turn can be made on the screen: the board has nothing left to put right."""
        is_turn = self.referee.phase in TURN_PHASES
        return is_turn and not (self._clearing or self.is_restoring)

    @property
    def _reading_due(self) -> float | None:
        """The moment at which the reveal is closed by itself, if it is not cleared up later."""
        until = self._reading_until
        return until if until is not None and until > self._at else None

    def _close_reveal(self) -> None:
        self.unread = self._reading_until = None

    def _attempt(self, action: Action) -> tuple[Ruling, ...]:
        """Put an action to the referee; if it is accepted, the board has something else to show."""
        rulings = super()._attempt(action)
        if not refuses(rulings):
            self._taken, self._reader.base, self._ruled = None, None, []
            self._forget_gesture()
            if isinstance(action, Amend) and isinstance(rulings[0], Moved | TakenBack):
                self.clock.reopen(self._clock_at)
            self._note_combat(rulings)
            if isinstance(action, TakeBack):
                self._take_up_before()
            elif self.referee.phase is Phase.PLAY and self._leaves_to_clear(rulings):
                self.reveal, self._clearing = self.referee.position.last_combat, True
            self._run_clock()
            self._released = None
        return rulings

    def _note_combat(self, rulings: tuple[Ruling, ...]) -> None:
        """Open the reveal of a combat. Anything but a move means that the last one was read."""
        if not isinstance(rulings[0], Moved | Touched | TakenBack):
            self._close_reveal()
        for ruling in rulings:
            if isinstance(ruling, Combat):
                self.unread, self._reading_until = ruling, self._at + READING_SECONDS

    def _take_up_before(self) -> None:
        """Wait for what stood before something was taken back."""
        self.reveal, self._clearing, self.is_restoring = None, False, True
        self._tidying = self._tidying_until = None
        if self.unread != self.referee.position.last_combat:  # it never took place
            self._close_reveal()

    def _leaves_to_clear(self, rulings: tuple[Ruling, ...]) -> bool:
        """Whether there are pieces to be taken from the board after these rulings."""
        return any(
            isinstance(ruling, Combat) or (isinstance(ruling, Infiltrated) and ruling.right)
            for ruling in rulings
        )

    @property
    def _clock_at(self) -> float:
        """The moment to which the clocks go: a turn that has to stand for a while is over."""
        return self._at if self._released is None else min(self._at, self._released)

    def _run_clock(self) -> None:
        self._timekeeper.run(self._clock_at, self.referee, self._is_time_out, self._out_of_turn)

    def _call_time(self) -> None:
        """See whether time has run out; if so, that was before whatever happens now."""
        if self._timekeeper.calls_setup(self._at):
            self._tell(SetupTimeUp())
        run_out = self._timekeeper.run_out(self._clock_at)
        if run_out and self.is_running:
            self._attempt(run_out)

    @property
    def _is_time_out(self) -> bool:
        """Whether nobody's time runs: it is not for the side to move to go on."""
        disturbed = bool(self.difference) and self.violation is None
        waiting = not self.connected or self._clearing or self.is_restoring or disturbed
        return waiting or self.is_asking or self.referee.phase not in TURN_PHASES

    @property
    def _out_of_turn(self) -> Side | None:
        """The side whose piece stands where it was put out of turn, if one does."""
        if self.violation is None or self.refused is None:
            return None
        owner = self.referee.position.board.side_at(self.refused.source)
        return owner if owner is self.referee.to_move.other else None

    def _observe(self) -> None:
        """Read the board until it says nothing new; what is accepted changes what it means."""
        while self.connected and self.seen is not None and self._read_once(self.seen):
            pass

    def _read_once(self, seen: Image) -> bool:
        """Take the board at its word if it has settled; say whether the game went on by it."""
        accepted = len(self._actions)
        moment = (seen, self.referee.phase, self.referee.plies)
        match self.referee.phase:
            case Phase.SETUP:
                if self._is_news(moment, SETUP_PATIENCE):
                    self._watch_setup(seen)
            case Phase.PLAY | Phase.SHOWING:
                self._watch_turn(seen)
            case Phase.ATTACK if self._is_taken_elsewhere(seen):
                self._attempt(WithdrawAttack())
            case Phase.ATTACK | Phase.DISPUTE | Phase.GUESS | Phase.STANDSTILL:
                difference = self._disturbance(seen)
                patience = CONVERSATION_PATIENCE if difference.surplus else LIFTED_PATIENCE
                if self._is_news(moment, patience if difference else CLEARED):
                    self._watch_conversation(difference)
        return len(self._actions) > accepted

    def _is_news(self, moment: Moment, patience: float) -> bool:
        """Say whether an image has stood long enough and has not been taken in this moment."""
        if moment == self._taken or not self._has_stood(patience):
            return False
        self._taken = moment
        return True

    def _has_stood(self, patience: float) -> bool:
        return self._reader.has_stood(self._reader.watch.changed_at, patience)

    def _watch_setup(self, seen: Image) -> None:
        if self._setup_watch.count(seen):
            self._tell(self._setup_watch.seen)
        if self._setup_watch.is_over:
            self._attempt(PlaceArmies(self._setup_watch.red, self._setup_watch.blue))

    def _watch_turn(self, seen: Image) -> None:
        """Clear up what is to be cleared up, and then read what the hands do."""
        difference = compare(seen, self.expected)
        unclear = self._clearing and self._is_unclear(difference)
        if unclear or (self.is_restoring and difference):
            moment = (seen, self.referee.phase, self.referee.plies)
            if self._is_news(moment, CLEARING_PATIENCE):
                self.reveal = self.referee.position.last_combat if unclear else None
                self.difference = difference
                self._tell(ClearUp(difference, self.expected))
            return
        if (self._clearing or self.is_restoring) and not self._has_stood(CLEARED):
            return
        if self._clearing or self.is_restoring:
            self._end_clearing()
        if self._tidying_until is not None and self._at >= self._tidying_until:
            self._tidying = self._tidying_until = None
            self._reader.in_clearing = 0
        if self._reader.base is None:
            self._begin_reading(seen)
        if self._turn_told != self.referee.plies:
            self._turn_told = self.referee.plies
            self._forget_gesture()
            self._is_off, self._declined = False, set()
            self._tell(TurnBegan(self.referee.to_move))
        if seen != self._dismissed:
            self._dismissed = None
        reading = self._reader.read()
        if self._reader.is_in_order_again(reading, difference):
            self._begin_reading(seen)
            reading = self._reader.read()
        self._take_reading(reading, seen)
        if self._reader.base is not None and self._ruled:
            del self._ruled[: self._reader.settle(self._reader.read(), len(self._ruled))]
        if self.difference or self.is_asking:  # now this has to be read
            self._close_reveal()

    def _end_clearing(self) -> None:
        """Go on to the next turn. The losers of a combat may stand about for a little longer."""
        combat = self.referee.position.last_combat if self._clearing else None
        if combat is not None:
            sources = 1 << combat.source | self._stopover
            self._tidying = Tidying(combat.target, sources, combat.side, combat.winner)
            self._tidying_until = self._at + TIDYING
            self._reader.in_clearing = 0 if self.sees_colours else self._concerned
        self._clearing, self.is_restoring, self.reveal = False, False, None

    def _begin_reading(self, seen: Image) -> None:
        """Let the reader begin at the game as it is now, and at the board as it stands."""
        since = self._reader.watch.changed_at
        self._ruled = []
        self._reader.begin(self.referee, self.expected, seen, Span(since, since))

    def _is_unclear(self, difference: Difference) -> bool:
        """Whether the squares of the last combat do not show its result yet."""
        return bool((difference.missing | difference.surplus) & self._concerned)

    @property
    def _concerned(self) -> SquareSet:
        """The squares of the last combat."""
        assert self.referee.position.last_move
        return set_of(self.referee.position.last_move) | self._stopover

    @property
    def _stopover(self) -> SquareSet:
        """Where a scout was set down that went on to the latest attack, if one was.

        It stands there until the combat is cleared up, or is in the hand.
        """
        began = next(a for a in reversed(self.referee.in_force) if isinstance(a, _CONVERSATIONS))
        return 1 << began.source

    def _is_taken_elsewhere(self, seen: Image) -> bool:
        """Whether the attacker was only in the hand on its way to another square.

        A player who answers early lifts a piece at the same time, which looks like an attack.
        """
        opened, until = self.referee.open_attack, self._in_hands_until
        if opened is None or until is None or self._at > until or not self.can_withdraw:
            return False
        difference = compare(seen, self.expected)
        attacker = self.referee.position.board.side_at(opened.source)
        own = seen.of(attacker) if attacker else 0
        elsewhere = difference.surplus & own & ~(1 << opened.target)
        is_gone = bool(difference.missing >> opened.source & 1)
        return is_gone and bool(elsewhere) and self._has_stood(STOOD)

    def _disturbance(self, seen: Image) -> Difference:
        """Tell what stands otherwise than before an attack or infiltration was opened.

        Its pieces may be anywhere. While it is asked whether a side can move, all stay where they
        are.
        """
        difference = compare(seen, self.expected)
        if opened := self.referee.open_attack or self.referee.open_guess:
            squares = set_of((opened.source, opened.target)) | self._stopover
            if may_be_fought(squares, difference, seen):
                return NO_DIFFERENCE
            return Difference(difference.missing & ~squares, difference.surplus & ~squares)
        return difference

    def _watch_conversation(self, difference: Difference) -> None:
        """Tell what is disturbed while something is asked."""
        if difference:
            self._tell(BoardDiffers(difference, self.expected))
        elif self.difference:
            self._tell(Restored())
        self.difference = difference


def latest_combat(referee: Referee) -> Combat | None:
    """Return the latest combat of a game that was not taken back, None if there was none."""
    again, latest = Referee.waiting(referee.edition), None
    for action in referee.in_force:
        for ruling in again.apply(action):
            latest = ruling if isinstance(ruling, Combat) else latest
    return latest
