"""What is proved about the rank of every piece, from public facts alone.

By itself, a piece starts with every rank of its army. A move excludes flag and bomb, a run leaves
only the scout, a reveal leaves one rank. Together, the pieces have to make up the whole army, which
excludes more: the last piece that has never moved is the flag (`engine.assignment`).
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from engine.assignment import Assignment
from engine.board import Piece
from engine.ranks import IMMOBILE, RUNNERS, Army, Rank, RankSet, ranks_in
from engine.rules import Rule
from engine.sides import Side


class Ground(Enum):
    """Why a piece cannot have a rank."""

    NOT_IN_ARMY = ("not-in-army", Rule.SETUP)
    ATTACKS = ("attacks", Rule.IMMOBILE_PIECE)
    """It is just attacking, so it is neither bomb nor flag."""
    MOVED = ("moved", Rule.IMMOBILE_PIECE)
    """It has moved, so it is neither bomb nor flag."""
    RAN = ("ran", Rule.MOVEMENT)
    """It has gone further than one square, so it is a scout."""
    REVEALED = ("revealed", Rule.COMBAT)
    """Its rank has been revealed before."""
    WON_UNNAMED = ("won-unnamed", Rule.COMBAT)
    """It has won against an attacker that would have beaten this rank."""
    GUESSED_WRONG = ("guessed-wrong", Rule.INFILTRATION)
    """An infiltrator has guessed this rank, and its owner said that it was wrong."""
    ALL_FOUND = ("all-found", Rule.SETUP)
    """All pieces of that rank are known already."""
    ALL_FALLEN = ("all-fallen", Rule.SETUP)
    """All pieces of that rank have fallen already."""
    NEEDED = ("needed", Rule.SETUP)
    """If it had that rank, too few pieces would be left for another one."""

    def __init__(self, word: str, rule: Rule) -> None:
        self.word = word
        self.rule = rule
        """The rule that is cited with the proof."""


@dataclass(frozen=True)
class Proof:
    """Why a piece cannot have the rank that was declared."""

    ground: Ground
    rank: Rank
    """The rank that the piece cannot have."""
    count: int = 0
    """For ALL_FOUND and ALL_FALLEN: how many pieces of the rank the army has."""
    other: Rank | None = None
    """For NEEDED the rank for which too few pieces would be left, for REVEALED the one that was
    shown, for WON_UNNAMED the attacker's."""
    ply: int = 0
    """When the fact that proves it happened, counted in plies from 1; 0 if it is no single one."""


@dataclass(frozen=True)
class _Fact:
    """Something that left a piece these ranks only."""

    ground: Ground
    ranks: RankSet
    ply: int
    other: Rank | None = None


class Dossier:
    """The possible ranks of every piece on both sides."""

    def __init__(self, army: Army, pieces: Iterable[tuple[Side, Piece]]) -> None:
        """Open the dossier of two armies whose pieces are all unknown."""
        self._army = army
        self._side = {piece: side for side, piece in pieces}
        self._alone: dict[Piece, RankSet] = dict.fromkeys(self._side, army.ranks)
        """The ranks that each piece may have by itself."""
        self._facts: dict[Piece, list[_Fact]] = {}
        self._moved: dict[Piece, int] = {}
        """The ply of each piece's first move, also if it told nothing new."""
        self._ran: dict[Piece, int] = {}
        self._groups = {side: Counter[RankSet]() for side in Side}
        for side in self._side.values():
            self._groups[side][army.ranks] += 1
        self._together: dict[Side, dict[RankSet, RankSet]] = {side: {} for side in Side}
        """What is left of the ranks of a piece by itself when all make up the army; a cache."""

    def possible(self, piece: Piece) -> RankSet:
        """The ranks that the piece has in some assignment of the whole army."""
        alone = self._alone[piece]
        if not alone & (alone - 1):
            return alone
        together = self._together[self._side[piece]]
        if alone not in together:
            together.update(self._deal(self._side[piece]))
        return together[alone]

    def may_move(self, piece: Piece) -> bool:
        """Whether the piece is movable in some assignment of the whole army."""
        if not self._alone[piece] & IMMOBILE:
            return True
        return bool(self.possible(piece) & ~IMMOBILE)

    def moved(self, piece: Piece, *, ran: bool, ply: int) -> None:
        """Note a move; `ran` if it was longer than one square."""
        (self._ran if ran else self._moved).setdefault(piece, ply)
        if ran:
            self._narrow(piece, _Fact(Ground.RAN, RUNNERS, ply))
        elif self._alone[piece] & IMMOBILE:
            self._narrow(piece, _Fact(Ground.MOVED, ~IMMOBILE, ply))

    def revealed(self, piece: Piece, rank: Rank, *, ply: int = 0) -> None:
        """Note a rank that was shown to everybody."""
        self._narrow(piece, _Fact(Ground.REVEALED, 1 << rank, ply, rank))

    def won_unnamed(self, piece: Piece, ranks: RankSet, attacker: Rank, *, ply: int) -> None:
        """Note that a defender has beaten `attacker` and that only these `ranks` would have."""
        self._narrow(piece, _Fact(Ground.WON_UNNAMED, ranks, ply, attacker))

    def guessed_wrong(self, piece: Piece, rank: Rank, *, ply: int) -> None:
        """Note that the piece does not have a rank, as its owner said."""
        self._narrow(piece, _Fact(Ground.GUESSED_WRONG, ~(1 << rank), ply))

    def concede(self, piece: Piece, rank: Rank, *, ply: int) -> None:
        """Take a rank for true whatever was proved: an arbiter has said so.

        If the army does not add up any more, nothing is concluded from its numbers on that side.
        """
        self._set(piece, 1 << rank)
        self._facts[piece] = [_Fact(Ground.REVEALED, 1 << rank, ply, rank)]

    def is_revealed(self, piece: Piece) -> bool:
        """Whether the rank of a piece has been shown to everybody."""
        return any(fact.ground is Ground.REVEALED for fact in self._facts.get(piece, ()))

    def unreveal(self, piece: Piece) -> None:
        """Forget that the rank of a piece was shown, and nothing else that is known of it."""
        facts = [fact for fact in self._facts.pop(piece) if fact.ground is not Ground.REVEALED]
        if piece in self._moved:
            facts.append(_Fact(Ground.MOVED, ~IMMOBILE, self._moved[piece]))
        if piece in self._ran:
            facts.append(_Fact(Ground.RAN, RUNNERS, self._ran[piece]))
        self._set(piece, self._army.ranks)
        for fact in sorted(facts, key=lambda fact: fact.ply):
            self._narrow(piece, fact)

    def copy(self) -> "Dossier":
        """Return a dossier of its own that says the same."""
        copy = Dossier(self._army, ())
        copy._side = self._side
        copy._alone = dict(self._alone)
        copy._facts = {piece: list(facts) for piece, facts in self._facts.items()}
        copy._moved, copy._ran = dict(self._moved), dict(self._ran)
        copy._groups = {side: groups.copy() for side, groups in self._groups.items()}
        return copy

    def knowing(self, ranks: Mapping[Piece, Rank]) -> "Dossier":
        """Return what would be proved if these ranks were public as well."""
        informed = self.copy()
        for piece, rank in ranks.items():
            informed.revealed(piece, rank)
        return informed

    def refute(self, piece: Piece, rank: Rank, *, attacks: bool) -> Proof | None:
        """Return the proof that the piece cannot have this rank, None if it can.

        `attacks` says that the piece is just attacking, which bombs and the flag never do.
        """
        if attacks and IMMOBILE >> rank & 1:
            return Proof(Ground.ATTACKS, rank)
        if self.possible(piece) >> rank & 1:
            return None
        if not self._army.ranks >> rank & 1:
            return Proof(Ground.NOT_IN_ARMY, rank)
        for fact in self._facts.get(piece, ()):
            if not fact.ranks >> rank & 1:
                return Proof(fact.ground, rank, other=fact.other, ply=fact.ply)
        return self._refute_together(piece, rank)

    def _deal(self, side: Side) -> dict[RankSet, RankSet]:
        """For every group of a side, the ranks that complete assignments give to its pieces."""
        dealt = Assignment(self._army, self._groups[side])
        if not dealt.is_complete:
            return {ranks: ranks for ranks in self._groups[side]}
        return dealt.possible()

    def _narrow(self, piece: Piece, fact: _Fact) -> None:
        """Leave a piece only the ranks that agree with a fact."""
        before = self._alone[piece]
        after = before & fact.ranks
        if after != before:
            self._set(piece, after)
            self._facts.setdefault(piece, []).append(fact)

    def _set(self, piece: Piece, ranks: RankSet) -> None:
        side = self._side[piece]
        groups, before = self._groups[side], self._alone[piece]
        self._alone[piece] = ranks
        groups[ranks] += 1
        groups[before] -= 1
        if not groups[before]:
            del groups[before]
        self._together[side] = {}

    def _refute_together(self, piece: Piece, rank: Rank) -> Proof:
        """Say why the rest of the army leaves this rank to other pieces."""
        groups, count = self._groups[self._side[piece]], self._army.counts[rank]
        if groups[1 << rank] == count:
            return Proof(Ground.ALL_FOUND, rank, count)
        supposed = groups - Counter([self._alone[piece]]) + Counter([1 << rank])
        needed = next(ranks_in(Assignment(self._army, supposed).left))
        return Proof(Ground.NEEDED, rank, other=needed)
