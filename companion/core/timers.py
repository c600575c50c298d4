"""The clock, the time to read ranks, and monitoring of the board while no side is to move."""

from collections.abc import Mapping

from companion.core.events import ArmiesSealed, BoardDiffers, Restored, SealsMissing, SetupSeen
from companion.core.game_context import GameContext
from companion.core.inputs import AdjustClock, Ready
from companion.core.observed_board import ObservedBoard
from companion.core.recognition_limits import LIMITS
from companion.core.recovery import may_be_fought, stopover
from companion.core.state import NO_DIFFERENCE, Cause, Finished, SettingUp, TableState, WrongMove
from engine.board.geometry import Side, Square, SquareSet, set_of, squares_in
from engine.board.ranks import Army, Rank
from engine.deduction.commitment import ArmyCommitment
from engine.game.actions import Action, TakeBack, TimeExpired
from engine.game.clocks import LONGEST, Clock, Limit
from engine.game.referee import Referee
from engine.game.rulings import Combat, GameOver, Moved, Reason, Ruling, TakenBack, Touched
from firmware_bridge.image import Image, ImageDifference, compare


class Timekeeper:
    """Controls a clock. It never reads the time; every call gets the time as an argument."""

    def __init__(self, clock: Clock) -> None:
        """Take control of a clock, which other code may read."""
        self._clock = clock
        self._setup_called = False

    def calls_setup(self, at: float) -> bool:
        """Whether the setup time has run out; True only once."""
        if self._setup_called or self._clock.expired(at) is not Limit.SETUP:
            return False
        self._setup_called = True
        return True

    def run_out(self, at: float) -> TimeExpired | None:
        """Return which playing time has run out, if any."""
        expired = self._clock.expired(at)
        # The end of the setup time is announced, but the game is not lost by it.
        if expired in (None, Limit.SETUP):
            return None
        return TimeExpired(None if expired is Limit.WHOLE else Side(expired.value))

    def can_give(self, given: AdjustClock, at: float, outcome: GameOver | None) -> bool:
        """Whether an arbiter may add this time, or take it away.

        This must not empty a clock. When the game is over, time can only be given to the side whose
        time has run out.
        """
        left = self._clock.remaining(given.side, at)
        if left is None or not given.seconds or not 0 < left + given.seconds <= LONGEST:
            return False
        if outcome is None:
            return True
        is_by_time = outcome.reason is Reason.TIME
        return is_by_time and self._clock.expired(at) is Limit.of(given.side)

    def give(self, given: AdjustClock, at: float) -> None:
        """Adjust the clock of a side."""
        self._clock.add_time(given.side, given.seconds, at)

    def run(self, at: float, state: TableState, to_move: Side, *, stands: bool) -> None:
        """Start or stop the clock as the state of the game requires.

        The clock stops for both sides if `stands` is set: during a pause, or without a board.
        """
        match state:
            case SettingUp():
                self._clock.set_up(at)
                return
            case Finished():
                self._clock.stop(at)
                return
            # Otherwise a side could run down the opponent's clock by moving out of turn.
            case WrongMove(out_of_turn=Side() as owner):
                self._clock.deduct(owner, at)
            case _:
                self._clock.turn(to_move, at)
        if stands or not state.time_runs:
            self._clock.pause(at)


# Time for which the ranks of a combat can be read before they are hidden permanently.


class RevealTimer:
    """The combat whose ranks may be read, and the deadline for that."""

    def __init__(self, proceedings: GameContext, *, unread: bool) -> None:
        """Begin with the latest combat of a resumed game, if it was still `unread`."""
        self.unread = latest_combat(proceedings.referee) if unread else None
        """The combat whose ranks may still be read; later they are hidden permanently."""
        self._proceedings = proceedings
        self._until: float | None = None
        proceedings.listen(self._take_answer)

    @property
    def due(self) -> float | None:
        """Deadline at which the combat is hidden without a touch, unless a cleanup is pending."""
        is_to_come = self._until is not None and self._until > self._proceedings.at
        return self._until if is_to_come else None

    def begin(self) -> None:
        """Start the reading time; a resumed game begins with it."""
        if self.unread and self._until is None:
            self._until = self._proceedings.at + LIMITS.combat_readable_seconds

    def is_over(self) -> bool:
        """Whether the reading time has passed."""
        return self._until is not None and self._proceedings.at >= self._until

    def close(self) -> None:
        """Hide the ranks: a player has read them, or has to read another text now."""
        self.unread = self._until = None

    def _take_answer(self, action: Action, rulings: tuple[Ruling, ...]) -> None:
        """Show a combat's ranks. Any action but a move means that the previous ranks were read."""
        # A move alone does not prove that the ranks were read: a fast player moves at once.
        if not isinstance(rulings[0], Moved | Touched | TakenBack):
            self.close()
        for ruling in rulings:
            if isinstance(ruling, Combat):
                self.unread = ruling
                self._until = self._proceedings.at + LIMITS.combat_readable_seconds
        last = self._proceedings.referee.position.last_combat
        if isinstance(action, TakeBack) and self.unread != last:  # the combat was taken back
            self.close()


def latest_combat(referee: Referee) -> Combat | None:
    """Return the latest combat of a game that was not taken back, if any."""
    again, latest = Referee.waiting(referee.edition), None
    for action in referee.in_force:
        for ruling in again.apply(action):
            latest = ruling if isinstance(ruling, Combat) else latest
    return latest


# Monitoring of the board while a declaration, an answer or a decision is awaited.
# Meanwhile the pieces concerned may be anywhere; the others should stay on their squares.


class DeclarationWatch:
    """Watches the board during a declaration, a dispute, a guess or a stalemate claim."""

    def __init__(self, proceedings: GameContext, sight: ObservedBoard) -> None:
        """Monitor a game's board."""
        self._proceedings = proceedings
        self._referee = proceedings.referee
        self._sight = sight

    def watch(self, seen: Image) -> None:
        """Report a disturbance, once it has lasted for long enough.

        Only a piece on a wrong square counts. A lifted piece is being looked at and does not count.
        """
        difference = self._disturbance(seen)
        if not difference.surplus:
            difference = NO_DIFFERENCE
        if not self._sight.is_settled(
            LIMITS.declaration_disturbance_seconds if difference else LIMITS.cleared_board_seconds
        ):
            return
        if difference:
            self._proceedings.emit(BoardDiffers(difference, self._proceedings.expected))
        elif self._proceedings.state.difference:
            self._proceedings.emit(Restored())
        self._proceedings.transition(Cause.DIFFERS, difference=difference)

    def _disturbance(self, seen: Image) -> ImageDifference:
        """Return the difference from the board before an attack or infiltration was opened.

        The pieces of the attack or infiltration may be anywhere. While a side is asked whether it
        can move, all pieces must stay.
        """
        expected = self._proceedings.expected
        difference = compare(seen, expected)
        if opened := self._referee.open_attack or self._referee.open_guess:
            squares = set_of((opened.source, opened.target)) | stopover(self._referee)
            if may_be_fought(squares, difference, seen, expected):
                return NO_DIFFERENCE
            return ImageDifference(difference.missing & ~squares, difference.surplus & ~squares)
        return difference


# Setup: progress of placing the armies, and the sides that have reported ready.


class SetupWatch:
    """Counts two armies of the same size during setup."""

    def __init__(self, army: Army, *, sealed: bool) -> None:
        """Create the setup for two such armies; `sealed` if their seals are also required."""
        self.seen = SetupSeen(red=0, blue=0, astray=())
        self.ready: frozenset[Side] = frozenset()
        """The sides that have reported their army as complete."""
        self.red: SquareSet = 0
        self.blue: SquareSet = 0
        self.pledges: dict[Side, ArmyCommitment] = {}
        """The seals of each side."""
        self.seen_ranks: dict[Side, Mapping[Square, Rank]] = {}
        """The ranks that the referee can see on a side's pieces."""
        self._army, self._sealed = army, sealed

    @property
    def is_over(self) -> bool:
        """Whether both sides are ready, and no other piece is on the board."""
        return len(self.ready) == len(Side) and not self.seen.astray

    def count(self, image: Image) -> bool:
        """Count the pieces in an image; return whether the counts changed.

        A side with an incomplete army is no longer ready.
        """
        self.red, self.blue = (_standing(image, side) for side in Side)
        # The piece is in the middle or in the other side's rows, so it belongs to no army yet.
        astray = tuple(squares_in(image.occupied & ~(self.red | self.blue)))
        found = SetupSeen(self.red.bit_count(), self.blue.bit_count(), astray)
        is_news, self.seen = found != self.seen, found
        # Lifting a piece later revokes the ready report, as the game would begin without that
        # piece.
        self.ready = frozenset(
            side for side in self.ready if self._is_complete(side) and not self.unsealed(side)
        )
        return is_news

    def take_seals(self, side: Side, pledge: ArmyCommitment) -> ArmiesSealed | None:
        """Accept the seals of a side, replacing earlier ones; None if the game is not sealed."""
        if not self._sealed:
            return None
        self.pledges[side] = pledge
        # The player has changed the setup, so the ready report about the old setup is void.
        self.ready -= {side}
        return ArmiesSealed(side)

    def take_ready(self, said: Ready) -> Ready | SetupSeen | SealsMissing:
        """Accept that a side's army is complete, or return what is missing."""
        side = said.side
        if not self._is_complete(side) or self.seen.astray:
            return self.seen
        if unsealed := self.unsealed(side):
            return SealsMissing(side, tuple(squares_in(unsealed)))
        self.ready |= {side}
        return said

    def unsealed(self, side: Side) -> SquareSet:
        """Return the squares where a side's army differs from its seals, if seals are required."""
        if not self._sealed:
            return 0
        pledge = self.pledges.get(side)
        return self.standing(side) ^ (pledge.squares if pledge else 0)

    @property
    def ranks(self) -> dict[Square, Rank]:
        """The seen ranks of each side whose army is still on the same squares."""
        return {
            square: rank
            for side, ranks in self.seen_ranks.items()
            # Ranks seen on other squares, or for another army, would be wrong.
            if set_of(ranks) == self.standing(side)
            and sorted(ranks.values()) == sorted(self._army.pieces)
            for square, rank in ranks.items()
        }

    def standing(self, side: Side) -> SquareSet:
        """Squares in a side's own rows with a piece of that side."""
        return self.red if side is Side.RED else self.blue

    # Pieces are counted, not compared by square: in small games they may be anywhere in their rows.
    def _is_complete(self, side: Side) -> bool:
        return self._army.size == (self.seen.red if side is Side.RED else self.seen.blue)


def _standing(image: Image, side: Side) -> SquareSet:
    """Return the squares in a side's own rows with a piece of that side."""
    return (image.of(side) | image.unknown) & side.home
