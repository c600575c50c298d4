"""What the firmware makes of the board: a hundred squares, debounced, a frame every 20 ms.

A change counts when two looks in a row agree, 10 ms apart; the squares are not looked at all at
once, so it is known 10 to 20 ms after it has happened. What has gone again by then never was.

A sensor that is only thought of reads nothing faintly, and when a square changed is told by its
frame alone, as by a board that knows it no better.
"""

from collections.abc import Callable
from random import Random
from typing import Final

from companion.simulator.hands.sight import Felt, Frame
from engine.sides import Side
from engine.squares import SQUARES, WIDTH, Square

FRAME_MS: Final = 20
_SEEN_AFTER_MS: Final = (10, 20)
_TOKENS: Final = {Side.RED: "r", Side.BLUE: "b", None: "."}
_COLOURLESS: Final = {Side.RED: "?", Side.BLUE: "?", None: "."}
_SHOWN_AT: Final = [WIDTH * (9 - square // WIDTH) + square % WIDTH for square in SQUARES]
"""Where in a frame a square is: row 10 comes first."""


class Sensors:
    """The debounced picture of a board."""

    def __init__(self, felt: Felt, dice: Random, *, sees_colours: bool) -> None:
        """Look at a board.

        Args:
            felt: Whose magnet is over a square.
            dice: When within a scan each square is looked at.
            sees_colours: Whether they tell red from blue, or only that something is there.
        """
        self._felt = felt
        self._dice = dice
        self._tokens = _TOKENS if sees_colours else _COLOURLESS
        self._seen = ["."] * len(SQUARES)
        self._forced: dict[Square, str | None] = {}
        self._due: dict[Square, tuple[int, str]] = {}
        self._silent_until = 0
        self.frame = "".join(self._seen)
        """The hundred squares as they were seen last."""
        self.heard: tuple[Frame, ...] = ()
        """That frame, if it got through."""

    @property
    def is_settling(self) -> bool:
        """Whether a change has happened that has not been seen."""
        return bool(self._due)

    def at(self, square: Square) -> str:
        """What was seen last on one square."""
        return self._seen[_SHOWN_AT[square]]

    def note(self, square: Square, now: int) -> None:
        """Something has changed on a square."""
        token = self._forced.get(square) or self._tokens[self._felt(square)]
        if token == self._seen[_SHOWN_AT[square]]:
            self._due.pop(square, None)
            return
        coming = self._due.get(square)
        if coming is None or coming[1] != token:
            self._due[square] = (now + self._dice.randint(*_SEEN_AFTER_MS), token)

    def force(self, square: Square, token: str | None, now: int) -> None:
        """Let the sensor of a square show something else than there is; None ends that."""
        if token is None:
            self._forced.pop(square, None)
        else:
            self._forced[square] = token
        self.note(square, now)

    def silence(self, now: int, lasts: int) -> None:
        """Let no frame get through for so long."""
        self._silent_until = max(self._silent_until, now + lasts)

    def skip(self, now: int) -> None:
        """Nothing goes on here between two looks."""

    def look(self, now: int) -> bool:
        """Make the picture of this moment, and say whether it has changed."""
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
    """Draw a board as sensors show it, once all is at rest."""
    tokens = _TOKENS if sees_colours else _COLOURLESS
    frame = [""] * len(SQUARES)
    for square in SQUARES:
        frame[_SHOWN_AT[square]] = tokens[standing(square)]
    return "".join(frame)
