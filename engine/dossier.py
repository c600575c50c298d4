"""What is proved about the rank of every piece, from public facts alone.

By itself, a piece starts with every rank of its army. A move excludes flag and bomb, a run leaves
only the scout, a reveal leaves one rank. Together, the pieces have to make up the whole army, which
excludes more: the last piece that has never moved is the flag (`engine.assignment`).
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from engine.assignment import Assignment
from engine.board import Piece
from engine.ranks import IMMOBILE, Army, Rank, RankSet, ranks_in
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
    """All pieces of that rank are known already."""
    NEEDED = "needed"
    """If it had that rank, too few pieces would be left for another one."""


@dataclass(frozen=True)
class Proof:
    """Why a piece cannot have the rank that was declared."""

    ground: Ground
    rank: Rank
    """The rank that the piece cannot have."""
    count: int = 0
    """For ALL_FOUND: how many pieces of the rank the army has."""
    needed: Rank | None = None
    """For NEEDED: the rank for which too few pieces would be left."""


class Dossier:
    """The possible ranks of every piece on both sides."""

    def __init__(self, army: Army, pieces: Iterable[tuple[Side, Piece]]) -> None:
        """Open the dossier of two armies whose pieces are all unknown."""
        self._army = army
        self._side = {piece: side for side, piece in pieces}
        self._alone: dict[Piece, RankSet] = dict.fromkeys(self._side, army.ranks)
        """The ranks that each piece may have by itself."""
        self._groups = {side: Counter[RankSet]() for side in Side}
        for side in self._side.values():
            self._groups[side][army.ranks] += 1
        self._ran: set[Piece] = set()
        self._revealed: set[Piece] = set()
        self._together: dict[Side, dict[RankSet, RankSet]] = {side: {} for side in Side}
        """What is left of the ranks of a piece by itself when all make up the army; a cache."""

    def possible(self, piece: Piece) -> RankSet:
        """The ranks that the piece has in some assignment of the whole army."""
        alone = self._alone[piece]
        if not alone & (alone - 1):
            return alone
        together = self._together[self._side[piece]]
        if alone not in together:
            groups = self._groups[self._side[piece]]
            together.update(Assignment(self._army, groups).possible())
        return together[alone]

    def moved(self, piece: Piece, *, ran: bool) -> None:
        """Note a move; `ran` if it was longer than one square."""
        if ran:
            self._ran.add(piece)
            self._narrow(piece, 1 << Rank.SCOUT)
        else:
            self._narrow(piece, ~IMMOBILE)

    def revealed(self, piece: Piece, rank: Rank) -> None:
        """Note a rank that was shown to everybody."""
        self._revealed.add(piece)
        self._narrow(piece, 1 << rank)

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
        if not self._alone[piece] >> rank & 1:
            return Proof(Ground.RAN if piece in self._ran else Ground.MOVED, rank)
        return self._refute_together(piece, rank)

    def _narrow(self, piece: Piece, ranks: RankSet) -> None:
        """Leave a piece only these of its ranks."""
        before = self._alone[piece]
        after = before & ranks
        if after == before:
            return
        side = self._side[piece]
        self._alone[piece] = after
        self._groups[side][after] += 1
        self._groups[side] -= Counter([before])
        self._together[side] = {}

    def _refute_together(self, piece: Piece, rank: Rank) -> Proof:
        """Say why the rest of the army leaves this rank to other pieces."""
        groups, count = self._groups[self._side[piece]], self._army.counts[rank]
        if groups[1 << rank] == count:
            return Proof(Ground.ALL_FOUND, rank, count)
        supposed = groups - Counter([self._alone[piece]]) + Counter([1 << rank])
        needed = next(ranks_in(Assignment(self._army, supposed).left))
        return Proof(Ground.NEEDED, rank, needed=needed)
