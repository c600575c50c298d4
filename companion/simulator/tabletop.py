"""The simulated board with what lies beside it, and the hands that carry its pieces.

It knows no rules. A finger lifts the piece on which it comes down, and sets it down where it is
lifted itself: on an empty square; on an opposing piece, which then lies beside the board; or beside
the board. A finger that only taps a piece leaves it in the hand, and the next tap sets it down, or
points where it may mean something else as well. A
piece that its sensor does not see can be dragged alone: a tap on it points at its square, as on the
screen of a real board.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from companion.simulator.dealing import deal
from engine.ranks import Army, Rank
from engine.sides import Side
from engine.squares import SQUARES, Square, SquareSet, set_of
from firmware_bridge.image import Image
from firmware_bridge.thresholds import PULL, RESTING
from firmware_bridge.virtual.board import Piece, VirtualBoard
from firmware_bridge.virtual.faults import FAULTS, Fault
from firmware_bridge.wire import BoardKind


class SensorFault(Enum):
    """What can be wrong with the sensor of a square."""

    DEAD = "dead"
    """It sees nothing, whatever stands there."""
    STUCK = "stuck"
    """It sees a piece, whether or not one stands there."""
    FLICKERS = "flickers"
    """It loses sight of its piece again and again."""


def _see_a_piece(board: VirtualBoard, square: Square) -> None:
    """Let a sensor read as under a red piece; a switch, as under any."""
    pull = PULL[board.kind] if board.kind is BoardKind.COLOURS else -PULL[board.kind]
    board.stick(square, RESTING[board.kind] + pull)


_SPOIL: Final[Mapping[SensorFault, Fault]] = {
    SensorFault.DEAD: FAULTS["dead"],
    SensorFault.STUCK: _see_a_piece,
    SensorFault.FLICKERS: VirtualBoard.flicker,
}


@dataclass
class Held:
    """A piece in a hand."""

    piece: Piece
    origin: Square | None
    """Where it was lifted, None if it lay beside the board."""
    was_seen: bool = True
    """Whether its sensor saw it there."""
    is_carried: bool = False
    """Whether the finger has gone elsewhere with it."""


class Tabletop:
    """One simulated board for a whole evening."""

    def __init__(self, board: VirtualBoard) -> None:
        self.board = board
        self.beside: dict[Side, list[Piece]] = {side: [] for side in Side}
        """What lies beside the board, in the order in which it was laid there."""
        self.carried: dict[int, Held] = {}
        """The pieces that fingers carry, by the finger."""
        self.waiting: Held | None = None
        """The piece that is in the hand since it was tapped, until the next tap."""
        self.alone: Side | None = None
        """The side of who plays alone and always sees its ranks; None if two people play."""
        self.fixed: SquareSet = 0
        """The squares whose pieces no finger lifts: those of the program that stand rightly."""
        self.peeked: set[Side] = set()
        """The sides whose ranks are seen as long as somebody holds their eye."""
        self.is_open = False
        """Whether the game is over, and both armies lie face up."""
        self.faults: dict[Square, SensorFault] = {}
        """What somebody lets be wrong with sensors, to see what comes of it."""
        self.changes = 0
        """Grows whenever there is something new to see."""

    @property
    def standing(self) -> Image:
        """What really stands on the board, whatever its sensors show."""
        pieces = {square: piece for square in SQUARES if (piece := self.board.at(square))}
        return Image(
            *(set_of(at for at, piece in pieces.items() if piece.side is side) for side in Side)
        )

    @property
    def is_held(self) -> bool:
        """Whether a piece is in a hand."""
        return bool(self.carried or self.waiting)

    def shows(self, side: Side) -> bool:
        """Whether the ranks of a side can be seen."""
        return self.is_open or side is self.alone or side in self.peeked

    def turn_up(self, *, on: bool) -> None:
        """Turn both armies face up, or not any more."""
        if on is not self.is_open:
            self.is_open = on
            self.changes += 1

    def peek(self, side: Side, *, on: bool) -> None:
        """Show a side's ranks, or hide them again."""
        self.peeked = self.peeked | {side} if on else self.peeked - {side}
        self.changes += 1

    def spoil(self, square: Square, fault: SensorFault | None) -> None:
        """Let something be wrong with the sensor of a square, or nothing any more."""
        self.board.mend(square)
        self.faults.pop(square, None)
        if fault:
            self.faults[square] = fault
            _SPOIL[fault](self.board, square)

    # Standing pieces

    def stand(self, side: Side, ranks: Mapping[Square, Rank]) -> None:
        """Stand new pieces of a side on empty squares."""
        for square, rank in ranks.items():
            self.board.stand(side, square, rank.symbol)
        self.changes += 1

    def set_up(self, army: Army, seed: int) -> None:
        """Stand both armies in their rows and nothing else, with ranks dealt anew."""
        self.clear()
        for side in Side:
            self.stand(side, deal(army, side, seed))

    def clear(self) -> None:
        """Take all pieces away, in hands and beside the board, too."""
        for square in SQUARES:
            if self.board.at(square):
                self.board.take_away(square)
        self.beside = {side: [] for side in Side}
        self.carried, self.waiting = {}, None
        self.changes += 1

    def arrange(self, wanted: Mapping[Square, Piece]) -> None:
        """Let these pieces stand on these squares; all others lie beside the board."""
        for square in SQUARES:
            standing = self.board.at(square)
            if standing and standing is not wanted.get(square):
                self.beside[standing.side].append(self.board.lift(square))
        for square, piece in wanted.items():
            if self.board.at(square) is None:
                if piece in self.beside[piece.side]:
                    self.beside[piece.side].remove(piece)
                self.board.place(piece, square)
        self.changes += 1

    def move(self, source: Square, target: Square) -> None:
        """Move what stands on a square to an empty one, if that can be done."""
        if self.board.at(source) and not self.board.at(target):
            self.board.place(self.board.lift(source), target)
            self.changes += 1

    # Hands

    def touch(self, finger: int, place: Square | Piece | None) -> bool:
        """Let a finger come down on a square, on a piece beside the board, or beside it.

        Returns False if hands have nothing to do with it: it points.
        """
        waiting, self.waiting = self.waiting, None
        if waiting:
            self._set_down(waiting, place if isinstance(place, int) else None)
            at = self.board.at(place) if isinstance(place, int) else None
            if at is None or at is waiting.piece or at.side is not waiting.piece.side:
                return True
        held = self._lift(place)
        if held:
            self.carried[finger] = held
        self.changes += 1
        return held is not None or bool(waiting)

    def point(
        self, place: Square | Piece | None, ambiguous: Collection[tuple[Square, Square]]
    ) -> Square | None:
        """Put the tapped piece back if a tap on a place may mean more than setting it down there.

        `ambiguous` are such pairs of where the piece comes from and a target. Returns where it
        stands again, None if the tap is for the hands.
        """
        waiting = self.waiting
        if waiting is None or waiting.origin is None or (waiting.origin, place) not in ambiguous:
            return None
        self.waiting = None
        self._set_down(waiting, waiting.origin)
        return waiting.origin

    def carry(self, finger: int) -> None:
        """Note that a finger has gone elsewhere with what it holds."""
        self.carried[finger].is_carried = True

    def release(self, finger: int, square: Square | None) -> Square | None:
        """Lift a finger over a square, or beside the board; return the square that it points at."""
        held = self.carried.pop(finger)
        self.changes += 1
        if held.is_carried:
            self._set_down(held, square)
        elif held.was_seen:
            self.waiting = held
        else:
            self._put_back(held)
            return held.origin
        return None

    def _lift(self, place: Square | Piece | None) -> Held | None:
        if isinstance(place, Piece):
            self.beside[place.side].remove(place)
            return Held(place, None)
        piece = None if place is None else self.board.at(place)
        if place is None or piece is None or self.fixed >> place & 1:
            return None
        was_seen = bool(self.board.image().occupied >> place & 1)
        return Held(self.board.lift(place), place, was_seen)

    def _set_down(self, held: Held, square: Square | None) -> None:
        self.changes += 1
        standing = None if square is None else self.board.at(square)
        if square is None:
            self.beside[held.piece.side].append(held.piece)
        elif standing is None:
            self.board.place(held.piece, square)
        elif standing.side is not held.piece.side:
            self.beside[standing.side].append(self.board.lift(square))
            self.board.place(held.piece, square)
        else:
            self._put_back(held)

    def _put_back(self, held: Held) -> None:
        if held.origin is not None and self.board.at(held.origin) is None:
            self.board.place(held.piece, held.origin)
        else:
            self.beside[held.piece.side].append(held.piece)
