"""Cleanup after combats and mistakes, with the pieces handled in varying order."""

from collections.abc import Callable
from random import Random
from typing import Final, TypeAlias

from engine.board.geometry import ALL, BESIDE, LAKES, Side, Square, SquareSet, squares_in
from tests.hands.behaviours import Behaviour
from tests.hands.board import GroundTruth, Piece, Turn
from tests.hands.motions import Hand
from tests.hands.scheduler import Act, Duration
from tests.hands.shared_state import SharedState

_LOOKS: Final = Duration(150, 600, 2500)

Standing: TypeAlias = dict[Square, tuple[Side, Square]]
"""Correct placement of the pieces: for each square, the side and origin of its piece."""


def put_right(hand: Hand, wanted: Standing, first: Piece | None = None) -> Act:
    """Put every piece on its correct square, and remove all pieces that do not belong on the board.

    `first` is put on its square before any other piece is touched.
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
    """Return the pieces that have to be lifted, each with its square, in random order."""
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
    """Clean up after combat.

    `hand` belongs to the attacker and `other` to the defender. `wanted` is the correct placement
    after the combat, and `before` the placement before the attack.
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
        room.begin_disturbance(Behaviour.BOTH_BACK.value)
        yield room.draw(habit.lasts)
        room.end_disturbance(Behaviour.BOTH_BACK.value)
    if not winner and (habit := room.habit(Behaviour.TIE_LAID)):
        room.did(Behaviour.TIE_LAID)
        room.begin_disturbance(Behaviour.TIE_LAID.value)
        room.dice.shuffle(losers)
        for loser in losers:
            yield from _stand_about(clearer, loser, turn, wanted)
        yield room.draw(habit.lasts)
        yield from put_right(clearer, wanted)
        room.end_disturbance(Behaviour.TIE_LAID.value)
    first = None
    if winner and room.habit(Behaviour.WINNER_FIRST):
        room.did(Behaviour.WINNER_FIRST)
        first = winner
    if habit := room.habit(Behaviour.LATE_LOSER):
        late = losers[0] if len(losers) == 1 else room.dice.choice(losers)
        room.did(Behaviour.LATE_LOSER)
        room.begin_disturbance(Behaviour.LATE_LOSER.value)
        yield from _stand_about(clearer, late, turn, wanted)
        yield from put_right(clearer, wanted | _there(room.board.square_of(late), late), first)
        yield from _look_at_next(other, wanted)
        yield room.draw(habit.lasts)
        room.end_disturbance(Behaviour.LATE_LOSER.value)
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
    """Before the loser is removed, lift a piece that might move next, and put it back."""
    own = [square for square, (side, _) in sorted(wanted.items()) if side is hand.side]
    taken = sum(1 << square for square in wanted)
    could = [square for square in own if BESIDE[square] & ~taken & ~LAKES]
    if could:
        yield from hand.straighten(hand.room.dice.choice(could), _LOOKS)


def _stand_about(hand: Hand, loser: Piece, turn: Turn, wanted: Standing) -> Act:
    """Set the loser down on a free square rather than beside the board."""
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


# Inspections: players lift their own pieces to see the ranks, and put them back.

_SECOND_HAND: Final = Duration(0, 250, 800)
"""Delay in milliseconds between lifting two pieces for the same inspection."""
_TILTS: Final = Duration(20, 60, 140)
_WAITS_MS: Final = 200
_MOST_HELD: Final = 3
_NEAR_WEIGHT: Final = 4
"""Weight of a piece that stands next to a square of the current turn or next to an enemy. All other
pieces have weight 1."""


def look_at(
    room: SharedState,
    square: Square,
    lasts: int,
    dice: Random,
    then: Callable[[], object] = lambda: None,
) -> Act:
    """Lift a piece, hold it for `lasts` milliseconds and put it back.

    Call `then` when the piece is back. Skip the inspection if the piece is in another hand, covered
    or knocked over.
    """
    piece = room.board.at(square)
    may = piece is not None and is_free_to_lift(room, piece, square) and square not in room.busy
    if piece is None or not may or room.is_calm or not free_hands(room, piece.side):
        then()
        return
    room.in_other_hands.add(piece)
    room.looked_at[piece] = square
    if _tilts(room, dice):
        yield from _tilt(room, piece, square, dice)
    room.board.lift(square, piece)
    yield lasts
    room.board.put(piece, square)
    room.stands_since[piece] = room.world.now
    if _tilts(room, dice):
        yield from _tilt(room, piece, square, dice)
    room.in_other_hands.discard(piece)
    del room.looked_at[piece]
    then()


def is_free_to_lift(room: SharedState, piece: Piece, square: Square) -> bool:
    """Whether a piece is upright, alone on its square, and not in anyone's hand."""
    is_alone = room.board.all_at(square) == (piece,)
    return is_alone and piece.is_felt and piece not in room.in_other_hands


def free_hands(room: SharedState, side: Side) -> int:
    """Return how many more pieces a player can lift. The maximum is three, or one during a move."""
    held = sum(piece.side is side for piece in room.looked_at)
    moves = any(piece.side is side for piece in room.in_air)
    return max(0, (1 if moves else _MOST_HELD) - held)


def _tilts(room: SharedState, dice: Random) -> bool:
    habit = room.profile.habits.get(Behaviour.TILT)
    return habit is not None and dice.random() < habit.chance


def _tilt(room: SharedState, piece: Piece, square: Square, dice: Random) -> Act:
    """Tilt a piece on its square, so that the sensor loses it briefly once or twice."""
    room.did(Behaviour.TILT)
    for _ in range(dice.choice((1, 1, 1, 2))):
        room.board.feel(square, piece, is_felt=False)
        yield _TILTS.draw(dice)
        room.board.feel(square, piece, is_felt=True)
        yield _TILTS.draw(dice)


class Looker:
    """Player who inspects pieces throughout the game.

    The times are drawn from a separate random generator, so inspections do not affect the choice of
    turns.
    """

    def __init__(self, room: SharedState, truth: GroundTruth, side: Side, dice: Random) -> None:
        self._room, self._truth, self._side, self._dice = room, truth, side, dice

    def act(self) -> Act:
        """Inspect pieces at random times, at a constant average rate."""
        room, dice = self._room, self._dice
        habit = room.profile.habits[Behaviour.LOOK]
        while True:
            yield round(1000 * dice.expovariate(habit.chance))
            while room.is_calm or room.is_undecided or room.is_bumped or self._is_looking():
                yield _WAITS_MS
            squares = self._choose()
            if not squares:
                continue
            room.did(Behaviour.LOOK)
            if len(squares) > 1:
                room.did(Behaviour.LOOK_SEVERAL)
            after = 0
            for square in squares:
                room.world.start(look_at(room, square, habit.lasts.draw(dice), dice), after)
                after += _SECOND_HAND.draw(dice)

    def _is_looking(self) -> bool:
        return any(piece.side is self._side for piece in self._room.looked_at)

    def _choose(self) -> list[Square]:
        """Choose the squares for one inspection, usually a single square."""
        room, dice = self._room, self._dice
        could = list(squares_in(self._liftable()))
        several = room.profile.habits.get(Behaviour.LOOK_SEVERAL)
        count = 1
        if several and dice.random() < several.chance:
            count = dice.choice((2, 2, 3))
        found: list[Square] = []
        while could and len(found) < count:
            weights = [_NEAR_WEIGHT if self._is_near(each) else 1 for each in could]
            (chosen,) = dice.choices(could, weights)
            could.remove(chosen)
            found.append(chosen)
        return found

    def _liftable(self) -> SquareSet:
        """Return the squares of this side's pieces that can be lifted. Pieces of the current turn
        are excluded."""
        room, position = self._room, self._truth.referee.position.board
        found = 0
        for origin, square in position.standing(self._side).items():
            piece = room.pieces[self._side, origin]
            if square in room.busy or room.board.at(square) is not piece:
                continue
            if is_free_to_lift(room, piece, square):
                found |= 1 << square
        return found

    def _is_near(self, square: Square) -> bool:
        """Whether a square is next to an enemy or to a square of the current turn."""
        around = BESIDE[square]
        enemies = self._truth.referee.position.board.of(self._side.other)
        return bool(around & enemies) or any(around >> each & 1 for each in self._room.busy)
