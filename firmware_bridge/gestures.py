"""From a settled image to what the players did.

The whole image decides, never the order in which squares changed. It is compared with the image
that is expected and with the side to move:

=====================================================================  ==================
what differs from the expected image                                   gesture
=====================================================================  ==================
nothing                                                                AtRest
one piece missing, of either side                                      InHand
own piece missing, a square that was empty gained                      Carried
own piece missing, and an opposing piece in a free line from it        Attacked, in hand
own piece missing, an opposing square now shows the mover's colour     Attacked, set down
a piece of the other side missing, another square shows its colour     OutOfTurn
one side has gone elsewhere, and with that done there is one           InOrder
    gesture of the other side: in hand, carried or attacked
anything else                                                          Disturbed
=====================================================================  ==================

An image passes through others on its way: a piece in the hand is the start of most gestures, and
two pieces in the hands can be the middle of setting one down. So every gesture has a patience, the
time for which the image must stand unchanged before it is taken at its word.

A quick player answers before a move has settled, and may already have taken the piece that just
moved. So a move that was seen for a moment can be told to `read`: what is not on the board any
more is believed only if it explains all the rest.

A board that sees no colour shows an occupied square as `unknown`: it agrees with either colour.
So setting down on an opposing piece cannot be seen there; it looks like a piece in the hand. Nor
can it be told there who of two has gone where.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from engine.sides import Side
from engine.squares import BETWEEN, Square, SquareSet
from firmware_bridge.image import Image


@dataclass(frozen=True)
class AtRest:
    """The board shows what is expected."""

    patience: ClassVar[float] = 0.2


@dataclass(frozen=True)
class InHand:
    """One piece has been lifted, which is not yet a move."""

    patience: ClassVar[float] = 0.1
    square: Square


@dataclass(frozen=True)
class Carried:
    """A piece of the side to move stands on another square, which was empty."""

    patience: ClassVar[float] = 0.3
    source: Square
    target: Square


@dataclass(frozen=True)
class Attacked:
    """A piece of the side to move went for an opposing one: set down on it, or both in hand."""

    source: Square
    target: Square
    set_down: bool

    @property
    def patience(self) -> float:
        """Both in hand may still become something else and has to be held for a while."""
        return 0.3 if self.set_down else 0.7


@dataclass(frozen=True)
class OutOfTurn:
    """A piece of the side that is not to move stands elsewhere."""

    patience: ClassVar[float] = 0.3
    source: Square
    target: Square


Reply: TypeAlias = InHand | Carried | Attacked


@dataclass(frozen=True)
class Way:
    """A piece of one side went elsewhere first, and then the other side has begun to answer."""

    side: Side
    """Whose piece went first."""
    source: Square
    target: Square
    reply: Reply


@dataclass(frozen=True)
class InOrder:
    """Two things, one after the other. Which of the ways it was, the rules have to say, if any.

    A knocked board can look the same, so it has to stand for a while.
    """

    patience: ClassVar[float] = 0.8
    ways: tuple[Way, ...]


@dataclass(frozen=True)
class Disturbed:
    """The board differs in a way that no single gesture explains."""

    patience: ClassVar[float] = 0.8


Gesture: TypeAlias = AtRest | InHand | Carried | Attacked | OutOfTurn | InOrder | Disturbed


@dataclass(frozen=True)
class Difference:
    """Where an image differs from the expected one; a wrong colour counts in both sets."""

    missing: SquareSet
    """Squares where the expected piece is not seen."""
    surplus: SquareSet
    """Squares where something is seen that is not expected."""

    def __bool__(self) -> bool:
        return bool(self.missing | self.surplus)


def compare(seen: Image, expected: Image) -> Difference:
    """Say where an image differs from the expected one."""
    return Difference(
        missing=expected.red & ~(seen.red | seen.unknown)
        | expected.blue & ~(seen.blue | seen.unknown),
        surplus=seen.red & ~expected.red
        | seen.blue & ~expected.blue
        | seen.unknown & ~expected.occupied,
    )


def read(seen: Image, expected: Image, mover: Side, glimpsed: Carried | None = None) -> Gesture:
    """Tell the gesture that explains an image when `mover` is to move.

    `glimpsed` is a move of that side which was seen before, too short to have settled.
    """
    gesture = _read_single(seen, expected, mover)
    if not isinstance(gesture, Disturbed):
        return gesture
    ways = tuple(list_ways(seen, expected, mover, glimpsed))
    return InOrder(ways) if ways else gesture


def list_ways(
    seen: Image, expected: Image, mover: Side, glimpsed: Carried | None = None
) -> Iterator[Way]:
    """Give the ways in which an image can have come about by two things, one after the other."""
    difference = compare(seen, expected)
    for side in (mover, mover.other):
        gained = _squares(difference.surplus & seen.of(side) & ~expected.occupied)
        for source in _squares(difference.missing & expected.of(side)):
            for target in gained:
                reply = _read_single(seen, _after(expected, side, source, target), side.other)
                if isinstance(reply, Reply):
                    yield Way(side, source, target, reply)
    if glimpsed and difference.missing >> glimpsed.source & 1:
        after = _after(expected, mover, glimpsed.source, glimpsed.target)
        reply = _read_single(seen, after, mover.other)
        if isinstance(reply, Attacked) and reply.target == glimpsed.target:
            yield Way(mover, glimpsed.source, glimpsed.target, reply)


def _read_single(seen: Image, expected: Image, mover: Side) -> Gesture:
    """Tell the one thing that explains an image; `Disturbed` if there is none."""
    difference = compare(seen, expected)
    own, other = expected.of(mover), expected.of(mover.other)
    own_missing = _squares(difference.missing & own)
    other_missing = _squares(difference.missing & other)
    gained = _squares(difference.surplus)
    match own_missing, other_missing, gained:
        case [], [], []:
            return AtRest()
        case ([square], [], []) | ([], [square], []):
            return InHand(square)
        case [source], [], [target] if not seen.of(mover.other) >> target & 1:
            return Carried(source, target)
        case [source], [target], [] if _is_free_line(source, target, expected):
            return Attacked(source, target, set_down=False)
        case [source], [target], [gain] if gain == target:
            return Attacked(source, target, set_down=True)
        case [], [source], [target] if not seen.of(mover) >> target & 1:
            return OutOfTurn(source, target)
        case [lost], [source], [target] if lost == target:
            return OutOfTurn(source, target)
    return Disturbed()


def _squares(squares: SquareSet) -> list[Square]:
    """List at most three squares of a set: no gesture but `Disturbed` has more."""
    listed: list[Square] = []
    while squares and len(listed) < 3:
        listed.append((squares & -squares).bit_length() - 1)
        squares &= squares - 1
    return listed


def _after(image: Image, side: Side, source: Square, target: Square) -> Image:
    """What an image becomes when a piece of a side is carried from one square to another."""
    carried = 1 << source | 1 << target
    if side is Side.RED:
        return Image(image.red ^ carried, image.blue, image.unknown)
    return Image(image.red, image.blue ^ carried, image.unknown)


def _is_free_line(source: Square, target: Square, expected: Image) -> bool:
    between = BETWEEN[source][target]
    return between is not None and not between & expected.occupied
