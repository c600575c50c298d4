"""What the referee answers to an action. All is public but the `Contradiction`."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from engine.knowledge.proofs import Proof
from engine.legality.setup import Placed
from engine.play.actions import Mistake, Shift
from engine.ranks import Rank
from engine.rulebook.combat import Result, is_boom
from engine.rulebook.rules import Citation, Reading
from engine.rulebook.violation import Violation
from engine.secrecy import Private, Public
from engine.sides import Side
from engine.squares import Square, SquareSet


class Reason(Enum):
    """Why a game is over."""

    FLAG_CAPTURED = "flag-captured"
    NO_MOVABLE_PIECE = "no-movable-piece"
    """All movable pieces of the loser have been captured."""
    NO_LEGAL_MOVE = "no-legal-move"
    """The loser is shut in, or every move left is forbidden by a repetition rule."""
    MOVED_BOMB = "moved-bomb"
    """The loser has moved a bomb or the flag, in an edition where that loses."""
    RESIGNATION = "resignation"
    AGREED_DRAW = "agreed-draw"
    BOTH_IMMOBILE = "both-immobile"
    """Neither side can move, or neither has a movable piece left: a draw."""
    TIME = "time"
    """The loser's time is up; a draw if it is the time of the whole game."""
    FORFEIT = "forfeit"
    """The arbiter has decided."""


@dataclass(frozen=True)
class ArmiesPlaced(Public):
    """The game has begun; Red is to move."""


@dataclass(frozen=True)
class Moved(Public):
    """A piece went to an empty square."""

    side: Side
    source: Square
    target: Square
    long_move: bool
    """It went further than one square, which proves a scout to everybody."""


@dataclass(frozen=True)
class AttackOpened(Public):
    """A piece attacks another; the sides in `awaited` are to declare a rank."""

    side: Side
    source: Square
    target: Square
    awaited: tuple[Side, ...]


@dataclass(frozen=True)
class AttackWithdrawn(Public):
    """The open attack was none; the same side is still to move."""


@dataclass(frozen=True)
class Declared(Public):
    """A side has declared; what it declared stays sealed."""

    side: Side


@dataclass(frozen=True)
class Combat(Public):
    """Both ranks are revealed together, with the result."""

    side: Side
    """The attacking side."""
    source: Square
    target: Square
    attacker: Rank
    defender: Rank | None
    """None for a defender that has won and, with silent defence, stays unnamed."""
    result: Result
    reading: Reading | None = field(default=None, compare=False)
    """The reading of ours that decided, if one did."""

    @property
    def winner(self) -> Side | None:
        """Whose piece stays on the board; None if both fall."""
        winners = {Result.ATTACKER_WINS: self.side, Result.DEFENDER_WINS: self.side.other}
        return winners.get(self.result)

    @property
    def boom(self) -> bool:
        """Whether the cry "Boom!" is due."""
        return self.defender is not None and is_boom(self.attacker, self.defender)


@dataclass(frozen=True)
class Disputed(Public):
    """A side stays by a declaration that was proved impossible; what it declared stays sealed."""

    side: Side
    square: Square
    """Where the piece in question stands."""
    is_as_sealed: bool | None = None
    """With sealed armies: whether its seal bears the declaration out. Then it is true, and what was
    done with the piece cannot have been; if not, this is another piece than the one that the
    referee takes it for, or the declaration is false. None if nothing is sealed."""


@dataclass(frozen=True)
class DisputeSettled(Public):
    """It is decided whether the disputed declaration of a side counts."""

    side: Side
    accepted: bool


@dataclass(frozen=True)
class InfiltrationOpened(Public):
    """An infiltrator guesses a rank; `awaited` is to say whether it is right, if anybody."""

    side: Side
    source: Square
    target: Square
    guess: Rank
    awaited: Side | None


@dataclass(frozen=True)
class Infiltrated(Public):
    """The guess was right, and the piece is removed, or it was wrong, and nothing changes."""

    side: Side
    source: Square
    target: Square
    guess: Rank
    right: bool


@dataclass(frozen=True)
class Contradiction(Private):
    """The declared rank is impossible; only the player who declared it learns so.

    It refuses a declaration. After a turn it says that the piece was declared another rank before,
    while that stayed unnamed.
    """

    proof: Proof
    citation: Citation


@dataclass(frozen=True)
class Overridden(Public):
    """The arbiter lets stand what a rule forbids."""

    violation: Violation


@dataclass(frozen=True)
class Corrected(Public):
    """The arbiter has set something right, and what was proved has been proved anew."""

    mistake: Mistake
    squares: tuple[Square, ...]
    """Where the pieces stand that the mistake was about."""
    changed: SquareSet
    """Where pieces stand, these among them, of which something else is proved now."""


@dataclass(frozen=True)
class CorrectionRefused(Public):
    """The arbiter names a rank that a piece cannot have, by what everybody has seen."""

    square: Square
    proof: Proof
    citation: Citation


@dataclass(frozen=True)
class BoardAccepted(Public):
    """By consent the referee has taken over what stands on the board, and whose turn it is."""

    shifted: tuple[Shift, ...]
    removed: SquareSet
    """Where the pieces stood that are off the board."""
    to_move: Side

    @property
    def side(self) -> Side:
        """The side whose turn has passed with it."""
        return self.to_move.other


class Obstacle(Enum):
    """Why a board cannot be taken over, not even by consent."""

    TOO_MANY = "too-many"
    """More pieces stand there than the referee knows of."""
    BOMB_OR_FLAG = "bomb-or-flag"
    """A piece would stand elsewhere that can only be a bomb or the flag."""
    FLAG = "flag"
    """A piece would be off the board that can only be the flag."""


@dataclass(frozen=True)
class BoardRefused(Public):
    """What stands on the board cannot be taken over."""

    obstacle: Obstacle
    squares: SquareSet
    """Where a piece is too many, or where the referee has the bomb or the flag."""


@dataclass(frozen=True)
class SealsBroken(Public):
    """The seals of a side count no more."""

    side: Side


@dataclass(frozen=True)
class ArmyProved(Public):
    """A side has opened all its seals, so that everybody knows how its army was set up."""

    side: Side
    army: tuple[Placed, ...]
    """In the order of the squares."""
    wrong: SquareSet
    """The squares of the setup where a rank was sealed that the army has less often, or that belies
    what its piece has done or was declared."""


@dataclass(frozen=True)
class ProofFails(Private):
    """What is given does not open these seals."""

    squares: SquareSet
    """The squares of the setup."""


@dataclass(frozen=True)
class TakenBack(Public):
    """The latest ply, or the open attack, counts as never made."""


@dataclass(frozen=True)
class Touched(Public):
    """With touch-move: the side to move has to move the piece on this square if it can."""

    square: Square
    carried: bool = False
    """Whether it was carried off: if it cannot move, its owner says so in private."""


@dataclass(frozen=True)
class TouchedFreed(Public):
    """With touch-move: its owner has said that the touched piece cannot move, and moves another."""

    square: Square


@dataclass(frozen=True)
class CanYouMove(Public):
    """One side cannot move; `awaited` is asked whether it can."""

    awaited: Side


@dataclass(frozen=True)
class ShowAMove(Public):
    """This side has said that it can move: a legal move shows it, and wins."""

    side: Side


@dataclass(frozen=True)
class GameOver(Public):
    """The game is over; a `winner` of None means a draw, or with FORFEIT that both have lost."""

    winner: Side | None
    reason: Reason
    citation: Citation | None = field(default=None, compare=False)
    """The rule that says so; None in a record, which only tells the end. The same end by another
    rulebook is the same end."""


Ruling: TypeAlias = (
    ArmiesPlaced
    | Moved
    | AttackOpened
    | AttackWithdrawn
    | Declared
    | Combat
    | Disputed
    | DisputeSettled
    | InfiltrationOpened
    | Infiltrated
    | Violation
    | Contradiction
    | Overridden
    | Corrected
    | CorrectionRefused
    | BoardAccepted
    | BoardRefused
    | SealsBroken
    | ArmyProved
    | ProofFails
    | TakenBack
    | Touched
    | TouchedFreed
    | CanYouMove
    | ShowAMove
    | GameOver
)


def refuses(rulings: Sequence[Ruling]) -> bool:
    """Whether these rulings on an action refuse it, so that the game stands as before.

    What refuses comes first. An illegal action that ends the game is not refused: it was made.
    """
    kinds = Violation | Contradiction | CorrectionRefused | BoardRefused | ProofFails
    refused = isinstance(rulings[0], kinds)
    return refused and not isinstance(rulings[-1], GameOver)
