"""Model of the firmware: a hundred squares, debounced, with a frame every 20 ms.

A change is accepted when two consecutive scans, 10 ms apart, agree. Squares are scanned at
different times, so a change is detected after 10 to 20 ms. Shorter changes are missed. Readings are
never uncertain, and frames carry no change times.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Final, NamedTuple, Protocol, TypeAlias

from engine.board.geometry import SQUARES, WIDTH, Side, Square, SquareSet

# Board images reach the table through this module. `Sensors` models the firmware and can be
# replaced with the real firmware in emulation.

Felt: TypeAlias = Callable[[Square], Side | None]
"""Returns the side whose magnet is over the square, or None."""


class Frame(NamedTuple):
    """A frame as the computer receives it."""

    board: str
    """The hundred squares, starting with row 10."""
    moments: tuple[tuple[Square, float], ...] = ()
    """Squares that have changed, each with the time in seconds at which the change was detected."""
    faint: SquareSet = 0
    """Squares with an uncertain reading."""


class Sight(Protocol):
    """Observes the magnets. Times are in milliseconds and never decrease."""

    @property
    def heard(self) -> Sequence[Frame]:
        """Frames received in the latest call to `look`."""

    @property
    def is_settling(self) -> bool:
        """Whether the latest changes may still be missing from the frames."""

    def at(self, square: Square) -> str:
        """Return the token of one square in the latest frame."""

    def note(self, square: Square, now: int) -> None: ...

    def force(self, square: Square, token: str | None, now: int) -> None:
        """Override the reading of a sensor. If `token` is None, end the override."""

    def silence(self, now: int, lasts: int) -> None:
        """Lose all frames for the next `lasts` milliseconds."""

    def look(self, now: int) -> bool:
        """Advance time to `now`, and return whether the frames have changed."""

    def skip(self, now: int) -> None:
        """Advance time to `now` without frames, because nothing has happened."""


Watching: TypeAlias = Callable[[Felt], Sight]


FRAME_MS: Final = 20
_SEEN_AFTER_MS: Final = (10, 20)
_TOKENS: Final = {Side.RED: "r", Side.BLUE: "b", None: "."}
_COLOURLESS: Final = {Side.RED: "?", Side.BLUE: "?", None: "."}
_SHOWN_AT: Final = [WIDTH * (9 - square // WIDTH) + square % WIDTH for square in SQUARES]
"""Index of each square in a frame. A frame begins with row 10."""


class Sensors:
    def __init__(self, felt: Felt, dice: Random, *, sees_colours: bool) -> None:
        """Observe a board.

        `felt` returns the side whose magnet is over a square. `dice` determines at what time within
        a scan each square is read. Unless `sees_colours` is true, the sensors detect a piece but
        not its side.
        """
        self._felt = felt
        self._dice = dice
        self._tokens = _TOKENS if sees_colours else _COLOURLESS
        self._seen = ["."] * len(SQUARES)
        self._forced: dict[Square, str | None] = {}
        self._due: dict[Square, tuple[int, str]] = {}
        self._silent_until = 0
        self.frame = "".join(self._seen)
        """The latest image of the hundred squares."""
        self.heard: tuple[Frame, ...] = ()
        """The latest frame, or an empty tuple if that frame was lost."""

    @property
    def is_settling(self) -> bool:
        """Whether there is a change that has not been detected yet."""
        return bool(self._due)

    def at(self, square: Square) -> str:
        return self._seen[_SHOWN_AT[square]]

    def note(self, square: Square, now: int) -> None:
        token = self._forced.get(square) or self._tokens[self._felt(square)]
        if token == self._seen[_SHOWN_AT[square]]:
            self._due.pop(square, None)
            return
        coming = self._due.get(square)
        if coming is None or coming[1] != token:
            self._due[square] = (now + self._dice.randint(*_SEEN_AFTER_MS), token)

    def force(self, square: Square, token: str | None, now: int) -> None:
        if token is None:
            self._forced.pop(square, None)
        else:
            self._forced[square] = token
        self.note(square, now)

    def silence(self, now: int, lasts: int) -> None:
        self._silent_until = max(self._silent_until, now + lasts)

    def skip(self, now: int) -> None:
        """Do nothing: the model advances only when `look` is called."""

    def look(self, now: int) -> bool:
        """Update the image, and return whether it has changed."""
        has_changed = bool(self._due) and self._see(now)
        self.heard = (Frame(self.frame),) if now > self._silent_until else ()
        return has_changed

    def _see(self, now: int) -> bool:
        seen = [(square, token) for square, (due, token) in self._due.items() if due <= now]
        for square, token in seen:
            self._seen[_SHOWN_AT[square]] = token
            del self._due[square]
        if seen:
            self.frame = "".join(self._seen)
        return bool(seen)


def draw(standing: Callable[[Square], Side | None], *, sees_colours: bool) -> str:
    """Return the image of a board on which all pieces are at rest."""
    tokens = _TOKENS if sees_colours else _COLOURLESS
    frame = [""] * len(SQUARES)
    for square in SQUARES:
        frame[_SHOWN_AT[square]] = tokens[standing(square)]
    return "".join(frame)
