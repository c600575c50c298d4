"""The physical board: the pieces on each square, including stacked ones, and their magnets.

`sensors` determines how and when a piece is detected.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from engine.board.geometry import LAKES, SQUARES, Side, Square, SquareSet, name, set_of
from engine.board.ranks import Rank
from engine.game.actions import Attack, Infiltrate, Move, PlaceArmies
from engine.game.referee import Referee
from engine.game.rulings import Combat
from engine.rules.editions import Edition


@dataclass(eq=False, slots=True)
class Piece:
    """A piece, whose identity does not depend on the square on which it stands."""

    side: Side
    origin: Square
    """Square on which the piece was set up. The engine identifies the piece by this square."""
    is_felt: bool = True
    """Whether the sensor detects the piece. A piece on its side or off centre is not detected."""


@dataclass(slots=True)
class _Place:
    standing: list[Piece] = field(default_factory=list)
    """Pieces on the square, lowest first."""
    is_covered: bool = False
    """Whether the sensor detects the lower of two stacked pieces."""
    passing: list[Side] = field(default_factory=list)
    """The side (Red or Blue) of each magnet that is held low over the square, or is just leaving
    it."""


def _ignore(did: str, square: Square, side: Side) -> None:
    del did, square, side


class Board:
    """The pieces on the board. `on_change` is called with each square whose state may have
    changed."""

    def __init__(
        self,
        on_change: Callable[[Square], None],
        on_motion: Callable[[str, Square, Side], None] | None = None,
    ) -> None:
        """`on_motion` is called with the name of each motion, its square and the side of the
        piece."""
        self._places = [_Place() for _ in SQUARES]
        self._on_change = on_change
        self._on_motion = on_motion or _ignore

    def felt(self, square: Square) -> Side | None:
        """Return the side whose magnet the square detects, or None."""
        place = self._places[square]
        if place.passing:
            return place.passing[-1]
        felt = [piece.side for piece in place.standing if piece.is_felt]
        if not felt:
            return None
        return felt[0] if place.is_covered else felt[-1]

    def at(self, square: Square) -> Piece | None:
        """Return the uppermost piece on a square, or None."""
        standing = self._places[square].standing
        return standing[-1] if standing else None

    def all_at(self, square: Square) -> tuple[Piece, ...]:
        """Return all pieces on a square, lowest first."""
        return tuple(self._places[square].standing)

    def square_of(self, piece: Piece) -> Square | None:
        """Return a piece's square, or None if the piece is in a hand or beside the board."""
        for square, place in enumerate(self._places):
            if piece in place.standing:
                return square
        return None

    def is_empty(self, square: Square) -> bool:
        return not self._places[square].standing

    def lift(self, square: Square, piece: Piece | None = None) -> Piece:
        """Lift a piece off a square, by default the uppermost one."""
        place = self._places[square]
        if not place.standing:
            raise ValueError(f"there is no piece to lift on {name(square)}")
        taken = piece or place.standing[-1]
        place.standing.remove(taken)
        taken.is_felt = True
        if len(place.standing) < 2:
            place.is_covered = False
        self._on_motion("lift", square, taken.side)
        self._on_change(square)
        return taken

    def put(self, piece: Piece, square: Square) -> None:
        """Put a piece on a square, on top of any pieces already on it."""
        self._places[square].standing.append(piece)
        self._on_motion("put", square, piece.side)
        self._on_change(square)

    def feel(self, square: Square, piece: Piece, *, is_felt: bool) -> None:
        """Set whether a piece is detected by its square's sensor."""
        piece.is_felt = is_felt
        self._on_motion("upright" if is_felt else "tilted or off the middle", square, piece.side)
        self._on_change(square)

    def cover(self, square: Square, *, is_covered: bool) -> None:
        """Set whether the sensor detects the lower of two stacked pieces."""
        self._places[square].is_covered = is_covered
        self._on_change(square)

    def come_over(self, square: Square, side: Side) -> None:
        """Hold a magnet low over a square until `go_on` is called."""
        self._places[square].passing.append(side)
        self._on_motion("over", square, side)
        self._on_change(square)

    def go_on(self, square: Square, side: Side) -> None:
        """Remove the magnet that was held low over a square."""
        self._places[square].passing.remove(side)
        self._on_motion("gone from over", square, side)
        self._on_change(square)

    def stand(self, pieces: Iterable[tuple[Square, Piece]]) -> None:
        for square, piece in pieces:
            self.put(piece, square)


# The real game, which only the simulation knows.


@dataclass(frozen=True)
class Turn:
    """Move or attack. `source` is the square on which the piece stood at the start of the turn."""

    source: Square
    target: Square
    attacks: bool

    def __str__(self) -> str:
        return f"{name(self.source)}{'x' if self.attacks else '-'}{name(self.target)}"

    @property
    def action(self) -> Move | Attack:
        return (Attack if self.attacks else Move)(self.source, self.target)

    @classmethod
    def of(cls, action: Move | Attack) -> "Turn":
        return cls(action.source, action.target, isinstance(action, Attack))


@dataclass
class Ply:
    """A real turn and how the table handled it."""

    number: int
    """Index of the ply, starting at 0."""
    side: Side
    turn: Turn
    combat: Combat | None = None
    over_at: int | None = None
    """Time in milliseconds at which the last piece was released or, if later, detected."""
    ruled_at: int | None = None
    """Time in milliseconds at which the table's ruling became correct."""
    shown_at: int | None = None
    """Time in milliseconds of the table's first visible reaction after the release."""
    is_amended: bool = False
    """Whether the table has changed its interpretation."""
    is_asked: bool = False
    is_disturbed: bool = False
    """Whether any piece was out of place at any time before the ruling."""
    unknowable: str | None = None
    """Reason why the sensors could not detect the turn, or None if they could."""
    did: list[str] = field(default_factory=list)
    """Kinds of behaviour that the hands showed during the turn, for debugging."""


class GroundTruth:
    """The real game: positions, ranks and the side to move."""

    def __init__(self, edition: Edition, ranks: Mapping[Side, Mapping[Square, Rank]]) -> None:
        """Begin a game between two armies. For each side, `ranks` maps setup squares to ranks."""
        known = {square: rank for army in ranks.values() for square, rank in army.items()}
        self.referee = Referee.waiting(edition, known)
        red, blue = (set_of(ranks[side]) for side in Side)
        self.referee.apply(PlaceArmies(red, blue))
        self.plies: list[Ply] = []

    @property
    def turns(self) -> list[Turn]:
        return [ply.turn for ply in self.plies]

    def legal(self) -> list[Turn]:
        """Return the legal turns of the side to move, in a fixed order."""
        legal = self.referee.legal_moves()
        found = [Turn.of(each) for each in legal if not isinstance(each, Infiltrate)]
        return sorted(found, key=lambda turn: (turn.source, turn.target))

    def play(self, turn: Turn) -> Ply:
        """Take a turn. An attack is decided immediately, because all ranks are known."""
        side = self.referee.to_move
        rulings = self.referee.apply(turn.action)
        combat = next((each for each in rulings if isinstance(each, Combat)), None)
        if self.referee.plies != len(self.plies) + 1:
            raise ValueError(f"{turn} is not a legal turn: {rulings}")
        ply = Ply(len(self.plies), side, turn, combat)
        self.plies.append(ply)
        return ply

    def take_back(self, down_to: int) -> None:
        """Undo plies until only `down_to` plies remain."""
        while len(self.plies) > down_to:
            if self.referee.outcome:
                self.referee.undo()
            if self.referee.plies == len(self.plies):
                self.referee.undo()
            self.plies.pop()

    def standing(self) -> dict[Square, tuple[Side, Square]]:
        board = self.referee.position.board
        return {
            square: (side, piece) for side in Side for piece, square in board.standing(side).items()
        }

    def side_at(self, square: Square) -> Side | None:
        return self.referee.position.board.side_at(square)

    @property
    def free(self) -> SquareSet:
        """Empty squares in the true position, excluding lakes."""
        return ((1 << 100) - 1) & ~(self.referee.position.board.occupied | LAKES)
