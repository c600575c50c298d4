"""What the two people have really done: known to the simulation alone."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.play.actions import Attack, Move, PlaceArmies
from engine.play.referee import Referee
from engine.play.rulings import Combat
from engine.ranks import Rank
from engine.rulebook.editions import Edition
from engine.sides import Side
from engine.squares import LAKES, Square, SquareSet, name, set_of


@dataclass(frozen=True)
class Turn:
    """A move or an attack, from where its piece stood when the turn began."""

    source: Square
    target: Square
    attacks: bool

    def __str__(self) -> str:
        return f"{name(self.source)}{'x' if self.attacks else '-'}{name(self.target)}"

    @property
    def action(self) -> Move | Attack:
        """The turn as the engine has it."""
        return (Attack if self.attacks else Move)(self.source, self.target)

    @classmethod
    def of(cls, action: Move | Attack) -> "Turn":
        """Return the turn of an action."""
        return cls(action.source, action.target, isinstance(action, Attack))


@dataclass
class Ply:
    """A turn that somebody makes, and what has become of it."""

    number: int
    """0 for the first of the game."""
    side: Side
    turn: Turn
    combat: Combat | None = None
    over_at: int | None = None
    """When its last piece was released, or felt if that was later, in milliseconds."""
    ruled_at: int | None = None
    """Since when the table has it right."""
    shown_at: int | None = None
    """When the table first let anything be seen after the release."""
    is_amended: bool = False
    """Whether the table had taken it for something else before."""
    is_asked: bool = False
    """Whether the table has asked about it."""
    is_disturbed: bool = False
    """Whether something on the board was not as it should be until it was ruled."""
    unknowable: str | None = None
    """Why no sensor could know it, if none could."""
    did: list[str] = field(default_factory=list)
    """How it was done, for whoever looks for the mistake."""


class Truth:
    """The game as it is played: who stands where, what is printed on the pieces, who is to move."""

    def __init__(self, edition: Edition, ranks: Mapping[Side, Mapping[Square, Rank]]) -> None:
        """Begin a game of two armies, each by the squares it is set up on."""
        known = {square: rank for army in ranks.values() for square, rank in army.items()}
        self.referee = Referee.waiting(edition, known)
        red, blue = (set_of(ranks[side]) for side in Side)
        self.referee.apply(PlaceArmies(red, blue))
        self.plies: list[Ply] = []

    @property
    def turns(self) -> list[Turn]:
        """The turns of the game so far."""
        return [ply.turn for ply in self.plies]

    def legal(self) -> list[Turn]:
        """Every turn that the side to move has, in a fixed order."""
        found = map(Turn.of, self.referee.legal_moves())
        return sorted(found, key=lambda turn: (turn.source, turn.target))

    def play(self, turn: Turn) -> Ply:
        """Make a turn; both sides know their pieces, so an attack ends at once."""
        side = self.referee.to_move
        rulings = self.referee.apply(turn.action)
        combat = next((each for each in rulings if isinstance(each, Combat)), None)
        if self.referee.plies != len(self.plies) + 1:
            raise ValueError(f"{turn} is no legal turn: {rulings}")
        ply = Ply(len(self.plies), side, turn, combat)
        self.plies.append(ply)
        return ply

    def take_back(self, down_to: int) -> None:
        """Go back until so many plies are left."""
        while len(self.plies) > down_to:
            if self.referee.outcome:
                self.referee.undo()
            if self.referee.plies == len(self.plies):
                self.referee.undo()
            self.plies.pop()

    def standing(self) -> dict[Square, tuple[Side, Square]]:
        """Who stands where: the side and the origin of every piece, by its square."""
        board = self.referee.position.board
        return {
            square: (side, piece) for side in Side for piece, square in board.standing(side).items()
        }

    def side_at(self, square: Square) -> Side | None:
        """Whose piece stands on a square."""
        return self.referee.position.board.side_at(square)

    @property
    def free(self) -> SquareSet:
        """The squares where a piece could be set down."""
        return ((1 << 100) - 1) & ~(self.referee.position.board.occupied | LAKES)
