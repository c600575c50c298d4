"""Every course of events that fits what was seen: which piece went where, and what is in a hand.

A course begins with a board on which it is known who stands where, and follows the changes one by
one. The alphabet of hands is small:

=====================  ==========================================================================
a square is left       its piece is lifted; or it has slid to a neighbour that shows it already
a square is taken      a piece of that colour that was lifted is put there; or one slides there
                       that is still felt on the square beside; or, if none is in a hand, one comes
                       from a square that is ignored; or nobody knows whence: a stray
a square changes       its piece is covered, or was taken away between two frames, and another one
its colour             is put there; or its piece is lifted off another one, which has not moved
=====================  ==========================================================================

Where a change can be followed in more than one way there is a course for each. They are few: two
pieces of one colour have to be in the hands at once. A board without colours takes any piece for
any other. Whether the rules allow a course is not asked here.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from engine.sides import Side
from engine.squares import NEIGHBOURS, Square, SquareSet, squares_in
from firmware_bridge.image import Image, Sensed
from firmware_bridge.sensing.watch import Change, Span

OVERLAP: Final = 0.15
"""For so many seconds a piece that slides is felt on two squares at once, or on the new one before
it is gone from the old."""
STOPPING: Final = 1.0
"""The same, at most, of a piece that is slid slowly, or that stops on the line for a moment."""
COINCIDENCE: Final = 0.1
"""What comes to a square, and what goes from the one beside it so many seconds later, is one piece
that slides; that both were hands would be a coincidence."""
MOST: Final = 16
"""So many courses are followed at a time, the likeliest."""
SLIDING: Final = 5
"""By so much less odd a course is taken to be while what has just come may be sliding."""
ALIKE: Final = 3
"""Most of them that agree on where every piece is by now, and differ in how it got there."""


class Piece(NamedTuple):
    """A piece, by its colour and by the square on which it stood when the course began."""

    side: Side
    home: Square


@dataclass(frozen=True, slots=True)
class Held:
    """A piece that is not on the board: in a hand, laid aside, or covered by another."""

    piece: Piece
    source: Square
    lifted: Span
    covered: bool = False
    """Whether another piece was put on its square in the same moment."""


@dataclass(frozen=True, slots=True)
class Carry:
    """A piece was set down: elsewhere, or where it was lifted."""

    piece: Piece
    source: Square
    target: Square
    lifted: Span
    released: Span
    covers: bool = False
    """Whether its target was never seen empty before."""


@dataclass(frozen=True, slots=True)
class Stray:
    """Something shows on a square, and nobody knows whence."""

    square: Square
    shows: Sensed
    since: Span
    covers: bool = False
    """Whether its square was never seen empty before."""
    is_old: bool = False
    """Whether it stood there when the course began: then it has not stopped on a line just now."""


@dataclass(frozen=True, slots=True)
class Course:
    """One way in which everything that was seen can have come about."""

    standing: Mapping[Square, Piece]
    held: tuple[Held, ...] = ()
    carries: tuple[Carry, ...] = ()
    """In the order in which they were certain; what slides is so once it has left its square."""
    strays: tuple[Stray, ...] = ()
    ghosts: SquareSet = 0
    """Where strays have gone again: a magnet passed there, or the sensor flickers."""
    oddities: int = 0
    """How much else of what has happened is odd."""

    @property
    def oddity(self) -> int:
        """How much is odd by now: of two courses the less odd one is likelier."""
        return self.oddities + 3 * len(self.strays) + 2 * self.ghosts.bit_count()


def begin(
    image: Image, seen: Image | None = None, since: Callable[[Square], Span] | None = None
) -> list[Course]:
    """Courses from a known position, in which `image` gives every piece with its colour.

    `seen` is what the board shows instead by now, and `since` the time of each square's last
    change: differences are followed in that order, not as one moment.
    """
    standing = {
        square: Piece(side, square) for side in Side for square in squares_in(image.of(side))
    }
    courses = [Course(standing)]
    if seen is not None and since is not None:
        for moment in _moments(differences(image, seen, since)):
            courses = follow_all(courses, moment, 0)
    return [
        replace(course, strays=tuple(replace(stray, is_old=True) for stray in course.strays))
        for course in courses
    ]


def differences(expected: Image, seen: Image, since: Callable[[Square], Span]) -> list[Change]:
    """Changes that lead from the expected image to the seen one, at the time of each square.

    What shows no colour agrees with any piece.
    """
    found = []
    for square in squares_in(expected.occupied | seen.occupied):
        was, now = expected.at(square), seen.at(square)
        if was is not now and not (now is Sensed.UNKNOWN and was is not Sensed.EMPTY):
            found.append(Change(square, was, now, since(square)))
    return sorted(found, key=lambda change: change.was is Sensed.EMPTY)


def _moments(changes: Iterable[Change]) -> Iterator[list[Change]]:
    """Group changes whose order is unknown, the groups in the order of time."""
    group: list[Change] = []
    for change in sorted(changes, key=lambda each: (each.at.by, each.at.after)):
        if group and all(each.at.is_before(change.at) for each in group):
            yield group
            group = []
        group.append(change)
    if group:
        yield group


def follow_all(
    courses: Iterable[Course], seen: Iterable[Change], ignored: SquareSet
) -> list[Course]:
    """Follow changes of one moment in every course; the likeliest courses come first.

    Nobody knows in which order they came about. So all that went away may have gone before anything
    came, and a piece may have slid to a square and may have gone from there as well. On squares
    that are `ignored` nothing is seen, so a piece may have come from there.
    """
    found, changes = list(courses), list(seen)
    left = [change for change in changes if change.was is not Sensed.EMPTY]
    taken = [change for change in changes if change.now is not Sensed.EMPTY]
    for change in left:
        found = _likeliest(after for course in found for after in _left(course, change))
    for change in left:
        gone = (_without_stray(course, change) for course in found)
        found = _likeliest(after for course in gone for after in _left(course, change))
    for change in taken:
        taking = (after for course in found for after in _taken(course, change, ignored))
        found = _likeliest(taking, change.at)
    return found


def _likeliest(courses: Iterable[Course], now: Span | None = None) -> list[Course]:
    """Choose the courses that are followed; of those that tell the same, the least odd one.

    What has come to a square just before `now` may be a piece that slides there, and still shows
    beside it: that is not odd yet.
    """

    def oddity(course: Course) -> int:
        if now is None:
            return course.oddity
        sliding = [
            stray
            for stray in course.strays
            if now.by - stray.since.by <= OVERLAP and _may_be_sliding(course, stray)
        ]
        return course.oddity - SLIDING * len(sliding)

    alike: dict[tuple[object, ...], Course] = {}
    for course in sorted(courses, key=oddity):
        alike.setdefault(_identity(course), course)
    chosen = list(alike.values())
    if len(chosen) > MOST:
        # What a piece did a while ago must not crowd out other ways to take what it did now.
        places: Counter[tuple[object, ...]] = Counter()
        for course in alike.values():
            place = _place(course)
            places[place] += 1
            if places[place] > ALIKE:
                chosen.remove(course)
    return sorted(chosen[:MOST], key=lambda course: course.oddity)


def _may_be_sliding(course: Course, stray: Stray) -> bool:
    """Whether a piece that may be the stray stands beside it."""
    beside = (course.standing.get(square) for square in NEIGHBOURS[stray.square])
    return any(piece is not None and _shows(stray.shows, piece) for piece in beside)


def _identity(course: Course) -> tuple[object, ...]:
    return course.carries, course.held, course.strays


def _place(course: Course) -> tuple[object, ...]:
    """Where every piece is by now."""
    latest = {carry.piece: carry.target for carry in course.carries}
    held = frozenset((held.piece, held.source) for held in course.held)
    moved = frozenset(each for each in latest.items() if each[0].home != each[1])
    return moved, held, frozenset(stray.square for stray in course.strays)


def _without_stray(course: Course, change: Change) -> Course:
    """A stray is gone, if there is one, to which no piece has slid.

    What was felt no longer than a piece that slides is felt twice was a piece that leans over.
    """
    gone = [stray for stray in course.strays if stray.square == change.square]
    if not gone:
        return course
    strays = tuple(stray for stray in course.strays if stray not in gone)
    if all(change.at.by - stray.since.by <= OVERLAP for stray in gone):
        return replace(course, strays=strays, oddities=course.oddities + 2)
    return replace(course, strays=strays, ghosts=course.ghosts | 1 << change.square)


def _left(course: Course, change: Change) -> Iterator[Course]:
    """A square is left by its piece, if one is known to stand there."""
    square, at = change.square, change.at
    piece = course.standing.get(square)
    if piece is None:
        yield course
        return
    standing = {where: who for where, who in course.standing.items() if where != square}
    slides = _slides(course, piece, change)
    for stray in slides:
        yield replace(
            course,
            standing={**standing, stray.square: piece},
            carries=(
                *course.carries,
                Carry(piece, square, stray.square, at, stray.since, stray.covers),
            ),
            strays=tuple(each for each in course.strays if each is not stray),
            oddities=course.oddities + 2 * _stops(at, stray.since),
        )
    held = Held(piece, square, at, covered=change.now is not Sensed.EMPTY)
    yield replace(
        course,
        standing=standing,
        held=(*course.held, held),
        oddities=course.oddities + bool(slides) + 5 * _looks_like_a_slide(course, piece, change),
    )


def _looks_like_a_slide(course: Course, piece: Piece, change: Change) -> bool:
    """Whether another piece was put down beside the square in just that moment: a coincidence.

    One that goes back to its own square is none: two hands look at pieces side by side. Nor is one
    that was seen on its square again meanwhile, as a piece is that is tilted before it is lifted.
    """
    back = max(
        (each.released.by for each in course.carries if each.piece == piece), default=-math.inf
    )
    return any(
        carry.target in NEIGHBOURS[change.square]
        and carry.piece != piece
        and carry.source != carry.target
        and carry.piece.side is piece.side
        and carry.lifted.by < carry.released.by
        and back <= carry.released.by
        and 0 <= change.at.after - carry.released.by <= COINCIDENCE + 1e-9
        for carry in course.carries
    )


def _slides(course: Course, piece: Piece, change: Change) -> list[Stray]:
    """Find what a piece can have slid to that is gone from its square, since it has come there."""
    return [
        stray
        for stray in course.strays
        if _shows(stray.shows, piece)
        and not (stray.is_old and _stops(change.at, stray.since))
        and _may_slide(course, piece, change.square, change.at, stray.square, stray.since)
    ]


def _may_slide(
    course: Course, piece: Piece, source: Square, gone: Span, target: Square, since: Span
) -> bool:
    """Whether what is felt on a square has slid there from the one beside it, which it has left.

    It is felt on two squares at most: before it slides on, it has gone from where it was.
    """
    came = [
        max(carry.lifted.by, carry.released.by)
        for carry in course.carries
        if (carry.piece, carry.target) == (piece, source)
    ]
    is_soon = gone.after - since.by <= STOPPING
    return target in NEIGHBOURS[source] and is_soon and all(at <= since.by for at in came)


def _stops(gone: Span, since: Span) -> bool:
    """Whether a piece that slides is felt on two squares for longer than is usual."""
    return gone.after - since.by > OVERLAP


def _taken(course: Course, change: Change, ignored: SquareSet) -> Iterator[Course]:
    """A square is taken by a piece that was lifted, that slides there, or that nobody knows."""
    square, at = change.square, change.at
    covers = change.was is not Sensed.EMPTY
    alike = [held for held in course.held if _shows(change.now, held.piece)]
    # What is faint is believed later: what was taken up only after it had come may be known first.
    # Then it has slid there, or it has nothing to do with it.
    fits = [held for held in alike if not at.is_before(held.lifted)]
    slid = [
        held
        for held in alike
        if held not in fits and _may_slide(course, held.piece, held.source, held.lifted, square, at)
    ]
    covered = [held for held in fits if covers and held.covered and held.source == square]
    beneath = covered[-1] if covered else None
    if beneath is not None:
        yield _uncovered(course, beneath, change)
    home = [held for held in fits if held.source == square]
    for held in fits:
        if held is beneath:
            continue
        carry = Carry(held.piece, held.source, square, held.lifted, at, covers)
        yield replace(
            course,
            standing={**course.standing, square: held.piece},
            held=tuple(each for each in course.held if each is not held),
            carries=(*course.carries, carry),
            # Who takes up two pieces puts each back where it was, mostly.
            oddities=course.oddities + (2 if home and held not in home else 0),
        )
    for held in slid:
        carry = Carry(held.piece, held.source, square, held.lifted, at, covers)
        yield replace(
            course,
            standing={**course.standing, square: held.piece},
            held=tuple(each for each in course.held if each is not held),
            carries=(*course.carries, carry),
            oddities=course.oddities + 2 * _stops(held.lifted, at),
        )
    for source in squares_in(ignored):
        piece = course.standing.get(source)
        if piece is not None and _shows(change.now, piece) and not fits:
            standing = {where: who for where, who in course.standing.items() if where != source}
            carry = Carry(piece, source, square, at, at, covers)
            yield replace(
                course,
                standing={**standing, square: piece},
                carries=(*course.carries, carry),
                oddities=course.oddities + 4,
            )
    stray = Stray(square, change.now, at, covers)
    # Who holds a piece puts it there, mostly; and what comes to where a piece has left is it.
    has_left = any(carry.source == square for carry in course.carries)
    oddities = course.oddities + (3 if fits or slid else 0) + (3 if has_left else 0)
    yield replace(course, strays=(*course.strays, stray), oddities=oddities)


def _uncovered(course: Course, beneath: Held, change: Change) -> Course:
    """The piece that stood on another is lifted again: what was beneath has not moved."""
    lifted_off = (change.square, change.at)
    held = tuple(
        replace(each, covered=False) if (each.source, each.lifted) == lifted_off else each
        for each in course.held
        if each is not beneath
    )
    return replace(course, standing={**course.standing, change.square: beneath.piece}, held=held)


def _shows(sensed: Sensed, piece: Piece) -> bool:
    """Whether a square may show this because the piece stands there."""
    return sensed is Sensed.UNKNOWN or sensed.side is piece.side
