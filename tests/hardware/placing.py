"""Measures how well the board detects pieces that are set down off centre."""

import random
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from engine.board.geometry import SQUARES, Square, set_of
from firmware_bridge.image import ARMIES, Image
from firmware_bridge.wire import CalibrationStep
from hardware.emulator.board import EmulatedBoard
from hardware.emulator.layout import Layout
from hardware.emulator.physics import Field, Magnet, Spread
from hardware.magnetics.placements import CAREFUL, CENTRED, STRENGTH, TILT
from tests.hardware.calibrating import DONE, SETTLED_US, learn, seen

ALONE: Final = tuple(10 * row + column for row in range(0, 10, 3) for column in range(0, 10, 3))
"""Squares that are at least three squares apart. Pieces on them do not affect each other's
sensors."""


@dataclass
class Placed:
    pieces: int = 0
    unseen: int = 0
    wrong_squares: int = 0
    """Number of squares that show a piece although none was set down on them."""
    wrong_colours: int = 0
    lifted: int = 0
    """Number of pieces that were lifted from the midst of the other army."""
    not_let_go: int = 0
    """Number of the pieces counted in `lifted` that the board still shows after they were
    lifted."""

    @property
    def share_unseen(self) -> float:
        return self.unseen / self.pieces

    def add(self, standing: Image, shown: Image) -> None:
        """Compare the image that the board shows with the pieces."""
        self.pieces += standing.occupied.bit_count()
        self.unseen += (standing.occupied & ~shown.occupied).bit_count()
        self.wrong_squares += (shown.occupied & ~standing.occupied).bit_count()
        both = standing.occupied & shown.occupied
        self.wrong_colours += ((standing.red ^ shown.red) & both).bit_count()


class Hands:
    """Builder who makes a board from random parts and sets pieces down on it."""

    def __init__(self, layout: Layout, piece: float, seed: int, *, face_down: bool = False) -> None:
        """Choose random parts.

        `piece` is the deflection that a typical piece causes, in counts. `face_down` is true for
        tiles, whose sensors are mounted face down.
        """
        self._dice = random.Random(seed)
        parts = Spread(piece=piece).sensors(seed)
        self.field = Field(parts, layout=layout, face_down=face_down)
        self._sensors = [self._beside(CENTRED) for _ in SQUARES]
        """Offset of each sensor from its marked position, in millimetres."""

    def calibrate(self, board: EmulatedBoard) -> None:
        """Calibrate the board with carefully placed pieces."""
        board.run(SETTLED_US)
        assert learn(board, CalibrationStep.EMPTY) == DONE
        self.set_down(board, ARMIES, CAREFUL)
        assert learn(board, CalibrationStep.ARMIES) == DONE
        assert learn(board, CalibrationStep.SAVE) == DONE
        self.clear(board)

    def set_down(self, board: EmulatedBoard, standing: Image, spread: float) -> None:
        """Set pieces down with a standard deviation of `spread` mm and let the board settle."""
        for side, north_up in ((standing.red, True), (standing.blue, False)):
            for square in SQUARES:
                if side >> square & 1:
                    board.field.magnets[square] = self.piece(square, north_up, spread)
        board.update_sensors()
        board.run(SETTLED_US)

    def clear(self, board: EmulatedBoard) -> None:
        """Remove all pieces and let the board settle."""
        self.lift(board, SQUARES)

    def lift(self, board: EmulatedBoard, squares: Iterable[Square]) -> None:
        """Remove the pieces on `squares` and let the board settle."""
        for square in squares:
            board.field.magnets.pop(square, None)
        board.update_sensors()
        board.run(SETTLED_US)

    def standing(self, squares: tuple[Square, ...]) -> Image:
        """Return pieces of random colours on the given squares."""
        red = {square for square in squares if self._dice.random() < 0.5}
        return Image(red=set_of(red), blue=set_of(set(squares) - red))

    def holes(self) -> list[Square]:
        """Return squares in the armies' rows, no two of them adjacent."""
        row, column = self._dice.randrange(2), self._dice.randrange(2)
        return [
            10 * y + x
            for y in (*range(row, 4, 2), *range(6 + row, 10, 2))
            for x in range(column, 10, 2)
        ]

    def piece(self, square: Square, north_up: bool, spread: float) -> Magnet:
        """Return a random piece with a random offset on its square."""
        (x, y), (right, away) = self._sensors[square], self._beside(spread)
        return Magnet(
            north_up,
            1 + self._dice.uniform(-STRENGTH, STRENGTH),
            beside_mm=(x + right, y + away),
            tilt=(self._dice.uniform(-TILT, TILT), self._dice.uniform(-TILT, TILT)),
        )

    def _beside(self, spread: float) -> tuple[float, float]:
        return self._dice.gauss(0, spread), self._dice.gauss(0, spread)


def placed_alone(board: EmulatedBoard, hands: Hands, spread: float, pieces: int) -> Placed:
    """Set down at least `pieces` pieces without neighbours, and compare the images with the
    pieces."""
    placed = Placed()
    while placed.pieces < pieces:
        standing = hands.standing(ALONE)
        hands.set_down(board, standing, spread)
        placed.add(standing, seen(board))
        hands.clear(board)
    return placed


def placed_in_armies(board: EmulatedBoard, hands: Hands, spread: float, pieces: int) -> Placed:
    """Set up both armies, replace some pieces with enemy pieces, and then lift these enemy
    pieces."""
    placed = Placed()
    while placed.pieces < pieces:
        hands.set_down(board, ARMIES, spread)
        placed.add(ARMIES, seen(board))
        holes = hands.holes()
        hands.lift(board, holes)
        amid = set_of(holes)
        hands.set_down(board, Image(red=ARMIES.blue & amid, blue=ARMIES.red & amid), spread)
        hands.lift(board, holes)
        placed.lifted += len(holes)
        placed.not_let_go += (seen(board).occupied & amid).bit_count()
        hands.clear(board)
    return placed
