"""Moves by trembling hands. They may hold a piece over its square before setting it down.

All sensors around a piece receive the exact field of its magnet. The movements are based on
estimates, not on measurements.
"""

import random
from dataclasses import dataclass, field
from math import pi, sin
from typing import Final

from engine.board.geometry import SQUARES, WIDTH, Square
from firmware_bridge.image import Image
from firmware_bridge.wire import Fault, FaultCode, State
from hardware.emulator.board import EmulatedBoard, Heard
from hardware.emulator.physics import Magnet

TREMBLE_MM: Final = 1.0
"""Amplitude of a hand's tremble along each axis, in millimetres. It is the sum over all
components."""
_SHARES: Final = ((0.5, 0.3, 1.5), (0.3, 1.5, 4.0), (0.2, 6.0, 12.0))
"""Components of the tremble, from slow sway to fast tremor. Each consists of its fraction of the
amplitude and the limits of its frequency, in hertz."""
STEP_US: Final = 2_000
"""Time step of a movement, in microseconds. It is so short that each scan finds the piece in a
different position."""
HELD_MS: Final = 3_000
LOW_MM: Final = (3.0, 12.0)
"""Range of heights above a square at which pieces are held, in millimetres."""
WATCHED_US: Final = 1_200_000
"""Time for which the board is observed after a piece is set down, in microseconds. The firmware
accepts even a slow change within this time."""


@dataclass
class Hovered:
    moves: int = 0
    false_faults: int = 0
    """Number of faults, other than drift, reported for intact sensors."""
    late_ms: list[float] = field(default_factory=list)
    """Time, in milliseconds, from the release of a piece until the move is shown for good. It is 0
    if all frames after the release show the move."""

    def add(self, other: "Hovered") -> None:
        self.moves += other.moves
        self.false_faults += other.false_faults
        self.late_ms += other.late_ms


class _Tremble:
    """Deviation of a trembling hand from its path."""

    def __init__(self, dice: random.Random) -> None:
        self._waves = [
            [
                (share, dice.uniform(low, high), dice.uniform(0, 2 * pi))
                for share, low, high in _SHARES
            ]
            for _ in range(3)
        ]

    def at(self, seconds: float) -> tuple[float, float, float]:
        x, y, z = (
            TREMBLE_MM
            * sum(share * sin(2 * pi * hertz * seconds + at) for share, hertz, at in axis)
            for axis in self._waves
        )
        return x, y, z


def _eased(part: float) -> float:
    """Convert a fraction of the time to a fraction of the path. The movement starts and stops
    smoothly (minimum jerk)."""
    return part**3 * (10 - 15 * part + 6 * part**2)


class HoveringHands:
    """Hands that move pieces on an emulated board. The board may be calibrated, or may use nominal
    resting levels."""

    def __init__(self, board: EmulatedBoard, seed: int) -> None:
        self._board = board
        self._dice = random.Random(seed)
        self.heard: list[Heard] = []
        """Messages received from the board during moves."""
        self.results = Hovered()

    def move(self, *, hovers: bool) -> None:
        """Move a random piece to a random empty square and check the board's messages."""
        magnets = self._board.field.magnets
        source = self._dice.choice(sorted(magnets))
        target = self._dice.choice([square for square in SQUARES if square not in magnets])
        begun = len(self.heard)
        self._carry(source, target, hovers=hovers)
        stands_us = self._board.now_us
        self._run(WATCHED_US)
        self._judge(self.heard[begun:], source, target, stands_us)

    def _carry(self, source: Square, target: Square, *, hovers: bool) -> None:
        dice, tremble = self._dice, _Tremble(self._dice)
        piece = self._board.field.magnets.pop(source)
        columns, rows = target % WIDTH - source % WIDTH, target // WIDTH - source // WIDTH
        pitch = self._board.field.layout.pitch_mm
        high, low = dice.uniform(20, 45), dice.uniform(*LOW_MM) if hovers else 0.0
        # For each leg: its duration in milliseconds, and the state at its end. The state consists
        # of the fraction of the path that has been covered, and the height.
        legs = [(dice.uniform(100, 400), 0.0, high), (dice.uniform(150, 700), 1.0, high)]
        legs.append((dice.uniform(200, 900) if hovers else dice.uniform(100, 450), 1.0, low))
        if hovers:
            legs += [(dice.gauss(HELD_MS, 200), 1.0, low), (dice.uniform(60, 500), 1.0, 0.0)]
        begun_us, part, height = self._board.now_us, 0.0, 0.0
        for lasts_ms, to_part, to_height in legs:
            steps = max(round(1000 * lasts_ms / STEP_US), 1)
            for n in range(1, steps + 1):
                eased = _eased(n / steps)
                way, above = part + (to_part - part) * eased, height + (to_height - height) * eased
                x, y, z = tremble.at((self._board.now_us - begun_us) / 1e6)
                free = min(above, 1.0)
                self._hold(
                    piece,
                    source,
                    (
                        pitch * columns * way + free * x,
                        pitch * rows * way + free * y,
                    ),
                    max(above + free * z, 0.0),
                )
            part, height = to_part, to_height
        self._board.field.magnets[target] = piece
        self._board.update_sensors()

    def _hold(self, piece: Magnet, source: Square, at: tuple[float, float], height: float) -> None:
        """Hold a piece in the air for one time step. `at` is its offset from the source."""
        board = self._board
        pitch = board.field.layout.pitch_mm
        column = min(max(source % WIDTH + round(at[0] / pitch), 0), WIDTH - 1)
        row = min(max(source // WIDTH + round(at[1] / pitch), 0), WIDTH - 1)
        over = WIDTH * row + column
        x = at[0] - pitch * (column - source % WIDTH)
        y = at[1] - pitch * (row - source // WIDTH)
        standing = board.field.magnets.get(over)
        if standing is None:
            held = Magnet(piece.north_up, piece.strength, height, (x, y))
            board.field.magnets[over] = held
        board.update_sensors()
        self._run(STEP_US)
        if standing is None:
            del board.field.magnets[over]

    def _run(self, microseconds: int) -> None:
        self.heard += self._board.run(microseconds)

    def _judge(self, heard: list[Heard], source: Square, target: Square, stands_us: int) -> None:
        self.results.moves += 1
        shown_us: float | None = None
        for each in heard:
            match each.message:
                case Fault(code=code, square=square) if square is not None:
                    self.results.false_faults += code is not FaultCode.DRIFT
                case State(image=image, faint=faint):
                    if _is_shown(image, faint, source, target):
                        shown_us = each.at_us if shown_us is None else shown_us
                    else:
                        shown_us = None
        late = float("inf") if shown_us is None else max(shown_us - stands_us, 0) / 1000
        self.results.late_ms.append(late)


def _is_shown(image: Image, faint: int, source: Square, target: Square) -> bool:
    arrived = image.occupied >> target & 1 and not image.occupied >> source & 1
    return bool(arrived and not faint >> target & 1)
