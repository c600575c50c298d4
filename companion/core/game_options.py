"""Parameters and saved state of a table, and the random assignment of colours."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final

from companion.codec import Form, Named
from companion.core.events import ColoursDrawn
from companion.core.inputs import CallArbiter
from engine.board.geometry import Side, SquareSet, names, set_of, square
from engine.game.actions import Action
from engine.game.clocks import NO_CLOCK, ClockState, TimeControl
from engine.rules.editions import Edition

if TYPE_CHECKING:
    from companion.core.table import Table


# State that must be saved in addition to the accepted actions and the clock.

_NONE: Final = ""
_BOTH: Final = "both"


def write_call(call: CallArbiter | None) -> str:
    """Encode the open call as a side, `both`, or an empty string if no call is open."""
    if call is None:
        return _NONE
    return call.side.value if call.side else _BOTH


def read_call(word: str) -> CallArbiter | None:
    """Parse a word written by `write_call`. Raises ValueError if the word is malformed."""
    if word == _NONE:
        return None
    return CallArbiter(None if word == _BOTH else Side(word))


_NAMES: Final = Form(
    "the names of squares", "squares", lambda text: set_of(map(square, text.split())), names
)
_CALL: Final = Form("red, blue, both or an empty string", "calls", read_call, write_call)


@dataclass(frozen=True)
class SavedState:
    """State that is saved together with the actions."""

    unread: bool = False
    """Whether the ranks of the latest combat are still shown. Once hidden, they must not be shown
    again (rules.md §10), not even after a power cut."""
    clearing: bool = False
    """Whether the board does not yet show the result of a combat or of a correct guess."""
    doubted: Annotated[SquareSet, _NAMES] = 0
    """The squares that the players or the arbiter have chosen to ignore."""
    paused: bool = False
    """Whether the game is paused."""
    move_pending: Annotated[bool, Named(omits_default=True)] = False
    """Whether the computer's latest move still has to be made on the board."""
    call: Annotated[CallArbiter | None, _CALL] = None
    """The open call for an arbiter, or None."""


BLANK: Final = SavedState()
"""Saved state of a new game."""


@dataclass(frozen=True)
class GameOptions:
    """Parameters of a new game or of a game to be resumed."""

    edition: Edition
    seed: int
    control: TimeControl = NO_CLOCK
    actions: tuple[Action, ...] = ()
    clock: ClockState | None = None
    saved: SavedState = BLANK
    computer: Side | None = None
    """The side that the computer plays, or None if two people play."""

    def table(self) -> "Table":
        """Return a table for this game. Raises OutOfPhaseError if the actions are invalid."""
        from companion.core.table import Table  # noqa: PLC0415 (viewing games does not need it)

        return Table(
            self.edition,
            self.seed,
            self.actions,
            control=self.control,
            clock=self.clock,
            saved=self.saved,
            computer=self.computer,
        )


# A random choice decides which of two people plays Red and therefore moves first. It has no effect
# on the game itself, so it is not saved.


def draw_colours(one: str, other: str, draw: Callable[[], int]) -> ColoursDrawn:
    """Assign the colours to two names. `draw` returns a random integer."""
    return ColoursDrawn(one, other) if draw() % 2 else ColoursDrawn(other, one)
