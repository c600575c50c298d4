"""What can be done in a game.

The game is the list of accepted actions; its state is a fold over them.
"""

from dataclasses import dataclass
from typing import TypeAlias

from engine.ranks import Rank
from engine.secrecy import Secret
from engine.sides import Side
from engine.squares import Square, SquareSet, squares_in


@dataclass(frozen=True)
class PlaceArmies:
    """Both armies stand ready. Where they stand is public, what they are is not."""

    red: SquareSet
    blue: SquareSet

    @property
    def pieces(self) -> list[tuple[Side, Square]]:
        """Whose piece was set up where; a square that both have comes twice."""
        armies = ((Side.RED, self.red), (Side.BLUE, self.blue))
        return [(side, square) for side, army in armies for square in squares_in(army)]


@dataclass(frozen=True)
class Move:
    """The side to move carries a piece to an empty square."""

    source: Square
    target: Square


@dataclass(frozen=True)
class OpenAttack:
    """The side to move attacks; ranks are asked for next."""

    source: Square
    target: Square


@dataclass(frozen=True)
class StrikeOn:
    """The scout that has just been set down in front of a piece taps it, in the same turn.

    It attacks from the square where that turn began (rules.md §4). The other side has not moved
    yet.
    """

    source: Square
    """Where the scout was set down."""
    target: Square


@dataclass(frozen=True)
class SlideOn:
    """The piece that has just been set down is pushed on, or back a little, in the same turn.

    It stays on the way that this turn has begun, and the turn is the one move from its beginning to
    `target` (rules.md §4: a move is made when the piece is released). The other side has not moved
    yet.
    """

    source: Square
    """Where the piece stood for a while."""
    target: Square


@dataclass(frozen=True)
class WithdrawAttack:
    """It was no attack after all; only as long as nobody has declared."""


@dataclass(frozen=True)
class Declare:
    """A player says, for the referee alone, what rank the own piece in the open attack has."""

    rank: Secret[Rank]


@dataclass(frozen=True)
class Insist:
    """A player stays by a declaration that was proved impossible; that opens a dispute."""

    rank: Secret[Rank]


@dataclass(frozen=True)
class SettleDispute:
    """The arbiter, or both players together, decide about the declaration that is disputed.

    If it is accepted it counts whatever was proved before; if not, the player declares anew.
    """

    accepted: bool


@dataclass(frozen=True)
class Infiltrate:
    """The infiltrator of the side to move guesses the rank of a piece near it (rules.md §8).

    The guess is said aloud; whether it is right, the piece's owner says next.
    """

    source: Square
    target: Square
    guess: Rank


@dataclass(frozen=True)
class AnswerGuess:
    """The owner of the infiltrated piece says whether the guess is right."""

    right: bool


@dataclass(frozen=True)
class Override:
    """The arbiter lets a move or attack stand that a rule forbids, by whichever side made it."""

    source: Square
    target: Square


@dataclass(frozen=True)
class CorrectRank:
    """The arbiter sets right a rank that was shown wrongly; what it has decided stays decided.

    The piece is called by the square it was set up on, so that it is the same one wherever it
    stands after a take-back.
    """

    piece: Square
    rank: Rank


@dataclass(frozen=True)
class TakeBack:
    """Both players agree that the latest ply, or the attack that is open, was never made."""


@dataclass(frozen=True)
class CannotMove:
    """The side to move says that it has no legal move, which is a loss and needs no proof."""


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
    """The arbiter decides that a side has lost."""

    side: Side


Action: TypeAlias = (
    PlaceArmies
    | Move
    | OpenAttack
    | StrikeOn
    | SlideOn
    | WithdrawAttack
    | Declare
    | Insist
    | SettleDispute
    | Infiltrate
    | AnswerGuess
    | Override
    | CorrectRank
    | TakeBack
    | CannotMove
    | Resign
    | AgreeDraw
    | RunOut
    | Forfeit
)
