"""The rules that an action can break, and the ways of breaking them, as data.

Sentences about them are written elsewhere, in the language of the players.
"""

from dataclasses import dataclass
from enum import Enum


class Rule(Enum):
    """A rule of the game, by the name under which verdicts cite it."""

    SETUP = "setup"
    """The armies stand complete in their own four rows before the first move (rules.md §3)."""
    OUT_OF_TURN = "out-of-turn"
    """Red starts, then the sides take turns until the game is over (rules.md §1)."""
    MOVEMENT = "movement"
    """How pieces move and attack (rules.md §4)."""
    IMMOBILE_PIECE = "immobile-piece"
    """Bombs and the flag stay where they were set up (rules.md §4)."""
    TWO_SQUARES = "two-squares"
    """No endless going to and fro between the same squares (rules.md §5)."""
    MORE_SQUARES = "more-squares"
    """No endless chase over more squares (rules.md §6)."""
    COMBAT = "combat"
    """How an attack is declared and who wins it (rules.md §7)."""
    INFILTRATION = "infiltration"
    """What the infiltrator can do (rules.md §8)."""
    ENDING = "ending"
    """How a game ends (rules.md §9)."""


class Reading(Enum):
    """What we read where a rulebook is silent; players are shown it with the rule."""

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
    SHUT_IN_LOSES = (
        Rule.ENDING,
        "a player who has movable pieces but no legal move loses as well",
    )
    SILENT_SURVIVOR = (
        Rule.COMBAT,
        "with silent defence only a defender that survives stays unnamed, and without the cry; "
        "a fallen one is laid aside for all to see",
    )
    KNOCKED_BOMB = (
        Rule.IMMOBILE_PIECE,
        "a bomb or flag that stands where no piece could have gone was knocked, not moved: "
        "it is put back",
    )

    def __init__(self, rule: Rule, meaning: str) -> None:
        self.rule = rule
        self.meaning = meaning


@dataclass(frozen=True)
class Source:
    """Where a rule is written: what every ruling that a player may doubt cites."""

    rulebook: str
    rule: Rule
    article: str = ""
    """The number of its article, in a rulebook that has such numbers."""
    reading: Reading | None = None
    """What we read there, if the rulebook itself does not say it."""

    def __str__(self) -> str:
        return ", ".join(filter(None, (self.rulebook, self.article)))


class Fault(Enum):
    """One way of breaking a rule."""

    WRONG_COUNT = (
        Rule.SETUP,
        "an army does not have the number of pieces that the edition asks for",
    )
    WRONG_ARMY = (Rule.SETUP, "an army has too many or too few pieces of some ranks")
    OUTSIDE_HOME = (Rule.SETUP, "pieces stand outside the own four rows")
    ON_LAKE = (Rule.SETUP, "pieces stand on a lake")
    SHARED_SQUARE = (Rule.SETUP, "two pieces stand on one square")
    NOT_YOUR_PIECE = (Rule.OUT_OF_TURN, "the piece belongs to the side that is not to move")
    GAME_IS_OVER = (Rule.OUT_OF_TURN, "the game is over")
    NO_PIECE = (Rule.MOVEMENT, "no piece stands on the first square")
    NOT_STRAIGHT = (Rule.MOVEMENT, "the squares do not lie in one row or column")
    INTO_LAKE = (Rule.MOVEMENT, "the target is a lake")
    ACROSS_LAKE = (Rule.MOVEMENT, "a lake is in the way")
    ONTO_OWN_PIECE = (Rule.MOVEMENT, "an own piece stands on the target")
    ONTO_OPPONENT = (Rule.MOVEMENT, "an opposing piece stands on the target: that is an attack")
    NOTHING_TO_ATTACK = (Rule.MOVEMENT, "no opposing piece stands on the target")
    PIECE_IN_THE_WAY = (Rule.MOVEMENT, "a piece is in the way")
    TOO_FAR = (Rule.MOVEMENT, "only a scout goes further than one square")
    IMMOBILE = (Rule.IMMOBILE_PIECE, "bombs and the flag never move")
    TO_AND_FRO = (Rule.TWO_SQUARES, "the border was crossed too often in a row")
    CHASE_REPEATS = (Rule.MORE_SQUARES, "the position has stood on the board during this chase")
    NO_INFILTRATOR = (Rule.INFILTRATION, "only the infiltrator infiltrates")
    NOT_IN_ENEMY_ROWS = (
        Rule.INFILTRATION,
        "the infiltrator stands outside the enemy's four rows",
        Reading.ENEMY_ROWS,
    )
    OUT_OF_REACH = (
        Rule.INFILTRATION,
        "the piece is not one or two squares away in a straight line",
        Reading.STRAIGHT_LINE,
    )
    NOBODY_THERE = (Rule.INFILTRATION, "no opposing piece stands there to be infiltrated")

    def __init__(self, rule: Rule, meaning: str, reading: Reading | None = None) -> None:
        self.rule = rule
        self.meaning = meaning
        self.reading = reading
        """Our reading that it rests on, where a rulebook is silent."""
