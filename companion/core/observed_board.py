"""The observed board: its latest image, debounced and without ignored squares.

The recognizer never sees squares that the players ignore, squares with failed sensors, changes on
flickering squares, or faint changes that do not last.
"""

from dataclasses import dataclass

from companion.core import events
from companion.core.game_context import GameContext
from companion.core.inputs import BoardFaultReported, BoardSeen, IgnoreSquare, PieceLocated
from companion.core.move_recognizer import MoveRecognizer
from companion.core.recognition_limits import LIMITS
from companion.core.state import Finished
from engine.board.geometry import ALL, WIDTH, Side, Square, SquareSet, set_of, squares_in
from engine.game.actions import Action
from engine.game.rulings import Ruling
from firmware_bridge.image import Image, PieceLocation, compare
from firmware_bridge.sensing.change_detector import ConfidenceFilter, FlickerFilter

# Faults that the board reports during a game: failing sensors and low supply voltage.
#
# A board repeats a fault report as long as the fault lasts, so a fault that is no longer reported
# has ended. A hand that lowers a piece very slowly looks briefly like a dying sensor. Therefore a
# fault counts only once it has lasted for a while, and a slow change (DYING) counts only while no
# piece is lifted. Until a fault counts, the board itself keeps reporting the last state of the
# square. A sensor that really dies under a hand ends up stuck at one end of its range, and a stuck
# sensor always counts as a fault.


@dataclass(frozen=True, slots=True)
class _ActiveFault:
    since: float
    latest: float
    is_certain: bool
    """Whether the fault has been reported with a code other than DYING (a slow change)."""

    @property
    def counts(self) -> bool:
        return self.latest - self.since >= LIMITS.fault_counts_seconds


class ActiveFaults:
    """Recent faults of one board. The caller passes in the times, in seconds."""

    def __init__(self) -> None:
        self._active_faults: dict[Square | None, _ActiveFault] = {}
        """Faults by square. The key None is for the supply voltage."""

    @property
    def failing(self) -> SquareSet:
        counting = [square for square, each in self._active_faults.items() if each.counts]
        return set_of(square for square in counting if square is not None) if counting else 0

    @property
    def is_supply_low(self) -> bool:
        return None in self._active_faults and self._active_faults[None].counts

    @property
    def due(self) -> float | None:
        """Time at which the first fault will be over unless it is reported again, or None."""
        return min(
            (each.latest + LIMITS.fault_over_seconds for each in self._active_faults.values()),
            default=None,
        )

    def hear(
        self, at: float, square: Square | None, *, is_dying: bool = False, in_hand: bool = False
    ) -> None:
        """Process a fault report about a sensor or the supply voltage.

        Args:
            at: The time of the report.
            square: The square of the sensor, or None for the supply voltage.
            is_dying: Whether the reading changes slowly, which a slow hand can cause, too.
            in_hand: Whether a piece is lifted.
        """
        before = self._active_faults.get(square)
        if is_dying and in_hand and not (before and before.counts):
            if before and not before.is_certain:
                del self._active_faults[square]  # restart the time once all pieces are set down
            return
        is_certain = not is_dying or bool(before and before.is_certain)
        self._active_faults[square] = _ActiveFault(before.since if before else at, at, is_certain)

    def advance(self, at: float) -> None:
        """Remove faults that are over."""
        over, faults = LIMITS.fault_over_seconds, self._active_faults
        self._active_faults = {k: each for k, each in faults.items() if at < each.latest + over}

    def forget(self) -> None:
        """Remove all faults, because the board was replaced or restarted."""
        self._active_faults.clear()


# A sensor can be dead or stuck, or report a piece that is not there. The players may ignore a
# square, and the board may report that a sensor has failed. On such squares, the image is filled
# with what the referee expects. A failed sensor therefore does not end the game, and the other
# squares are still refereed.


class IgnoredSquares:
    """The latest image and the squares that are ignored in it."""

    def __init__(self, doubted: SquareSet) -> None:
        self.doubted = doubted
        """Squares that the players or the arbiter have chosen to ignore."""
        self.failing: SquareSet = 0
        """Squares whose sensors the board reports as failed."""
        self.shown: Image | None = None
        """The latest image as sent by the board."""

    @property
    def squares(self) -> SquareSet:
        """All ignored squares: those in `doubted`, and those whose sensors have failed."""
        return self.doubted | self.failing

    def doubt(self, square: Square, *, doubted: bool) -> bool:
        """Ignore a square or trust it again. Return whether this changed anything."""
        before = self.doubted
        self.doubted = before | 1 << square if doubted else before & ~(1 << square)
        return self.doubted != before

    def steady(self, shown: Image) -> Image:
        """Return an image in which the ignored squares are empty."""
        rest = ALL & ~self.squares
        return Image(shown.red & rest, shown.blue & rest, shown.unknown & rest)

    def fill(self, steady: Image, expected: Image) -> Image:
        """Return an image with the expected pieces on the ignored squares."""
        return Image(
            steady.red | expected.red & self.squares,
            steady.blue | expected.blue & self.squares,
            steady.unknown,
        )


class ObservedBoard:
    """Filters the frames received from the board and passes them to the recognizer."""

    def __init__(self, context: GameContext, reader: MoveRecognizer, doubted: SquareSet) -> None:
        """`doubted` contains the squares that the players or the arbiter have chosen to ignore."""
        self.is_connected = False
        self.awaited: SquareSet = 0
        """Squares whose missing pieces have to be put back (see `PiecesAwaited`)."""
        self.sees_colours = True
        """Whether the board distinguishes red from blue."""
        self.flickering: SquareSet = 0
        """Squares with flickering sensors."""
        self._context = context
        self._reader = reader
        self._ignored = IgnoredSquares(doubted)
        self._active_faults = ActiveFaults()
        self._faint = ConfidenceFilter()
        self._flicker = FlickerFilter()
        self._taken: tuple[Image, int] | None = None
        """Latest image that was processed, and the number of actions when it was processed."""
        context.listen(self._note_play)

    @property
    def image(self) -> Image | None:
        """The latest image, if any. On ignored squares, it shows the pieces that are expected."""
        steady = self._reader.watch.image
        if steady is None or not self._ignored.squares:
            return steady
        return self._ignored.fill(steady, self._context.required_image)

    @property
    def doubted(self) -> SquareSet:
        """The squares that the players or the arbiter have chosen to ignore."""
        return self._ignored.doubted

    @property
    def failing(self) -> SquareSet:
        """The squares whose sensors the board reports as failed."""
        return self._ignored.failing

    @property
    def unbelieved(self) -> SquareSet:
        """All ignored squares (`doubted` or `failing`). They count as showing what is expected."""
        return self._ignored.squares

    @property
    def is_supply_low(self) -> bool:
        return self._active_faults.is_supply_low

    @property
    def due(self) -> float | None:
        """Time at which the next faint, flickering or failing square must be evaluated, or None."""
        moments = (self._faint.due, self._flicker.due, self._active_faults.due)
        return min((moment for moment in moments if moment is not None), default=None)

    def on_connect(self, *, sees_colours: bool) -> None:
        self.is_connected, self.sees_colours = True, sees_colours
        self._forget_faults()
        self._forget()
        self._context.emit(events.BoardConnected(sees_colours))

    def on_disconnect(self) -> None:
        self.is_connected = False
        self._forget_faults()
        self._forget()
        self._context.emit(events.BoardDisconnected())

    def shows_again(self, image: Image) -> bool:
        """Whether a frame repeats the latest image and no change is being debounced."""
        shown = self._ignored.shown
        # An image stays the same object as long as the same bytes arrive.
        return (image is shown or image == shown) and not self._faint.waits

    @property
    def is_at_rest(self) -> bool:
        """Whether a repeated frame would differ only in its time.

        The first frames from a board always count as new, because they show that the board sends
        frames continuously.
        """
        is_heard = self._reader.watch.streams or not self.is_connected
        return is_heard and not self._faint.waits

    def on_frame(self, frame: BoardSeen) -> bool:
        """Process a frame. Return whether the image has changed."""
        at = self._context.at
        self._ignored.shown = frame.image
        clear = self._faint.see(at, frame.image, dict(frame.moments), frame.faint)
        believed = self._flicker.see(at, clear.image, self._context.expected)
        steady = self._ignored.steady(believed)
        if self._flicker.squares or self.flickering:
            known, self.flickering = self.flickering, set_of(self._flicker.squares)
            self._context.emit(*map(events.SensorFlickering, squares_in(self.flickering & ~known)))
        is_new = steady != self._reader.watch.image
        is_late = self._flicker.due is not None
        self._reader.lag = max(self._flicker.squares.values(), default=0.0) if is_late else 0.0
        self._reader.look(at, steady, self._ignored.squares | self.flickering, clear.spans)
        return is_new

    def doubt(self, command: IgnoreSquare) -> bool:
        """Ignore a square or trust it again. Return whether this changed anything."""
        if not self._ignored.doubt(command.square, doubted=command.doubted):
            return False
        self._context.emit(command)
        self._reconsider()
        return True

    def on_fault(self, given: BoardFaultReported) -> bool:
        """Process a report of a sensor or supply fault.

        Return whether the ignored squares have changed.
        """
        was_low = self.is_supply_low
        self._active_faults.hear(
            self._context.at,
            given.square,
            is_dying=given.is_dying,
            in_hand=self._is_piece_in_hand,
        )
        if self.is_supply_low and not was_low:
            self._context.emit(events.LowSupply())
        return self._note_failing()

    @property
    def _is_piece_in_hand(self) -> bool:
        """Whether there are fewer pieces on the board than expected."""
        image, expected = self.image, self._context.required_image
        return image is not None and image.occupied.bit_count() < expected.occupied.bit_count()

    def advance(self) -> bool:
        """Remove faults that are over. Return whether the ignored squares have changed."""
        self._active_faults.advance(self._context.at)
        return self._note_failing()

    def _note_failing(self) -> bool:
        before, self._ignored.failing = self._ignored.failing, self._active_faults.failing
        if self._ignored.failing == before:
            return False
        new = self._ignored.failing & ~before
        self._context.emit(*(events.SensorFailed(square) for square in squares_in(new)))
        self._reconsider()
        return True

    def _reconsider(self) -> None:
        """Restart the recognizer after a change of the ignored squares."""
        self._taken = self._reader.base = None
        if self._ignored.shown:
            self.on_frame(BoardSeen(self._context.at, self._ignored.shown))

    def reset(self) -> None:
        """Forget all hand actions and treat the current image as new."""
        shown = self._ignored.shown
        self._forget()
        if shown:
            self.on_frame(BoardSeen(self._context.at, shown))

    def is_settled(self, patience: float) -> bool:
        """Return whether an unprocessed image has been unchanged for `patience` seconds."""
        assert self.image is not None
        news = self.image, len(self._context.referee.actions)
        if news == self._taken or not self.has_stood(patience):
            return False
        self._taken = news
        return True

    def has_stood(self, patience: float) -> bool:
        """Return whether the image has been unchanged for `patience` seconds."""
        return self._reader.has_stood(self._reader.watch.changed_at, patience)

    def clear(self) -> None:
        """Treat the current image as not yet processed."""
        self._taken = None

    def _note_play(self, _: Action, __: tuple[Ruling, ...]) -> None:
        self._flicker.play(self._context.at, self._context.expected)

    def _forget_faults(self) -> None:
        self._active_faults.forget()
        self._ignored.failing = 0

    def _forget(self) -> None:
        self._ignored.shown = self._taken = None
        self._faint.forget()
        self._flicker.forget()
        self._reader.lose_sight()


# The board may detect a missing piece between squares. The measurement is too uncertain for a
# ruling. But as long as a piece of the detected colour is missing, the players are shown where to
# look.


@dataclass(frozen=True, slots=True)
class Misplaced:
    """A piece that the board detects between squares."""

    side: Side
    place: PieceLocation

    @property
    def squares(self) -> tuple[Square, ...]:
        """The one, two or four squares around the piece, in ascending order."""
        columns, rows = _around(self.place.column), _around(self.place.row)
        return tuple(WIDTH * row + column for row in rows for column in columns)


def _around(at: float) -> list[int]:
    """Return the column (or row) that contains a piece, or the two that the piece lies between."""
    middle = min(max(round(at), 0), WIDTH - 1)
    if abs(at - middle) <= LIMITS.off_centre_squares:
        return [middle]
    other = middle + (1 if at > middle else -1)
    return sorted(each for each in (middle, other) if 0 <= each < WIDTH)


class MisplacedPiece:
    """Reports where the board has located a piece that is missing from its square."""

    def __init__(self, context: GameContext, sight: ObservedBoard) -> None:
        self._context = context
        self._sight = sight
        self._felt = PieceLocated(0.0)
        self._reported: tuple[Square, ...] = ()

    def feel(self, felt: PieceLocated) -> None:
        """Store the locations at which the board detects pieces."""
        self._felt = felt

    def forget(self) -> None:
        """Discard the locations, because the board was replaced or disconnected."""
        self._felt = PieceLocated(0.0)

    @property
    def missing(self) -> SquareSet:
        """Squares of the missing pieces for which the board may search."""
        seen = self._sight.image
        if seen is None or not self._sight.sees_colours:
            return 0
        if isinstance(self._context.state, Finished):
            return 0
        missing = compare(seen, self._context.required_image).missing
        return missing if missing.bit_count() <= LIMITS.most_missing_to_locate else 0

    @property
    def found(self) -> Misplaced | None:
        """The piece detected between squares, or None if no piece of its side is missing."""
        required_image = self._context.required_image
        for side, place, own in (
            (Side.RED, self._felt.red, required_image.red),
            (Side.BLUE, self._felt.blue, required_image.blue),
        ):
            if place and own & self.missing:
                return Misplaced(side, place)
        return None

    def report(self) -> None:
        """Report the location of the piece once."""
        found = self.found
        squares = found.squares if found else ()
        if squares and squares != self._reported:
            self._context.emit(events.PieceBetweenSquares(squares))
        self._reported = squares
