"""The ways in which people move a piece to an empty square.

Each habit is a separate part with its own random draw, so that combinations occur as well.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from companion.simulator.hands.behaviours import Behaviour, Habit
from companion.simulator.hands.board import Piece
from companion.simulator.hands.looking import is_free_to_lift, look_at
from companion.simulator.hands.motions import Hand
from companion.simulator.hands.room import Room
from companion.simulator.hands.slips import crooked_from
from companion.simulator.hands.truth import Turn
from companion.simulator.hands.world import Act, Doing
from engine.board.geometry import ALL, BESIDE, LAKES, Square, SquareSet, line, squares_in

_ON_ITS_WAY_MS: Final = 1900
"""Time from the lift within which a piece that has stopped wrongly is set on a legal square."""


@dataclass(frozen=True)
class Choice:
    """Alternatives that the player of a turn could try, without the pieces that other acts need."""

    own: SquareSet = 0
    """The squares of other pieces of the same side."""
    instead: tuple[Turn, ...] = ()
    """The other legal moves of the side; no attacks."""


def make_move(hand: Hand, turn: Turn, choice: Choice) -> Act:
    """Move a piece as people do; `turn` is the final result."""
    room = hand.room
    path = line(turn.source, turn.target)
    assert path, "a move is straight"
    yield from hesitate(hand, turn, choice)
    if len(path) > 1 and (habit := room.habit(Behaviour.RUN_PAUSE)):
        yield from _run_with_pause(hand, turn, path, habit)
    elif habit := room.habit(Behaviour.SLIDE):
        room.did(Behaviour.SLIDE)
        yield from hand.slide(turn.source, path, habit.lasts)
    elif habit := room.habit(Behaviour.PUSH):
        room.did(Behaviour.PUSH)
        yield from hand.slide(turn.source, path, habit.lasts, lagging=True)
    else:
        yield from _carry(hand, turn, choice)


def _carry(hand: Hand, turn: Turn, choice: Choice) -> Act:
    """Lift the piece and set it down, with optional behaviours in between."""
    room = hand.room
    piece = yield from pick_up(hand, turn.source, choice.own)
    yield from linger(hand, piece, turn, choice)
    if habit := room.habit(Behaviour.WRONG_STOP):
        yield from _stop_wrongly(hand, piece, turn, habit)
    if habit := room.habit(Behaviour.RECONSIDER):
        first = [t.target for t in choice.instead if t.source == turn.source]
        if first and not room.in_other_hands:
            room.did(Behaviour.RECONSIDER)
            room.is_undecided = True
            where = room.dice.choice(first)
            yield from hand.put(piece, where)
            yield room.draw(habit.lasts)
            room.board.lift(where, piece)
            room.is_undecided = False
    if habit := room.habit(Behaviour.TREMBLE):
        room.did(Behaviour.TREMBLE)
        yield room.draw(room.profile.pace.carry)
        if hand.chance(0.5):
            # It hesitates over another square first.
            yield from hand.tremble(piece, room.dice.choice(_near(turn)), room.draw(habit.lasts))
            yield room.draw(room.profile.pace.carry)
        yield from hand.tremble(piece, turn.target, room.draw(habit.lasts))
        yield from hand.put(piece, turn.target, finally_=True, within=40)
        return
    over: list[tuple[Square, int]] = []
    if habit := room.habit(Behaviour.GLIMPSE):
        room.did(Behaviour.GLIMPSE)
        near = [each for each in _near(turn) if each != turn.target]
        passed = room.dice.sample(near, min(len(near), room.dice.choice((1, 1, 2))))
        over = [(each, room.draw(habit.lasts)) for each in passed]
    yield from hand.put(piece, turn.target, finally_=True, over=over)


def _stop_wrongly(hand: Hand, piece: Piece, turn: Turn, habit: Habit) -> Act:
    """Set the piece on an illegal square; it leaves soon enough for the move to be continued."""
    room, begun = hand.room, hand.now
    could = [
        each
        for each in squares_in(crooked_from(turn.source) & ~LAKES)
        if room.board.is_empty(each) and each not in room.busy | room.ghosts
        if each not in room.looked_at.values()
    ]
    if not could:
        return
    room.did(Behaviour.WRONG_STOP)
    trouble = f"{Behaviour.WRONG_STOP.value} {hand.side.value}"
    room.begin_trouble(trouble)
    room.is_undecided = True
    square = room.dice.choice(could)
    yield from hand.put(piece, square)
    longest = _ON_ITS_WAY_MS - (hand.now - begun) - room.profile.pace.carry.longest
    yield max(80, min(longest, room.draw(habit.lasts)))
    room.board.lift(square, piece)
    room.is_undecided = False
    room.end_trouble(trouble)


def pick_up(hand: Hand, source: Square, own: SquareSet) -> Doing[Piece]:
    """Lift a piece; now and then a neighbour is lifted too, and put back."""
    room = hand.room
    piece = yield from hand.lift(source)
    if habit := room.habit(Behaviour.TWO_UP):
        beside = list(squares_in(BESIDE[source] & own))
        if beside:
            room.did(Behaviour.TWO_UP)
            hand.deed.reach_ms = 0
            yield from hand.straighten(room.dice.choice(beside), habit.lasts)
    return piece


def linger(hand: Hand, piece: Piece, turn: Turn, choice: Choice) -> Act:
    """Think with the piece in the hand, and hover over squares."""
    room = hand.room
    if habit := room.habit(Behaviour.HOLD):
        room.did(Behaviour.HOLD)
        yield room.draw(habit.lasts)
    if habit := room.habit(Behaviour.THINK_IN_HAND):
        room.did(Behaviour.THINK_IN_HAND)
        yield room.draw(habit.lasts)
    yield from _use_other_hand(room, choice)
    if habit := room.habit(Behaviour.HOVER):
        room.did(Behaviour.HOVER)
        near = _near(turn)
        count = min(room.dice.randint(1, 3), len(near))
        yield from hand.hover(piece, room.dice.sample(near, count), habit.lasts)


def _use_other_hand(room: Room, choice: Choice) -> Act:
    """Look at another piece with the other hand, or keep one there during the move."""
    could = [
        square
        for square in squares_in(choice.own)
        if (piece := room.board.at(square)) and is_free_to_lift(room, piece, square)
    ]
    if could and (habit := room.habit(Behaviour.OTHER_HAND_LOOKS)):
        room.did(Behaviour.OTHER_HAND_LOOKS)
        yield room.draw(room.profile.pace.second)
        yield from look_at(room, room.dice.choice(could), room.draw(habit.lasts), room.dice)
        yield room.draw(room.profile.pace.second)
    elif could and (habit := room.habit(Behaviour.HELD_ALONG)):
        room.did(Behaviour.HELD_ALONG)
        yield room.draw(room.profile.pace.second)
        held = room.dice.choice(could)
        room.world.start(look_at(room, held, room.draw(habit.lasts), Random(room.dice.random())))
        yield room.draw(room.profile.pace.second)


def hesitate(hand: Hand, turn: Turn, choice: Choice) -> Act:
    """Lift another piece first: look at it or try a move with it, and put it back."""
    room = hand.room
    others = list(squares_in(choice.own))
    if others and (habit := room.habit(Behaviour.TOUCH)):
        room.did(Behaviour.TOUCH)
        yield from hand.straighten(room.dice.choice(others), habit.lasts)
    if habit := room.habit(Behaviour.GIVE_UP):
        tried = [each for each in choice.instead if each.source != turn.source]
        if tried:
            yield from _try_in_vain(hand, room.dice.choice(tried), habit)


def _try_in_vain(hand: Hand, turn: Turn, habit: Habit) -> Act:
    room = hand.room
    yield hand.reach()
    piece = room.board.at(turn.source)
    if piece is None or room.in_other_hands:
        return
    room.did(Behaviour.GIVE_UP)
    room.is_undecided = True
    room.board.lift(turn.source)
    yield from hand.put(piece, turn.target)
    yield room.draw(habit.lasts)
    room.board.lift(turn.target, piece)
    yield from hand.put(piece, turn.source)
    room.is_undecided = False


def _run_with_pause(hand: Hand, turn: Turn, path: Sequence[Square], habit: Habit) -> Act:
    """Stop a scout for a moment on its way."""
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


def _near(turn: Turn) -> list[Square]:
    around = BESIDE[turn.source] | BESIDE[turn.target] | 1 << turn.target
    for square in line(turn.source, turn.target) or ():
        around |= 1 << square | BESIDE[square]
    return list(squares_in(around & ALL & ~LAKES & ~(1 << turn.source)))
