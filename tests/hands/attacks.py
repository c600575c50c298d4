"""Moves, and ten styles of attack.

An attack ends when the hands rest and the players wait for the referee. Afterwards, the
activities in `clearing` tidy the board.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, TypeAlias

from engine.board.geometry import ALL, BESIDE, LAKES, Square, SquareSet, line, name, squares_in
from tests.hands.accidents import beside, crooked_from, fall
from tests.hands.behaviours import STYLES, Behaviour, Habit
from tests.hands.board import Piece, Turn
from tests.hands.clearing import is_free_to_lift, look_at
from tests.hands.motions import OVERLAP, Hand
from tests.hands.scheduler import Act, Doing, Duration
from tests.hands.shared_state import SharedState

# Moves to empty squares. Each habit occurs independently of the others, so habits can combine.

_ON_ITS_WAY_MS: Final = 1900
"""Time limit for a piece that stops on a wrong square, in milliseconds. It is counted from the lift
until the piece stands on a legal square."""


@dataclass(frozen=True)
class Choice:
    """Other pieces and moves that the player may try before taking the turn. Pieces that other
    activities are using are excluded."""

    own: SquareSet = 0
    """Squares of the side's other pieces."""
    instead: tuple[Turn, ...] = ()
    """The side's other legal moves. Attacks are not included."""


def make_move(hand: Hand, turn: Turn, choice: Choice) -> Act:
    """Move a piece as people do, possibly with detours. In the end, the piece stands on the target
    of `turn`."""
    room = hand.room
    path = line(turn.source, turn.target)
    assert path, "a move must be along a row or column"
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
    """Lift the piece and set it down, possibly doing something else in between."""
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
            # The hand hesitates over another square first.
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
    """Set the piece down on an illegal square. Lift it again before the table is entitled to
    complain."""
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
    disturbance = f"{Behaviour.WRONG_STOP.value} {hand.side.value}"
    room.begin_disturbance(disturbance)
    room.is_undecided = True
    square = room.dice.choice(could)
    yield from hand.put(piece, square)
    longest = _ON_ITS_WAY_MS - (hand.now - begun) - room.profile.pace.carry.longest
    yield max(80, min(longest, room.draw(habit.lasts)))
    room.board.lift(square, piece)
    room.is_undecided = False
    room.end_disturbance(disturbance)


def pick_up(hand: Hand, source: Square, own: SquareSet) -> Doing[Piece]:
    """Lift a piece. Sometimes also lift a neighbour and put it back."""
    room = hand.room
    piece = yield from hand.lift(source)
    if habit := room.habit(Behaviour.TWO_UP):
        beside = list(squares_in(BESIDE[source] & own))
        if beside:
            room.did(Behaviour.TWO_UP)
            hand.task.reach_ms = 0
            yield from hand.straighten(room.dice.choice(beside), habit.lasts)
    return piece


def linger(hand: Hand, piece: Piece, turn: Turn, choice: Choice) -> Act:
    """Think with the piece in hand, or hover over squares."""
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


def _use_other_hand(room: SharedState, choice: Choice) -> Act:
    """Lift another piece with the other hand to look at it, or hold one in that hand during the
    move."""
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
    """Before the turn, possibly straighten another piece, or try a move with it and put it back."""
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


_SEES_IT_COMING: Final = Duration(250, 380, 650)
"""Time in milliseconds from when the attacker is lifted until the defending player lifts the
target."""
_AFTER_OWNER: Final = Duration(200, 700, 2500)
"""Time in milliseconds from when the owner lifts the target until the attacking hand moves."""
_BESIDE_HAND: Final = Duration(120, 250, 450)
_LIES_FIRST_MS: Final = 150
"""Time in milliseconds from the fall of a piece until the attacker is touched."""


class Strike:
    """An attack by one hand. The other player can react before the attack is complete."""

    def __init__(
        self,
        hand: Hand,
        other: Hand,
        piece: Piece,
        turn: Turn,
        free: SquareSet,
        choice: Choice,
    ) -> None:
        """`turn` is the attack. Before it is complete, pieces may be set down on the squares in
        `free`."""
        self.hand, self.other, self.turn = hand, other, turn
        self.free, self.choice = free, choice
        self.room = hand.room
        self.piece = piece

    def perform(self, style: Behaviour) -> Act:
        room, turn = self.room, self.turn
        path = line(turn.source, turn.target) or range(0)
        before = path[-2] if len(path) > 1 else None
        yield from hesitate(self.hand, turn, self.choice)
        if room.habit(Behaviour.FALL):
            # The captured piece falls before the attacker is lifted, so the table cannot mistake
            # one for the other.
            room.begin(fall(room, beside(turn, self.free)))
            yield _LIES_FIRST_MS
        if before is not None and (habit := room.habit(Behaviour.STRIKE_ON)):
            room.did(Behaviour.STRIKE_ON)
            yield from self._stand_first(before, habit.lasts)
        elif len(path) > 2 and (habit := room.habit(Behaviour.RECONSIDER_ATTACK)):
            room.did(Behaviour.RECONSIDER_ATTACK)
            yield from self._stand_first(room.dice.choice(path[:-2]), habit.lasts)
        else:
            room.did(style)
            yield from _PERFORMED[style](self)
        if self.hand.task.over_at is None:
            self.hand.task.over_at = self.hand.task.release_at = self.hand.now

    def _up(self, *, lingering: bool = True) -> Act:
        """Lift the attacker. The hand may do something else before and after the lift."""
        piece = yield from pick_up(self.hand, self.turn.source, self.choice.own)
        if lingering:
            yield from linger(self.hand, piece, self.turn, self.choice)

    def _stand_first(self, square: int, stands: Duration) -> Act:
        yield from self._up()
        yield from self.hand.put(self.piece, square)
        if self.room.habit(Behaviour.OWNER_LIFTS_AT_STOP):
            self.room.did(Behaviour.OWNER_LIFTS_AT_STOP)
            yield from self._owner_lifts(_SEES_IT_COMING)
            yield self.room.draw(stands)
            yield from self.hand.lift(square, self.piece)
            if self.hand.chance(0.7):
                yield from self.hand.put(self.piece, self.turn.target)
            return
        yield self.room.draw(stands)
        if self.hand.chance(0.5):
            self.room.board.lift(square, self.piece)
            yield from self.hand.put_upon(self.piece, self.turn.target)
        else:
            self.room.board.lift(square, self.piece)
            yield from self.hand.tap(self.piece, self.turn.target)
            yield from self.hand.put(self.piece, square)

    def set_down(self) -> Act:
        yield from self._up()
        yield from self.hand.put_upon(self.piece, self.turn.target)

    def other_hand(self) -> Act:
        """Remove the target with the other hand, and set the attacker down in its place."""
        yield from self._up()
        yield self.room.draw(_BESIDE_HAND)
        yield from self.hand.lift(self.turn.target)
        yield from self.hand.put(self.piece, self.turn.target)

    def both_up(self) -> Act:
        yield from self._up()
        yield from self.hand.lift(self.turn.target)

    def both_up_defender(self) -> Act:
        yield from self.hand.lift(self.turn.target)
        yield from self._up(lingering=False)

    def tap(self) -> Act:
        yield from self._up()
        yield from self.hand.tap(self.piece, self.turn.target)
        yield from self.hand.put(self.piece, self.turn.source)

    def lean(self) -> Act:
        """Set the attacker down on the edge of the target's square.

        The attacker may be detected on the target's square, on the square before it, or on neither
        of them.
        """
        yield from self._up()
        path = line(self.turn.source, self.turn.target) or range(0)
        before = path[-2] if len(path) > 1 else self.turn.source
        yield self.room.draw(self.room.profile.pace.carry)
        board, felt = self.room.board, self.room.dice.random()
        if felt < 0.3:
            board.put(self.piece, self.turn.target)
        else:
            board.put(self.piece, before)
            if felt < 0.75:
                board.feel(before, self.piece, is_felt=False)

    def shove(self) -> Act:
        yield from self._up()
        yield self.room.draw(self.room.profile.pace.carry)
        board, target = self.room.board, self.turn.target
        beyond = list(squares_in(BESIDE[target] & self.free & ~LAKES & ~(1 << self.turn.source)))
        pushed = board.lift(target)
        if beyond and self.hand.chance(0.6):
            there = self.room.dice.choice(beyond)
            if self.hand.chance(0.4):
                board.come_over(target, pushed.side)
                board.put(pushed, there)
                yield self.room.draw(OVERLAP)
                board.go_on(target, pushed.side)
            else:
                yield self.room.draw(OVERLAP)
                board.put(pushed, there)
        board.put(self.piece, target)

    def defender_lifts(self) -> Act:
        """Begin an attack in which the target's owner lifts the target before it is hit. In most
        cases, set the attacker down on the target's square afterwards."""
        yield from self._up()
        yield from self._owner_lifts(_SEES_IT_COMING)
        if self.hand.chance(0.7):
            yield from self.hand.put(self.piece, self.turn.target)

    def owner_first(self) -> Act:
        """Attack after the owner has lifted the target. Then set the attacker down, or leave both
        pieces in the players' hands."""
        yield from self._owner_lifts(self.room.profile.pace.reach)
        yield self.room.draw(_AFTER_OWNER)
        yield from self._up()
        if self.hand.chance(0.6):
            yield from self.hand.put(self.piece, self.turn.target)

    def _owner_lifts(self, after: Duration) -> Act:
        yield self.room.draw(after)
        self.other.task.reach_ms = 0
        yield from self.other.lift(self.turn.target)

    def on_screen(self) -> Act:
        """Enter the attack on the touchscreen, with the attacker in hand or on its square."""
        if self.hand.chance(0.3):
            yield from self._up()
        yield self.room.draw(Duration(500, 900, 2000))
        announce(self.room, self.hand, self.turn)


def announce(room: SharedState, hand: Hand, turn: Turn, stands: Square | None = None) -> None:
    """Enter an attack on the touchscreen. `stands` is the attacker's current square if the attacker
    has already moved."""
    source = turn.source if stands is None else stands
    room.give_command(hand.side, "attack", source=name(source), target=name(turn.target))


def choose_style(room: SharedState) -> Behaviour:
    weights = [
        room.profile.habits[style].chance if style in room.profile.habits else 0 for style in STYLES
    ]
    return room.dice.choices(STYLES, weights)[0]


_Way: TypeAlias = Callable[[Strike], Act]
_PERFORMED: Final[Mapping[Behaviour, _Way]] = {
    Behaviour.SET_DOWN: Strike.set_down,
    Behaviour.OTHER_HAND: Strike.other_hand,
    Behaviour.BOTH_UP: Strike.both_up,
    Behaviour.BOTH_UP_DEFENDER: Strike.both_up_defender,
    Behaviour.TAP: Strike.tap,
    Behaviour.LEAN: Strike.lean,
    Behaviour.SHOVE: Strike.shove,
    Behaviour.DEFENDER_LIFTS: Strike.defender_lifts,
    Behaviour.ON_SCREEN: Strike.on_screen,
    Behaviour.OWNER_FIRST: Strike.owner_first,
}
