"""The observed board: its latest image, debounced and without ignored squares.

A frame goes from here to the reader: without the squares that the players agreed to ignore or whose
sensors have failed, without the changes of flickering sensors, and without faint changes that do
not last.
"""

from companion.table.complaints import Complaints
from companion.table.events import (
    BoardConnected,
    BoardDisconnected,
    SensorFails,
    SensorFlickers,
    SupplyIsLow,
)
from companion.table.ignored_squares import IgnoredSquares
from companion.table.inputs import BoardComplains, BoardSeen
from companion.table.proceedings import Proceedings
from companion.table.reader import Reader
from companion.table.sayings import Doubt
from engine.board.geometry import SquareSet, set_of, squares_in
from engine.game.actions import Action
from engine.game.rulings import Ruling, refuses
from firmware_bridge.image import Image
from firmware_bridge.sensing.confidence_filter import Faint
from firmware_bridge.sensing.flicker_filter import Flicker


class Sight:
    """The board as far as it can be observed."""

    def __init__(self, proceedings: Proceedings, reader: Reader, doubted: SquareSet) -> None:
        """Begin without a board. Frames go to a reader, except for the `doubted` squares."""
        self.is_connected = False
        self.sees_colours = True
        """Whether the board distinguishes red from blue."""
        self._proceedings = proceedings
        self._reader = reader
        self._ignored = IgnoredSquares(doubted)
        self._complaints = Complaints()
        self._faint = Faint()
        self._flicker = Flicker()
        self._taken: tuple[Image, int] | None = None
        """The latest image that was processed, and the number of actions at that time."""
        proceedings.listen(self._note_play)

    @property
    def image(self) -> Image | None:
        """The trusted part of the latest image, without ignored squares; None without a board."""
        steady = self._reader.watch.image
        if steady is None or not self._ignored.squares:
            return steady
        return self._ignored.fill(steady, self._proceedings.must_show)

    @property
    def doubted(self) -> SquareSet:
        """The squares that the players ignore."""
        return self._ignored.doubted

    @property
    def failing(self) -> SquareSet:
        """The squares with sensors that the board reports as failed."""
        return self._ignored.failing

    @property
    def unbelieved(self) -> SquareSet:
        """All squares that are ignored; they count as showing what is expected."""
        return self._ignored.squares

    @property
    def is_supply_low(self) -> bool:
        """Whether the supply voltage of the board is low."""
        return self._complaints.is_supply_low

    @property
    def flickering(self) -> SquareSet:
        """The squares with flickering sensors."""
        return set_of(self._flicker.squares)

    @property
    def due(self) -> float | None:
        """Deadline at which a faint, flickering or failing square will be debounced."""
        moments = (self._faint.due, self._flicker.due, self._complaints.due)
        return min((moment for moment in moments if moment is not None), default=None)

    def find(self, *, sees_colours: bool) -> None:
        """Begin to use a board that can be read."""
        self.is_connected, self.sees_colours = True, sees_colours
        self._forget_complaints()
        self._forget()
        self._proceedings.tell(BoardConnected(sees_colours))

    def lose(self) -> None:
        """Stop using the board: it can no longer be read."""
        self.is_connected = False
        self._forget_complaints()
        self._forget()
        self._proceedings.tell(BoardDisconnected())

    def shows_again(self, image: Image) -> bool:
        """Whether a frame repeats the latest image, and all of that is debounced."""
        shown = self._ignored.shown
        # The image is the same object as long as the same bytes arrive.
        return (image is shown or image == shown) and not self._faint.waits

    @property
    def is_at_rest(self) -> bool:
        """Whether a frame with the same image brings nothing new except the time.

        The first frames of a board also show that it sends one after the other.
        """
        is_heard = self._reader.watch.streams or not self.is_connected
        return is_heard and not self._faint.waits

    def look(self, frame: BoardSeen) -> bool:
        """Process a frame; return whether something in it is new."""
        at = self._proceedings.at
        self._ignored.shown = frame.image
        known = set(self._flicker.squares)
        clear = self._faint.see(at, frame.image, dict(frame.moments), frame.faint)
        believed = self._flicker.see(at, clear.image, self._proceedings.expected)
        steady = self._ignored.steady(believed)
        self._proceedings.tell(
            *(SensorFlickers(each) for each in self._flicker.squares if each not in known)
        )
        is_new = steady != self._reader.watch.image
        is_late = self._flicker.due is not None
        self._reader.lag = max(self._flicker.squares.values(), default=0.0) if is_late else 0.0
        ignored = self._ignored.squares | self.flickering
        self._reader.look(at, steady, ignored, clear.spans)
        return is_new

    def doubt(self, said: Doubt) -> bool:
        """Ignore a square, or trust it again; return whether that is a change."""
        if not self._ignored.doubt(said.square, doubted=said.doubted):
            return False
        self._proceedings.tell(said)
        self._reconsider()
        return True

    def hear(self, given: BoardComplains) -> bool:
        """Process a fault of a sensor or of the supply; return whether that is a change."""
        was_low = self.is_supply_low
        self._complaints.hear(
            self._proceedings.at,
            given.square,
            is_dying=given.is_dying,
            in_hand=self._is_piece_in_hand,
        )
        if self.is_supply_low and not was_low:
            self._proceedings.tell(SupplyIsLow())
        return self._note_failing()

    @property
    def _is_piece_in_hand(self) -> bool:
        """Whether fewer pieces are on the board than belong there."""
        image, expected = self.image, self._proceedings.must_show
        return image is not None and image.occupied.bit_count() < expected.occupied.bit_count()

    def let_pass(self) -> bool:
        """Remove faults that are over as time passes; return whether that is a change."""
        self._complaints.let_pass(self._proceedings.at)
        return self._note_failing()

    def _note_failing(self) -> bool:
        before, self._ignored.failing = self._ignored.failing, self._complaints.failing
        new = self._ignored.failing & ~before
        self._proceedings.tell(*(SensorFails(square) for square in squares_in(new)))
        if self._ignored.failing == before:
            return False
        self._reconsider()
        return True

    def _reconsider(self) -> None:
        """Process the image again after the set of ignored squares has changed."""
        self._taken = self._reader.base = None
        if self._ignored.shown:
            self.look(BoardSeen(self._proceedings.at, self._ignored.shown))

    def look_afresh(self) -> None:
        """Forget what hands have done; the present image counts as new."""
        shown = self._ignored.shown
        self._forget()
        if shown:
            self.look(BoardSeen(self._proceedings.at, shown))

    def is_news(self, patience: float) -> bool:
        """Return whether the image is stable and has not been processed yet."""
        assert self.image is not None
        news = self.image, len(self._proceedings.referee.actions)
        if news == self._taken or not self.has_stood(patience):
            return False
        self._taken = news
        return True

    def has_stood(self, patience: float) -> bool:
        """Return whether the image has been the same for a time, in seconds."""
        return self._reader.has_stood(self._reader.watch.changed_at, patience)

    def forget_news(self) -> None:
        """Treat the present image as new once more."""
        self._taken = None

    def _note_play(self, _: Action, rulings: tuple[Ruling, ...]) -> None:
        if not refuses(rulings):
            self._flicker.play(self._proceedings.at, self._proceedings.expected)

    def _forget_complaints(self) -> None:
        self._complaints.forget()
        self._ignored.failing = 0

    def _forget(self) -> None:
        self._ignored.shown = self._taken = None
        self._faint.forget()
        self._flicker.forget()
        self._reader.lose_sight()
