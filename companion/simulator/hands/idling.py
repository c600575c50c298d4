"""Incidental actions of hands and sleeves: straightening, pushing and tipping over pieces.

Damage done by a sleeve is repaired when it is noticed: after a while, or because the table reports
it.
"""

from typing import Final

from companion.simulator.hands.behaviours import Behaviour
from companion.simulator.hands.board import Piece
from companion.simulator.hands.motions import OVERLAP, Deed, Hand
from companion.simulator.hands.room import Room
from companion.simulator.hands.world import Act, Doing
from engine.board.geometry import BESIDE, LAKES, Side, Square, SquareSet, squares_in

_LOOKS_MS: Final = 100
"""Interval at which a player who has not noticed the damage could do so."""


def adjust(room: Room, side: Side, behaviour: Behaviour, pieces: SquareSet) -> Act:
    """Straighten one of the player's own pieces."""
    habit = room.profile.habits[behaviour]
    could = [square for square in squares_in(pieces) if square not in room.busy]
    if not could:
        return
    while room.is_undecided:
        yield _LOOKS_MS
    room.did(behaviour)
    square = room.dice.choice(could)
    room.busy.add(square)
    yield from Hand(side, room, Deed(side)).straighten(square, habit.lasts)
    room.busy.discard(square)


class Sleeve:
    """A sleeve that disturbs one piece, until it is put right."""

    def __init__(self, room: Room, whose: Side) -> None:
        """Prepare the sleeve of a side; both players can notice the damage."""
        self.room = room
        self.whose = whose
        self.is_told = False
        """Whether the table has reported that something is wrong."""

    def sweep(self, behaviour: Behaviour, near: SquareSet, free: SquareSet) -> Act:
        """Do the damage, go on for a while, notice it and repair it."""
        room = self.room
        while room.is_undecided:
            yield _LOOKS_MS
        could = [
            square
            for square in squares_in(near)
            if square not in room.busy
            and len(room.board.all_at(square)) == 1
            and room.board.at(square) not in room.in_other_hands
        ]
        if behaviour is Behaviour.SLEEVE_NEXT:
            could = [each for each in could if self._next(each, free)]
        if not could:
            return
        square = room.dice.choice(could)
        piece = room.board.at(square)
        assert piece
        room.did(behaviour)
        trouble = f"{behaviour.value} {square}"
        room.begin_trouble(trouble)
        room.in_other_hands.add(piece)
        there = yield from self._harm(behaviour, square, piece, free)
        room.busy |= {square, there}
        yield from self._notice(room.draw(room.profile.habits[behaviour].lasts))
        yield from self._mend(piece, there, square)
        room.busy -= {square, there}
        room.in_other_hands.discard(piece)
        room.end_trouble(trouble)

    def _next(self, square: Square, free: SquareSet) -> list[Square]:
        open_squares = squares_in(BESIDE[square] & free & ~LAKES)
        return [each for each in open_squares if each not in self.room.busy]

    def _harm(
        self, behaviour: Behaviour, square: Square, piece: Piece, free: SquareSet
    ) -> Doing[Square]:
        """Do the damage and return the square of the piece afterwards."""
        room = self.room
        if behaviour is Behaviour.SLEEVE_TIP:
            room.board.feel(square, piece, is_felt=False)
            return square
        if behaviour is Behaviour.SLEEVE_NEXT:
            there = room.dice.choice(self._next(square, free))
            room.pushed.add((piece.side, square, there))
            room.board.come_over(square, piece.side)
            room.board.put(room.board.lift(square), there)
            yield room.draw(OVERLAP)
            room.board.go_on(square, piece.side)
            return there
        # Half out of its square: detected weakly, or on both sides of the border.
        beside = list(squares_in(BESIDE[square] & free))
        if beside and room.dice.random() < 0.5:
            other = room.dice.choice(beside)
            room.board.come_over(other, piece.side)
            yield room.draw(OVERLAP)
            room.board.go_on(other, piece.side)
        room.board.feel(square, piece, is_felt=False)
        return square

    def _notice(self, unnoticed: int) -> Act:
        waited = 0
        while waited < unnoticed and not self.is_told:
            yield _LOOKS_MS
            waited += _LOOKS_MS
        yield self.room.draw(self.room.profile.pace.react)

    def _mend(self, piece: Piece, there: Square, square: Square) -> Act:
        hand = Hand(self.whose, self.room, Deed(self.whose))
        if piece in self.room.board.all_at(there):
            yield from hand.lift(there, piece)
        yield from hand.put(piece, square)
