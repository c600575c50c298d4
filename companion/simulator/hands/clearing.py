"""Putting pieces in their places after a combat or a mistake, in the varying order of people."""

from typing import Final, TypeAlias

from companion.simulator.hands.behaviours import Behaviour
from companion.simulator.hands.board import Piece
from companion.simulator.hands.motions import Hand
from companion.simulator.hands.spans import Span
from companion.simulator.hands.truth import Turn
from companion.simulator.hands.world import Act
from engine.board.geometry import ALL, BESIDE, LAKES, Side, Square, SquareSet, squares_in

_LOOKS: Final = Span(150, 600, 2500)

Standing: TypeAlias = dict[Square, tuple[Side, Square]]
"""The correct placement: side and origin of a piece by its square."""


def put_right(hand: Hand, wanted: Standing, first: Piece | None = None) -> Act:
    """Put every piece in its place and lay the others aside.

    Args:
        hand: The hand that does it.
        wanted: The correct placement.
        first: The piece that is put in its place before the others are touched.
    """
    room = hand.room
    places = {room.pieces[whom]: square for square, whom in wanted.items()}
    if first is not None and first in places:
        yield from _place(hand, first, places[first])
    for square, piece in _astray(hand, wanted):
        if piece in room.board.all_at(square):
            yield from hand.lift(square, piece)
    for square, whom in sorted(wanted.items()):
        piece = room.pieces[whom]
        if piece not in room.board.all_at(square) and piece not in room.in_other_hands:
            yield from _place(hand, piece, square)


def _astray(hand: Hand, wanted: Standing) -> list[tuple[Square, Piece]]:
    """List the pieces that have to be lifted, in random order."""
    found = [
        (square, piece)
        for square in range(100)
        for piece in hand.room.board.all_at(square)
        if wanted.get(square) != (piece.side, piece.origin) or not piece.is_felt
        if piece not in hand.room.in_other_hands
    ]
    hand.room.dice.shuffle(found)
    return found


def _place(hand: Hand, piece: Piece, square: Square) -> Act:
    board = hand.room.board
    at = board.square_of(piece)
    if at == square and piece.is_felt:
        return
    if at is not None:
        yield from hand.lift(at, piece)
    yield from hand.put(piece, square)


def clear(hand: Hand, other: Hand, turn: Turn, wanted: Standing, before: Standing) -> Act:
    """Clear up after a combat.

    Args:
        hand: The hand of the attacking side.
        other: The hand of the defending side.
        turn: The attack.
        wanted: The correct placement now.
        before: The placement before the attack.
    """
    room = hand.room
    pieces = [room.pieces[before[each]] for each in (turn.source, turn.target)]
    alive = [room.pieces[whom] for whom in wanted.values()]
    winner = next((piece for piece in pieces if piece in alive), None)
    losers = [piece for piece in pieces if piece is not winner]
    clearer = hand
    if room.habit(Behaviour.OTHER_PLACES):
        room.did(Behaviour.OTHER_PLACES)
        clearer = other
    if habit := room.habit(Behaviour.BOTH_BACK):
        room.did(Behaviour.BOTH_BACK)
        yield from put_right(clearer, before)
        room.begin_trouble(Behaviour.BOTH_BACK.value)
        yield room.draw(habit.lasts)
        room.end_trouble(Behaviour.BOTH_BACK.value)
    if not winner and (habit := room.habit(Behaviour.TIE_LAID)):
        room.did(Behaviour.TIE_LAID)
        room.begin_trouble(Behaviour.TIE_LAID.value)
        room.dice.shuffle(losers)
        for loser in losers:
            yield from _stand_about(clearer, loser, turn, wanted)
        yield room.draw(habit.lasts)
        yield from put_right(clearer, wanted)
        room.end_trouble(Behaviour.TIE_LAID.value)
    first = None
    if winner and room.habit(Behaviour.WINNER_FIRST):
        room.did(Behaviour.WINNER_FIRST)
        first = winner
    if habit := room.habit(Behaviour.LATE_LOSER):
        late = losers[0] if len(losers) == 1 else room.dice.choice(losers)
        room.did(Behaviour.LATE_LOSER)
        room.begin_trouble(Behaviour.LATE_LOSER.value)
        yield from _stand_about(clearer, late, turn, wanted)
        yield from put_right(clearer, wanted | _there(room.board.square_of(late), late), first)
        yield from _look_at_next(other, wanted)
        yield room.draw(habit.lasts)
        room.end_trouble(Behaviour.LATE_LOSER.value)
    yield from put_right(clearer, wanted, first)
    if winner and (habit := room.habit(Behaviour.RETAKE)):
        room.did(Behaviour.RETAKE)
        square = room.board.square_of(winner)
        assert square is not None
        yield room.draw(habit.lasts)
        yield from hand.straighten(square, habit.lasts)


def _there(square: Square | None, piece: Piece) -> Standing:
    return {} if square is None else {square: (piece.side, piece.origin)}


def _look_at_next(hand: Hand, wanted: Standing) -> Act:
    """While the loser is still on the board, lift a piece that might move next, and put it back."""
    own = [square for square, (side, _) in sorted(wanted.items()) if side is hand.side]
    taken = sum(1 << square for square in wanted)
    could = [square for square in own if BESIDE[square] & ~taken & ~LAKES]
    if could:
        yield from hand.straighten(hand.room.dice.choice(could), _LOOKS)


def _stand_about(hand: Hand, loser: Piece, turn: Turn, wanted: Standing) -> Act:
    """Set the loser down on a free square, as if that were beside the board."""
    taken: SquareSet = sum(1 << square for square in wanted) | 1 << turn.source | 1 << turn.target
    near = BESIDE[turn.source] | BESIDE[turn.target]
    free = [
        each for each in squares_in(ALL & ~LAKES & ~taken & near) if hand.room.board.is_empty(each)
    ]
    if not free:
        return
    at = hand.room.board.square_of(loser)
    if at is not None:
        yield from hand.lift(at, loser)
    yield from hand.put(loser, hand.room.dice.choice(free))
