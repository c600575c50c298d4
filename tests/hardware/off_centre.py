"""Measures how well the board locates pieces that are set down between squares."""

import random
from collections import Counter
from dataclasses import dataclass, field
from math import hypot
from typing import Final

from companion.core.observed_board import Misplaced
from engine.board.geometry import SQUARES, WIDTH, Side, Square
from firmware_bridge.image import Image, PieceLocation
from firmware_bridge.localization import ROUNDS, PieceLocator
from firmware_bridge.wire import FieldReadings, RequestField, State
from hardware.emulator.board import EmulatedBoard
from hardware.emulator.physics import Magnet
from hardware.magnetics.placements import STRENGTH, TILT
from tests.hardware.calibrating import SETTLED_US

ROUND_US: Final = 130_000
"""Time within which a board reports the readings of all squares, in microseconds."""
BEFORE: Final = 8
"""Number of rounds of readings before a piece is lifted. In a game, readings are requested once per
second, so a turn of eight seconds has eight rounds."""
SPREAD_MM: Final = 2.0
"""Standard deviation of the offsets of well-placed pieces along each axis, in millimetres."""
UNSEEN_MM: Final = 9.5
"""Distance from the centre of the nearest square, in millimetres. At a greater distance, a typical
piece is not detected."""
ROOM: Final = 0.6
"""Minimum distance from other pieces, in multiples of the distance between two adjacent squares."""
BEYOND: Final = 0.4
"""Maximum distance of a piece beyond the centres of the edge squares, in the same unit as
`ROOM`."""
NEAR_MM: Final = 3.0


@dataclass
class Found:
    pieces: int = 0
    unseen: int = 0
    """Number of pieces not detected on any square. Only these pieces have to be located."""
    found: int = 0
    near: int = 0
    """Number of locations with an error of at most 3 mm."""
    within: int = 0
    """Number of locations whose error is within the reported accuracy."""
    named: int = 0
    """Number of located pieces whose nearest square is among the reported squares."""
    wrong_side: int = 0
    """Number of undetected pieces for which the program located a piece of the other side."""
    hands: int = 0
    """Number of times that the program searched for a lifted piece while the piece was away from
    the board."""
    claimed: int = 0
    """Number of these searches in which a piece was nevertheless located."""
    lows: int = 0
    """Number of times that the program searched for a lifted piece while the piece was held still
    and low over the board."""
    low_claimed: int = 0
    furthest_mm: float = 0.0
    by_squares: Counter[str] = field(default_factory=Counter)


class Player:
    """Player who misplaces pieces on a calibrated, initially empty board."""

    def __init__(self, board: EmulatedBoard, seed: int) -> None:
        self._board = board
        self._dice = random.Random(seed)
        self._pitch = board.field.layout.pitch_mm
        self._feelings = PieceLocator()
        self._image = Image()
        self.results = Found()

    def set_up(self, share: float) -> None:
        """Set up a random position.

        `share` is the fraction of squares that are occupied. Most pieces belong to the side nearer
        to them.
        """
        self._board.field.magnets = {
            square: self._piece(self._side_of(square), self._beside())
            for square in SQUARES
            if self._dice.random() < share
        }
        self._settle()
        self._feelings.set_searching(seeks=False)
        self._feel(BEFORE)

    def place(self) -> None:
        """Lift a piece, and set it down at a point where no square should detect it. Afterwards,
        put it back."""
        magnets = self._board.field.magnets
        home = self._dice.choice(sorted(magnets))
        side = Side.RED if magnets[home].north_up else Side.BLUE
        magnet = magnets.pop(home)
        self._settle()
        self._feelings.set_searching(seeks=True)
        self._feel(ROUNDS)
        self.results.hands += 1
        self.results.claimed += bool(self._feelings.places)
        x, y = self._anywhere_around(home)
        self._hold(magnet, x, y, height=self._dice.uniform(15, 40))
        self.results.lows += 1
        self.results.low_claimed += side in self._feelings.places
        self._hold(magnet, x, y)
        self._judge(side, x, y)
        magnets.pop(self._nearest(x, y))
        self._feelings.set_searching(seeks=False)
        magnets[home] = magnet
        self._settle()
        self._feel(BEFORE)

    def _hold(self, magnet: Magnet, x: float, y: float, height: float = 0.0) -> None:
        square = self._nearest(x, y)
        beside = x - self._pitch * (square % WIDTH), y - self._pitch * (square // WIDTH)
        tilt = self._dice.uniform(-TILT, TILT), self._dice.uniform(-TILT, TILT)
        there = Magnet(magnet.north_up, magnet.strength, height, beside, tilt)
        self._board.field.magnets[square] = there
        self._settle()
        self._feel(ROUNDS)

    def _judge(self, side: Side, x: float, y: float) -> None:
        results, place = self.results, self._feelings.places.get(side)
        results.pieces += 1
        if self._image.occupied >> self._nearest(x, y) & 1:
            return
        results.unseen += 1
        results.wrong_side += side.other in self._feelings.places
        at = Misplaced(side, PieceLocation(x / self._pitch, y / self._pitch, 0)).squares
        kind = f"{len(at)} squares"
        results.by_squares[kind] += 1
        if place is None:
            return
        off = hypot(place.column * self._pitch - x, place.row * self._pitch - y)
        results.found += 1
        results.by_squares[f"{kind}, found"] += 1
        results.near += off <= NEAR_MM
        results.within += off <= place.within * self._pitch
        results.furthest_mm = max(results.furthest_mm, off)
        results.named += self._nearest(x, y) in Misplaced(side, place).squares

    def _anywhere_around(self, home: Square) -> tuple[float, float]:
        """Choose a free point within two squares of `home` where a piece is not detected."""
        taken = self._board.field.magnets
        while True:
            column = home % WIDTH + self._dice.uniform(-2, 2)
            row = home // WIDTH + self._dice.uniform(-2, 2)
            if not all(-BEYOND < each < WIDTH - 1 + BEYOND for each in (column, row)):
                continue
            far = {n: hypot(column - n % WIDTH, row - n // WIDTH) for n in SQUARES}
            if min(far.values()) * self._pitch < UNSEEN_MM:
                continue
            if all(far[square] >= ROOM for square in taken):
                return column * self._pitch, row * self._pitch

    def _nearest(self, x: float, y: float) -> Square:
        column = min(max(round(x / self._pitch), 0), WIDTH - 1)
        row = min(max(round(y / self._pitch), 0), WIDTH - 1)
        return WIDTH * row + column

    def _feel(self, rounds: int) -> None:
        for _ in range(rounds):
            self._board.send(RequestField())
            for heard in self._board.run(ROUND_US):
                match heard.message:
                    case State(image=image):
                        self._image = image
                    case FieldReadings() as felt:
                        self._feelings.add(felt, self._image)

    def _settle(self) -> None:
        self._board.update_sensors()
        for heard in self._board.run(2 * SETTLED_US):
            if isinstance(heard.message, State):
                self._image = heard.message.image

    def _side_of(self, square: Square) -> Side:
        own = Side.RED if square < len(SQUARES) // 2 else Side.BLUE
        return own if self._dice.random() < 0.85 else own.other

    def _beside(self) -> tuple[float, float]:
        return self._dice.gauss(0, SPREAD_MM), self._dice.gauss(0, SPREAD_MM)

    def _piece(self, side: Side, beside: tuple[float, float]) -> Magnet:
        strength = 1 + self._dice.uniform(-STRENGTH, STRENGTH)
        return Magnet(side is Side.RED, strength, beside_mm=beside)
