"""The ten styles of attack that people use, and two ways of approaching it.

Each ends when the hands rest and wait for the referee; `clearing` tidies the board afterwards.
"""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from companion.simulator.hands.accidents import beside, fall
from companion.simulator.hands.behaviours import STYLES, Behaviour
from companion.simulator.hands.board import Piece
from companion.simulator.hands.motions import OVERLAP, Hand
from companion.simulator.hands.moves import Choice, hesitate, linger, pick_up
from companion.simulator.hands.room import Room
from companion.simulator.hands.spans import Span
from companion.simulator.hands.truth import Turn
from companion.simulator.hands.world import Act
from engine.board.geometry import BESIDE, LAKES, Square, SquareSet, line, name, squares_in

_SEES_IT_COMING: Final = Span(250, 380, 650)
"""Time that defenders take to lift their own piece, from the lift of the attacker."""
_AFTER_OWNER: Final = Span(200, 700, 2500)
"""Time from the owner's lift of the target to the first movement of the attacker's hand."""
_BESIDE_HAND: Final = Span(120, 250, 450)
_LIES_FIRST_MS: Final = 150
"""Time from the fall of a piece until the attacker is touched."""


class Strike:
    """One attack, by one hand, which the other side can see."""

    def __init__(
        self,
        hand: Hand,
        other: Hand,
        piece: Piece,
        turn: Turn,
        free: SquareSet,
        choice: Choice,
    ) -> None:
        """Prepare an attack.

        Args:
            hand: The hand of the attacking side.
            other: The hand of the defending side.
            piece: The attacker.
            turn: The attack as the final result.
            free: The squares where a piece could be set down in between.
            choice: The alternatives of its player.
        """
        self.hand, self.other, self.turn = hand, other, turn
        self.free, self.choice = free, choice
        self.room = hand.room
        self.piece = piece

    def perform(self, style: Behaviour) -> Act:
        """Attack in one of the ten styles."""
        room, turn = self.room, self.turn
        path = line(turn.source, turn.target) or range(0)
        before = path[-2] if len(path) > 1 else None
        yield from hesitate(self.hand, turn, self.choice)
        if room.habit(Behaviour.FALL):
            # It is on its square before the attacker is lifted, so it cannot be the attacker.
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
        if self.hand.deed.over_at is None:
            self.hand.deed.over_at = self.hand.deed.release_at = self.hand.now

    def _up(self, *, lingering: bool = True) -> Act:
        """Lift the attacker, with optional behaviours before and after."""
        piece = yield from pick_up(self.hand, self.turn.source, self.choice.own)
        if lingering:
            yield from linger(self.hand, piece, self.turn, self.choice)

    def _stand_first(self, square: int, stands: Span) -> Act:
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
        """Set the attacker down on top of its target."""
        yield from self._up()
        yield from self.hand.put_upon(self.piece, self.turn.target)

    def other_hand(self) -> Act:
        """Remove the target with the other hand and set the attacker in its place."""
        yield from self._up()
        yield self.room.draw(_BESIDE_HAND)
        yield from self.hand.lift(self.turn.target)
        yield from self.hand.put(self.piece, self.turn.target)

    def both_up(self) -> Act:
        """Lift both, the attacker first, and hold them."""
        yield from self._up()
        yield from self.hand.lift(self.turn.target)

    def both_up_defender(self) -> Act:
        """Lift both, the defender first, and hold them."""
        yield from self.hand.lift(self.turn.target)
        yield from self._up(lingering=False)

    def tap(self) -> Act:
        """Touch the target and return."""
        yield from self._up()
        yield from self.hand.tap(self.piece, self.turn.target)
        yield from self.hand.put(self.piece, self.turn.source)

    def lean(self) -> Act:
        """Set the attacker down on the edge of the target's square.

        It is detected by the target's sensor, by that of the square before it, or by none.
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
        """Push the target away with the attacker: to a free square beyond, or over the edge."""
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
        """Lift the target as its owner, who sees the attack coming; put the attacker there."""
        yield from self._up()
        yield from self._owner_lifts(_SEES_IT_COMING)
        if self.hand.chance(0.7):
            yield from self.hand.put(self.piece, self.turn.target)

    def owner_first(self) -> Act:
        """Lift the target as its owner first; put the attacker there, or hold both."""
        yield from self._owner_lifts(self.room.profile.pace.reach)
        yield self.room.draw(_AFTER_OWNER)
        yield from self._up()
        if self.hand.chance(0.6):
            yield from self.hand.put(self.piece, self.turn.target)

    def _owner_lifts(self, after: Span) -> Act:
        yield self.room.draw(after)
        self.other.deed.reach_ms = 0
        yield from self.other.lift(self.turn.target)

    def on_screen(self) -> Act:
        """Open the attack on the touchscreen, with or without the attacker in the hand."""
        if self.hand.chance(0.3):
            yield from self._up()
        yield self.room.draw(Span(500, 900, 2000))
        announce(self.room, self.hand, self.turn)


def announce(room: Room, hand: Hand, turn: Turn, stands: Square | None = None) -> None:
    """Open an attack on the touchscreen; `stands` is the attacker's square if it has moved."""
    source = turn.source if stands is None else stands
    room.say(hand.side, "attack", source=name(source), target=name(turn.target))


def choose_style(room: Room) -> Behaviour:
    """Choose one of the ten styles by the profile's weights."""
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
