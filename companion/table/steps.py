"""What hands have set down, step by step, in the order in which they did it.

The order in which squares changed is not yet that order: a piece that is carried low stands for a
moment on what lies between, a sleeve pushes a piece before its hand has done what it wants, and who
sets a piece down on another shoves that aside a little earlier.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from engine.squares import NEIGHBOURS, WIDTH, Square
from firmware_bridge.sensing.courses import Carry, Course, Held, Piece
from firmware_bridge.sensing.watch import Span

STOOD: Final = 0.12
"""Seconds for which a piece has to stand to be more than carried low over a square."""
COVERED_STOOD: Final = 0.3
"""Seconds for which a piece has to stand on another, so that it was not carried over it."""
SHAKE: Final = 0.35
"""A piece that is up for no more than so many seconds was shaken, not touched; and a sensor may be
blind for as long."""
REACHING: Final = 0.3
"""When a sleeve pushes a piece, its hand takes up the intended one within so many seconds."""
SHOVED: Final = 0.15
"""A piece that is shoved off its square leaves it within so many seconds of the other's arrival."""
ASIDE: Final = 0.25
"""It is felt nowhere for so many seconds at most, until it stands beside that square."""
GAP: Final = 0.1
"""Between two squares a piece that slides is felt nowhere for so many seconds at most, or it is
felt on both. No hand takes up a piece and puts it down again as fast."""
_NEAR: Final = 2
"""A sleeve is within so many squares of its hand."""


@dataclass(frozen=True)
class Tap:
    """A piece was held over another for a moment: to look, to tap it, or on its way."""

    piece: Piece
    target: Square
    at: float
    """When it was taken away again."""


@dataclass(frozen=True)
class Steps:
    """What hands have done in a course, if it is taken so."""

    carries: tuple[Carry, ...] = ()
    held: tuple[Held, ...] = ()
    """What is in a hand or beside the board."""
    taps: tuple[Tap, ...] = ()
    counts: bool = False
    """Whether a piece counts as let go of where it stood very shortly."""
    pushed: frozenset[Carry] = frozenset()
    """What a sleeve has pushed as its hand reached for another piece."""
    shoved: frozenset[Carry] = frozenset()
    """What no hand has touched: the other side's piece has shoved it off its square."""
    is_odd: bool = False
    """Whether it takes for a step of its own what may have been shoved."""


def ways(course: Course) -> Iterator[Steps]:
    """Take a course in every way in which it can be taken, each once."""
    taken = set()
    passed: tuple[list[Carry], tuple[Held, ...]] | None = None
    for counts in (False, True):
        carries, held, taps = _let_go(course, counts=counts)
        if (carries, held) == passed:
            return  # nothing stood so shortly
        passed = carries, held
        after_hands = _behind_the_hand(carries)
        shoved = frozenset(
            step for step in after_hands if any(_shoves(each, step) for each in after_hands)
        )
        behind = tuple(_behind_the_shover(after_hands))
        pushed = frozenset(
            step for step in carries if any(_is_reached_for(step, each) for each in carries)
        )
        for order, aside in ((behind, shoved), (tuple(after_hands), frozenset[Carry]())):
            if (order, held) not in taken:
                taken.add((order, held))
                yield Steps(order, held, taps, counts, pushed, aside, is_odd=order != behind)


def is_slide(carry: Carry) -> bool:
    """Whether a piece was never seen to be up: it was slid, by a hand or by a sleeve."""
    return carry.source != carry.target and carry.released.by - carry.lifted.by <= GAP


def _let_go(
    course: Course, *, counts: bool
) -> tuple[list[Carry], tuple[Held, ...], tuple[Tap, ...]]:
    """Return what was set down in the order of letting go, what is held, and what was tapped.

    Where a piece stood too shortly it was only on its way, unless that `counts`: somebody may have
    taken it from there at once.
    """
    steps: list[Carry] = []
    taps: list[Tap] = []

    def pass_on(stop: Carry, lifted: Span) -> None:
        steps.remove(stop)
        if stop.covers:
            taps.append(Tap(stop.piece, stop.target, lifted.by))

    for seen in sorted(course.carries, key=lambda each: each.released.by):
        carry = seen
        before = next((each for each in reversed(steps) if each.piece == carry.piece), None)
        if carry.source == carry.target and carry.released.by - carry.lifted.by <= SHAKE:
            if before and carry.lifted.by - before.released.by < STOOD:
                # It has not stood: a hand that trembles has held it over its square until now.
                steps[steps.index(before)] = replace(before, released=carry.released)
            continue
        if before and _was_passing(before, carry.lifted, course, counts=counts):
            pass_on(before, carry.lifted)
            carry = replace(carry, source=before.source, lifted=before.lifted)
        steps.append(carry)
    held = list(course.held)
    for number, each in enumerate(held):
        before = next((step for step in reversed(steps) if step.piece == each.piece), None)
        if before and _was_passing(before, each.lifted, course, counts=counts):
            pass_on(before, each.lifted)
            held[number] = replace(each, source=before.source, lifted=before.lifted)
    return steps, tuple(held), tuple(taps)


def _was_passing(stop: Carry, lifted: Span, course: Course, *, counts: bool) -> bool:
    """Whether a piece was taken up again from where it was never let go of.

    On another piece that has stayed it was to look, or to tap, however long a moment `counts`.
    """
    beneath = course.standing.get(stop.target)
    if stop.covers and beneath is not None and beneath.side is not stop.piece.side:
        return True
    return not counts and lifted.by - stop.released.by < (COVERED_STOOD if stop.covers else STOOD)


def _behind_the_hand(steps: list[Carry]) -> list[Carry]:
    """Let what a sleeve pushes come after what its hand has done meanwhile, or does at once."""

    def done(step: Carry) -> tuple[float, bool]:
        carried = [
            each.released.by
            for each in steps
            if each.piece.side is step.piece.side
            and each.source != each.target
            and (_is_meanwhile(step, each) or _is_reached_for(step, each))
        ]
        return max(carried, default=step.released.by), bool(carried)

    # What a piece does after that comes after that.
    latest: dict[Piece, tuple[float, bool]] = {}
    places: dict[Carry, tuple[float, bool]] = {}
    for step in steps:
        latest[step.piece] = max(done(step), latest.get(step.piece, (0.0, False)))
        places[step] = latest[step.piece]
    return sorted(steps, key=places.__getitem__)


def _is_meanwhile(step: Carry, carry: Carry) -> bool:
    """Whether a step began and ended while another piece was in the hand."""
    begun, over = min(step.lifted.by, step.released.by), step.released.by
    return carry.lifted.by < begun and over < carry.released.by


def _is_reached_for(push: Carry, carry: Carry) -> bool:
    """Whether a piece is taken up so soon after a push nearby that its hand has pushed."""
    if not is_slide(push) or is_slide(carry) or push.piece == carry.piece:
        return False
    over = max(push.lifted.by, push.released.by)
    is_soon = 0 <= carry.lifted.by - over <= REACHING
    return is_soon and (is_near(push, carry.source) or is_near(push, carry.target))


def is_near(push: Carry, place: Square) -> bool:
    """Whether a sleeve may have pushed a piece while its hand was at a place."""
    return _apart(push.source, place) <= _NEAR


def _apart(one: Square, other: Square) -> int:
    """How many columns or rows lie between two squares, whichever are more."""
    (row, column), (other_row, other_column) = divmod(one, WIDTH), divmod(other, WIDTH)
    return max(abs(row - other_row), abs(column - other_column))


def _behind_the_shover(steps: list[Carry]) -> list[Carry]:
    """Let what is shoved off a square come after what is set down there."""
    order = list(steps)
    for step in steps:
        shover = next((each for each in steps if _shoves(each, step)), None)
        if shover is None:
            continue
        first, last = sorted((order.index(step), order.index(shover)))
        if [each.piece for each in order[first : last + 1]].count(step.piece) == 1:
            order.remove(step)
            order.insert(order.index(shover) + 1, step)
    return order


def _shoves(carry: Carry, step: Carry) -> bool:
    """Whether one piece was set down where the other has just been slid away."""
    if carry.piece.side is step.piece.side or carry.target != step.source:
        return False
    is_beside = step.target in NEIGHBOURS[step.source]
    is_short = step.released.by - step.lifted.by <= ASIDE
    left = max(step.lifted.by, step.released.by)
    return is_beside and is_short and abs(carry.released.by - left) <= SHOVED
