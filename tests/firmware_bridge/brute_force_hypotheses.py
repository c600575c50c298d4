"""Finds all hypotheses by a slow and simple method that is independent of the real one.

`hypotheses` processes changes one by one. This module considers all observations together: each
square shows a series of pieces, each for some period. Each such period is a `Showing`, and its
piece has an assumed origin. All combinations of origins are tried.

=================  ================================================================================
origin             condition
=================  ================================================================================
by a hand          a piece of this colour had already left its square, at any distance
along the board    a piece of this colour was detected on an adjacent square and nowhere else, and
                   left that square at most a second later, and not after it left this one
from beneath       this square showed another colour immediately before; of the pieces covered here,
                   this one was covered last
unseen             a piece of this colour was on an ignored square, and no such piece was lifted
from nowhere       always possible: the piece is a stray
=================  ================================================================================

No hypothesis is discarded, however many there are, and none has a cost.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from engine.board.geometry import BESIDE, Square, SquareSet, squares_in
from firmware_bridge.image import Image, Sensed
from firmware_bridge.sensing import hypotheses
from firmware_bridge.sensing.change_detector import Change, Interval
from firmware_bridge.sensing.sensing_limits import SENSING_LIMITS


class BoardReport(NamedTuple):
    """A hypothesis without its cost."""

    standing: frozenset[tuple[Square, hypotheses.TrackedPiece]]
    held: frozenset[hypotheses.LiftedPiece]
    carries: tuple[hypotheses.Placement, ...]
    """Placements, sorted by time, then by square."""
    strays: frozenset[hypotheses.UnexplainedPiece]


def report_of(hypothesis: hypotheses.Hypothesis) -> BoardReport:
    return BoardReport(
        frozenset(hypothesis.standing.items()),
        frozenset(hypothesis.held),
        in_order(hypothesis.carries),
        frozenset(hypothesis.unexplained),
    )


def in_order(carries: Iterable[hypotheses.Placement]) -> tuple[hypotheses.Placement, ...]:
    """Sort placements by the time at which the pieces were set down."""
    return tuple(sorted(carries, key=lambda carry: (carry.released.by, carry.target)))


@dataclass(frozen=True)
class Showing:
    """A period in which a square shows one piece without interruption."""

    number: int
    square: Square
    shows: Sensed
    began: Interval
    ended: Interval | None = None
    before: int | None = None
    """Number of the period directly before this one, if the square was not empty in between."""
    after: int | None = None
    """Number of the period directly after this one, if the square was not empty in between."""

    def shows_it(self, piece: hypotheses.TrackedPiece) -> bool:
        return self.shows is Sensed.UNKNOWN or self.shows.side is piece.side


BEGINNING: Final = Interval(0, 0)
"""Interval in which the initial pieces are assumed to have appeared."""


class Origin(NamedTuple):
    how: str
    whence: int = -1
    """Number of the period in which the piece was shown before. -1 if the piece was not shown."""


BEGAN, NOWHERE = Origin("as it began"), Origin("from nowhere")


def all_reports(begun: Image, seen: Iterable[Change], ignored: SquareSet = 0) -> set[BoardReport]:
    """Return all hypotheses that explain the changes since the coloured image `begun`."""
    showings = _showings(begun, seen)
    return {
        history.report()
        for origins in _answers([list(_candidates(new, showings, ignored)) for new in showings])
        if (history := History(showings, origins)).is_possible()
    }


def _showings(begun: Image, seen: Iterable[Change]) -> list[Showing]:
    """Return the periods in which pieces were detected on squares, in the order in which they
    began."""
    found: list[Showing] = []
    latest: dict[Square, int] = {}
    for square in squares_in(begun.occupied):
        latest[square] = len(found)
        found.append(Showing(len(found), square, begun.at(square), BEGINNING))
    for change in seen:
        before = latest.pop(change.square, None)
        after = None if change.now is Sensed.EMPTY else len(found)
        if before is not None:
            found[before] = replace(found[before], ended=change.at, after=after)
        if after is not None:
            latest[change.square] = after
            found.append(Showing(after, change.square, change.now, change.at, None, before))
    return found


def _answers(
    candidates: Sequence[Sequence[Origin]], *origins: Origin
) -> Iterator[tuple[Origin, ...]]:
    """Yield every assignment of origins. No period may be the origin of two other periods."""
    if len(origins) == len(candidates):
        yield origins
        return
    for origin in candidates[len(origins)]:
        if origin in (BEGAN, NOWHERE) or origin.whence not in {each.whence for each in origins}:
            yield from _answers(candidates, *origins, origin)


def _candidates(new: Showing, showings: Sequence[Showing], ignored: SquareSet) -> Iterator[Origin]:
    """Yield the origins that fit the time and the square at which a piece was shown."""
    if new.began == BEGINNING:
        yield BEGAN
        return
    yield NOWHERE
    for old in showings:
        if old.ended and old.ended.by <= new.began.by:
            yield Origin("by a hand", old.number)
            if old.square == new.square and old.after is not None and new.before is not None:
                yield Origin("from beneath", old.number)
        elif old is not new:
            if _can_slide(old, new):
                yield Origin("along the board", old.number)
            if ignored >> old.square & 1 and old.number < new.number:
                yield Origin("unseen", old.number)


def _can_slide(old: Showing, new: Showing) -> bool:
    """Whether a piece could have slid from the old square to the new one."""
    return (
        bool(BESIDE[old.square] >> new.square & 1)
        and old.ended is not None
        and old.ended.after - new.began.by <= SENSING_LIMITS.slow_slide_overlap_seconds
        and (new.ended is None or new.ended.by >= old.ended.by)
    )


@dataclass(frozen=True)
class History:
    """All periods in which pieces were shown, each with an assumed origin of the piece."""

    showings: Sequence[Showing]
    origins: Sequence[Origin]

    def is_possible(self) -> bool:
        """Whether the origins are consistent."""
        return all(map(self._fits, self.showings, self.origins))

    def _fits(self, new: Showing, origin: Origin) -> bool:
        if origin in (BEGAN, NOWHERE):
            return True
        old, piece = self.showings[origin.whence], self._whose(origin.whence)
        if piece is None or not new.shows_it(piece):
            return False
        in_hands = [
            each
            for each in self.showings
            if each.ended and each.ended.by <= new.began.by and self._is_free(each, new)
        ]
        match origin.how:
            case "by a hand":
                return old is not self._beneath(new, in_hands)
            case "from beneath":
                return old is self._beneath(new, in_hands)
            case "along the board":
                return self._came(old) <= new.began.by
            case _:
                return not in_hands

    def _whose(self, number: int) -> hypotheses.TrackedPiece | None:
        """Return the piece that was shown in a period, or None for a stray piece."""
        for _ in self.showings:
            origin = self.origins[number]
            if origin == BEGAN:
                showing = self.showings[number]
                assert showing.shows.side
                return hypotheses.TrackedPiece(showing.shows.side, showing.square)
            if origin == NOWHERE:
                return None
            number = origin.whence
        return None  # the origins form a cycle

    def _is_free(self, old: Showing, new: Showing) -> bool:
        """Whether the piece shown in `old` has the right colour for `new`, and was not shown in
        between."""
        piece = self._whose(old.number)
        later = [origin.whence for origin in self.origins[new.number :]]
        gone_on = (
            old.number in {origin.whence for origin in self.origins} and old.number not in later
        )
        return piece is not None and new.shows_it(piece) and not gone_on

    def _beneath(self, new: Showing, in_hands: Iterable[Showing]) -> Showing | None:
        """Return the latest period on the square of `new` that ended when its piece was covered.
        That piece reappears when the covering piece is lifted."""
        covered = [old for old in in_hands if old.square == new.square and self._is_covered(old)]
        return covered[-1] if covered and new.before is not None else None

    def _is_covered(self, old: Showing) -> bool:
        return old.after is not None and self.origins[old.after].how != "from beneath"

    def _came(self, showing: Showing) -> float:
        """Return the time at which the piece had arrived and was no longer detected elsewhere.

        If the piece was later covered and uncovered again, its first arrival counts.
        """
        origin = self.origins[showing.number]
        if origin.how == "from beneath":
            return self._came(self.showings[origin.whence])
        gone = self.showings[origin.whence].ended if origin.how == "along the board" else None
        return max(showing.began.by, gone.by if gone else 0.0)

    def report(self) -> BoardReport:
        gone_on = {origin.whence for origin in self.origins}
        standing, held, carries, strays = {}, set(), [], set()
        for new, origin in zip(self.showings, self.origins, strict=True):
            piece, covers = self._whose(new.number), new.before is not None
            if piece is None:
                if new.ended is None:
                    strays.add(
                        hypotheses.UnexplainedPiece(new.square, new.shows, new.began, covers)
                    )
                continue
            if new.number not in gone_on:
                if new.ended is None:
                    standing[new.square] = piece
                else:
                    held.add(
                        hypotheses.LiftedPiece(piece, new.square, new.ended, self._is_covered(new))
                    )
            if origin.how in ("by a hand", "along the board", "unseen"):
                old = self.showings[origin.whence]
                lifted = new.began if origin.how == "unseen" else old.ended
                assert lifted
                carries.append(
                    hypotheses.Placement(piece, old.square, new.square, lifted, new.began, covers)
                )
        return BoardReport(
            frozenset(standing.items()), frozenset(held), in_order(carries), frozenset(strays)
        )
