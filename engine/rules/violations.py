"""Kinds of rule violations as data, and the ruling that reports one.

The announcer has the sentences for players.
"""

from dataclasses import dataclass
from enum import Enum

from engine.board.geometry import Side, SquareSet, names
from engine.board.visibility import Public
from engine.rules.rules import Citation, Interpretation, Rule


class ViolationKind(Enum):
    """Kind of rule violation."""

    WRONG_COUNT = (
        Rule.SETUP,
        "an army does not have the number of pieces that the edition asks for",
    )
    WRONG_ARMY = (Rule.SETUP, "an army has too many or too few pieces of some ranks")
    OUTSIDE_HOME = (Rule.SETUP, "pieces are outside their four rows")
    ON_LAKE = (Rule.SETUP, "pieces are on a lake")
    SHARED_SQUARE = (Rule.SETUP, "two pieces are on one square")
    NOT_SEALED = (Rule.SEALED_ARMIES, "an army is not sealed, or differs from its seals")
    NOT_YOUR_PIECE = (Rule.OUT_OF_TURN, "the piece belongs to the side that is not to move")
    GAME_IS_OVER = (Rule.OUT_OF_TURN, "the game is over")
    TOUCHED_ANOTHER = (Rule.TOUCH_MOVE, "another piece was touched first, and it can move")
    NO_PIECE = (Rule.MOVEMENT, "there is no piece on the source square")
    NOT_STRAIGHT = (Rule.MOVEMENT, "the squares are not in the same row or column")
    INTO_LAKE = (Rule.MOVEMENT, "the target is a lake")
    ACROSS_LAKE = (Rule.MOVEMENT, "a lake is in the way")
    ONTO_OWN_PIECE = (Rule.MOVEMENT, "a piece of the same side is on the target")
    ONTO_OPPONENT = (Rule.MOVEMENT, "an opposing piece is on the target, so this is an attack")
    NOTHING_TO_ATTACK = (Rule.MOVEMENT, "no opposing piece is on the target")
    PIECE_IN_THE_WAY = (Rule.MOVEMENT, "a piece is in the way")
    TOO_FAR = (Rule.MOVEMENT, "only a scout goes further than one square")
    IMMOBILE = (Rule.IMMOBILE_PIECE, "bombs and the flag never move")
    TO_AND_FRO = (Rule.TWO_SQUARES, "the piece has moved back and forth too often in a row")
    CHASE_REPEATS = (
        Rule.MORE_SQUARES,
        "the position has already occurred in this chase",
        Interpretation.CHASE_AS_ISF,
    )
    NO_INFILTRATOR = (Rule.INFILTRATION, "only the infiltrator infiltrates")
    NOT_IN_ENEMY_ROWS = (
        Rule.INFILTRATION,
        "the infiltrator is outside the enemy's four rows",
        Interpretation.ENEMY_ROWS,
    )
    OUT_OF_REACH = (
        Rule.INFILTRATION,
        "the piece is not one or two squares away in a straight line",
        Interpretation.STRAIGHT_LINE,
    )
    NOBODY_THERE = (Rule.INFILTRATION, "there is no opposing piece to infiltrate")

    def __init__(self, rule: Rule, meaning: str, reading: Interpretation | None = None) -> None:
        self.rule = rule
        self.meaning = meaning
        self.reading = reading
        """Interpretation that always decides this violation if a rulebook does not cover the
        case."""


@dataclass(frozen=True)
class Violation(Public):
    """A rule forbids the action; the game is unchanged."""

    fault: ViolationKind
    squares: SquareSet
    """Squares concerned; for two-squares the squares between which the piece moved."""
    citation: Citation
    count: int = 0
    """For two-squares: number of repetitions allowed in a row. For more-squares: number of moves of
    either side since the position occurred. For an army: its number of pieces."""
    side: Side | None = None
    """For a setup: owner of the army. For a move out of turn: side to move."""

    def __str__(self) -> str:
        """Return a sentence with the rule, the squares and the citation."""
        place = names(self.squares)
        reading = f"; our reading: {self.citation.reading.meaning}" if self.citation.reading else ""
        rule = self.fault.rule.value
        return f"{self.fault.meaning} ({place}) – {rule}, {self.citation}{reading}"
