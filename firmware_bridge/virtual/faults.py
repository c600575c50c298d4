"""What can be wrong with the simulated board, by name."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, TypeAlias

from engine.squares import Square, square
from firmware_bridge.virtual.board import VirtualBoard
from firmware_bridge.virtual.sensors import REST
from firmware_bridge.wire import FULL_SCALE

WEAK_MAGNET: Final = 0.3
FLIPPED_MAGNET: Final = -1.0
TREMBLE: Final = 20
"""In counts: how far off every reading is through a loose wire, one way or the other."""
NO_MAGNET: Final = 0.0
DRIFT: Final = 50
"""In counts: more than a board takes for rest, less than it takes for a piece."""
LOW_SUPPLY: Final = "low-supply"
LOW_SUPPLY_MV: Final = 4600


def exchange(board: VirtualBoard, square: Square, magnet: float = 1.0) -> None:
    """Exchange the piece on a square for one with another magnet; ImpossibleError without one."""
    piece = board.lift(square)
    board.stand(piece.side, square, piece.label, magnet)


Fault: TypeAlias = Callable[[VirtualBoard, Square], None]
FAULTS: Final[Mapping[str, Fault]] = {
    "weak": partial(exchange, magnet=WEAK_MAGNET),
    "flipped": partial(exchange, magnet=FLIPPED_MAGNET),
    "missing": partial(exchange, magnet=NO_MAGNET),
    "dead": lambda board, square: board.stick(square, REST[board.kind]),
    "loose": lambda board, square: board.loosen(square, TREMBLE),
    "stuck-low": lambda board, square: board.stick(square, 0),
    "stuck-high": lambda board, square: board.stick(square, FULL_SCALE),
    "drift": lambda board, square: board.drift(square, DRIFT),
}
"""What can be wrong with a square, or with the piece that stands on it."""


def inject(board: VirtualBoard, fault: str) -> None:
    """Let something be wrong from now on: ``"weak:e4"``, or ``"low-supply"`` with no square.

    ValueError if there is no such fault, no such square, or no piece on it for a weak magnet.
    """
    if fault == LOW_SUPPLY:
        board.supply_mv = LOW_SUPPLY_MV
        return
    kind, _, where = fault.partition(":")
    if kind not in FAULTS:
        known = ", ".join([f"{each}:e4" for each in FAULTS] + [LOW_SUPPLY])
        raise ValueError(f"no fault is written {fault!r}; there are {known}")
    FAULTS[kind](board, square(where))
