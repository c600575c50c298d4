"""The yardstick of the bench: a referee in plain dictionaries, lists and sets.

The pieces stand in a dictionary by square, a square is its column and row, and ways are gone step
by step. Every position of the game is kept, and both repetition rules look back over what is kept.
A dossier is a set of ranks for each piece, from which facts take ranks away.

It does the engine's work and comes to the engine's verdicts: legality, combats, both repetition
rules, endings and the dossier's bookkeeping, by the rules of the federation and with known ranks.
It asks nothing twice and leaves off as soon as it can, but it prepares no tables. Only the bench
uses it.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from engine.editions import EDITIONS
from engine.ranks import ORIGINAL, Rank
from engine.record import Record
from engine.rules import Rule
from engine.rulings import Reason
from engine.sides import Side
from engine.squares import WIDTH, Square, squares_in

_Place: TypeAlias = tuple[int, int]
"""Column and row, both counted from 0."""
_Border: TypeAlias = tuple[_Place, _Place]
_Ending: TypeAlias = tuple[Side | None, Reason]
_Standing: TypeAlias = "dict[_Place, _Piece]"
_Keep: TypeAlias = Callable[[_Standing], object]
"""How a position is kept for comparison."""

_DIRECTIONS: Final = ((0, 1), (1, 0), (0, -1), (-1, 0))
_LAKES: Final = {(2, 4), (3, 4), (2, 5), (3, 5), (6, 4), (7, 4), (6, 5), (7, 5)}
_IMMOBILE: Final = {Rank.FLAG, Rank.BOMB}
_EXCEPTIONS: Final = {(Rank.SPY, Rank.MARSHAL), (Rank.MINER, Rank.BOMB)}
_LIMIT: Final = EDITIONS["isf"].two_squares_limit


@dataclass(frozen=True)
class PlainVerdict:
    """The first ply that breaks a rule, if any; who has won and why, if the game is over."""

    ply: int | None = None
    rule: Rule | None = None
    ending: _Ending | None = None


def as_set(standing: _Standing) -> object:
    """Keep a position as the set of its squares, each with its piece: the usual way."""
    return frozenset(standing.items())


def as_copy(standing: _Standing) -> object:
    """Keep a position as a copy of the dictionary: less readily compared, but sooner made."""
    return dict(standing)


def judge_plainly(record: Record, keep: _Keep = as_set) -> PlainVerdict:
    """Judge a recorded game of two original armies that are set up as they have to be."""
    game = _Game(record, keep)
    for ply, move in enumerate(record.moves, start=1):
        source, target = _place(move.source), _place(move.target)
        rule = game.broken_rule(source, target)
        if rule:
            return PlainVerdict(ply, rule, game.ending)
        game.play(source, target)
    return PlainVerdict(ending=game.ending)


def _place(square: Square) -> _Place:
    return square % WIDTH, square // WIDTH


def _next_to(place: _Place) -> list[_Place]:
    column, row = place
    return [(column + east, row + north) for east, north in _DIRECTIONS]


def _crossed(source: _Place, target: _Place) -> list[_Border]:
    """The borders that a straight move crosses, each as the two squares beside it in order."""
    (column, row), (last_column, last_row) = sorted((source, target))
    if column == last_column:
        return [((column, n), (column, n + 1)) for n in range(row, last_row)]
    return [((n, row), (n + 1, row)) for n in range(column, last_column)]


@dataclass(eq=False)
class _Player:
    side: Side
    army: list["_Piece"] = field(default_factory=list)
    moves: list["_Move"] = field(default_factory=list)
    found: Counter[Rank] = field(default_factory=Counter)
    """How many pieces of each rank everybody knows."""
    chase: int = 0
    """How many plies the running chase lasts."""
    evaders: set["_Piece"] = field(default_factory=set)


@dataclass(eq=False)
class _Piece:
    player: _Player
    rank: Rank
    ranks: set[Rank]
    """What it may be, as far as everybody knows."""


@dataclass
class _Move:
    piece: _Piece
    source: _Place
    target: _Place
    crossed: list[_Border]


class _Game:
    """A game in which every rank is known."""

    def __init__(self, record: Record, keep: _Keep) -> None:
        self.mover, self.other = _Player(Side.RED), _Player(Side.BLUE)
        self.standing: _Standing = {}
        self.keep = keep
        self.positions: list[object] = []
        """What stood where after every ply."""
        self.ending: _Ending | None = None
        for player, army in ((self.mover, record.red), (self.other, record.blue)):
            for square in squares_in(army):
                piece = _Piece(player, record.ranks[square], set(Rank) - {Rank.INFILTRATOR})
                self.standing[_place(square)] = piece
                player.army.append(piece)

    # What is allowed

    def broken_rule(self, source: _Place, target: _Place) -> Rule | None:
        """Return the rule that a move or attack breaks, None if it breaks none.

        Who has lost for want of a legal move is told what is wrong with this one.
        """
        piece = self.standing.get(source)
        over = self.ending and self.ending[1] is not Reason.NO_LEGAL_MOVE
        if over or (piece and piece.player is not self.mover):
            return Rule.OUT_OF_TURN
        if piece is None:
            return Rule.MOVEMENT
        if piece.rank in _IMMOBILE:
            return Rule.IMMOBILE_PIECE
        if target not in self._targets(piece, source):
            return Rule.MOVEMENT
        return self._repetition(piece, source, target)

    def _targets(self, piece: _Piece, source: _Place) -> Iterator[_Place]:
        """Give the squares that a movable piece can go to or attack."""
        for east, north in _DIRECTIONS:
            column, row = source
            while True:
                column, row = column + east, row + north
                target = column, row
                if not (0 <= column < WIDTH and 0 <= row < WIDTH) or target in _LAKES:
                    break
                standing = self.standing.get(target)
                if standing is None or standing.player is not piece.player:
                    yield target
                if standing or piece.rank is not Rank.SCOUT:
                    break

    def _repetition(self, piece: _Piece, source: _Place, target: _Place) -> Rule | None:
        if self._goes_to_and_fro(piece, source, target):
            return Rule.TWO_SQUARES
        if target not in self.standing and self._chases_endlessly(piece, source, target):
            return Rule.MORE_SQUARES
        return None

    def _goes_to_and_fro(self, piece: _Piece, source: _Place, target: _Place) -> bool:
        moves = piece.player.moves
        if not moves or moves[-1].piece is not piece:
            return False
        for border in _crossed(source, target):
            count = 0
            for move in reversed(moves):
                if move.piece is not piece or border not in move.crossed:
                    break
                count += 1
            if count >= _LIMIT:
                return True
        return False

    def _chases_endlessly(self, piece: _Piece, source: _Place, target: _Place) -> bool:
        player = piece.player
        if player.chase < 2 or not player.evaders:
            return False
        if not any(self.standing.get(near) in player.evaders for near in _next_to(target)):
            return False
        last = player.moves[-1]
        if (last.target, last.source) == (source, target):
            return False
        position = dict(self.standing)
        position[target] = position.pop(source)
        return self.keep(position) in self.positions[-player.chase : -1]

    def _can_move(self, player: _Player) -> bool:
        for source, piece in self.standing.items():
            if piece.player is player and piece.rank not in _IMMOBILE:
                for target in self._targets(piece, source):
                    if not self._repetition(piece, source, target):
                        return True
        return False

    # What follows from a ply

    def play(self, source: _Place, target: _Place) -> None:
        """Make a legal move or attack."""
        piece, attacked = self.standing.pop(source), self.standing.get(target)
        move = _Move(piece, source, target, _crossed(source, target))
        if len(move.crossed) > 1:
            self._learn(piece, {Rank.SCOUT})
        elif piece.ranks & _IMMOBILE:
            self._learn(piece, piece.ranks - _IMMOBILE)
        if attacked:
            self._fight(piece, attacked, target)
        else:
            self.standing[target] = piece
        self._go_on_chasing(move, attack=attacked is not None)
        self.mover.moves.append(move)
        self.positions.append(self.keep(self.standing))
        self.mover, self.other = self.other, self.mover
        self.ending = self._ending(attacked)

    def _fight(self, piece: _Piece, attacked: _Piece, target: _Place) -> None:
        self._learn(piece, {piece.rank})
        self._learn(attacked, {attacked.rank})
        if (piece.rank, attacked.rank) in _EXCEPTIONS or piece.rank > attacked.rank:
            self.standing[target] = piece
        elif piece.rank == attacked.rank:
            del self.standing[target]

    def _learn(self, piece: _Piece, ranks: set[Rank]) -> None:
        """Leave a piece these ranks; once all of a rank are found, nobody else has it."""
        if piece.ranks <= ranks:
            return
        piece.ranks = piece.ranks & ranks
        if len(piece.ranks) == 1:
            (rank,) = piece.ranks
            piece.player.found[rank] += 1
            if piece.player.found[rank] == ORIGINAL.counts[rank]:
                for other in piece.player.army:
                    if rank in other.ranks and len(other.ranks) > 1:
                        self._learn(other, other.ranks - {rank})

    def _go_on_chasing(self, move: _Move, *, attack: bool) -> None:
        mover, other = self.mover, self.other
        if other.moves and other.moves[-1].target in _next_to(move.source):
            other.chase += 1
            other.evaders.add(move.piece)
        else:
            other.chase, other.evaders = 0, set()
        if attack:
            mover.chase, mover.evaders = 0, set()
            other.chase, other.evaders = 0, set()
        beside = map(self.standing.get, _next_to(move.target))
        stands = self.standing.get(move.target) is move.piece
        if stands and any(piece and piece.player is other for piece in beside):
            mover.chase += 1
        else:
            mover.chase, mover.evaders = 0, set()

    def _ending(self, attacked: _Piece | None) -> _Ending | None:
        """Tell how the ply has ended the game, when the turn has passed."""
        if attacked and attacked.rank is Rank.FLAG:
            return self.other.side, Reason.FLAG_CAPTURED
        if attacked:
            pieces = self.standing.values()
            movable = {piece.player.side for piece in pieces if piece.rank not in _IMMOBILE}
            if not movable:
                return None, Reason.BOTH_IMMOBILE
            if len(movable) == 1:
                return movable.pop(), Reason.NO_MOVABLE_PIECE
        if self._can_move(self.mover):
            return None
        if self._can_move(self.other):
            return self.other.side, Reason.NO_LEGAL_MOVE
        return None, Reason.BOTH_IMMOBILE
