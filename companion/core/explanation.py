"""Data types for hand actions, and for explaining them as turns, misplaced pieces or held pieces.

Hand actions are sorted by the time at which their pieces were released. The squares may have
changed in a different order. A piece that is carried low is briefly detected on the squares that it
passes. A sleeve pushes a piece before the hand completes the intended move. An attacker shoves its
target aside before the hand releases the attacker.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from companion.core.recognition_limits import LIMITS
from engine.board.geometry import NEIGHBOURS, WIDTH, Side, Square
from engine.game.actions import Amend, Attack, Move
from engine.rules.rules import Violation
from firmware_bridge.sensing.change_detector import Interval
from firmware_bridge.sensing.hypotheses import Hypothesis, LiftedPiece, Placement, TrackedPiece


@dataclass(frozen=True)
class Tap:
    """A piece was held briefly over another one: to inspect it, to tap it, or in passing."""

    piece: TrackedPiece
    target: Square
    at: float
    """Time at which the held piece was taken away again, in seconds."""


@dataclass(frozen=True)
class HandActions:
    """One interpretation of a hypothesis: what the players' hands have done."""

    carries: tuple[Placement, ...] = ()
    held: tuple[LiftedPiece, ...] = ()
    """Pieces that are lifted or beside the board."""
    taps: tuple[Tap, ...] = ()
    counts_brief_stops: bool = False
    """Whether a piece counts as released on a square where it stayed only very briefly."""
    pushed: frozenset[Placement] = frozenset()
    """Placements of pieces that a sleeve pushed while the player reached for another piece."""
    shoved: frozenset[Placement] = frozenset()
    """Placements of pieces that a piece of the other side shoved off their squares."""
    is_unlikely: bool = False
    """Whether an apparent shove is interpreted as a separate placement by a hand."""


def alternatives(hypothesis: Hypothesis) -> Iterator[HandActions]:
    """Yield every distinct interpretation of a hypothesis as hand actions."""
    taken = set()
    passed: tuple[list[Placement], tuple[LiftedPiece, ...]] | None = None
    # If another hand takes a released piece at once, the frames are the same as for a piece that
    # was never released, so both interpretations are yielded. The rules usually allow only one of
    # them (case pushed-on-and-taken).
    for counts in (False, True):
        carries, held, taps = _let_go(hypothesis, counts=counts)
        if (carries, held) == passed:
            return  # there were no brief stops
        passed = carries, held
        after_hands = _behind_the_hand(carries)
        shoved = frozenset(
            step for step in after_hands if any(_shoves(each, step) for each in after_hands)
        )
        behind = tuple(_behind_the_shover(after_hands))
        pushed = frozenset(
            step for step in carries if any(_is_reached_for(step, each) for each in carries)
        )
        # The more likely interpretation comes first. An apparent shove may also be two separate
        # placements made at the same time.
        for order, aside in ((behind, shoved), (tuple(after_hands), frozenset[Placement]())):
            if (order, held) not in taken:
                taken.add((order, held))
                yield HandActions(
                    order, held, taps, counts, pushed, aside, is_unlikely=order != behind
                )


def rested_seconds(*, covers: bool) -> float:
    """Return how long a piece must rest to count as placed, in seconds.

    Pass `covers=True` if the piece may be standing on another one.
    """
    return LIMITS.covering_piece_rested_seconds if covers else LIMITS.piece_rested_seconds


def is_slide(carry: Placement) -> bool:
    """Whether a piece was slid to another square instead of being lifted."""
    gap = carry.released.by - carry.lifted.by
    return carry.source != carry.target and gap <= LIMITS.slide_gap_seconds


def _let_go(
    hypothesis: Hypothesis, *, counts: bool
) -> tuple[list[Placement], tuple[LiftedPiece, ...], tuple[Tap, ...]]:
    """Return three values: the placements in order of release, the held pieces, and the taps.

    A piece that was on a square too briefly was only passing over it. If `counts` is set, even a
    brief stop counts as a release, because another hand may have taken the piece at once.
    """
    steps: list[Placement] = []
    taps: list[Tap] = []

    def pass_on(stop: Placement, lifted: Interval) -> None:
        steps.remove(stop)
        if stop.covers:
            taps.append(Tap(stop.piece, stop.target, lifted.by))

    # The placements are sorted by release time, because the hypothesis lists them in the order in
    # which they became certain. A slide becomes certain only when the old square is empty, and by
    # then another piece may have been set down.
    for seen in sorted(hypothesis.carries, key=lambda each: each.released.by):
        carry = seen
        before = next((each for each in reversed(steps) if each.piece == carry.piece), None)
        off_seconds = carry.released.by - carry.lifted.by
        if carry.source == carry.target and off_seconds <= LIMITS.longest_shake_seconds:
            if before and carry.lifted.by - before.released.by < LIMITS.piece_rested_seconds:
                # The piece was not released: a trembling hand still holds it over its square.
                steps[steps.index(before)] = replace(before, released=carry.released)
            continue
        if before and _was_passing(before, carry.lifted, hypothesis, counts=counts):
            pass_on(before, carry.lifted)
            carry = replace(carry, source=before.source, lifted=before.lifted)
        steps.append(carry)
    held = list(hypothesis.held)
    for number, each in enumerate(held):
        before = next((step for step in reversed(steps) if step.piece == each.piece), None)
        if before and _was_passing(before, each.lifted, hypothesis, counts=counts):
            pass_on(before, each.lifted)
            held[number] = replace(each, source=before.source, lifted=before.lifted)
    return steps, tuple(held), tuple(taps)


def _was_passing(
    stop: Placement, lifted: Interval, hypothesis: Hypothesis, *, counts: bool
) -> bool:
    """Whether a piece only passed over a square without being released.

    If an enemy piece beneath the piece stayed in place, the piece was only passing, even if
    `counts` is set.
    """
    beneath = hypothesis.standing.get(stop.target)
    if stop.covers and beneath is not None and beneath.side is not stop.piece.side:
        return True
    need = rested_seconds(covers=stop.covers)
    return not counts and lifted.by - stop.released.by < need


def _behind_the_hand(steps: list[Placement]) -> list[Placement]:
    """Return the steps, reordered so that a push by a sleeve follows the steps of the same hand."""

    # Without the reordering, the push would count as a turn, and the intended move would be out of
    # turn.
    def done(step: Placement) -> tuple[float, bool]:
        carried = [
            each.released.by
            for each in steps
            if each.piece.side is step.piece.side
            and each.source != each.target
            and (_is_during(step, each) or _is_reached_for(step, each))
        ]
        return max(carried, default=step.released.by), bool(carried)

    # If a piece was pushed, its later steps are listed after the push.
    latest: dict[TrackedPiece, tuple[float, bool]] = {}
    places: dict[Placement, tuple[float, bool]] = {}
    for step in steps:
        latest[step.piece] = max(done(step), latest.get(step.piece, (0.0, False)))
        places[step] = latest[step.piece]
    return sorted(steps, key=places.__getitem__)


def _is_during(step: Placement, carry: Placement) -> bool:
    """Whether the whole step was made while the piece moved by `carry` was lifted."""
    begun, over = min(step.lifted.by, step.released.by), step.released.by
    return carry.lifted.by < begun and over < carry.released.by


def _is_reached_for(push: Placement, carry: Placement) -> bool:
    """Whether a piece is lifted so soon after a nearby push that one hand must have caused both."""
    if not is_slide(push) or is_slide(carry) or push.piece == carry.piece:
        return False
    over = max(push.lifted.by, push.released.by)
    is_soon = 0 <= carry.lifted.by - over <= LIMITS.push_before_lift_seconds
    return is_soon and (is_near(push, carry.source) or is_near(push, carry.target))


def is_near(push: Placement, place: Square) -> bool:
    """Whether a player's sleeve may have pushed a piece while the hand was at `place`."""
    return _apart(push.source, place) <= LIMITS.sleeve_reach_squares


def _apart(one: Square, other: Square) -> int:
    """Return the column distance or row distance between two squares, whichever is larger."""
    (row, column), (other_row, other_column) = divmod(one, WIDTH), divmod(other, WIDTH)
    return max(abs(row - other_row), abs(column - other_column))


def _behind_the_shover(steps: list[Placement]) -> list[Placement]:
    """Return the steps, reordered so that each shove follows the step that caused it."""
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


def _shoves(carry: Placement, step: Placement) -> bool:
    """Whether the piece moved by `carry` shoved the piece moved by `step` off its square."""
    if carry.piece.side is step.piece.side or carry.target != step.source:
        return False
    is_beside = step.target in NEIGHBOURS[step.source]
    is_short = step.released.by - step.lifted.by <= LIMITS.shoved_unfelt_seconds
    left = max(step.lifted.by, step.released.by)
    return is_beside and is_short and abs(carry.released.by - left) <= LIMITS.shove_seconds


@dataclass(frozen=True)
class Turn:
    """A legal turn taken on the board."""

    piece: TrackedPiece
    source: Square
    """Square on which the turn began."""
    target: Square
    stop: Square
    """Start of the turn's last segment: `source`, or the square on which the piece stopped."""
    is_attack: bool
    action: Move | Attack | Amend
    """Action for the referee. A scout that attacks at the end of its previous turn amends that
    turn."""
    lifted: float
    released: float
    covers: bool
    """Whether the target square has never been seen empty."""
    paused: float = 0.0
    """Seconds that the piece spent on `stop` before it went on."""
    may_be_pushed: bool = False
    """Whether a sleeve may have pushed the piece while a player took the previous turn."""
    lingered: float = 0.0
    """Seconds during which the piece was detected on two squares at once."""
    left: float | None = None
    """Time at which the piece was lifted again to be put on an illegal square, or None."""

    @property
    def is_slid(self) -> bool:
        """Whether the piece was slid instead of lifted."""
        return self.released - self.lifted <= LIMITS.slide_gap_seconds

    @property
    def way(self) -> tuple[Square, Square]:
        return self.source, self.target


@dataclass(frozen=True)
class MisplacedMarker:
    """A piece on a square to which it may not move."""

    piece: TrackedPiece
    source: Square
    """Square to which the piece must return."""
    target: Square
    violation: Violation
    released: float
    is_pushed: bool = False
    """Whether a sleeve pushed the piece while the player reached for another one."""


@dataclass(frozen=True)
class Explanation:
    """A hypothesis translated into turns, misplaced pieces and held pieces."""

    hypothesis: Hypothesis
    turns: tuple[Turn, ...] = ()
    wrong: tuple[MisplacedMarker, ...] = ()
    held: tuple[LiftedPiece, ...] = ()
    """Pieces that are lifted or beside the board and not part of a turn."""
    first: Mapping[TrackedPiece, float] = field(default_factory=dict)
    """Release times of the pieces that have come to rest by the time the first turn becomes
    final."""
    misplaced_after_first: tuple[MisplacedMarker, ...] = ()
    """Pieces that are misplaced once the first turn is final."""
    taps: tuple[Tap, ...] = ()
    """Taps on other pieces: those since the latest turn, and those that the moving piece made
    during that turn."""
    reordering_seconds: float = 0.0
    """Sum of the times by which answers came before the moves that they answered, in seconds."""
    open_until: float = 0.0
    """Until this time, the latest step may still turn out to answer a move that the opponent has
    not completed yet."""
    touched: Mapping[Side, float] = field(default_factory=dict)
    """Time at which each side first touched a piece after the latest turn."""
    way: HandActions = field(default_factory=HandActions)
    """The hand actions on which this explanation is based."""
    amendable: float = LIMITS.turn_amendable_seconds
    """Seconds for which a player may still put the piece of a turn on another square."""
    rushed: int = 0
    """Number of turns that are too fast for human hands to be separate turns. Each piece that was
    moved during a combat between other pieces adds 1."""
    misplaced: int = 0
    """Number of illegal placements, including placements that have since been corrected."""

    @cached_property
    def cost(self) -> tuple[float, ...]:
        """Cost of the explanation. The explanation with the lowest cost is chosen."""
        # The violations come first because players mostly follow the rules. An explanation with
        # unusual movements but no violation is therefore more likely than one with ordinary
        # movements and an illegal placement. An unexplained piece counts twice because even its
        # origin is unknown.
        wrong = (
            len(self.wrong)
            + 2 * len(self.hypothesis.unexplained)
            + bool(self.hypothesis.phantom_squares)
        )
        unusualness = self.hypothesis.penalty + self.way.is_unlikely + self.misplaced
        return wrong, self.rushed, self.reordering_seconds, unusualness, self.way.counts_brief_stops

    def place_of(self, piece: TrackedPiece) -> Square | None:
        """Return the square of a piece, or the square to which a held piece must return.

        Return None if the piece is neither on the board nor held.
        """
        held = [each.source for each in self.held if each.piece == piece]
        stands = [square for square, each in self.hypothesis.standing.items() if each == piece]
        return next(iter(held + stands), None)

    def is_in_hand_again(self, turn: Turn) -> bool:
        """Whether the piece moved in the turn was lifted again in time to amend the turn."""
        touched = self.touched.get(turn.piece.side.other, math.inf)
        return any(
            held.piece == turn.piece
            and held.lifted.by <= touched
            and (turn.left or held.lifted.by) - turn.released <= self.amendable
            and held.lifted.by - (turn.left or held.lifted.by) <= self.amendable
            for held in self.held
        )

    @property
    def released_ways(self) -> tuple[tuple[Square, Square], ...]:
        """Source and target of each turn, except turns whose piece has been lifted again."""
        return tuple(turn.way for turn in self.turns if not self.is_in_hand_again(turn))

    def confirms(self, turn: Turn) -> bool:
        """Whether an answer confirms the turn: the turn's side must have released all its pieces.

        Players do not reply to a mere push by a sleeve.
        """
        own = (held for held in self.held if held.piece.side is turn.piece.side)
        return not self.wrong and all(held.lifted.by > turn.released for held in own)

    def begins_like(self, other: "Explanation") -> bool:
        """Whether two explanations begin with the same turn and agree on the position after it."""
        if not (self.turns and other.turns):
            return False
        one, two = self.turns[0], other.turns[0]
        is_same_turn = (one.piece, one.way) == (two.piece, two.way)
        return is_same_turn and self.misplaced_after_first == other.misplaced_after_first

    def is_as_likely_as(self, likeliest: "Explanation") -> bool:
        """Whether this explanation is considered as likely as the most likely one.

        A slightly less likely explanation counts as equally likely if it moves a different piece of
        the same colour to the same square.
        """
        if self.cost == likeliest.cost:
            return True
        if self.cost[:3] != likeliest.cost[:3] or not (self.turns and likeliest.turns):
            return False
        one, other = self.turns[-1], likeliest.turns[-1]
        is_odder = self.hypothesis.penalty - likeliest.hypothesis.penalty
        is_other = one.piece != other.piece and (one.target == other.target or bool(self.wrong))
        # No sensor can distinguish two pieces of one colour. A wrong choice between them would go
        # unnoticed until a rank is revealed.
        return is_other and is_odder <= LIMITS.near_tie_penalty


def from_its_turn(held: LiftedPiece, pending: Iterable[Turn]) -> LiftedPiece:
    """Return a held piece whose source is the square where its turn began.

    `pending` contains the turns that have not been ruled on. A piece without a turn in `pending` is
    returned unchanged.
    """
    for turn in pending:
        if turn.piece == held.piece:
            return replace(held, source=turn.source)
    return held
