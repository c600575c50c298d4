"""The ways in which people move a piece to an empty square.

Each habit is a part of its own that is thrown for alone, so that they occur together as well.
"""

from collections.abc import Iterable, Sequence

from companion.simulator.hands.behaviours import Behaviour, Habit
from companion.simulator.hands.board import Piece
from companion.simulator.hands.motions import Hand
from companion.simulator.hands.truth import Turn
from companion.simulator.hands.world import Act, Doing
from engine.squares import ALL, BESIDE, LAKES, Square, SquareSet, line, squares_in


def make_move(hand: Hand, turn: Turn, free: SquareSet, own: SquareSet) -> Act:
    """Move a piece as people do.

    Args:
        hand: Whose hand does it.
        turn: What it comes to.
        free: Where another piece could be set down meanwhile.
        own: Where other pieces of the same side stand that nobody needs.
    """
    room = hand.room
    path = line(turn.source, turn.target)
    assert path, "a move is straight"
    yield from _hesitate(hand, turn, free, own)
    if len(path) > 1 and (habit := room.habit(Behaviour.RUN_PAUSE)):
        yield from _run_with_pause(hand, turn, path, habit)
    elif habit := room.habit(Behaviour.SLIDE):
        room.did(Behaviour.SLIDE)
        yield from hand.slide(turn.source, path, habit.lasts)
    elif habit := room.habit(Behaviour.PUSH):
        room.did(Behaviour.PUSH)
        yield from hand.slide(turn.source, path, habit.lasts, lagging=True)
    else:
        yield from _carry(hand, turn, free, own)


def _carry(hand: Hand, turn: Turn, free: SquareSet, own: SquareSet) -> Act:
    """Lift the piece and set it down, with whatever comes between."""
    room = hand.room
    piece = yield from pick_up(hand, turn.source, own)
    yield from linger(hand, piece, turn)
    if habit := room.habit(Behaviour.RECONSIDER):
        first = _elsewhere(hand, turn, free)
        if first is not None and not room.in_other_hands:
            room.did(Behaviour.RECONSIDER)
            room.is_undecided = True
            yield from hand.put(piece, first)
            yield room.draw(habit.lasts)
            room.board.lift(first, piece)
            room.is_undecided = False
    yield from hand.put(piece, turn.target, finally_=True)


def pick_up(hand: Hand, source: Square, own: SquareSet) -> Doing[Piece]:
    """Lift a piece; now and then its neighbour comes up too, and is set back."""
    room = hand.room
    piece = yield from hand.lift(source)
    if habit := room.habit(Behaviour.TWO_UP):
        beside = list(squares_in(BESIDE[source] & own))
        if beside:
            room.did(Behaviour.TWO_UP)
            yield from _take_along(hand, room.dice.choice(beside), habit)
    return piece


def _take_along(hand: Hand, square: Square, habit: Habit) -> Act:
    hand.deed.reach_ms = 0
    yield from hand.straighten(square, habit.lasts)


def linger(hand: Hand, piece: Piece, turn: Turn) -> Act:
    """Think with the piece in the hand, and look at squares with it."""
    room = hand.room
    if habit := room.habit(Behaviour.HOLD):
        room.did(Behaviour.HOLD)
        yield room.draw(habit.lasts)
    if habit := room.habit(Behaviour.HOVER):
        room.did(Behaviour.HOVER)
        near = _near(turn)
        count = min(room.dice.randint(1, 3), len(near))
        yield from hand.hover(piece, room.dice.sample(near, count), habit.lasts)


def _hesitate(hand: Hand, turn: Turn, free: SquareSet, own: SquareSet) -> Act:
    """Take up another piece first: look at it, or try it somewhere, and put it back."""
    room = hand.room
    others = list(squares_in(own))
    if others and (habit := room.habit(Behaviour.TOUCH)):
        room.did(Behaviour.TOUCH)
        yield from hand.straighten(room.dice.choice(others), habit.lasts)
    if habit := room.habit(Behaviour.GIVE_UP):
        tried = [each for each in others if BESIDE[each] & free & ~(1 << turn.target)]
        if tried:
            room.did(Behaviour.GIVE_UP)
            yield from _try_in_vain(
                hand, room.dice.choice(tried), free & ~(1 << turn.target), habit
            )


def _try_in_vain(hand: Hand, source: Square, free: SquareSet, habit: Habit) -> Act:
    room = hand.room
    yield hand.reach()
    piece = room.board.at(source)
    if piece is None or room.in_other_hands:
        return
    room.is_undecided = True
    room.board.lift(source)
    where = room.dice.choice(list(squares_in(BESIDE[source] & free)))
    yield from hand.put(piece, where)
    yield room.draw(habit.lasts)
    room.board.lift(where, piece)
    yield from hand.put(piece, source)
    room.is_undecided = False


def _run_with_pause(hand: Hand, turn: Turn, path: Sequence[Square], habit: Habit) -> Act:
    """A scout stands for a moment on its way."""
    room = hand.room
    room.did(Behaviour.RUN_PAUSE)
    stop = room.dice.choice(path[:-1])
    if hand.chance(0.5):
        yield from _hop(hand, turn, stop, habit)
    else:
        yield from hand.slide(turn.source, path, habit.lasts)


def _hop(hand: Hand, turn: Turn, stop: Square, habit: Habit) -> Act:
    piece = yield from hand.lift(turn.source)
    yield from hand.put(piece, stop)
    yield hand.room.draw(habit.lasts)
    hand.room.board.lift(stop, piece)
    yield from hand.put(piece, turn.target, finally_=True)


def _elsewhere(hand: Hand, turn: Turn, free: SquareSet) -> Square | None:
    """Where the piece could have gone as well: one step from where it stood, or on its way."""
    on_the_way: Iterable[Square] = line(turn.source, turn.target) or ()
    could = BESIDE[turn.source] & free | sum(1 << each for each in on_the_way) & free
    could &= ~(1 << turn.target)
    return hand.room.dice.choice(list(squares_in(could))) if could else None


def _near(turn: Turn) -> list[Square]:
    around = BESIDE[turn.source] | BESIDE[turn.target] | 1 << turn.target
    for square in line(turn.source, turn.target) or ():
        around |= 1 << square | BESIDE[square]
    return list(squares_in(around & ALL & ~LAKES & ~(1 << turn.source)))
