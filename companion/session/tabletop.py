"""The simulated board as players use it: pieces with ranks, and hands that move them.

This module contains no rules. A finger drags a piece to an empty square, off the board, or onto an
opposing piece, which is then put beside the board. A tap on a piece lifts it, and the next tap sets
it down. If the second tap is ambiguous, it selects a square instead. If a sensor does not detect
its piece, the piece can only be dragged. A tap on it selects its square, as on the screen for a
real board.
"""

import random
from collections import deque
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import chain
from typing import Final, TypeAlias

from companion.setups.setup import Setup
from engine.board.board import Piece
from engine.board.geometry import SQUARES, Side, Square, SquareSet, set_of, squares_in
from engine.board.ranks import SYMBOLS, Army, Rank, RankSet, ranks_in
from engine.game.actions import PlaceArmies
from engine.game.referee import Referee
from engine.rules.editions import Edition
from firmware_bridge.board_hardware import PULL, RESTING
from firmware_bridge.image import Image
from firmware_bridge.simulated_board.board import FAULTS, InjectedFault, SimulatedBoard
from firmware_bridge.simulated_board.board import PhysicalPiece as SimulatedPiece
from firmware_bridge.wire import BoardKind

# Printed ranks.

Dealt: TypeAlias = dict[Piece, Rank]


def deal(army: Army, side: Side, seed: int) -> Dealt:
    """Deal an army randomly onto a side's rows. The same seed always gives the same deal."""
    home = list(squares_in(side.home))
    if army.size < len(home):
        home = sorted(random.Random(f"{seed} {side.value} squares").sample(home, army.size))
    return _deal_onto(home, army, side, seed)


def _deal_onto(squares: Iterable[Square], army: Army, side: Side, seed: int) -> Dealt:
    ranks = army.pieces
    random.Random(f"{seed} {side.value}").shuffle(ranks)
    return dict(zip(squares, ranks, strict=True))


def deal_again(referee: Referee, side: Side, seed: int) -> Dealt:
    """Deal ranks to the pieces of a game in progress, consistent with all known facts.

    The initial deal is changed as little as possible. If an arbiter has accepted an impossible
    declaration, the piece gets the declared rank, and the army no longer has the right ranks.
    """
    placed = list(squares_in(placed_pieces(referee, side)))
    dealt = _deal_onto(placed, referee.edition.army_of(side), side, seed)
    possible = {piece: referee.position.player(side).deduction.possible(piece) for piece in placed}
    attack = referee.open_attack
    if attack and side in attack.declared:
        declaring = referee.position.board.piece_at(attack.square(side))
        possible[declaring] = 1 << attack.declared[side].unseal()
    for piece, ranks in possible.items():
        if not ranks >> dealt[piece] & 1:
            _make_possible(dealt, possible, piece)
    return dealt


def _make_possible(dealt: Dealt, possible: Mapping[Piece, RankSet], piece: Piece) -> None:
    """Give a piece a possible rank by swapping ranks among as few pieces as possible."""
    ring = _find_ring(dealt, possible, piece)
    if ring:
        first, *rest = [dealt[each] for each in ring]
        dealt.update(zip(ring, [*rest, first], strict=True))
    else:
        dealt[piece] = next(ranks_in(possible[piece]))


def _find_ring(dealt: Dealt, possible: Mapping[Piece, RankSet], piece: Piece) -> list[Piece]:
    """Find a cycle of pieces, starting with this one, in which each can take the next one's rank.

    Return an empty list if there is no such cycle.
    """
    met, ways = {piece}, deque([[piece]])
    while ways:
        way = ways.popleft()
        ranks = possible[way[-1]]
        if ranks >> dealt[piece] & 1:
            return way
        for giver, rank in dealt.items():
            if giver not in met and ranks >> rank & 1:
                met.add(giver)
                ways.append([*way, giver])
    return []


def placed_pieces(referee: Referee, side: Side) -> SquareSet:
    """Return all pieces that a side began with, each identified by its setup square."""
    placing = referee.actions[0]
    assert isinstance(placing, PlaceArmies)
    return set_of(piece for owner, piece in placing.pieces if owner is side)


# Simulated board.


class SensorFault(Enum):
    """Sensor faults that can be simulated."""

    DEAD = "dead"
    """The sensor never detects a piece, even if its square is occupied."""
    STUCK = "stuck"
    """The sensor always reports a piece, even if its square is empty."""
    FLICKERS = "flickers"
    """The sensor intermittently loses its piece."""


def _detect_piece(board: SimulatedBoard, square: Square) -> None:
    """Make a sensor report a red piece. A switch reports a piece of unknown colour."""
    pull = PULL[board.kind] if board.kind is BoardKind.COLOURS else -PULL[board.kind]
    board.set_stuck(square, RESTING[board.kind] + pull)


_INJECTED: Final[Mapping[SensorFault, InjectedFault]] = {
    SensorFault.DEAD: FAULTS["dead"],
    SensorFault.STUCK: _detect_piece,
    SensorFault.FLICKERS: SimulatedBoard.flicker,
}


@dataclass
class CarriedPiece:
    """A piece in a hand."""

    piece: SimulatedPiece
    origin: Square | None
    """Square from which the piece was lifted, or None if it was beside the board."""
    was_seen: bool = True
    """Whether the sensor of the origin square detected the piece."""
    is_carried: bool = False
    """Whether the finger has moved the piece to another square or off the board."""


class Tabletop:
    """The simulated board with all its pieces."""

    def __init__(self, board: SimulatedBoard) -> None:
        self.board = board
        self.beside: dict[Side, list[SimulatedPiece]] = {side: [] for side in Side}
        """Pieces beside the board, in the order in which they were put there."""
        self.carried: dict[int, CarriedPiece] = {}
        """The piece carried by each finger."""
        self.waiting: CarriedPiece | None = None
        """The piece that a tap has lifted. It stays in the hand until the next tap."""
        self.alone: Side | None = None
        """The side of a person who plays alone, or None. The ranks of this side are always
        visible."""
        self.open_side: Side | None = None
        """The side whose ranks both players see because of a handicap, or None."""
        self.fixed: SquareSet = 0
        """Squares whose pieces cannot be lifted, because the program has placed them."""
        self.safe: SquareSet = 0
        """Squares whose pieces cannot be captured, because the game has not begun."""
        self.peeked: set[Side] = set()
        """Sides whose ranks are visible because their eye button is held."""
        self.is_open = False
        """Whether both armies are face up, because the game is over."""
        self.faults: dict[Square, SensorFault] = {}
        """Sensor faults that the user has injected, keyed by square."""
        self.changes = 0
        """Counter that is incremented whenever the visible board changes."""

    @property
    def standing(self) -> Image:
        """Image of the pieces that are actually on the board, regardless of the sensors."""
        pieces = {square: piece for square in SQUARES if (piece := self.board.at(square))}
        return Image(
            *(set_of(at for at, piece in pieces.items() if piece.side is side) for side in Side)
        )

    @property
    def is_held(self) -> bool:
        return bool(self.carried or self.waiting)

    def shows(self, side: Side) -> bool:
        return self.is_open or side in (self.alone, self.open_side) or side in self.peeked

    def turn_up(self, *, on: bool) -> None:
        if on is not self.is_open:
            self.is_open = on
            self.changes += 1

    def show_open(self, side: Side | None) -> None:
        """Show the ranks of a side's open army all the time. Pass None if there is no open army."""
        if side is not self.open_side:
            self.open_side = side
            self.changes += 1

    def peek(self, side: Side, *, on: bool) -> None:
        self.peeked = self.peeked | {side} if on else self.peeked - {side}
        self.changes += 1

    def spoil(self, square: Square, fault: SensorFault | None) -> None:
        """Inject a fault into the sensor of a square. Pass None to repair the sensor."""
        self.board.repair(square)
        self.faults.pop(square, None)
        if fault:
            self.faults[square] = fault
            _INJECTED[fault](self.board, square)

    # Pieces on the board

    def stand(self, side: Side, ranks: Mapping[Square, Rank]) -> None:
        """Place new pieces of a side on empty squares."""
        for square, rank in ranks.items():
            self.board.stand(side, square, rank.symbol)
        self.changes += 1

    def set_up(self, edition: Edition, seed: int) -> None:
        """Remove all pieces, and place both armies in their rows with newly dealt ranks."""
        self.clear()
        for side in Side:
            self.stand(side, deal(edition.army_of(side), side, seed))

    def clear(self) -> None:
        """Remove all pieces, including those beside the board and those that hands are holding."""
        for square in SQUARES:
            if self.board.at(square):
                self.board.take_away(square)
        self.beside = {side: [] for side in Side}
        self.carried, self.waiting = {}, None
        self.changes += 1

    def arrange(self, pieces: Mapping[Square, SimulatedPiece]) -> None:
        """Put the given pieces on their squares, and all other pieces beside the board."""
        for square in SQUARES:
            standing = self.board.at(square)
            if standing and standing is not pieces.get(square):
                self.beside[standing.side].append(self.board.lift(square))
        for square, piece in pieces.items():
            if self.board.at(square) is None:
                if piece in self.beside[piece.side]:
                    self.beside[piece.side].remove(piece)
                self.board.place(piece, square)
        self.changes += 1

    def restore(self, wanted: Mapping[Square, tuple[Side, Rank]]) -> None:
        """Place pieces of the given sides and ranks, and put all others beside the board.

        Existing pieces are reused where possible, and missing pieces (for example, after a restart)
        are created.
        """
        for held in (*self.carried.values(), *([self.waiting] if self.waiting else [])):
            self.beside[held.piece.side].append(held.piece)
        self.carried, self.waiting = {}, None
        printed = {square: (side, rank.symbol) for square, (side, rank) in wanted.items()}
        standing = {square: piece for square in SQUARES if (piece := self.board.at(square))}
        arranged = {
            square: piece
            for square, piece in standing.items()
            if printed.get(square) == (piece.side, piece.label)
        }
        spare = [piece for square, piece in standing.items() if square not in arranged]
        spare += chain.from_iterable(self.beside.values())
        for square, (side, label) in printed.items():
            if square not in arranged:
                fitting = [each for each in spare if (each.side, each.label) == (side, label)]
                arranged[square] = fitting[0] if fitting else SimulatedPiece(side, label)
                spare = [each for each in spare if each is not arranged[square]]
        self.arrange(arranged)

    def move(self, source: Square, target: Square) -> None:
        """Move a piece to a square if the square is empty."""
        if self.board.at(source) and not self.board.at(target):
            self.board.place(self.board.lift(source), target)
            self.changes += 1

    # Hands

    def touch(self, finger: int, place: Square | SimulatedPiece | None) -> bool:
        """Put a finger down on a square, on a piece beside the board, or on an empty place there.

        Return False if the touch is not a hand action but selects a square.
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
        self, place: Square | SimulatedPiece | None, ambiguous: Collection[tuple[Square, Square]]
    ) -> Square | None:
        """Put the lifted piece back if a tap on `place` might not be meant to set the piece down.

        `ambiguous` contains the pairs of origin and target squares for which a tap is ambiguous.
        Return the square of the piece that was put back, or None if the tap is a hand action.
        """
        waiting = self.waiting
        if waiting is None or waiting.origin is None or (waiting.origin, place) not in ambiguous:
            return None
        self.waiting = None
        self._set_down(waiting, waiting.origin)
        return waiting.origin

    def carry(self, finger: int) -> None:
        """Record that a finger has moved its piece to another square or off the board."""
        self.carried[finger].is_carried = True

    def release(self, finger: int, square: Square | None) -> Square | None:
        """Lift a finger off the board or the table. Return the square that it selected, if any."""
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

    def _lift(self, place: Square | SimulatedPiece | None) -> CarriedPiece | None:
        if isinstance(place, SimulatedPiece):
            self.beside[place.side].remove(place)
            return CarriedPiece(place, None)
        piece = None if place is None else self.board.at(place)
        if place is None or piece is None or self.fixed >> place & 1:
            return None
        was_seen = bool(self.board.image().occupied >> place & 1)
        return CarriedPiece(self.board.lift(place), place, was_seen)

    def _set_down(self, held: CarriedPiece, square: Square | None) -> None:
        self.changes += 1
        standing = None if square is None else self.board.at(square)
        if square is None:
            self.beside[held.piece.side].append(held.piece)
        elif standing is None:
            self.board.place(held.piece, square)
        elif standing.side is not held.piece.side and not self.safe >> square & 1:
            self.beside[standing.side].append(self.board.lift(square))
            self.board.place(held.piece, square)
        else:
            self._put_back(held)

    def _put_back(self, held: CarriedPiece) -> None:
        if held.origin is not None and self.board.at(held.origin) is None:
            self.board.place(held.piece, held.origin)
        else:
            self.beside[held.piece.side].append(held.piece)


# Setups.


def standing_setup(board: SimulatedBoard, side: Side) -> Setup:
    """Return the setup that a side's pieces form in its rows. Other squares are ignored."""
    pieces = {square: board.at(square) for square in squares_in(side.home)}
    ranks = {
        square: SYMBOLS[piece.label]
        for square, piece in pieces.items()
        if piece and piece.side is side and piece.label in SYMBOLS
    }
    return Setup.of(side, ranks)


def stand(tabletop: Tabletop, side: Side, setup: Setup) -> None:
    """Place a side's army according to a setup.

    All other pieces of the side, and all other pieces in its rows, are removed.
    """
    board = tabletop.board
    wanted = setup.on_squares_of(side)
    for square in SQUARES:
        piece = board.at(square)
        if piece is None:
            continue
        rank = wanted.get(square)
        if piece.side is side and rank is not None and piece.label == rank.symbol:
            del wanted[square]
        elif piece.side is side or side.home >> square & 1:
            board.take_away(square)
    tabletop.beside[side].clear()
    tabletop.stand(side, wanted)
