"""Accidents: knocked pieces, pieces that fall beside an attack, magnets laid beside the board.

Each of them is recorded in the room while the board is really wrong: a report is justified then.
"""

from collections.abc import Iterable
from typing import Final

from companion.simulator.hands.behaviours import Behaviour
from companion.simulator.hands.board import Piece
from companion.simulator.hands.looking import is_free_to_lift
from companion.simulator.hands.room import Room
from companion.simulator.hands.spans import Span
from companion.simulator.hands.truth import Truth, Turn
from companion.simulator.hands.world import Act
from engine.board.geometry import (
    ALL,
    BESIDE,
    LAKES,
    WIDTH,
    Side,
    Square,
    SquareSet,
    set_of,
    squares_in,
)

_LEAST_KNOCKED, _MOST_KNOCKED = 9, 24
_KNOCKS: Final = Span(0, 60, 300)
"""Delay of each knock from the start of the bump, in milliseconds."""
_PUSHED_STANDS: Final = Span(150, 400, 1000)
"""Delay between the pushed piece and the other knocks, in milliseconds."""
_LOOKS_AT_IT: Final = Span(400, 1000, 3000)
"""Delay between a bump and the first piece that is put back, in milliseconds."""
_UP: Final = Span(100, 220, 500)
_DOWN: Final = Span(120, 280, 700)
_LIES: Final = Span(150, 800, 4000)
_PULSES: Final = Span(20, 60, 160)
_GAPS: Final = Span(60, 300, 1500)
_CHECK_MS: Final = 100
_EDGE: Final = set_of(
    square for square in range(100) if square % WIDTH in (0, 9) or square // WIDTH in (0, 9)
)


class Bump:
    """A bump against the board, and how the pieces are put back."""

    def __init__(self, room: Room, truth: Truth, start: Turn | None = None) -> None:
        """Prepare a bump.

        Args:
            room: The room in which it happens.
            truth: The game with the correct squares of the pieces.
            start: The move that the first pushed piece seems to make; None if no piece seems moved.
        """
        self._room, self._truth, self._start = room, truth, start
        self._belongs: dict[Piece, Square] = {}
        """The knocked pieces, with their original squares."""

    def act(self) -> Act:
        """Knock nine or more pieces, and put all of them back, in random order."""
        room, board, start = self._room, self._room.board, self._start
        while room.is_undecided or room.is_bumped:
            yield _CHECK_MS
        knocked = self._choose()
        if len(knocked) < _LEAST_KNOCKED:
            return
        behaviour = Behaviour.BUMP_AFTER_MOVE if start else Behaviour.BUMP
        room.did(behaviour)
        room.begin_trouble(behaviour.value)
        room.is_bumped = True
        if start and (pushed := board.at(start.source)):
            self._belongs[pushed] = start.source
            board.put(board.lift(start.source), start.target)
            yield room.draw(_PUSHED_STANDS)
        self._belongs |= knocked
        room.in_other_hands |= set(self._belongs)
        yield from self._knock(knocked)
        yield room.draw(_LOOKS_AT_IT)
        yield from self._put_back()
        room.in_other_hands -= set(self._belongs)
        room.is_bumped = False
        room.end_trouble(behaviour.value)

    def _choose(self) -> dict[Piece, Square]:
        """Choose adjacent pieces that are not in a hand or part of the current turn."""
        room = self._room
        could = {
            square: piece
            for square, (side, origin) in self._truth.standing().items()
            if square not in room.busy
            and (self._start is None or square != self._start.source)
            and room.board.at(square) is (piece := room.pieces[side, origin])
            and is_free_to_lift(room, piece, square)
        }
        if len(could) < _LEAST_KNOCKED:
            return {}
        middle = self._start.target if self._start else room.dice.randrange(WIDTH * WIDTH)
        column, row = middle % WIDTH, middle // WIDTH
        nearest = sorted(
            could,
            key=lambda each: ((each % WIDTH - column) ** 2 + (each // WIDTH - row) ** 2, each),
        )
        count = min(len(could), room.dice.randint(_LEAST_KNOCKED, _MOST_KNOCKED))
        return {could[square]: square for square in nearest[:count]}

    def _knock(self, knocked: dict[Piece, Square]) -> Act:
        room, board = self._room, self._room.board
        moments = sorted((room.draw(_KNOCKS), square) for square in knocked.values())
        before = 0
        for moment, square in moments:
            yield moment - before
            before = moment
            piece = next(each for each, stood in knocked.items() if stood == square)
            way = room.dice.random()
            beside = self._free_beside(square)
            if way < 0.55 or (way < 0.8 and not beside):
                board.feel(square, piece, is_felt=False)  # half out of its square, or tipped over
            elif way < 0.8:
                board.put(board.lift(square, piece), room.dice.choice(beside))
            else:
                board.lift(square, piece)

    def _free_beside(self, square: Square) -> list[Square]:
        room = self._room
        near = squares_in(BESIDE[square] & self._truth.free & ~LAKES)
        return [each for each in near if room.board.is_empty(each) and each not in room.busy]

    def _put_back(self) -> Act:
        room, board = self._room, self._room.board
        order = list(self._belongs)
        room.dice.shuffle(order)
        for piece in order:
            there, belongs = board.square_of(piece), self._belongs[piece]
            if there == belongs and piece.is_felt:
                continue
            for lying in board.all_at(belongs):
                if lying is not piece:
                    board.lift(belongs, lying)  # it is put back later, from beside the board
                    yield room.draw(_UP)
            if there is not None:
                board.lift(there, piece)
            yield room.draw(_DOWN)
            board.put(piece, belongs)
            yield room.draw(_UP)


def fall(room: Room, squares: Iterable[Square], not_of: Side | None = None) -> Act:
    """Drop a captured piece on one of these squares; it is removed after a while.

    No piece of the side `not_of` falls: with its attacker in the air, it would look like the
    attacker set down.
    """
    free = [each for each in squares if room.board.is_empty(each) and each not in room.busy]
    could = (each for each in room.captured - room.in_other_hands if each.side is not not_of)
    captured = sorted(could, key=lambda piece: (piece.side.value, piece.origin))
    if not free or not captured:
        return
    room.did(Behaviour.FALL)
    room.begin_trouble(Behaviour.FALL.value)
    piece, square = room.dice.choice(captured), room.dice.choice(free)
    room.in_other_hands.add(piece)
    room.board.put(piece, square)
    yield room.draw(_LIES)
    if piece in room.board.all_at(square):
        room.board.lift(square, piece)
    room.in_other_hands.discard(piece)
    room.end_trouble(Behaviour.FALL.value)


def beside(turn: Turn, free: SquareSet) -> list[Square]:
    """Return the free squares beside an attack."""
    around = BESIDE[turn.source] | BESIDE[turn.target]
    return list(squares_in(around & free & ALL & ~LAKES & ~(1 << turn.source)))


def edge_ghost(room: Room, truth: Truth, behaviour: Behaviour, side: Side) -> Act:
    """Lay a magnet beside the board: an edge square detects it until it is pushed away."""
    while any(piece.side is side for piece in room.looked_at) or room.is_bumped:
        yield _CHECK_MS
    could = [each for each in squares_in(_EDGE & truth.free) if room.board.is_empty(each)]
    could = [each for each in could if each not in room.busy | room.ghosts]
    if not could:
        return
    square = room.dice.choice(could)
    room.did(behaviour)
    room.ghosts.add(square)
    lasts, begun = room.draw(room.profile.habits[behaviour].lasts), room.world.now
    if behaviour is Behaviour.EDGE_FLICKER:
        while room.world.now - begun < lasts:
            room.board.come_over(square, side)
            yield room.draw(_PULSES)
            room.board.go_on(square, side)
            yield room.draw(_GAPS)
    else:
        room.begin_trouble(behaviour.value)
        room.board.come_over(square, side)
        while room.world.now - begun < lasts and not room.is_told:
            yield _CHECK_MS
        yield room.draw(room.profile.pace.react)
        room.board.go_on(square, side)
        room.end_trouble(behaviour.value)
    room.ghosts.discard(square)
