"""Actions in a game.

A game is the list of its accepted actions. The state of the game is computed from this list.

`engine.parse_action` parses the text from ``str(action)``, and ``eval(repr(action))`` equals the
action. There are two exceptions. A `Secret` shows neither rank nor salt. The setup actions
(`PlaceArmies`, `OpenArmy`) have no text form.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Final, TypeAlias

from engine.board import NotationError
from engine.board.board import Piece
from engine.board.geometry import AnySquare, Side, Square, SquareSet, name, squares_in
from engine.board.geometry import square as to_square
from engine.board.ranks import AnyRank, Rank, to_rank
from engine.board.visibility import Secret
from engine.deduction.commitment import ArmyCommitment, Opening


def word_of(kind: type) -> str:
    """Return the name of an action class in text, such as ``take-back`` for `TakeBack`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", kind.__name__).lower()


@dataclass(frozen=True)
class _Line:
    """Base class of actions.

    The text of an action is its name, followed by all fields that do not have their default values.
    A field of type `Side` also accepts the side's name. Raises NotationError if a field's value is
    invalid.
    """

    def __post_init__(self) -> None:
        for each in fields(self):
            if read := _READERS.get(each.type):
                object.__setattr__(self, each.name, read(getattr(self, each.name)))

    def __str__(self) -> str:
        given = ((getattr(self, each.name), each.default) for each in fields(self))
        words = [_field_word(value) for value, default in given if value != default]
        return " ".join([word_of(type(self)), *words])


def _answer(value: object) -> bool:
    # Reject strings: every non-empty string is true, even "no".
    if not isinstance(value, bool):
        raise NotationError("True or False", value)
    return value


_READERS: Final[Mapping[object, Callable[[Any], object]]] = {
    bool: _answer,
    Side: Side,
    Side | None: lambda value: value if value is None else Side(value),
}
"""Validators for field values, by field type."""


def _field_word(value: object) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case Rank():
            return value.name.lower()
        case int():
            return name(value)
        case Side():
            return value.value
        case None:
            return "both"
        case Secret():
            return "?"
    return str(value)


@dataclass(frozen=True)
class PlaceArmies:
    """Both armies are set up. Their squares are public, but their ranks are not."""

    red: SquareSet
    blue: SquareSet
    commitments: Mapping[Side, ArmyCommitment] = field(default_factory=dict)
    """With sealed armies: the commitments of each side."""
    ranks: Mapping[Piece, Rank] = field(default_factory=dict)
    """Ranks that the referee can see from the start. These are the ranks of an open army. The
    simulated board draws the ranks on the pieces, so the referee also sees the army of a person who
    plays alone on that board."""

    @property
    def pieces(self) -> list[tuple[Side, Square]]:
        """Side and square of every piece set up. A square used by both sides is listed twice."""
        armies = ((Side.RED, self.red), (Side.BLUE, self.blue))
        return [(side, square) for side, army in armies for square in squares_in(army)]


@dataclass(frozen=True, init=False, repr=False)
class _Squares:
    source: Square
    target: Square

    def __init__(self, source: AnySquare, target: AnySquare) -> None:
        """Accept two squares, by name or by number."""
        object.__setattr__(self, "source", to_square(source))
        object.__setattr__(self, "target", to_square(target))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({name(self.source)!r}, {name(self.target)!r})"

    def __str__(self) -> str:
        return f"{name(self.source)}-{name(self.target)}"


@dataclass(frozen=True, init=False, repr=False)
class Move(_Squares):
    """The side to move moves a piece to an empty square: ``a4-a5``."""


@dataclass(frozen=True, init=False, repr=False)
class Attack(_Squares):
    """The side to move attacks: ``a4xa7``. The ranks are declared next."""

    def __str__(self) -> str:
        return f"{name(self.source)}x{name(self.target)}"


@dataclass(frozen=True, init=False, repr=False)
class Amend(_Squares):
    """The piece that was just set down on `source` moves on to `target` in the same turn.

    The turn counts as one move from the original square, or as one attack if an opposing piece is
    on `target`. For example, a player may set down a scout in front of an enemy piece and then
    tap that piece with the scout. A turn can be amended only until the other side moves.
    """

    def __str__(self) -> str:
        return f"amend {name(self.source)}-{name(self.target)}"


@dataclass(frozen=True, init=False)
class Touch(_Line):
    """With touch-move: the side to move has lifted this piece and must move it if possible."""

    square: Square
    carried: bool = False
    """Whether the piece was carried beyond the squares adjacent to its own. If so, the owner must
    move the piece, even if it is not known to be movable."""

    def __init__(self, square: AnySquare, carried: bool = False) -> None:
        """Accept a square, by name or by number."""
        object.__setattr__(self, "square", to_square(square))
        object.__setattr__(self, "carried", _answer(carried))


@dataclass(frozen=True)
class FreeTouched(_Line):
    """With touch-move: a player has carried a piece off, and claims that this piece cannot move.

    The claim is made in private (`Referee.excuse_touched`). It is recorded only when another piece
    moves, which makes the claim public.
    """


@dataclass(frozen=True)
class WithdrawAttack(_Line):
    """Withdraw an unintended attack. This is possible only before the first declaration."""


@dataclass(frozen=True)
class _SealedRank:
    rank: Secret[Rank]
    salt: Secret[str] | None = field(default=None, repr=False)
    """With sealed armies: the salt. The rank and the salt together open the piece's commitment. The
    constructor raises NotationError if the salt would be invalid in an `Opening`."""

    def __post_init__(self) -> None:
        rank: object = self.rank
        if not isinstance(rank, Secret) or not isinstance(rank.unseal(), Rank):
            # The error does not quote the value, which may be a secret rank.
            raise NotationError("a secret rank such as Secret(Red, Rank.MINER)", "another value")
        _ = self.opening

    @property
    def opening(self) -> Opening | None:
        """Opening of the commitment, if a salt was given."""
        return Opening(self.rank.unseal(), self.salt.unseal()) if self.salt else None

    def __str__(self) -> str:
        return f"{word_of(type(self))} {self.rank.owner.value} ?"


@dataclass(frozen=True)
class Declare(_SealedRank):
    """A player privately declares to the referee the rank of their piece in the open attack."""


@dataclass(frozen=True)
class UpholdDeclaration(_SealedRank):
    """A player upholds a declaration that was proved impossible, which opens a dispute."""

    wire_name: ClassVar = "insist"


@dataclass(frozen=True)
class SettleDispute(_Line):
    """The arbiter, or both players by agreement, accept or reject the disputed declaration.

    If the declaration is accepted, it overrides all earlier proofs. If it is rejected, the player
    declares a rank again.
    """

    accepted: bool


@dataclass(frozen=True, init=False, repr=False)
class Infiltrate(_Squares):
    """The side to move uses its infiltrator to guess the rank of a nearby piece: ``a8?a10=spy``.

    The guess is public. The owner of the piece then answers whether the guess is right.
    """

    guess: Rank

    def __init__(self, source: AnySquare, target: AnySquare, guess: AnyRank) -> None:
        """Accept two squares, by name or by number, and a rank."""
        super().__init__(source, target)
        object.__setattr__(self, "guess", to_rank(guess))

    def __repr__(self) -> str:
        return f"Infiltrate({name(self.source)!r}, {name(self.target)!r}, {self.guess!r})"

    def __str__(self) -> str:
        return f"{name(self.source)}?{name(self.target)}={self.guess.name.lower()}"


@dataclass(frozen=True)
class AnswerGuess(_Line):
    """The owner of the infiltrated piece says whether the guess is right."""

    right: bool
    opening: Secret[Opening] | None = None
    """With sealed armies: the opening of the piece's commitment, visible to the referee alone."""


@dataclass(frozen=True, init=False, repr=False)
class Override(_Squares):
    """The arbiter allows either side a move or attack that a rule forbids."""

    def __str__(self) -> str:
        return f"override {name(self.source)}-{name(self.target)}"


@dataclass(frozen=True, init=False)
class RankCorrection(_Line):
    """The revealed rank of this piece was wrong and is corrected."""

    wire_name: ClassVar = "wrong-rank"

    piece: Piece
    rank: Rank

    def __init__(self, piece: AnySquare, rank: AnyRank) -> None:
        """Create the correction from the piece's setup square and a rank."""
        object.__setattr__(self, "piece", to_square(piece))
        object.__setattr__(self, "rank", to_rank(rank))


@dataclass(frozen=True, init=False)
class SwapCorrection(_Line):
    """Two pieces of the same side have been swapped."""

    wire_name: ClassVar = "exchanged"

    piece: Piece
    other: Piece

    def __init__(self, piece: AnySquare, other: AnySquare) -> None:
        """Create the correction from the setup squares of the two pieces."""
        object.__setattr__(self, "piece", to_square(piece))
        object.__setattr__(self, "other", to_square(other))


@dataclass(frozen=True, init=False)
class NotAScout(_Line):
    """Contrary to the record, this piece has never moved more than one square at a time."""

    wire_name: ClassVar = "no-long-move"

    piece: Piece

    def __init__(self, piece: AnySquare) -> None:
        """Create the correction from the piece's setup square."""
        object.__setattr__(self, "piece", to_square(piece))


Correction: TypeAlias = RankCorrection | SwapCorrection | NotAScout
"""A mistake in the referee's records.

A piece is identified by its setup square, which a take-back does not change.
"""


@dataclass(frozen=True)
class Correct(_Line):
    """The arbiter corrects a mistake in the referee's records. Earlier decisions still stand."""

    mistake: Correction


@dataclass(frozen=True, init=False, repr=False)
class Relocation(_Squares):
    """The piece recorded on `source` is actually on `target`; the reason is unknown."""


@dataclass(frozen=True)
class AdoptBoard:
    """Both players agree that the board is right and the referee is wrong.

    The agreed position applies from now on. The action counts as a completed turn that belongs to
    neither side and proves no rank.
    """

    wire_name: ClassVar = "accept-board"

    shifted: tuple[Relocation, ...]
    """Pieces that are not on their recorded squares. They are relocated simultaneously, so two
    pieces may swap squares."""
    removed: SquareSet
    """Squares on which the referee has recorded pieces that are in fact off the board."""
    to_move: Side

    def __str__(self) -> str:
        places = [*map(str, self.shifted), *map(name, squares_in(self.removed))]
        return " ".join(["adopt-board", self.to_move.value, *places])


@dataclass(frozen=True)
class BreakSeals(_Line):
    """The arbiter, or both players by agreement, void an army's commitments.

    This is necessary if, for example, the openings were on a phone that has been lost. From then
    on, that player's declarations are trusted.
    """

    side: Side


@dataclass(frozen=True)
class OpenArmy:
    """A player opens all commitments after a game, making the army's setup public."""

    wire_name: ClassVar = "prove-army"

    side: Side
    army: Mapping[Piece, Opening]


@dataclass(frozen=True)
class TakeBack(_Line):
    """Undo the latest ply, the open attack, or the action that ended the game."""


@dataclass(frozen=True)
class ClaimStalemate(_Line):
    """The side to move claims that it has no legal move, and therefore loses.

    The claim needs no proof. The opponent may be asked first, because the game is a draw if neither
    side can move.
    """

    wire_name: ClassVar = "cannot-move"


@dataclass(frozen=True)
class AnswerStalemate(_Line):
    """The opponent answers whether it can move. A "yes" must be proved by a legal move."""

    wire_name: ClassVar = "answer-cannot-move"

    able: bool


@dataclass(frozen=True)
class Resign(_Line):
    """A player resigns."""

    side: Side


@dataclass(frozen=True)
class AgreeDraw(_Line):
    """The players agree to a draw."""


@dataclass(frozen=True)
class TimeExpired(_Line):
    """A side has run out of time. If `side` is None, the time for the whole game is up."""

    wire_name: ClassVar = "run-out"

    side: Side | None


@dataclass(frozen=True)
class Forfeit(_Line):
    """The arbiter rules that a side has lost. If `side` is None, both sides have lost."""

    side: Side | None


Turn: TypeAlias = Move | Attack | Infiltrate
"""Actions that complete a turn."""

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
