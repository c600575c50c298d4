"""Fault injection for the simulated board; each fault has a name."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, TypeAlias

from engine.board.geometry import LAKES, Square, name, square
from firmware_bridge.simulated_board.board import ImpossibleError, SimulatedBoard
from firmware_bridge.thresholds import RESTING
from firmware_bridge.wire import FULL_SCALE

WEAK_MAGNET: Final = 0.3
"""Strength of a weak magnet, as a fraction of a usual one's."""
FLIPPED_MAGNET: Final = -1.0
TREMBLE: Final = 20
"""Error that a loose wire adds to every reading, in either direction, in counts."""
NO_MAGNET: Final = 0.0
DRIFT: Final = 50
"""Drift of a sensor, in counts: more than a board accepts as a resting level, less than a piece."""
LOW_SUPPLY: Final = "low-supply"
WEAK_SUPPLY_MV: Final = 4600


def exchange(board: SimulatedBoard, square: Square, magnet: float = 1.0) -> None:
    """Replace the magnet of the piece on a square; ImpossibleError if there is no piece."""
    if board.at(square) is None:
        is_lake = LAKES >> square & 1
        where = name(square)
        raise ImpossibleError(f"{where} is a lake" if is_lake else f"there is no piece on {where}")
    piece = board.lift(square)
    board.stand(piece.side, square, piece.label, magnet)


Fault: TypeAlias = Callable[[SimulatedBoard, Square], None]
FAULTS: Final[Mapping[str, Fault]] = {
    "weak": partial(exchange, magnet=WEAK_MAGNET),
    "flipped": partial(exchange, magnet=FLIPPED_MAGNET),
    "missing": partial(exchange, magnet=NO_MAGNET),
    "dead": lambda board, square: board.set_stuck(square, RESTING[board.kind]),
    "loose": lambda board, square: board.make_intermittent(square, TREMBLE),
    "stuck-low": lambda board, square: board.set_stuck(square, 0),
    "stuck-high": lambda board, square: board.set_stuck(square, FULL_SCALE),
    "drift": lambda board, square: board.set_drift(square, DRIFT),
}
"""Faults of a square, or of the piece on it."""
EXAMPLES: Final = (
    "weak:e4",
    "flipped:e4",
    "missing:e4",
    "dead:e4",
    "loose:e4",
    "stuck-low:e4",
    "stuck-high:e4",
    "drift:e5",
    LOW_SUPPLY,
)
"""An example of each fault, where it is noticeable with two armies: drift shows only on an empty
square."""


def inject(board: SimulatedBoard, fault: str) -> None:
    """Inject a fault: ``"weak:e4"``, or ``"low-supply"``, which has no square.

    ValueError if the fault or the square does not exist, or if a weak magnet has no piece there.
    """
    if fault == LOW_SUPPLY:
        board.supply_mv = WEAK_SUPPLY_MV
        return
    kind, _, where = fault.partition(":")
    if kind not in FAULTS:
        raise ValueError(f"unknown fault {fault!r}; examples: {', '.join(EXAMPLES)}")
    FAULTS[kind](board, square(where))
