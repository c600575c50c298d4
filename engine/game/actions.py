"""Actions that can be taken in a game.

The game is the list of accepted actions; its state is a fold over them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, TypeAlias

from engine.board.board import Piece
from engine.board.geometry import Side, Square, SquareSet, name, squares_in
from engine.board.ranks import Rank
from engine.board.visibility import Secret
from engine.deduction.commitment import ArmyCommitment, Opening


@dataclass(frozen=True)
class PlaceArmies:
    """Both armies are set up. The squares are public, the ranks are not."""

    red: SquareSet
    blue: SquareSet
    pledges: Mapping[Side, ArmyCommitment] = field(default_factory=dict)
    """With sealed armies: the commitments of each side."""
    ranks: Mapping[Piece, Rank] = field(default_factory=dict)
    """Ranks that the referee can see from the start: those of a person who plays alone on the
    simulated board, where they are drawn on the pieces."""

    @property
    def pieces(self) -> list[tuple[Side, Square]]:
        """Side and square of every piece set up; a square used by both sides occurs twice."""
        armies = ((Side.RED, self.red), (Side.BLUE, self.blue))
        return [(side, square) for side, army in armies for square in squares_in(army)]


@dataclass(frozen=True)
class _Squares:
    source: Square
    target: Square

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self})"

    def __str__(self) -> str:
        return f"{name(self.source)}-{name(self.target)}"


@dataclass(frozen=True, repr=False)
class Move(_Squares):
    """The side to move puts a piece on an empty square."""


@dataclass(frozen=True, repr=False)
class Attack(_Squares):
    """The side to move attacks; the ranks are declared next."""

    def __str__(self) -> str:
        return f"{name(self.source)}x{name(self.target)}"


@dataclass(frozen=True, repr=False)
class Amend(_Squares):
    """The piece that was just set down on `source` ends its turn on `target` instead.

    The turn is one move from its original square; onto an opposing piece it is one attack, as with
    a scout that was set down in front of its target and then taps it. The other side has not moved
    yet.
    """


@dataclass(frozen=True)
class Touch:
    """With touch-move: the side to move has lifted this piece, and has to move it if it can."""

    square: Square
    carried: bool = False
    """Whether it was set down further away than on the squares around its own. That obliges its
    owner even if the piece is not known to be movable."""


@dataclass(frozen=True)
class FreeTouched:
    """With touch-move: the owner of a piece that was carried off claims that it cannot move.

    The claim is made in private (`Referee.excuse_touched`). It enters the record only when another
    piece moves, which makes it public.
    """


@dataclass(frozen=True)
class WithdrawAttack:
    """The open attack was not meant as one; only possible before the first declaration."""


@dataclass(frozen=True)
class _SealedRank:
    rank: Secret[Rank]
    salt: Secret[str] | None = field(default=None, repr=False)
    """With sealed armies: salt that opens the commitment of the piece together with the rank;
    ValueError if it is not the salt of a valid `Opening`."""

    def __post_init__(self) -> None:
        _ = self.opening

    @property
    def opening(self) -> Opening | None:
        """Opening of the commitment, if a salt was given."""
        return Opening(self.rank.unseal(), self.salt.unseal()) if self.salt else None


@dataclass(frozen=True)
class Declare(_SealedRank):
    """A player declares, to the referee alone, the rank of their piece in the open attack."""


@dataclass(frozen=True)
class UpholdDeclaration(_SealedRank):
    """A player upholds a declaration that was proved impossible; that opens a dispute."""

    wire_name: ClassVar = "insist"


@dataclass(frozen=True)
class SettleDispute:
    """The arbiter, or both players together, decide about the disputed declaration.

    If it is accepted, it overrides all earlier proofs; if not, the player declares again.
    """

    accepted: bool


@dataclass(frozen=True)
class Infiltrate:
    """The infiltrator of the side to move guesses the rank of a piece near it.

    The guess is public; the piece's owner then answers whether it is right.
    """

    source: Square
    target: Square
    guess: Rank


@dataclass(frozen=True)
class AnswerGuess:
    """The owner of the infiltrated piece answers whether the guess is right."""

    right: bool
    opening: Secret[Opening] | None = None
    """With sealed armies: opening of the commitment of the piece, for the referee alone."""


@dataclass(frozen=True, repr=False)
class Override(_Squares):
    """The arbiter allows a move or attack that a rule forbids, for either side."""


@dataclass(frozen=True)
class RankCorrection:
    """The rank of this piece was shown wrongly and is corrected."""

    wire_name: ClassVar = "wrong-rank"

    piece: Piece
    rank: Rank


@dataclass(frozen=True)
class SwapCorrection:
    """These two pieces of one side have been swapped."""

    wire_name: ClassVar = "exchanged"

    piece: Piece
    other: Piece


@dataclass(frozen=True)
class NotAScout:
    """This piece has never moved further than one square, contrary to the record."""

    wire_name: ClassVar = "no-long-move"

    piece: Piece


Correction: TypeAlias = RankCorrection | SwapCorrection | NotAScout
"""Mistake in the referee's records.

Pieces are identified by the square they were set up on, so that they keep their identity after a
take-back."""


@dataclass(frozen=True)
class Correct:
    """The arbiter corrects a mistake in the records; earlier decisions remain."""

    mistake: Correction


@dataclass(frozen=True, repr=False)
class Relocation(_Squares):
    """The piece recorded on `source` is on `target`, for whatever reason."""


@dataclass(frozen=True)
class AdoptBoard:
    """Both players agree that the board is right and the referee is wrong.

    The position is the agreed one from here on. This counts as a turn of neither side, and proves
    no rank.
    """

    wire_name: ClassVar = "accept-board"

    shifted: tuple[Relocation, ...]
    """Pieces on other squares, all at once: two may have changed places."""
    removed: SquareSet
    """Squares whose recorded pieces are off the board."""
    to_move: Side


@dataclass(frozen=True)
class BreakSeals:
    """The arbiter, or both players together, void the commitments of an army.

    For example, the openings were lost with a phone. From here on, the declarations of its player
    are trusted.
    """

    side: Side


@dataclass(frozen=True)
class OpenArmy:
    """A player opens all commitments after a game, which makes the setup of the army public."""

    wire_name: ClassVar = "prove-army"

    side: Side
    army: Mapping[Piece, Opening]


@dataclass(frozen=True)
class TakeBack:
    """Both players agree to undo the latest ply or the open attack."""


@dataclass(frozen=True)
class ClaimStalemate:
    """The side to move claims that it has no legal move, which is a loss and needs no proof.

    Where it is a draw if neither side can move, the opponent is asked first.
    """

    wire_name: ClassVar = "cannot-move"


@dataclass(frozen=True)
class AnswerStalemate:
    """The opponent answers whether it can move; if so, it proves it by a legal move."""

    wire_name: ClassVar = "answer-cannot-move"

    able: bool


@dataclass(frozen=True)
class Resign:
    """A player gives up."""

    side: Side


@dataclass(frozen=True)
class AgreeDraw:
    """The players agree to a draw."""


@dataclass(frozen=True)
class TimeExpired:
    """The time of a side has expired, or with None that of the whole game."""

    wire_name: ClassVar = "run-out"

    side: Side | None


@dataclass(frozen=True)
class Forfeit:
    """The arbiter decides that a side has lost, or with None that both have."""

    side: Side | None


Action: TypeAlias = (
    PlaceArmies
    | Move
    | Attack
    | Amend
    | Touch
    | FreeTouched
    | WithdrawAttack
    | Declare
    | UpholdDeclaration
    | SettleDispute
    | Infiltrate
    | AnswerGuess
    | Override
    | Correct
    | AdoptBoard
    | BreakSeals
    | OpenArmy
    | TakeBack
    | ClaimStalemate
    | AnswerStalemate
    | Resign
    | AgreeDraw
    | TimeExpired
    | Forfeit
)
