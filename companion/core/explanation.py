"""Explanations of what hands did: turns, misplaced pieces and held pieces."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from companion.core.hand_actions import HandActions, Tap
from companion.core.recognition_limits import LIMITS
from engine.board.geometry import Side, Square
from engine.game.actions import Amend, Attack, Move
from engine.rules.violations import Violation
from firmware_bridge.sensing.hypotheses import Hypothesis, LiftedPiece, TrackedPiece


@dataclass(frozen=True)
class Turn:
    """A legal turn made on the board."""

    piece: TrackedPiece
    source: Square
    """The square on which the turn began."""
    target: Square
    stop: Square
    """The start of the turn's last segment: the turn's origin, or an intermediate square."""
    is_attack: bool
    action: Move | Attack | Amend
    """The turn as an action for the referee: an amendment if a scout ends the previous turn with an
    attack, however late."""
    lifted: float
    released: float
    covers: bool
    """Whether the target was never seen empty."""
    paused: float = 0.0
    """Time for which the piece was on `stop` before it went on, in seconds."""
    may_be_pushed: bool = False
    """Whether a sleeve may have pushed the piece while the hand made the previous turn."""
    lingered: float = 0.0
    """Time for which the piece was sensed on two squares at once, in seconds."""
    left: float | None = None
    """Time at which the piece was lifted again and set on an illegal square, or None."""

    @property
    def is_slid(self) -> bool:
        """Whether the piece was never seen to be lifted."""
        return self.released - self.lifted <= LIMITS.slide_gap_seconds

    @property
    def way(self) -> tuple[Square, Square]:
        """The squares where the turn began and ended."""
        return self.source, self.target


@dataclass(frozen=True)
class MisplacedMarker:
    """A misplaced piece: it is on a square where no rule allows it."""

    piece: TrackedPiece
    source: Square
    """The square to which the piece has to go back."""
    target: Square
    violation: Violation
    released: float
    is_pushed: bool = False
    """Whether a sleeve pushed the piece while the hand reached for the intended one."""


@dataclass(frozen=True)
class Explanation:
    """A hypothesis explained as turns, misplaced pieces and held pieces."""

    hypothesis: Hypothesis
    turns: tuple[Turn, ...] = ()
    wrong: tuple[MisplacedMarker, ...] = ()
    held: tuple[LiftedPiece, ...] = ()
    """Pieces that are lifted or beside the board and not part of a turn."""
    first: Mapping[TrackedPiece, float] = field(default_factory=dict)
    """Placement times of the pieces whose movement is over once the first turn is final."""
    misplaced_after_first: tuple[MisplacedMarker, ...] = ()
    """The pieces that are misplaced once the first turn is final."""
    taps: tuple[Tap, ...] = ()
    """Taps on other pieces since the latest turn, or by the moving piece during that turn."""
    reordering_seconds: float = 0.0
    """Time by which answers preceded the moves that they answer, in seconds."""
    open_until: float = 0.0
    """Time until which the latest step may still turn out to be an early answer."""
    touched: Mapping[Side, float] = field(default_factory=dict)
    """For each side that touched a piece after the latest turn, the time when it first did."""
    way: HandActions = field(default_factory=HandActions)
    """The interpretation of the hypothesis."""
    amendable: float = LIMITS.turn_amendable_seconds
    """Time for which a turn may be ended on another square, in seconds."""
    rushed: int = 0
    """Number of turns that are too fast for hands and do not continue the previous turn, plus the
    number of pieces moved during a combat between other pieces."""
    misplaced: int = 0
    """Number of illegal placements, including placements that have since been corrected."""

    @cached_property
    def cost(self) -> tuple[float, ...]:
        """The cost of the explanation. The explanation with the lowest cost is chosen."""
        # Compared in this order because players mostly follow the rules: an explanation without a
        # violation is likelier than one with ordinary movements and an illegal placement. An
        # unexplained piece counts twice because even its origin is unknown.
        wrong = (
            len(self.wrong)
            + 2 * len(self.hypothesis.unexplained)
            + bool(self.hypothesis.phantom_squares)
        )
        unusualness = self.hypothesis.penalty + self.way.is_unlikely + self.misplaced
        return wrong, self.rushed, self.reordering_seconds, unusualness, self.way.counts_brief_stops

    def place_of(self, piece: TrackedPiece) -> Square | None:
        """The square that a piece is on, or to which a held piece has to go back."""
        held = [each.source for each in self.held if each.piece == piece]
        stands = [square for square, each in self.hypothesis.standing.items() if each == piece]
        return next(iter(held + stands), None)

    def is_in_hand_again(self, turn: Turn) -> bool:
        """Whether the piece of the latest turn was lifted again by the hand that moved it."""
        touched = self.touched.get(turn.piece.side.other, math.inf)
        return any(
            held.piece == turn.piece
            and held.lifted.by <= touched
            and (turn.left or held.lifted.by) - turn.released <= self.amendable
            and held.lifted.by - (turn.left or held.lifted.by) <= self.amendable
            for held in self.held
        )


def from_its_turn(held: LiftedPiece, pending: Iterable[Turn]) -> LiftedPiece:
    """Return a held piece as it was before its turn in `pending`, which is not ruled yet."""
    for turn in pending:
        if turn.piece == held.piece:
            return replace(held, source=turn.source)
    return held
