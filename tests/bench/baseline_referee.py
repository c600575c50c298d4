"""Baseline for the benchmark: a referee built from plain dictionaries, lists and sets.

Pieces are stored in a dictionary keyed by square, and moves are checked step by step. No position
is copied: repetition is detected by undoing plies, and crossings of square edges are counted as
they happen. If all ranks are known and the federation's rules apply, this referee agrees with the
engine on legality, combat, both repetition rules, endings and deductions. Only the benchmark uses
this referee.
"""

from dataclasses import dataclass, field
from typing import Final, TypeAlias

from engine.board.geometry import SQUARES, WIDTH, Side, Square, squares_in
from engine.board.ranks import ORIGINAL, Rank
from engine.game.rulings import Reason
from engine.records.record import Record
from engine.rules.editions import EDITIONS
from engine.rules.rules import Rule

_Ending: TypeAlias = tuple[Side | None, Reason]

_LAKES: Final = {42, 43, 52, 53, 46, 47, 56, 57}
_NEXT: Final = {
    place: [
        place + step
        for step in (WIDTH, 1, -WIDTH, -1)
        if place + step in SQUARES
        and (abs(step) == WIDTH or (place + step) // WIDTH == place // WIDTH)
        and place + step not in _LAKES
    ]
    for place in SQUARES
}
"""Neighbours of each square, excluding lakes."""
_ATTACKER_ALWAYS_WINS: Final = {
    (int(Rank.SPY), int(Rank.MARSHAL)),
    (int(Rank.MINER), int(Rank.BOMB)),
}
_RANKS: Final = frozenset(map(int, Rank)) - {int(Rank.INFILTRATOR)}
_FLAG: Final = int(Rank.FLAG)
_STILL: Final = frozenset({int(Rank.FLAG), int(Rank.BOMB)})
_SCOUT: Final = frozenset({int(Rank.SCOUT)})
_COUNTS: Final = {int(rank): count for rank, count in ORIGINAL.counts.items()}
_LIMIT: Final = EDITIONS["isf"].two_squares_limit


@dataclass(frozen=True)
class PlainVerdict:
    """The first ply that breaks a rule, or else how the game ended."""

    ply: int | None = None
    rule: Rule | None = None
    ending: _Ending | None = None


class _Piece:
    __slots__ = ("player", "rank", "ranks", "scout", "square", "still")

    def __init__(self, player: "_Player", rank: Rank, place: Square) -> None:
        self.player = player
        self.rank = int(rank)  # compared as a plain number, not as an enum member
        self.square = place
        self.still = rank in (Rank.FLAG, Rank.BOMB)
        self.scout = rank is Rank.SCOUT
        self.ranks = _RANKS
        """The piece's possible ranks according to public facts."""


@dataclass(eq=False)
class _Player:
    side: Side
    army: list[_Piece] = field(default_factory=list)
    latest: _Piece | None = None
    """The piece that moved last."""
    came_from: Square = -1
    crossed: dict[tuple[Square, Square], int] = field(default_factory=dict)
    """Edges that the latest move crossed. For each, the number of consecutive moves that crossed
    it."""
    chase: int = 0
    """Length of the current chase in plies."""
    evaders: set[_Piece] = field(default_factory=set)
    found: dict[int, int] = field(default_factory=dict)
    """For each rank, the number of pieces known to have it."""


def judge_plainly(record: Record) -> PlainVerdict:
    """Judge a recorded game between two full original armies with legal setups."""
    game = _Game(record)
    for ply, move in enumerate(record.moves, start=1):
        rule = game.broken_rule(move.source, move.target)
        if rule:
            return PlainVerdict(ply, rule, game.ending)
        game.play(move.source, move.target)
    return PlainVerdict(ending=game.ending)


class _Game:
    def __init__(self, record: Record) -> None:
        self.mover, self.other = _Player(Side.RED), _Player(Side.BLUE)
        self.standing: dict[Square, _Piece] = {}
        self.made: list[tuple[_Piece, Square]] = []
        """Moves since the latest attack: piece and source square."""
        self.ending: _Ending | None = None
        for player, army in ((self.mover, record.red), (self.other, record.blue)):
            for place in squares_in(army):
                piece = _Piece(player, record.ranks[place], place)
                self.standing[place] = piece
                player.army.append(piece)

    # Legality

    def broken_rule(self, source: Square, target: Square) -> Rule | None:
        """Return the rule that a move or attack breaks, or None.

        The rule is returned even if the player has already lost for lack of a legal move.
        """
        if self.ending and self.ending[1] is not Reason.NO_LEGAL_MOVE:
            return Rule.OUT_OF_TURN
        piece = self.standing.get(source)
        if piece is None:
            return Rule.MOVEMENT
        if piece.player is not self.mover:
            return Rule.OUT_OF_TURN
        if piece.still:
            return Rule.IMMOBILE_PIECE
        attacked = self.standing.get(target)
        if attacked and attacked.player is self.mover:
            return Rule.MOVEMENT
        if target not in _NEXT[source] and not (piece.scout and self._is_free(source, target)):
            return Rule.MOVEMENT
        return self._repetition(piece, source, target, attacked)

    def _is_free(self, source: Square, target: Square) -> bool:
        """Whether a scout's path to a distant square is free."""
        step, place = _step(source, target), source
        while place != target:
            onward = place + step
            if onward not in _NEXT[place]:
                return False
            place = onward
            if place != target and place in self.standing:
                return False
        return True

    def _repetition(
        self, piece: _Piece, source: Square, target: Square, attacked: _Piece | None
    ) -> Rule | None:
        player = piece.player
        if player.latest is piece and self._moves_to_and_fro(player, source, target):
            return Rule.TWO_SQUARES
        if player.chase > 1 and player.evaders and not attacked:
            if player.came_from == target and player.latest is piece:
                return None
            if self._chases_endlessly(piece, target):
                return Rule.MORE_SQUARES
        return None

    def _moves_to_and_fro(self, player: _Player, source: Square, target: Square) -> bool:
        crossed = player.crossed
        return any(crossed.get(border, 0) >= _LIMIT for border in _borders(source, target))

    def _chases_endlessly(self, piece: _Piece, target: Square) -> bool:
        """Whether a move would repeat a position of the current chase."""
        standing, evaders = self.standing, piece.player.evaders
        if not any(standing.get(near) in evaders for near in _NEXT[target]):
            return False
        then = {piece: piece.square}
        displaced = 1
        for moved, came_from in self.made[-1 : -piece.player.chase : -1]:
            now = target if moved is piece else moved.square
            if then.get(moved, now) != now:
                displaced -= 1
            then[moved] = came_from
            if came_from != now:
                displaced += 1
            if not displaced:
                return True
        return False

    def _can_move(self, player: _Player) -> bool:
        latest = player.latest
        if latest and self.standing.get(latest.square) is latest and self._can_go(latest):
            return True
        return any(
            self.standing.get(piece.square) is piece and self._can_go(piece)
            for piece in player.army
        )

    def _can_go(self, piece: _Piece) -> bool:
        if piece.still:
            return False
        source, standing = piece.square, self.standing
        for target in _NEXT[source]:
            met = standing.get(target)
            if met is None or met.player is not piece.player:
                if not self._repetition(piece, source, target, met):
                    return True
                if piece.scout and met is None and self._can_run(piece, source, target):
                    return True
        return False

    def _can_run(self, piece: _Piece, source: Square, target: Square) -> bool:
        """Whether a scout can run past an adjacent square on which it may not stop."""
        step, standing = target - source, self.standing
        while target not in standing and target + step in _NEXT[target]:
            target += step
            met = standing.get(target)
            if (met is None or met.player is not piece.player) and not self._repetition(
                piece, source, target, met
            ):
                return True
        return False

    # Consequences of a ply

    def play(self, source: Square, target: Square) -> None:
        mover, other, standing = self.mover, self.other, self.standing
        piece, attacked = standing.pop(source), standing.get(target)
        evades = (
            attacked is None
            and other.latest is not None
            and other.latest.square in _NEXT[source]
            and standing.get(other.latest.square) is other.latest
        )
        crossed = mover.crossed if mover.latest is piece else {}
        mover.crossed = {border: crossed.get(border, 0) + 1 for border in _borders(source, target)}
        if len(mover.crossed) > 1:
            self._learn(piece, _SCOUT)
        elif _FLAG in piece.ranks:
            self._learn(piece, piece.ranks - _STILL)
        mover.latest, mover.came_from = piece, source
        piece.square = target
        if attacked:
            self._fight(piece, attacked, target)
            mover.chase, self.made = 0, []
            mover.evaders.clear()
        else:
            standing[target] = piece
            self.made.append((piece, source))
        if evades:
            other.chase += 1
            other.evaders.add(piece)
        elif other.chase:
            other.chase = 0
            other.evaders.clear()
        if standing.get(target) is piece and self._is_beside(other, target):
            mover.chase += 1
        elif mover.chase:
            mover.chase = 0
            mover.evaders.clear()
        self.mover, self.other = other, mover
        self.ending = self._ending(attacked)

    def _is_beside(self, player: _Player, place: Square) -> bool:
        standing = self.standing
        for near in _NEXT[place]:
            met = standing.get(near)
            if met and met.player is player:
                return True
        return False

    def _fight(self, piece: _Piece, attacked: _Piece, target: Square) -> None:
        standing = self.standing
        self._learn(piece, frozenset({piece.rank}))
        self._learn(attacked, frozenset({attacked.rank}))
        wins = (piece.rank, attacked.rank) in _ATTACKER_ALWAYS_WINS or piece.rank > attacked.rank
        if wins:
            standing[target] = piece
        elif piece.rank == attacked.rank:
            del standing[target]
        for each in (piece, attacked):
            if standing.get(target) is not each:
                each.player.army.remove(each)

    def _learn(self, piece: _Piece, ranks: frozenset[int]) -> None:
        """Restrict a piece to the given ranks.

        When all pieces of a rank are known, no other piece of that player can have the rank.
        """
        if piece.ranks <= ranks:
            return
        piece.ranks &= ranks
        if len(piece.ranks) == 1:
            (rank,) = piece.ranks
            found = piece.player.found
            found[rank] = found.get(rank, 0) + 1
            if found[rank] == _COUNTS[rank]:
                for other in piece.player.army:
                    if rank in other.ranks and len(other.ranks) > 1:
                        self._learn(other, other.ranks - {rank})

    def _ending(self, attacked: _Piece | None) -> _Ending | None:
        """Return how the ply ended the game, or None. By then, `mover` is the player who moves
        next."""
        if attacked:
            if attacked.rank == Rank.FLAG and self.standing.get(attacked.square) is not attacked:
                return self.other.side, Reason.FLAG_CAPTURED
            movable = {
                piece.player.side
                for player in (self.mover, self.other)
                for piece in player.army
                if not piece.still
            }
            if not movable:
                return None, Reason.BOTH_IMMOBILE
            if len(movable) == 1:
                left = self.mover if self.mover.side in movable else self.other
                if self._can_move(left):
                    return left.side, Reason.NO_MOVABLE_PIECE
                return None, Reason.BOTH_IMMOBILE
        if self._can_move(self.mover):
            return None
        if self._can_move(self.other):
            return self.other.side, Reason.NO_LEGAL_MOVE
        return None, Reason.BOTH_IMMOBILE


def _step(source: Square, target: Square) -> int:
    """Return the step from one square towards another, or 0 if they share no row or column."""
    if source % WIDTH == target % WIDTH:
        return WIDTH if target > source else -WIDTH
    if source // WIDTH == target // WIDTH:
        return 1 if target > source else -1
    return 0


def _borders(source: Square, target: Square) -> list[tuple[Square, Square]]:
    """Return the edges that a straight move crosses. Each edge is an ordered pair of squares."""
    low, high = (source, target) if source < target else (target, source)
    step = WIDTH if (high - low) % WIDTH == 0 else 1
    return [(place, place + step) for place in range(low, high, step)]
