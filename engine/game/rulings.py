"""The referee's replies to actions. All except `Contradiction` and `OpeningFailed` are public."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar, Final, TypeAlias

from engine.board.geometry import Side, Square, SquareSet
from engine.board.ranks import Rank
from engine.board.visibility import Private, Public
from engine.deduction.possible_ranks import Proof
from engine.game.actions import Correction, Relocation
from engine.rules.editions import Edition
from engine.rules.movement import CombatResult, is_boom
from engine.rules.rules import Citation, Interpretation, Rule, Violation
from engine.rules.setup import Placed


class Reason(Enum):
    """Reason for the end of a game."""

    FLAG_CAPTURED = "flag-captured"
    NO_MOVABLE_PIECE = "no-movable-piece"
    """All movable pieces of the loser have been captured."""
    NO_LEGAL_MOVE = "no-legal-move"
    """The loser has no legal move: its pieces are blocked or a repetition rule forbids every move.
    """
    MOVED_BOMB = "moved-bomb"
    """The loser has moved a bomb or the flag, in an edition where that loses the game."""
    RESIGNATION = "resignation"
    AGREED_DRAW = "agreed-draw"
    BOTH_IMMOBILE = "both-immobile"
    """Neither side can move, or neither has a movable piece left: a draw."""
    TIME = "time"
    """The loser's time has run out. The game is a draw if the time for the whole game is up."""
    FORFEIT = "forfeit"
    """The arbiter has decided."""


@dataclass(frozen=True)
class ArmiesPlaced(Public):
    """The game has begun. Red is to move."""


@dataclass(frozen=True)
class Moved(Public):
    """A piece has moved to an empty square."""

    side: Side
    source: Square
    target: Square
    long_move: bool
    """Whether the piece moved more than one square, as only a scout can."""


@dataclass(frozen=True)
class AttackOpened(Public):
    """A piece attacks. Each side in `awaited` declares a rank."""

    side: Side
    source: Square
    target: Square
    awaited: tuple[Side, ...]


@dataclass(frozen=True)
class AttackWithdrawn(Public):
    """The open attack was withdrawn."""


@dataclass(frozen=True)
class Declared(Public):
    """A side has declared a rank in secret."""

    side: Side


@dataclass(frozen=True)
class Combat(Public):
    """The ranks that an attack has revealed, and its result. `side` is the attacker."""

    side: Side
    source: Square
    target: Square
    attacker: Rank
    defender: Rank | None
    """None if the rank stays secret because of silent defence."""
    result: CombatResult
    reading: Interpretation | None = field(default=None, compare=False)
    """The interpretation that decided the result, if any."""

    @property
    def winner(self) -> Side | None:
        """Owner of the surviving piece, or None if both pieces fall."""
        winners = {
            CombatResult.ATTACKER_WINS: self.side,
            CombatResult.DEFENDER_WINS: self.side.other,
        }
        return winners.get(self.result)

    @property
    def boom(self) -> bool:
        """Whether to announce "Boom!"."""
        return self.defender is not None and is_boom(self.attacker, self.defender)


@dataclass(frozen=True)
class Disputed(Public):
    """A side stands by an impossible rank for the piece on `square`. The rank stays secret."""

    side: Side
    square: Square
    # If the commitment confirms the rank, an earlier action of the piece was impossible. Otherwise,
    # the declaration is false, or two pieces were mixed up.
    is_as_sealed: bool | None = None
    """Whether the commitment confirms the rank. None if there is no commitment."""


@dataclass(frozen=True)
class DisputeSettled(Public):
    """A disputed declaration was accepted or rejected."""

    side: Side
    accepted: bool


@dataclass(frozen=True)
class InfiltrationOpened(Public):
    """An infiltrator guesses a rank, and `awaited` has to answer."""

    side: Side
    source: Square
    target: Square
    guess: Rank
    awaited: Side | None


@dataclass(frozen=True)
class Infiltrated(Public):
    """The result of a guess. If the guess is right, the piece is removed."""

    side: Side
    source: Square
    target: Square
    guess: Rank
    right: bool


@dataclass(frozen=True)
class Contradiction(Private):
    """The declared rank is impossible, or a turn has disproved an earlier declaration."""

    proof: Proof
    citation: Citation


@dataclass(frozen=True)
class Overridden(Public):
    """The arbiter has allowed a turn that a rule forbids."""

    violation: Violation


@dataclass(frozen=True)
class Corrected(Public):
    """The arbiter has corrected a mistake about the pieces on `squares`."""

    mistake: Correction
    squares: tuple[Square, ...]
    changed: SquareSet
    """Squares of all pieces whose possible ranks have changed."""


@dataclass(frozen=True)
class CorrectionRefused(Public):
    """Public facts contradict the rank stated by the arbiter."""

    square: Square
    proof: Proof
    citation: Citation


@dataclass(frozen=True)
class BoardAdopted(Public):
    """Both players accept the board as it stands."""

    wire_name: ClassVar = "board-accepted"

    shifted: tuple[Relocation, ...]
    removed: SquareSet
    """Squares recorded for pieces that are off the board."""
    to_move: Side

    @property
    def side(self) -> Side:
        """Opponent of the side to move."""
        return self.to_move.other


class AdoptionError(Enum):
    """Reason why the players cannot accept the board as it stands."""

    TOO_MANY = "too-many"
    """The board has more pieces than the referee knows of."""
    BOMB_OR_FLAG = "bomb-or-flag"
    """A piece that can only be a bomb or the flag is on a different square."""
    FLAG = "flag"
    """A piece that can only be the flag is missing from the board."""


@dataclass(frozen=True)
class AdoptionRejected(Public):
    """The board cannot be accepted as it stands."""

    wire_name: ClassVar = "board-refused"

    obstacle: AdoptionError
    squares: SquareSet
    """Squares of the surplus pieces, or the recorded squares of the bomb or flag."""


@dataclass(frozen=True)
class SealsBroken(Public):
    """The commitments of a side are void."""

    side: Side


@dataclass(frozen=True)
class ArmyOpened(Public):
    """A side has opened all its commitments: its setup is public."""

    wire_name: ClassVar = "army-proved"

    side: Side
    army: tuple[Placed, ...]
    wrong: SquareSet
    """Setup squares whose rank occurs too often or contradicts the game."""


@dataclass(frozen=True)
class OpeningFailed(Private):
    """The openings for these setup squares do not match the commitments."""

    wire_name: ClassVar = "proof-fails"

    squares: SquareSet


@dataclass(frozen=True)
class TakenBack(Public):
    """The latest ply, the open attack, or the action that ended the game was undone.

    Also the ruling on an `Amend` that cancels a turn.
    """


@dataclass(frozen=True)
class Touched(Public):
    """With touch-move: the piece must move if it can."""

    square: Square
    carried: bool = False
    """Whether the owner may claim in private that the piece cannot move."""


@dataclass(frozen=True)
class TouchedFreed(Public):
    """The owner claims that the touched piece cannot move, and moves another piece."""

    square: Square


@dataclass(frozen=True)
class StalemateClaimed(Public):
    """A side claims that it cannot move. The other side, `awaited`, is asked whether it can."""

    wire_name: ClassVar = "can-you-move"

    awaited: Side


@dataclass(frozen=True)
class MoveRequired(Public):
    """This side has claimed that it can move, and wins if it makes a legal move."""

    wire_name: ClassVar = "show-a-move"

    side: Side


@dataclass(frozen=True)
class GameOver(Public):
    """The game is over. `winner` is None if the game is a draw or both sides have lost."""

    winner: Side | None
    reason: Reason
    # Outcomes that differ only in their citations compare equal.
    citation: Citation | None = field(default=None, compare=False)
    """None if the outcome comes from a record that gives no reason for it."""

    @classmethod
    def by_rules(
        cls,
        edition: Edition,
        winner: Side | None,
        reason: Reason,
        reading: Interpretation | None = None,
    ) -> "GameOver":
        """Return an outcome, with a citation if the rulebook covers it."""
        if reason in _NOT_IN_BOOKS:
            by_organiser = reason in (Reason.TIME, Reason.FORFEIT)
            return cls(winner, reason, Citation("", Rule.ENDING, is_organisers=by_organiser))
        rule = Rule.IMMOBILE_PIECE if reason is Reason.MOVED_BOMB else Rule.ENDING
        return cls(winner, reason, edition.cite(rule, reading))


_NOT_IN_BOOKS: Final = {Reason.RESIGNATION, Reason.AGREED_DRAW, Reason.TIME, Reason.FORFEIT}

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
    | BoardAdopted
    | AdoptionRejected
    | SealsBroken
    | ArmyOpened
    | OpeningFailed
    | TakenBack
    | Touched
    | TouchedFreed
    | StalemateClaimed
    | MoveRequired
    | GameOver
)


_REFUSALS: Final = frozenset(
    (Violation, Contradiction, CorrectionRefused, AdoptionRejected, OpeningFailed)
)


def refuses(rulings: Sequence[Ruling]) -> bool:
    """Whether these rulings refuse the action and leave the game unchanged.

    A refusal is always the first ruling. An illegal action that ends the game is not refused,
    because it was carried out.
    """
    return type(rulings[0]) in _REFUSALS and not isinstance(rulings[-1], GameOver)
