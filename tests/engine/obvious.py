"""A second referee: slow, obvious, and written from the rules of the game, not from `engine`.

It knows every rank, keeps whole lists where the engine keeps counts, and goes about the board
step by step, with the names of squares. Where the two referees disagree, one of them is wrong.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise, permutations

COLUMNS = "abcdefghik"
SQUARES = [f"{column}{row}" for row in range(1, 11) for column in COLUMNS]
LAKES = {"c5", "d5", "c6", "d6", "g5", "h5", "g6", "h6"}
DIRECTIONS = [(0, 1), (1, 0), (0, -1), (-1, 0)]
ENEMY_ROWS = {"red": {7, 8, 9, 10}, "blue": {1, 2, 3, 4}}
STRENGTH = {
    "spy": 1,
    "infiltrator": 1,
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

_RANKS = "flag spy scout miner sergeant lieutenant captain major colonel general marshal bomb"
_COUNTS = {
    "original": [1, 1, 8, 5, 4, 4, 4, 3, 2, 1, 1, 6],
    "duel": [1, 1, 2, 2, 0, 0, 0, 0, 0, 1, 1, 2],
    "barrage": [1, 1, 2, 1, 0, 0, 0, 0, 0, 1, 1, 1],
}
ARMIES = {name: dict(zip(_RANKS.split(), counts, strict=True)) for name, counts in _COUNTS.items()}
ARMIES["infiltrator"] = ARMIES["original"] | {"scout": 7, "infiltrator": 1}
ARMIES_OF = {
    "compact-1992": {"original"},
    "original-1992": {"original"},
    "gravopedia-2006": {"original", "duel"},
    "nordic-2009": {"original", "duel", "infiltrator"},
    "travel-2017": {"original", "duel"},
    "isf": {"original", "duel", "barrage"},
}
LIMITS_OF = {
    "compact-1992": {5},
    "original-1992": {5},
    "gravopedia-2006": {3},
    "nordic-2009": {3},
    "travel-2017": {3},
    "isf": {3, 5},
}
WITH_MORE_SQUARES = {"gravopedia-2006", "nordic-2009", "travel-2017", "isf"}
WHERE_A_MOVED_BOMB_LOSES = {"gravopedia-2006", "travel-2017"}
WHERE_BOTH_IMMOBILE_DRAW = {"isf"}


@cache
def ahead(square: str, direction: tuple[int, int]) -> list[str]:
    """Return the squares that lie ahead, up to the edge of the board."""
    column, row = COLUMNS.index(square[0]), int(square[1:])
    east, north = direction
    squares: list[str] = []
    while True:
        column, row = column + east, row + north
        if not (0 <= column < 10 and 1 <= row <= 10):
            return squares
        squares.append(f"{COLUMNS[column]}{row}")


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
    """A move or an attack that was made; an infiltrator that stays goes from its square to it."""

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
    """A completed move, attack or infiltration, and where every piece stood after it."""

    move: MadeMove
    attack: bool
    standing: dict[str, Piece]

    @property
    def infiltration(self) -> bool:
        return self.move.source == self.move.target


@cache
def next_to(square: str) -> set[str]:
    """Return the squares before, behind and beside a square."""
    return {near for direction in DIRECTIONS for near in ahead(square, direction)[:1]}


Chase = tuple[int, list[Piece]]
"""How many plies a chase lasts, and which pieces have evaded it."""


def go_on(chase: Chase, chaser: str, ply: PlayedPly, before: PlayedPly | None) -> Chase:
    """Do with the chase of one side what the rules say after a ply; `before` is the ply before."""
    length, evaders = chase
    move, side = ply.move, ply.move.piece.side
    if ply.infiltration:
        return 0, []
    if side != chaser:
        came_near = before and not before.infiltration and before.move.target
        if came_near and came_near in next_to(move.source):
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


def fight(attacker: str, defender: str, aggressor_advantage: bool = False) -> str:
    """Say who remains: "attacker", "defender" or "nobody"."""
    if defender == "flag":
        return "attacker"
    if defender == "bomb":
        return "attacker" if attacker == "miner" else "defender"
    if attacker == "spy" and defender == "marshal":
        return "attacker"
    if STRENGTH[attacker] == STRENGTH[defender]:
        return "attacker" if aggressor_advantage else "nobody"
    return "attacker" if STRENGTH[attacker] > STRENGTH[defender] else "defender"


def can_be_dealt(army: list[str], facts: list[set[str]]) -> bool:
    """Whether every piece can get a tile of the army with a rank that the facts leave it.

    Piece by piece: one that finds no free tile asks the holder of another to look for a new one.
    """
    holder: dict[int, int] = {}

    def deal(piece: int, asked: set[int]) -> bool:
        for tile, rank in enumerate(army):
            if rank in facts[piece] and tile not in asked:
                asked.add(tile)
                if tile not in holder or deal(holder[tile], asked):
                    holder[tile] = piece
                    return True
        return False

    return all(deal(piece, set()) for piece in range(len(facts)))


def possible_ranks(army: list[str], facts: list[set[str]]) -> list[set[str]]:
    """Return for each piece the ranks that the whole army leaves it: suppose one after the other.

    Pieces of which the same is known can have the same ranks, so only one of them is asked for.
    """
    found: dict[frozenset[str], set[str]] = {}
    for piece, ranks in enumerate(facts):
        if frozenset(ranks) not in found:
            before, after = facts[:piece], facts[piece + 1 :]
            found[frozenset(ranks)] = {
                rank for rank in ranks if can_be_dealt(army, [*before, {rank}, *after])
            }
    return [found[frozenset(ranks)] for ranks in facts]


def possible_ranks_by_trying(army: list[str], facts: list[set[str]]) -> list[set[str]]:
    """Return the same for a tiny army: try every way of dealing it."""
    dealt = [
        way
        for way in set(permutations(army))
        if all(rank in ranks for rank, ranks in zip(way, facts, strict=True))
    ]
    return [{way[piece] for way in dealt} for piece in range(len(facts))]


@dataclass
class ObviousGame:
    """A game whose pieces lie open on the table."""

    standing: dict[str, Piece]
    limit: int
    more_squares: bool = False
    moved_bomb_loses: bool = False
    both_immobile_draw: bool = False
    silent_defence: bool = False
    aggressor_advantage: bool = False
    to_move: str = "red"
    moves: dict[str, list[MadeMove]] = field(default_factory=lambda: {"red": [], "blue": []})
    plies: list[PlayedPly] = field(default_factory=list)
    chases: dict[str, Chase] = field(default_factory=lambda: {"red": (0, []), "blue": (0, [])})
    ending: tuple[str, str] | None = None
    """Who has won, or "nobody", and why."""
    shut_in: bool = False
    """Whether it ended because the side to move has pieces that move, and no way for them."""
    armies: dict[str, list[Piece]] = field(init=False)
    fallen: dict[str, Counter[str]] = field(init=False)
    facts: dict[Piece, set[str]] = field(init=False)
    """The ranks that those who see no rank cannot exclude, for each piece by itself."""

    def __post_init__(self) -> None:
        everybody = self.standing.values()
        self.armies = {s: [x for x in everybody if x.side == s] for s in ("red", "blue")}
        self.fallen = {side: Counter() for side in self.armies}
        self.facts = {x: {y.rank for y in self.armies[x.side]} for x in everybody}
        self._end_if_shut_in()

    @classmethod
    def by(
        cls,
        rulebook: str,
        standing: dict[str, Piece],
        limit: int,
        *,
        silent_defence: bool = False,
        aggressor_advantage: bool = False,
    ) -> "ObviousGame":
        """Begin a game by a rulebook with what the players chose."""
        assert limit in LIMITS_OF[rulebook]
        return cls(
            standing,
            limit,
            more_squares=rulebook in WITH_MORE_SQUARES,
            moved_bomb_loses=rulebook in WHERE_A_MOVED_BOMB_LOSES,
            both_immobile_draw=rulebook in WHERE_BOTH_IMMOBILE_DRAW,
            silent_defence=silent_defence,
            aggressor_advantage=aggressor_advantage,
        )

    # What is allowed

    def broken_rules(self, source: str, target: str) -> set[str]:
        """Return all the rules that the proposed move or attack would break."""
        if self.ending and self.ending[1] != "no-legal-move":
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

    def broken_by_infiltrating(self, source: str, target: str) -> set[str]:
        """Return all the rules that an infiltration would break, whatever is guessed."""
        if source not in self.standing:
            return {"movement"}
        infiltrator, other = self.standing[source], self.standing.get(target)
        broken = set()
        if infiltrator.side != self.to_move:
            broken.add("out-of-turn")
        if infiltrator.rank != "infiltrator":
            broken.add("infiltration")
        if not other or not self._is_within_reach(source, target):
            broken.add("infiltration")
        return broken

    def _is_within_reach(self, source: str, target: str) -> bool:
        """Whether an infiltrator on `source` could infiltrate the piece on `target`."""
        own, other = self.standing[source], self.standing[target]
        deep = int(source[1:]) in ENEMY_ROWS[own.side]
        return deep and other.side != own.side and len(path(source, target)) in {2, 3}

    # What could be done

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
        return [
            (source, target)
            for source, piece in self.standing.items()
            if piece.side == self.to_move
            for target in self._ways(source, piece.rank)
        ]

    def infiltrations(self) -> list[tuple[str, str]]:
        """Return who could be infiltrated, and from where, by the side to move."""
        return [
            (source, target)
            for source, piece in self.standing.items()
            if piece.side == self.to_move and piece.rank == "infiltrator"
            for target in self.standing
            if self._is_within_reach(source, target)
        ]

    def _ways(self, source: str, rank: str) -> Iterator[str]:
        """Give the squares to which the piece on a square could legally go if it had this rank."""
        if rank not in STRENGTH:
            return
        piece = self.standing[source]
        for direction in DIRECTIONS:
            for target in ahead(source, direction):
                other = self.standing.get(target)
                if target in LAKES or (other and other.side == piece.side):
                    break
                own = self.moves[piece.side]
                if not goes_to_and_fro(own, piece, source, target, self.limit) and not (
                    self.more_squares and self._chases_endlessly(piece, source, target)
                ):
                    yield target
                if other or rank != "scout":
                    break

    def _has_a_turn(self, source: str, rank: str) -> bool:
        """Whether the piece on a square could do anything if it had this rank."""
        if any(True for _ in self._ways(source, rank)):
            return True
        return rank == "infiltrator" and any(
            self._is_within_reach(source, target) for target in self.standing
        )

    def can_move(self, side: str) -> bool:
        """Whether a side has a legal turn."""
        return any(
            self._has_a_turn(source, piece.rank)
            for source, piece in self.standing.items()
            if piece.side == side
        )

    # What is known to those who see no rank

    def possible(self, side: str) -> dict[Piece, set[str]]:
        """Return the ranks that the pieces of a side can have, as public facts prove it."""
        army = self.armies[side]
        facts = [self.facts[piece] for piece in army]
        return dict(zip(army, possible_ranks([x.rank for x in army], facts), strict=True))

    def is_proved_stuck(self, side: str) -> bool:
        """Whether a side has no legal turn, whatever ranks its pieces can have."""
        possible = self.possible(side)
        return not any(
            self._has_a_turn(source, rank)
            for source, piece in self.standing.items()
            if piece.side == side
            for rank in possible[piece]
        )

    @property
    def ending_at_the_table(self) -> tuple[str, str] | None:
        """The end where nobody sees a rank, and who cannot move says so.

        What is not proved is not believed: that the opponent cannot move either.
        """
        if not self.shut_in:
            return self.ending
        opponent = other_side(self.to_move)
        if self.both_immobile_draw and self.is_proved_stuck(opponent):
            return "nobody", "both-immobile"
        return opponent, "no-legal-move"

    def names_the_defender(self, attacker: str, remains: str) -> bool:
        """Whether the rank of a defender is revealed."""
        return not self.silent_defence or remains != "defender" or attacker == "scout"

    # Turns

    def play(self, source: str, target: str) -> str | None:
        """Make a legal move; for an attack, say who remains."""
        assert not self.broken_rules(source, target)
        piece = self.standing.pop(source)
        made = MadeMove(piece, source, target)
        self.facts[piece] -= {"flag", "bomb"}
        if len(path(source, target)) > 2:
            self.facts[piece] &= {"scout"}
        defender = self.standing.get(target)
        if defender is None:
            self.standing[target] = piece
        remains = self._fight(piece, defender, target) if defender else None
        self._pass_turn(made, attack=defender is not None)
        if defender:
            self._end_after_loss(defender)
        self._end_if_shut_in()
        return remains

    def _fight(self, piece: Piece, defender: Piece, target: str) -> str:
        def result(rank: str) -> str:
            return fight(piece.rank, rank, self.aggressor_advantage)

        remains = result(defender.rank)
        self.facts[piece] = {piece.rank}
        if self.names_the_defender(piece.rank, remains):
            self.facts[defender] = {defender.rank}
        else:
            self.facts[defender] = {x for x in self.facts[defender] if result(x) == remains}
        if remains == "attacker":
            self.standing[target] = piece
        else:
            self.fallen[piece.side][piece.rank] += 1
        if remains == "nobody":
            del self.standing[target]
        if remains != "defender":
            self.fallen[defender.side][defender.rank] += 1
        return remains

    def infiltrate(self, source: str, target: str, guess: str) -> bool:
        """Let the infiltrator guess a rank; say whether it is right."""
        assert not self.broken_by_infiltrating(source, target)
        infiltrator, other = self.standing[source], self.standing[target]
        self.facts[infiltrator] = {"infiltrator"}
        right = other.rank == guess
        if right:
            self.facts[other] = {guess}
            self.fallen[other.side][guess] += 1
            del self.standing[target]
        else:
            self.facts[other] -= {guess}
        self._pass_turn(MadeMove(infiltrator, source, source), attack=False)
        if right:
            self._end_after_loss(other)
        self._end_if_shut_in()
        return right

    def move_bomb(self) -> None:
        """Let the side to move do what is never allowed: where that loses, the game is over."""
        if self.moved_bomb_loses:
            self.ending = other_side(self.to_move), "moved-bomb"

    def _pass_turn(self, made: MadeMove, attack: bool) -> None:
        side = made.piece.side
        self.moves[side].append(made)
        self.to_move = other_side(side)
        before = self.plies[-1] if self.plies else None
        ply = PlayedPly(made, attack, dict(self.standing))
        for chaser, chase in self.chases.items():
            self.chases[chaser] = go_on(chase, chaser, ply, before)
        self.plies.append(ply)

    def _end_after_loss(self, attacked: Piece) -> None:
        """End the game if a piece was attacked or infiltrated that was the flag or the last."""
        can_move = {piece.side for piece in self.standing.values() if piece.rank in STRENGTH}
        if attacked.rank == "flag":
            self.ending = other_side(attacked.side), "flag-captured"
        elif not can_move:
            self.ending = "nobody", "both-immobile"
        elif len(can_move) == 1:
            self.ending = can_move.pop(), "no-movable-piece"

    def _end_if_shut_in(self) -> None:
        if self.ending or self.can_move(self.to_move):
            return
        self.shut_in = True
        opponent = other_side(self.to_move)
        if self.both_immobile_draw and not self.can_move(opponent):
            self.ending = "nobody", "both-immobile"
        else:
            self.ending = opponent, "no-legal-move"


def other_side(side: str) -> str:
    """Return the opponent."""
    return "blue" if side == "red" else "red"
