"""What is proved about the rank of every piece, from public facts alone.

A piece starts with every rank of its army. A move excludes flag and bomb, a run leaves only the
scout, a reveal leaves one rank, and a rank whose pieces are all revealed is excluded for the rest.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from engine.board import Piece
from engine.ranks import IMMOBILE, Army, Rank, RankSet
from engine.sides import Side


class Ground(Enum):
    """Why a piece cannot have a rank."""

    NOT_IN_ARMY = "not-in-army"
    MOVED = "moved"
    """It has moved or attacks, so it is neither bomb nor flag."""
    RAN = "ran"
    """It has gone further than one square, so it is a scout."""
    REVEALED = "revealed"
    """Its rank has been revealed before."""
    ALL_FOUND = "all-found"
    """All pieces of that rank have been revealed already."""


@dataclass(frozen=True)
class Proof:
    """Why a piece cannot have the rank that was declared."""

    ground: Ground
    rank: Rank
    """The rank that the piece cannot have."""
    count: int = 0
    """For ALL_FOUND: how many pieces of the rank the army has."""


class Dossier:
    """The possible ranks of every piece on both sides."""

    def __init__(self, army: Army, pieces: Iterable[tuple[Side, Piece]]) -> None:
        """Open the dossier of two armies whose pieces are all unknown."""
        self._army = army
        self._side = {piece: side for side, piece in pieces}
        self._possible: dict[Piece, RankSet] = dict.fromkeys(self._side, army.ranks)
        self._ran: set[Piece] = set()
        self._revealed: dict[Piece, Rank] = {}
        self._found = {side: Counter[Rank]() for side in Side}
        self._exhausted: dict[Side, RankSet] = dict.fromkeys(Side, 0)

    def possible(self, piece: Piece) -> RankSet:
        """The ranks that the piece can still have."""
        if piece in self._revealed:
            return self._possible[piece]
        return self._possible[piece] & ~self._exhausted[self._side[piece]]

    def moved(self, piece: Piece, *, ran: bool) -> None:
        """Note a move; `ran` if it was longer than one square."""
        if ran:
            self._ran.add(piece)
            self._possible[piece] &= 1 << Rank.SCOUT
        else:
            self._possible[piece] &= ~IMMOBILE

    def revealed(self, piece: Piece, rank: Rank) -> None:
        """Note a rank that was shown to everybody."""
        if piece in self._revealed:
            return
        side = self._side[piece]
        self._revealed[piece] = rank
        self._possible[piece] = 1 << rank
        self._found[side][rank] += 1
        if self._found[side][rank] == self._army.counts[rank]:
            self._exhausted[side] |= 1 << rank

    def refute(self, piece: Piece, rank: Rank, *, attacks: bool) -> Proof | None:
        """Return the proof that the piece cannot have this rank, None if it can.

        `attacks` says that the piece is just attacking, which bombs and the flag never do.
        """
        if attacks and IMMOBILE >> rank & 1:
            return Proof(Ground.MOVED, rank)
        if self.possible(piece) >> rank & 1:
            return None
        if piece in self._revealed:
            return Proof(Ground.REVEALED, rank)
        if not self._army.ranks >> rank & 1:
            return Proof(Ground.NOT_IN_ARMY, rank)
        if self._possible[piece] >> rank & 1:
            return Proof(Ground.ALL_FOUND, rank, self._army.counts[rank])
        return Proof(Ground.RAN if piece in self._ran else Ground.MOVED, rank)
