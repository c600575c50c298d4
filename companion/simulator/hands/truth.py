"""The real game of the two people: known to the simulation alone."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.board.geometry import LAKES, Side, Square, SquareSet, name, set_of
from engine.board.ranks import Rank
from engine.game.actions import Attack, Move, PlaceArmies
from engine.game.referee import Referee
from engine.game.rulings import Combat
from engine.rules.editions import Edition


@dataclass(frozen=True)
class Turn:
    """A move or an attack, from the square of its piece when the turn began."""

    source: Square
    target: Square
    attacks: bool

    def __str__(self) -> str:
        return f"{name(self.source)}{'x' if self.attacks else '-'}{name(self.target)}"

    @property
    def action(self) -> Move | Attack:
        """The turn as an action of the engine."""
        return (Attack if self.attacks else Move)(self.source, self.target)

    @classmethod
    def of(cls, action: Move | Attack) -> "Turn":
        """Return the turn of an action."""
        return cls(action.source, action.target, isinstance(action, Attack))


@dataclass
class Ply:
    """A turn that a player makes, and how the table handled it."""

    number: int
    """0 for the first of the game."""
    side: Side
    turn: Turn
    combat: Combat | None = None
    over_at: int | None = None
    """The time of release of its last piece, or of its detection if later, in milliseconds."""
    ruled_at: int | None = None
    """The time since which the table has ruled it correctly."""
    shown_at: int | None = None
    """The time of the first visible reaction of the table after the release."""
    is_amended: bool = False
    """Whether the table had interpreted it differently before."""
    is_asked: bool = False
    """Whether the table has asked about it."""
    is_disturbed: bool = False
    """Whether anything on the board was wrong until it was ruled."""
    unknowable: str | None = None
    """The reason that no sensor could distinguish it, or None."""
    did: list[str] = field(default_factory=list)
    """The behaviours with which it was done, for debugging."""


class Truth:
    """The game as it is really played: positions, printed ranks and the side to move."""

    def __init__(self, edition: Edition, ranks: Mapping[Side, Mapping[Square, Rank]]) -> None:
        """Begin a game of two armies, each given by setup squares."""
        known = {square: rank for army in ranks.values() for square, rank in army.items()}
        self.referee = Referee.waiting(edition, known)
        red, blue = (set_of(ranks[side]) for side in Side)
        self.referee.apply(PlaceArmies(red, blue))
        self.plies: list[Ply] = []

    @property
    def turns(self) -> list[Turn]:
        return [ply.turn for ply in self.plies]

    def legal(self) -> list[Turn]:
        """Return every legal turn of the side to move, in a fixed order."""
        found = map(Turn.of, self.referee.legal_moves())
        return sorted(found, key=lambda turn: (turn.source, turn.target))

    def play(self, turn: Turn) -> Ply:
        """Make a turn; both sides know their pieces, so an attack is decided at once."""
        side = self.referee.to_move
        rulings = self.referee.apply(turn.action)
        combat = next((each for each in rulings if isinstance(each, Combat)), None)
        if self.referee.plies != len(self.plies) + 1:
            raise ValueError(f"{turn} is no legal turn: {rulings}")
        ply = Ply(len(self.plies), side, turn, combat)
        self.plies.append(ply)
        return ply

    def take_back(self, down_to: int) -> None:
        """Undo plies until `down_to` are left."""
        while len(self.plies) > down_to:
            if self.referee.outcome:
                self.referee.undo()
            if self.referee.plies == len(self.plies):
                self.referee.undo()
            self.plies.pop()

    def standing(self) -> dict[Square, tuple[Side, Square]]:
        """Return the side and origin of every piece on the board, by its square."""
        board = self.referee.position.board
        return {
            square: (side, piece) for side in Side for piece, square in board.standing(side).items()
        }

    def side_at(self, square: Square) -> Side | None:
        return self.referee.position.board.side_at(square)

    @property
    def free(self) -> SquareSet:
        """The squares where a piece could be set down."""
        return ((1 << 100) - 1) & ~(self.referee.position.board.occupied | LAKES)
