"""How a game stands, what the rules allow in it, and what those know who see no rank."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.engine.obvious.armies import STRENGTH, Piece
from tests.engine.obvious.board import DIRECTIONS, ENEMY_ROWS, LAKES, ahead, next_to, path
from tests.engine.obvious.chases import Chase, PlayedPly
from tests.engine.obvious.dealing import possible_ranks
from tests.engine.obvious.two_squares import MadeMove, goes_to_and_fro


@dataclass
class ObviousPosition:
    """A game at one moment, with its pieces open on the table. It answers and changes nothing."""

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
    facts: dict[Piece, set[str]] = field(init=False)
    """The ranks that those who see no rank cannot exclude, for each piece by itself."""

    def __post_init__(self) -> None:
        everybody = self.standing.values()
        self.armies = {s: [x for x in everybody if x.side == s] for s in ("red", "blue")}
        self.facts = {x: {y.rank for y in self.armies[x.side]} for x in everybody}

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

    def names_the_defender(self, attacker: str, remains: str) -> bool:
        """Whether the rank of a defender is revealed."""
        return not self.silent_defence or remains != "defender" or attacker == "scout"
