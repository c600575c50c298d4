"""What can be done in a game.

The game is the list of accepted actions; its state is a fold over them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from engine.knowledge.pledge import Opening, Pledge
from engine.legality.board import Piece
from engine.ranks import Rank
from engine.secrecy import Secret
from engine.sides import Side
from engine.squares import Square, SquareSet, name, squares_in


@dataclass(frozen=True)
class PlaceArmies:
    """Both armies stand ready. Where they stand is public, what they are is not."""

    red: SquareSet
    blue: SquareSet
    pledges: Mapping[Side, Pledge] = field(default_factory=dict)
    """With sealed armies: what each side has promised of its pieces."""
    ranks: Mapping[Piece, Rank] = field(default_factory=dict)
    """The ranks that the referee can see from the start: those of a person who plays alone on the
    simulated board, where they are drawn on the pieces."""

    @property
    def pieces(self) -> list[tuple[Side, Square]]:
        """Whose piece was set up where; a square that both have comes twice."""
        armies = ((Side.RED, self.red), (Side.BLUE, self.blue))
        return [(side, square) for side, army in armies for square in squares_in(army)]


@dataclass(frozen=True)
class _Way:
    source: Square
    target: Square

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self})"

    def __str__(self) -> str:
        return f"{name(self.source)}-{name(self.target)}"


@dataclass(frozen=True, repr=False)
class Move(_Way):
    """The side to move carries a piece to an empty square."""


@dataclass(frozen=True, repr=False)
class Attack(_Way):
    """The side to move attacks; ranks are asked for next."""

    def __str__(self) -> str:
        return f"{name(self.source)}x{name(self.target)}"


@dataclass(frozen=True, repr=False)
class Amend(_Way):
    """The piece that was just set down on `source` ends its turn on `target` instead.

    The turn is one move from where it began; onto an opposing piece it is one attack, as of a scout
    that was set down in front of its target and then taps it. The other side has not moved yet.
    """


@dataclass(frozen=True)
class Touch:
    """With touch-move: the side to move has lifted this piece, and has to move it if it can."""

    square: Square
    carried: bool = False
    """Whether it was set down further away than on the squares around its own. That obliges also if
    nobody has seen that the piece can move."""


@dataclass(frozen=True)
class FreeTouched:
    """With touch-move: the owner of the piece that was carried off says that it cannot move.

    It is said in private (`Referee.excuse_touched`), and comes to be in the record when another
    piece moves, which shows it to everybody.
    """


@dataclass(frozen=True)
class WithdrawAttack:
    """It was no attack after all; only as long as nobody has declared."""


@dataclass(frozen=True)
class _Word:
    rank: Secret[Rank]
    salt: Secret[str] | None = field(default=None, repr=False)
    """With sealed armies: what opens the seal of the piece together with the rank; ValueError if it
    has another form than that of an `Opening`."""

    def __post_init__(self) -> None:
        _ = self.opening

    @property
    def opening(self) -> Opening | None:
        """What opens the seal, if anything was given to open it."""
        return Opening(self.rank.unseal(), self.salt.unseal()) if self.salt else None


@dataclass(frozen=True)
class Declare(_Word):
    """A player says, for the referee alone, what rank their piece in the open attack has."""


@dataclass(frozen=True)
class Insist(_Word):
    """A player stays by a declaration that was proved impossible; that opens a dispute."""


@dataclass(frozen=True)
class SettleDispute:
    """The arbiter, or both players together, decide about the declaration that is disputed.

    If it is accepted it counts whatever was proved before; if not, the player declares anew.
    """

    accepted: bool


@dataclass(frozen=True)
class Infiltrate:
    """The infiltrator of the side to move guesses the rank of a piece near it.

    The guess is said aloud; whether it is right, the piece's owner says next.
    """

    source: Square
    target: Square
    guess: Rank


@dataclass(frozen=True)
class AnswerGuess:
    """The owner of the infiltrated piece says whether the guess is right."""

    right: bool
    opening: Secret[Opening] | None = None
    """With sealed armies: what opens the seal of the piece, for the referee alone."""


@dataclass(frozen=True, repr=False)
class Override(_Way):
    """The arbiter lets a move or attack stand that a rule forbids, by whichever side made it."""


@dataclass(frozen=True)
class WrongRank:
    """The rank of this piece was shown wrongly: it is another one."""

    piece: Piece
    rank: Rank


@dataclass(frozen=True)
class Exchanged:
    """These two pieces of one side stand the other way round."""

    piece: Piece
    other: Piece


@dataclass(frozen=True)
class NoLongMove:
    """This piece has never gone further than one square, whatever it looked like."""

    piece: Piece


Mistake: TypeAlias = WrongRank | Exchanged | NoLongMove
"""What the referee has taken down wrongly.

Pieces are called by the square they were set up on, so that they are the same ones wherever they
stand after a take-back.
"""


@dataclass(frozen=True)
class Correct:
    """The arbiter sets right what was taken down wrongly; what it has decided stays decided."""

    mistake: Mistake


@dataclass(frozen=True, repr=False)
class Shift(_Way):
    """The piece that the referee has on `source` stands on `target`, however it came there."""


@dataclass(frozen=True)
class AcceptBoard:
    """Both players agree that the board is right and the referee is wrong.

    The position is as they say from here on. It is a turn of nobody, and proves no rank.
    """

    shifted: tuple[Shift, ...]
    """The pieces that stand elsewhere, all at once: two may have changed places."""
    removed: SquareSet
    """Where the referee has pieces that are off the board."""
    to_move: Side


@dataclass(frozen=True)
class BreakSeals:
    """The arbiter, or both players together, let the seals of an army count no more.

    As when what opens them is lost with a phone. From here on its player is taken at their word.
    """

    side: Side


@dataclass(frozen=True)
class ProveArmy:
    """After a game a player opens all seals, so that everybody can see how the army was set up."""

    side: Side
    army: Mapping[Piece, Opening]


@dataclass(frozen=True)
class TakeBack:
    """Both players agree that the latest ply, or the attack that is open, was never made."""


@dataclass(frozen=True)
class CannotMove:
    """The side to move says that it has no legal move, which is a loss and needs no proof.

    Where it is a draw if neither side can move, the opponent is asked first.
    """


@dataclass(frozen=True)
class AnswerCannotMove:
    """The opponent says whether it can move; if so, it shows it by a legal move."""

    able: bool


@dataclass(frozen=True)
class Resign:
    """A player gives up."""

    side: Side


@dataclass(frozen=True)
class AgreeDraw:
    """Both players have agreed to a draw."""


@dataclass(frozen=True)
class RunOut:
    """The time of a side is up, or with None that of the whole game."""

    side: Side | None


@dataclass(frozen=True)
class Forfeit:
    """The arbiter decides that a side has lost, or with None both."""

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
    | Insist
    | SettleDispute
    | Infiltrate
    | AnswerGuess
    | Override
    | Correct
    | AcceptBoard
    | BreakSeals
    | ProveArmy
    | TakeBack
    | CannotMove
    | AnswerCannotMove
    | Resign
    | AgreeDraw
    | RunOut
    | Forfeit
)
