"""Tracks pieces with multiple hypotheses about where each has moved and which are lifted.

A hypothesis (`Hypothesis`) starts from a board with known pieces and is extended change by change.
Each type of change has only a few possible causes:

=====================  ==========================================================================
a square is left       its piece is lifted, or has slid to a neighbour that already detects it
a square is taken      a lifted piece of that colour is placed there; a piece that is still
                       detected on the adjacent square slides there; if no piece is lifted, a
                       piece comes from an ignored square; or a stray (a piece of unknown origin)
                       appears
a square changes       its piece is covered (or was removed between two frames) and another takes
its colour             its place; or its piece is lifted off another piece, which has not moved
=====================  ==========================================================================

A change that can be explained in several ways yields one hypothesis per explanation. Such changes
are rare, because they require two lifted pieces of one colour. On a board that does not detect
colours, any piece can be mistaken for any other. The rules of the game are not checked here.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from engine.board.geometry import NEIGHBOURS, Side, Square, SquareSet, squares_in
from firmware_bridge.image import Image, Sensed
from firmware_bridge.sensing.change_detector import Change, Interval
from firmware_bridge.sensing.sensing_limits import SENSING_LIMITS


class TrackedPiece(NamedTuple):
    """A piece, identified by its colour and its square at the start of the hypothesis."""

    side: Side
    home: Square


@dataclass(frozen=True, slots=True)
class LiftedPiece:
    """A piece that is not on the board: lifted, put aside, or covered by another piece."""

    piece: TrackedPiece
    source: Square
    lifted: Interval
    covered: bool = False
    """Whether another piece was detected on the source square as soon as this one disappeared."""


@dataclass(frozen=True, slots=True)
class Placement:
    """A piece that was set down, either on another square or back on its original square."""

    piece: TrackedPiece
    source: Square
    target: Square
    lifted: Interval
    released: Interval
    covers: bool = False
    """Whether the target square was still occupied in the last frame before this piece appeared on
    it."""


@dataclass(frozen=True, slots=True)
class UnexplainedPiece:
    """A piece that appeared without a known origin."""

    square: Square
    shows: Sensed
    since: Interval
    covers: bool = False
    """Whether the square was still occupied in the last frame before this piece appeared on it."""
    is_old: bool = False
    """Whether the piece was already there when the hypothesis began. If so, it cannot have stopped
    on the edge of a square just now."""


@dataclass(frozen=True)
class Hypothesis:
    """A sequence of hand actions that explains all changes."""

    standing: Mapping[Square, TrackedPiece]
    held: tuple[LiftedPiece, ...] = ()
    carries: tuple[Placement, ...] = ()
    """Placements in the order in which they became certain. A slide becomes certain when the piece
    leaves the old square."""
    unexplained: tuple[UnexplainedPiece, ...] = ()
    phantom_squares: SquareSet = 0
    """Squares from which strays have disappeared. The strays were caused by a passing magnet or a
    flickering sensor."""
    oddities: int = 0
    """Total cost of unlikely events other than strays and phantoms."""

    @cached_property
    def penalty(self) -> int:
        """Total cost. Of two hypotheses, the cheaper one is more likely."""
        strays, phantoms = len(self.unexplained), self.phantom_squares.bit_count()
        return (
            self.oddities
            + SENSING_LIMITS.unexplained_penalty * strays
            + SENSING_LIMITS.phantom_penalty * phantoms
        )


def initial(
    image: Image, seen: Image | None = None, since: Callable[[Square], Interval] | None = None
) -> list[Hypothesis]:
    """Return the hypotheses for a known position.

    `image` contains every piece in the position, with its colour. `seen` is the image that the
    board currently shows, and `since` returns the time of a square's last change. The differences
    are processed in chronological order, rather than as simultaneous changes.
    """
    standing = {
        square: TrackedPiece(side, square) for side in Side for square in squares_in(image.of(side))
    }
    hypotheses = [Hypothesis(standing)]
    if seen is not None and since is not None:
        for moment in _moments(differences(image, seen, since)):
            hypotheses = extend_all(hypotheses, moment, 0)
    return [
        replace(
            hypothesis,
            unexplained=tuple(replace(stray, is_old=True) for stray in hypothesis.unexplained),
        )
        for hypothesis in hypotheses
    ]


def differences(expected: Image, seen: Image, since: Callable[[Square], Interval]) -> list[Change]:
    """Return the changes that lead from the expected image to the observed one.

    `since` returns the time of each change. A reading without a colour matches any piece.
    """
    found = []
    for square in squares_in(expected.occupied | seen.occupied):
        was, now = expected.at(square), seen.at(square)
        if was is not now and not (now is Sensed.UNKNOWN and was is not Sensed.EMPTY):
            found.append(Change(square, was, now, since(square)))
    return sorted(found, key=lambda change: change.was is Sensed.EMPTY)


def _moments(changes: Iterable[Change]) -> Iterator[list[Change]]:
    """Group changes whose relative order is unknown. Yields the groups in chronological order."""
    group: list[Change] = []
    for change in sorted(changes, key=lambda each: (each.at.by, each.at.after)):
        if group and all(each.at.is_before(change.at) for each in group):
            yield group
            group = []
        group.append(change)
    if group:
        yield group


def extend_all(
    hypotheses: Iterable[Hypothesis], seen: Iterable[Change], ignored: SquareSet
) -> list[Hypothesis]:
    """Extend every hypothesis by simultaneous changes. Return the results, most likely first.

    The order of the changes is unknown. All disappearances may therefore precede all appearances,
    or a piece may have slid to a square and left it again. Squares in `ignored` are not observed,
    so a piece may have come from one of them.
    """
    found, changes = list(hypotheses), list(seen)
    # Disappearances are processed first, and appearances last. A piece may also have disappeared
    # from a square to which it had slid between the same two frames. An earlier version processed
    # changes in square order. When frames were lost during an attack on a square with a lower
    # number than the attacker's square, that version found two lifted pieces and a stray piece.
    left = [change for change in changes if change.was is not Sensed.EMPTY]
    taken = [change for change in changes if change.now is not Sensed.EMPTY]
    for change in left:
        found = _likeliest(after for hypothesis in found for after in _left(hypothesis, change))
    for change in left:
        gone = (_without_stray(hypothesis, change) for hypothesis in found)
        found = _likeliest(after for hypothesis in gone for after in _left(hypothesis, change))
    for change in taken:
        taking = (after for hypothesis in found for after in _taken(hypothesis, change, ignored))
        found = _likeliest(taking, change.at)
    return found


def _likeliest(hypotheses: Iterable[Hypothesis], now: Interval | None = None) -> list[Hypothesis]:
    """Select the hypotheses to keep. Of equivalent hypotheses, only the cheapest is kept.

    A piece that appeared just before `now` may be sliding from a neighbouring square that still
    shows it. Such a slide costs nothing yet.
    """

    def penalty_of(hypothesis: Hypothesis) -> int:
        if now is None:
            return hypothesis.penalty
        sliding = [
            stray
            for stray in hypothesis.unexplained
            if now.by - stray.since.by <= SENSING_LIMITS.slide_overlap_seconds
            and _may_be_sliding(hypothesis, stray)
        ]
        return hypothesis.penalty - SENSING_LIMITS.sliding_discount * len(sliding)

    alike: dict[tuple[object, ...], Hypothesis] = {}
    # Of the hypotheses that agree on all actions, only the cheapest is kept, because the rest can
    # never become more likely.
    for hypothesis in sorted(hypotheses, key=penalty_of):
        alike.setdefault(_identity(hypothesis), hypothesis)
    chosen = list(alike.values())
    if len(chosen) > SENSING_LIMITS.most_hypotheses:
        # Alternative explanations of past actions must not crowd out those of the current action.
        places: Counter[tuple[object, ...]] = Counter()
        for hypothesis in alike.values():
            place = _place(hypothesis)
            places[place] += 1
            if places[place] > SENSING_LIMITS.most_alike_hypotheses:
                chosen.remove(hypothesis)
    return sorted(
        chosen[: SENSING_LIMITS.most_hypotheses], key=lambda hypothesis: hypothesis.penalty
    )


def _may_be_sliding(hypothesis: Hypothesis, stray: UnexplainedPiece) -> bool:
    """Whether the stray piece may be sliding from a neighbouring square."""
    beside = (hypothesis.standing.get(square) for square in NEIGHBOURS[stray.square])
    return any(piece is not None and _shows(stray.shows, piece) for piece in beside)


def _identity(hypothesis: Hypothesis) -> tuple[object, ...]:
    return hypothesis.carries, hypothesis.held, hypothesis.unexplained


def _place(hypothesis: Hypothesis) -> tuple[object, ...]:
    """Return a key for the current position of every piece in a hypothesis."""
    latest = {carry.piece: carry.target for carry in hypothesis.carries}
    held = frozenset((held.piece, held.source) for held in hypothesis.held)
    moved = frozenset(each for each in latest.items() if each[0].home != each[1])
    return moved, held, frozenset(stray.square for stray in hypothesis.unexplained)


def _without_stray(hypothesis: Hypothesis, change: Change) -> Hypothesis:
    """Remove the stray, if any, that has disappeared from a square.

    A stray was only a tilted piece if it was detected for no longer than the usual overlap of a
    slide.
    """
    gone = [stray for stray in hypothesis.unexplained if stray.square == change.square]
    if not gone:
        return hypothesis
    strays = tuple(stray for stray in hypothesis.unexplained if stray not in gone)
    # A piece that leans over the edge of its square is briefly detected on the neighbouring square.
    # Such a reading does not count as a phantom.
    if all(change.at.by - stray.since.by <= SENSING_LIMITS.slide_overlap_seconds for stray in gone):
        return replace(
            hypothesis,
            unexplained=strays,
            oddities=hypothesis.oddities + SENSING_LIMITS.tilt_penalty,
        )
    return replace(
        hypothesis,
        unexplained=strays,
        phantom_squares=hypothesis.phantom_squares | 1 << change.square,
    )


def _left(hypothesis: Hypothesis, change: Change) -> Iterator[Hypothesis]:
    """Explain a disappearance: any piece known to be on the square has slid or been lifted."""
    square, at = change.square, change.at
    piece = hypothesis.standing.get(square)
    if piece is None:
        yield hypothesis
        return
    standing = {where: who for where, who in hypothesis.standing.items() if where != square}
    slides = _slides(hypothesis, piece, change)
    # A slide explains the stray piece. The hypothesis that the vanished piece was lifted is kept as
    # well, because the stray piece may be a different one.
    for stray in slides:
        yield replace(
            hypothesis,
            standing={**standing, stray.square: piece},
            carries=(
                *hypothesis.carries,
                Placement(piece, square, stray.square, at, stray.since, stray.covers),
            ),
            unexplained=tuple(each for each in hypothesis.unexplained if each is not stray),
            oddities=hypothesis.oddities
            + SENSING_LIMITS.slow_slide_penalty * _stops(at, stray.since),
        )
    held = LiftedPiece(piece, square, at, covered=change.now is not Sensed.EMPTY)
    yield replace(
        hypothesis,
        standing=standing,
        held=(*hypothesis.held, held),
        oddities=hypothesis.oddities
        + SENSING_LIMITS.lift_despite_slide_penalty * bool(slides)
        + SENSING_LIMITS.coincidence_penalty * _looks_like_a_slide(hypothesis, piece, change),
    )


def _looks_like_a_slide(hypothesis: Hypothesis, piece: TrackedPiece, change: Change) -> bool:
    """Whether the piece left its square just as another piece of its side was set down beside it.

    A neighbouring piece that is put back on its own square does not count, because two players may
    be looking at adjacent pieces. Neither does a piece that reappeared on its own square in
    between, because it may have been tilted before it was lifted.
    """
    back = max(
        (each.released.by for each in hypothesis.carries if each.piece == piece), default=-math.inf
    )
    return any(
        carry.target in NEIGHBOURS[change.square]
        and carry.piece != piece
        and carry.source != carry.target
        and carry.piece.side is piece.side
        and carry.lifted.by < carry.released.by
        and back <= carry.released.by
        and 0
        <= change.at.after - carry.released.by
        <= SENSING_LIMITS.slide_coincidence_seconds + 1e-9
        for carry in hypothesis.carries
    )


def _slides(hypothesis: Hypothesis, piece: TrackedPiece, change: Change) -> list[UnexplainedPiece]:
    """Return the stray pieces that may be this piece, if it has slid off its square."""
    return [
        stray
        for stray in hypothesis.unexplained
        if _shows(stray.shows, piece)
        # A piece that was already there when the hypothesis began cannot have stopped on the edge
        # just now.
        and not (stray.is_old and _stops(change.at, stray.since))
        and _may_slide(hypothesis, piece, change.square, change.at, stray.square, stray.since)
    ]


def _may_slide(
    hypothesis: Hypothesis,
    piece: TrackedPiece,
    source: Square,
    gone: Interval,
    target: Square,
    since: Interval,
) -> bool:
    """Whether the piece may have slid from `source` to the neighbouring square `target`.

    A sliding piece is detected on at most two squares. When it reaches `target`, it must therefore
    have left any square on which it was before `source`.
    """
    came = [
        max(carry.lifted.by, carry.released.by)
        for carry in hypothesis.carries
        if (carry.piece, carry.target) == (piece, source)
    ]
    is_soon = gone.after - since.by <= SENSING_LIMITS.slow_slide_overlap_seconds
    # A piece cannot have slid from a square before it arrived there. Without this test, a piece
    # that was put down near an edge, and was also detected on the neighbouring square, seemed to
    # have slid there. No ruling was then made on the move.
    return target in NEIGHBOURS[source] and is_soon and all(at <= since.by for at in came)


def _stops(gone: Interval, since: Interval) -> bool:
    """Whether a sliding piece has been detected on two squares for longer than usual."""
    return gone.after - since.by > SENSING_LIMITS.slide_overlap_seconds


def _taken(hypothesis: Hypothesis, change: Change, ignored: SquareSet) -> Iterator[Hypothesis]:
    """Explain why a piece appears.

    A covered piece was uncovered, a lifted piece was set down, a piece slid here or came from an
    ignored square, or the origin is unknown.
    """
    square, at = change.square, change.at
    covers = change.was is not Sensed.EMPTY
    alike = [held for held in hypothesis.held if _shows(change.now, held.piece)]
    # A faint change is accepted late, so a piece that was lifted after this appearance may be
    # reported before it. That piece has either slid to this square or has nothing to do with it.
    fits = [held for held in alike if not at.is_before(held.lifted)]
    slid = [
        held
        for held in alike
        if held not in fits
        and _may_slide(hypothesis, held.piece, held.source, held.lifted, square, at)
    ]
    # The piece that was covered last is uncovered first, but only if the square changes colour. A
    # piece that appears on an empty square must have been placed there.
    covered = [held for held in fits if covers and held.covered and held.source == square]
    beneath = covered[-1] if covered else None
    if beneath is not None:
        yield _uncovered(hypothesis, beneath, change)
    home = [held for held in fits if held.source == square]
    for held in fits:
        if held is beneath:
            continue
        carry = Placement(held.piece, held.source, square, held.lifted, at, covers)
        yield replace(
            hypothesis,
            standing={**hypothesis.standing, square: held.piece},
            held=tuple(each for each in hypothesis.held if each is not held),
            carries=(*hypothesis.carries, carry),
            # A player who lifts two pieces usually puts both back on their own squares.
            oddities=hypothesis.oddities
            + SENSING_LIMITS.exchanged_penalty * (bool(home) and held not in home)
            + SENSING_LIMITS.too_fast_penalty * _is_too_fast(held, change)
            + SENSING_LIMITS.missed_slide_penalty
            * any(_slides_at_once(each, change) for each in fits if not home and each is not held),
        )
    for held in slid:
        carry = Placement(held.piece, held.source, square, held.lifted, at, covers)
        yield replace(
            hypothesis,
            standing={**hypothesis.standing, square: held.piece},
            held=tuple(each for each in hypothesis.held if each is not held),
            carries=(*hypothesis.carries, carry),
            oddities=hypothesis.oddities
            + SENSING_LIMITS.slow_slide_penalty * _stops(held.lifted, at),
        )
    # An ignored square is considered as the origin only if no lifted piece fits, because players
    # lift pieces before they set them down.
    for source in squares_in(ignored):
        piece = hypothesis.standing.get(source)
        if piece is not None and _shows(change.now, piece) and not fits:
            standing = {where: who for where, who in hypothesis.standing.items() if where != source}
            carry = Placement(piece, source, square, at, at, covers)
            yield replace(
                hypothesis,
                standing={**standing, square: piece},
                carries=(*hypothesis.carries, carry),
                oddities=hypothesis.oddities + SENSING_LIMITS.ignored_source_penalty,
            )
    stray = UnexplainedPiece(square, change.now, at, covers)
    # The piece that appears is usually a lifted piece, or the piece that has left this square. A
    # piece that left a neighbouring square at the same moment may only have been tilted. This
    # applies only to observed times: at the start of a hypothesis, all changes have the same time.
    has_left = any(carry.source == square for carry in hypothesis.carries)
    is_seen = at.after < at.by
    is_lifted = bool(slid) or any(
        held.lifted.is_before(at) or not is_seen or square not in NEIGHBOURS[held.source]
        for held in fits
    )
    oddities = hypothesis.oddities + SENSING_LIMITS.left_square_penalty * has_left
    if is_lifted:
        oddities += SENSING_LIMITS.second_origin_penalty
    elif fits:
        oddities += SENSING_LIMITS.possible_origin_penalty
    yield replace(hypothesis, unexplained=(*hypothesis.unexplained, stray), oddities=oddities)


def _is_too_fast(held: LiftedPiece, change: Change) -> bool:
    """Whether the piece moved too fast to have been carried. False if it may have slid."""
    if change.square == held.source or change.square in NEIGHBOURS[held.source]:
        return False
    is_soon = change.at.by - held.lifted.after < SENSING_LIMITS.fastest_carry_seconds - 1e-9
    return is_soon and held.lifted.is_before(change.at)


def _slides_at_once(held: LiftedPiece, change: Change) -> bool:
    """Whether the piece left a neighbouring square so recently that it must have slid."""
    is_beside = change.square in NEIGHBOURS[held.source]
    return (
        is_beside
        and change.at.by - held.lifted.by < SENSING_LIMITS.slide_coincidence_seconds - 1e-9
    )


def _uncovered(hypothesis: Hypothesis, beneath: LiftedPiece, change: Change) -> Hypothesis:
    """Uncover a piece after the piece on top of it has been lifted."""
    lifted_off = (change.square, change.at)
    held = tuple(
        replace(each, covered=False) if (each.source, each.lifted) == lifted_off else each
        for each in hypothesis.held
        if each is not beneath
    )
    return replace(
        hypothesis, standing={**hypothesis.standing, change.square: beneath.piece}, held=held
    )


def _shows(sensed: Sensed, piece: TrackedPiece) -> bool:
    """Whether the piece could cause this reading."""
    return sensed is Sensed.UNKNOWN or sensed.side is piece.side
