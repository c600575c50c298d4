"""Rules of the game by name, our interpretations of them, citations, and rule violations."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from engine.board.geometry import Side, SquareSet, names
from engine.board.visibility import Public


class Rule(Enum):
    """A rule of the game. Rulings cite it by this name."""

    SETUP = "setup"
    """The armies are complete and in their four rows before the first move."""
    OUT_OF_TURN = "out-of-turn"
    """Red starts, then the sides take turns until the game is over."""
    TOUCH_MOVE = "touch-move"
    """House rule, off by default: a player who has lifted a piece must move it."""
    SEALED_ARMIES = "sealed-armies"
    """House rule, off by default: only ranks that were committed to before the game count."""
    MOVEMENT = "movement"
    """Movement and attacks of pieces."""
    IMMOBILE_PIECE = "immobile-piece"
    """Bombs and the flag stay where they were set up."""
    TWO_SQUARES = "two-squares"
    """Pieces may not move back and forth endlessly between the same squares."""
    MORE_SQUARES = "more-squares"
    """Pieces may not chase each other endlessly."""
    COMBAT = "combat"
    """Declaration of ranks in an attack, and its result."""
    INFILTRATION = "infiltration"
    """Abilities of the infiltrator."""
    ENDING = "ending"
    """The end of a game."""


class Interpretation(Enum):
    """Our interpretation of a gap in a rulebook, shown with every ruling that depends on it.

    An edition lists the interpretations that it needs. docs/rules.md lists all of them.
    """

    ATTACK_IS_A_MOVE = (
        Rule.TWO_SQUARES,
        "an attack counts as a move when a piece goes to and fro",
    )
    CHASE_AS_ISF = (
        Rule.MORE_SQUARES,
        "an endless chase is recognised as in article 11 of the ISF rules",
    )
    STRAIGHT_STRIKE = (
        Rule.MOVEMENT,
        "a scout runs and attacks along one straight line, not round a corner",
    )
    SPY_AND_INFILTRATOR = (
        Rule.COMBAT,
        "an attacking infiltrator fights like any rank 1: it and a spy both fall",
    )
    SILENT_SURVIVOR = (
        Rule.COMBAT,
        (
            "with silent defence, only a defender that survives stays hidden, and without the cry; "
            "a fallen one is laid aside for all to see"
        ),
    )
    ENEMY_ROWS = (Rule.INFILTRATION, "enemy territory is the opponent's four rows")
    STRAIGHT_LINE = (
        Rule.INFILTRATION,
        "one or two squares away means in a straight line, and the square between may be occupied",
    )
    TURN_WITHOUT_MOVE = (
        Rule.INFILTRATION,
        "an infiltration is a turn: like an attack it ends a chase, and as nobody moves "
        "it interrupts going to and fro",
    )
    KNOCKED_BOMB = (
        Rule.IMMOBILE_PIECE,
        (
            "a bomb or flag on a square that no piece could have reached was knocked, not moved: "
            "it is put back"
        ),
    )
    SHUT_IN_LOSES = (
        Rule.ENDING,
        "a player who has movable pieces but no legal move loses as well",
    )
    REPETITION_LOSES = (
        Rule.ENDING,
        "a player whose only remaining moves are forbidden by a repetition rule loses",
    )
    BOTH_SHUT_IN = (
        Rule.ENDING,
        "when neither side can move, the game is a draw",
    )
    BOTH_SPENT = (
        Rule.ENDING,
        "when one combat takes the last movable pieces of both armies, the game is a draw",
    )
    SPY_AND_SPY = (
        Rule.COMBAT,
        "a spy that attacks a spy meets an equal rank: both fall",
    )
    SCOUT_BORDERS = (
        Rule.TWO_SQUARES,
        "a scout that runs crosses every border on its way",
    )
    RUNNING_CHASE = (
        Rule.MORE_SQUARES,
        "only the positions of the current chase count",
    )

    def __init__(self, rule: Rule, meaning: str) -> None:
        self.rule = rule
        self.meaning = meaning


@dataclass(frozen=True)
class Citation:
    """Source of a rule, cited by every ruling that a player may question."""

    rulebook: str
    """Empty if the source is not a rulebook but an interpretation by this project, a house rule, or
    a decision by the organiser."""
    rule: Rule
    article: str = ""
    """Number of the article, in a rulebook with numbered articles."""
    reading: Interpretation | None = None
    """Interpretation that decides the case, if the rulebook itself does not."""
    is_organisers: bool = False
    """Whether the organiser decides the case, as with a time limit or a decision by the arbiter."""

    @property
    def is_house_rule(self) -> bool:
        """Whether the rule is not in any rulebook but was agreed on by the players."""
        return not (self.rulebook or self.reading or self.is_organisers)

    def __str__(self) -> str:
        if self.rulebook:
            return ", ".join(filter(None, (self.rulebook, self.article)))
        if self.reading:
            return "our reading"
        return "the organiser's rule" if self.is_organisers else "a house rule"


HOUSE_RULES: Final = frozenset({Rule.TOUCH_MOVE, Rule.SEALED_ARMIES})
"""Rules that are not in any rulebook."""


class ViolationKind(Enum):
    """Type of rule violation."""

    WRONG_COUNT = (
        Rule.SETUP,
        "an army does not have the number of pieces that the edition asks for",
    )
    WRONG_ARMY = (Rule.SETUP, "an army has too many or too few pieces of some ranks")
    OUTSIDE_HOME = (Rule.SETUP, "pieces are outside their four rows")
    ON_LAKE = (Rule.SETUP, "pieces are on a lake")
    SHARED_SQUARE = (Rule.SETUP, "two pieces are on the same square")
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
    NO_PIECE_THERE = (Rule.INFILTRATION, "there is no opposing piece to infiltrate")

    def __init__(self, rule: Rule, meaning: str, reading: Interpretation | None = None) -> None:
        self.rule = rule
        self.meaning = meaning
        self.reading = reading
        """Interpretation that decides this violation if a rulebook does not cover the case."""


@dataclass(frozen=True)
class Violation(Public):
    """A rule forbids the action; the game is unchanged."""

    fault: ViolationKind
    squares: SquareSet
    """For the two-squares rule: the squares between which the piece moved."""
    citation: Citation
    count: int = 0
    """For the two-squares rule: the number of consecutive repetitions allowed. For the more-squares
    rule: the number of plies since the position occurred. For an army: its size."""
    side: Side | None = None
    """For a setup: the army's owner. For a move out of turn: the side to move."""

    def __str__(self) -> str:
        """Return a sentence with the violation, the squares, the rule and the citation."""
        place = names(self.squares)
        reading = f"; our reading: {self.citation.reading.meaning}" if self.citation.reading else ""
        rule = self.fault.rule.value
        return f"{self.fault.meaning} ({place}) – {rule}, {self.citation}{reading}"
