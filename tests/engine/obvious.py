"""A second referee: slow, obvious, and written from the rules of the game, not from `engine`.

It knows every rank, keeps whole lists where the engine keeps counts, and goes about the board
step by step, with the names of squares. Where the two referees disagree, one of them is wrong.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise

COLUMNS = "abcdefghik"
SQUARES = [f"{column}{row}" for row in range(1, 11) for column in COLUMNS]
LAKES = {"c5", "d5", "c6", "d6", "g5", "h5", "g6", "h6"}
DIRECTIONS = [(0, 1), (1, 0), (0, -1), (-1, 0)]
STRENGTH = {
    "spy": 1,
    "scout": 2,
    "miner": 3,
    "sergeant": 4,
    "lieutenant": 5,
    "captain": 6,
    "major": 7,
    "colonel": 8,
    "general": 9,
    "marshal": 10,
}
"""The ranks that move, and how they compare."""


def ahead(square: str, direction: tuple[int, int]) -> Iterator[str]:
    """Give the squares that lie ahead, up to the edge of the board."""
    column, row = COLUMNS.index(square[0]), int(square[1:])
    east, north = direction
    while True:
        column, row = column + east, row + north
        if not (0 <= column < 10 and 1 <= row <= 10):
            return
        yield f"{COLUMNS[column]}{row}"


@cache  # the same ways are asked for over and over
def path(source: str, target: str) -> list[str]:
    """Return the squares of a straight way, both ends included; [] if there is none."""
    for direction in DIRECTIONS:
        walked = [source]
        for square in ahead(source, direction):
            walked.append(square)
            if square == target:
                return walked
    return []


@cache
def crossed(source: str, target: str) -> list[set[str]]:
    """Return the borders that a move crosses; a border is the two squares it lies between."""
    return [{a, b} for a, b in pairwise(path(source, target))]


@dataclass(eq=False)
class Piece:
    """One wooden piece. Two of the same rank are still two."""

    side: str
    rank: str


@dataclass(frozen=True)
class MadeMove:
    """A move or an attack that was made."""

    piece: Piece
    source: str
    target: str


def goes_to_and_fro(
    own_moves: list[MadeMove], piece: Piece, source: str, target: str, limit: int
) -> bool:
    """Whether the proposed move crosses a border once more than is allowed in a row.

    Walk back over the player's own latest moves while they chain: each was made by this piece and
    ended where the next began. Count how many of them crossed the border without a gap.
    """
    for border in crossed(source, target):
        count = 0
        began = source
        for move in reversed(own_moves):
            if move.piece is not piece or move.target != began:
                break
            if border not in crossed(move.source, move.target):
                break
            count += 1
            began = move.source
        if count >= limit:
            return True
    return False


def goes_between_two_squares(
    own_moves: list[MadeMove], piece: Piece, source: str, target: str, limit: int
) -> bool:
    """Whether the proposed move breaks the rule as the federation words it.

    A piece may not move more than `limit` times without a stop between the same two squares. A
    scout's move starts on its starting square and every square it steps over, and ends on its
    final square and every square it steps over.
    """
    series = [*own_moves[-limit:], MadeMove(piece, source, target)]
    if len(series) <= limit or any(move.piece is not piece for move in series):
        return False
    starts = [path(move.source, move.target)[:-1] for move in series]
    ends = [path(move.source, move.target)[1:] for move in series]
    for one in SQUARES:
        for other in SQUARES:
            there_and_back = [
                (one, other) if n % 2 == 0 else (other, one) for n in range(limit + 1)
            ]
            if one != other and all(
                a in start and b in end
                for (a, b), start, end in zip(there_and_back, starts, ends, strict=True)
            ):
                return True
    return False


@dataclass(frozen=True)
class PlayedPly:
    """A completed move or attack, and where every piece stood after it."""

    move: MadeMove
    attack: bool
    standing: dict[str, Piece]


def next_to(square: str) -> set[str]:
    """Return the squares before, behind and beside a square."""
    return {near for direction in DIRECTIONS for near in list(ahead(square, direction))[:1]}


Chase = tuple[int, list[Piece]]
"""How many plies a chase lasts, and which pieces have evaded it."""


def go_on(chase: Chase, chaser: str, ply: PlayedPly, before: MadeMove | None) -> Chase:
    """Do with the chase of one side what the rules say after a ply; `before` is the ply before."""
    length, evaders = chase
    move, side = ply.move, ply.move.piece.side
    if side != chaser:
        if before and before.target in next_to(move.source):
            length, evaders = length + 1, [*evaders, move.piece]
        else:
            length, evaders = 0, []
    if ply.attack:
        length, evaders = 0, []
    if side == chaser:
        stands = ply.standing.get(move.target) is move.piece
        beside = [ply.standing.get(near) for near in next_to(move.target)]
        if stands and any(other and other.side != side for other in beside):
            return length + 1, evaders
        return 0, []
    return length, evaders


def fight(attacker: str, defender: str) -> str:
    """Say who remains: "attacker", "defender" or "nobody"."""
    if defender == "flag":
        return "attacker"
    if defender == "bomb":
        return "attacker" if attacker == "miner" else "defender"
    if attacker == "spy" and defender == "marshal":
        return "attacker"
    if STRENGTH[attacker] == STRENGTH[defender]:
        return "nobody"
    return "attacker" if STRENGTH[attacker] > STRENGTH[defender] else "defender"


@dataclass
class ObviousGame:
    """A game whose pieces lie open on the table."""

    standing: dict[str, Piece]
    limit: int
    more_squares: bool = False
    to_move: str = "red"
    moves: dict[str, list[MadeMove]] = field(default_factory=lambda: {"red": [], "blue": []})
    plies: list[PlayedPly] = field(default_factory=list)
    chases: dict[str, Chase] = field(default_factory=lambda: {"red": (0, []), "blue": (0, [])})
    ending: tuple[str, str] | None = None
    """Who has won, or "nobody", and why."""

    def broken_rules(self, source: str, target: str) -> set[str]:
        """Return all the rules that the proposed move or attack would break."""
        if self.ending:
            return {"out-of-turn"}
        if source not in self.standing:
            return {"movement"}
        piece = self.standing[source]
        broken = set()
        if piece.side != self.to_move:
            broken.add("out-of-turn")
        if piece.rank not in STRENGTH:
            broken.add("immobile-piece")
        if not self._has_a_free_way(piece, source, target):
            broken.add("movement")
        if goes_to_and_fro(self.moves[piece.side], piece, source, target, self.limit):
            broken.add("two-squares")
        if self.more_squares and not broken and self._chases_endlessly(piece, source, target):
            broken.add("more-squares")
        return broken

    def _chases_endlessly(self, piece: Piece, source: str, target: str) -> bool:
        """Whether a move, in all other ways legal, breaks the rule about endless chases."""
        own = self.moves[piece.side]
        if target in self.standing:
            return False
        if own and (own[-1].target, own[-1].source) == (source, target):
            return False
        length, evaders = self.chases[piece.side]
        if not any(self.standing.get(near) in evaders for near in next_to(target)):
            return False
        after = {place: other for place, other in self.standing.items() if place != source}
        after[target] = piece
        return any(self.plies[-1 - k].standing == after for k in range(1, length))

    def _has_a_free_way(self, piece: Piece, source: str, target: str) -> bool:
        walked = path(source, target)
        if not walked or target in LAKES:
            return False
        if target in self.standing and self.standing[target].side == piece.side:
            return False
        if piece.rank == "scout":
            return not any(square in LAKES or square in self.standing for square in walked[1:-1])
        return len(walked) == 2

    def straight_moves(self) -> list[tuple[str, str]]:
        """Return all moves on straight ways of the side to move, legal or not."""
        return [
            (source, target)
            for source, piece in self.standing.items()
            if piece.side == self.to_move
            for direction in DIRECTIONS
            for target in ahead(source, direction)
        ]

    def legal_moves(self) -> list[tuple[str, str]]:
        """Return all legal moves and attacks of the side to move."""
        return [move for move in self.straight_moves() if not self.broken_rules(*move)]

    def play(self, source: str, target: str) -> str | None:
        """Make a legal move; for an attack, say who remains."""
        assert not self.broken_rules(source, target)
        piece = self.standing.pop(source)
        self.moves[piece.side].append(MadeMove(piece, source, target))
        self.to_move = "blue" if piece.side == "red" else "red"
        defender = self.standing.get(target)
        if defender is None:
            self.standing[target] = piece
        remains = self._fight(piece, defender, target) if defender else None
        made = self.moves[piece.side][-1]
        before = self.plies[-1].move if self.plies else None
        ply = PlayedPly(made, defender is not None, dict(self.standing))
        for side, chase in self.chases.items():
            self.chases[side] = go_on(chase, side, ply, before)
        self.plies.append(ply)
        return remains

    def _fight(self, piece: Piece, defender: Piece, target: str) -> str:
        remains = fight(piece.rank, defender.rank)
        if remains == "attacker":
            self.standing[target] = piece
        if remains == "nobody":
            del self.standing[target]
        self.ending = self._ending(piece, defender)
        return remains

    def _ending(self, attacker: Piece, defender: Piece) -> tuple[str, str] | None:
        if defender.rank == "flag":
            return attacker.side, "flag-captured"
        can_move = {piece.side for piece in self.standing.values() if piece.rank in STRENGTH}
        if not can_move:
            return "nobody", "both-immobile"
        if len(can_move) == 1:
            return can_move.pop(), "no-movable-piece"
        return None
