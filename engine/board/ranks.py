"""Ranks, sets of ranks and armies.

"Rank" always means the rank of a piece, never a row of the board.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Final, TypeAlias

from engine.board import NotationError


class Rank(IntEnum):
    """Rank printed on a piece. Its value is its European number, if that number is unique."""

    FLAG = 0
    SPY = 1
    SCOUT = 2
    MINER = 3
    SERGEANT = 4
    LIEUTENANT = 5
    CAPTAIN = 6
    MAJOR = 7
    COLONEL = 8
    GENERAL = 9
    MARSHAL = 10
    BOMB = 11
    INFILTRATOR = 12
    """A piece in the Nordic rulebook. Its number is 1, the same as the spy's."""

    @property
    def symbol(self) -> str:
        """Shortest symbol: the number, or ``F`` (flag), ``B`` (bomb), ``I`` (infiltrator)."""
        letters = {Rank.FLAG: "F", Rank.BOMB: "B", Rank.INFILTRATOR: "I"}
        return letters.get(self, str(self.value))

    def __repr__(self) -> str:
        return f"Rank.{self.name}"


AnyRank: TypeAlias = Rank | str
"""A rank, or its English name."""


def to_rank(name: AnyRank) -> Rank:
    """Return the rank called `name`, such as ``"miner"``.

    Raises NotationError if there is no such rank.
    """
    if isinstance(name, Rank):
        return name
    found = _NAMES.get(str(name).strip().lower())
    if found is None:
        raise NotationError(f"a rank: {', '.join(_NAMES)}", name)
    return found


_NAMES: Final = {rank.name.lower(): rank for rank in Rank}

SYMBOLS: Final[Mapping[str, Rank]] = {rank.symbol: rank for rank in Rank}
"""All ranks by symbol."""

RankSet: TypeAlias = int
"""A set of ranks: bit ``n`` is set if ``Rank(n)`` is in it."""


def rank_set(ranks: Iterable[Rank]) -> RankSet:
    gathered = 0
    for rank in ranks:
        gathered |= 1 << rank
    return gathered


def ranks_in(ranks: RankSet) -> Iterator[Rank]:
    """Iterate over the ranks of a set, lowest first."""
    return (rank for rank in Rank if ranks >> rank & 1)


def only_rank(ranks: RankSet) -> Rank | None:
    """Return the only rank in a set, or None if the set has no rank or more than one."""
    return _ALONE.get(ranks)


_ALONE: Final = {1 << rank: rank for rank in Rank}


IMMOBILE: Final[RankSet] = rank_set([Rank.FLAG, Rank.BOMB])
"""Ranks that never move."""

MOVABLE: Final[RankSet] = ~IMMOBILE
"""Ranks that can move."""

SCOUTS: Final[RankSet] = rank_set([Rank.SCOUT])
"""Ranks that may move and attack over several squares."""


@dataclass(frozen=True)
class Army:
    """Number of pieces of each rank."""

    name: str
    counts: Mapping[Rank, int]

    @cached_property
    def size(self) -> int:
        return sum(self.counts.values())

    @property
    def pieces(self) -> list[Rank]:
        """Ranks of all pieces, lowest first."""
        return [rank for rank, count in self.counts.items() for _ in range(count)]

    @cached_property
    def ranks(self) -> RankSet:
        """Ranks that occur in the army."""
        return rank_set(rank for rank, count in self.counts.items() if count)

    @cached_property
    def movable(self) -> int:
        return sum(n for rank, n in self.counts.items() if not IMMOBILE >> rank & 1)


def _army(name: str, counts: str) -> Army:
    """Parse a row of the table in rules.md §3: counts from flag to bomb, then infiltrator."""
    return Army(name, dict(zip(Rank, map(int, counts.split()), strict=True)))


ORIGINAL: Final = _army("original", "1 1 8 5 4 4 4 3 2 1 1 6 0")
INFILTRATOR: Final = _army("infiltrator", "1 1 7 5 4 4 4 3 2 1 1 6 1")
DUEL: Final = _army("duel", "1 1 2 2 0 0 0 0 0 1 1 2 0")
BARRAGE: Final = _army("barrage", "1 1 2 1 0 0 0 0 0 1 1 1 0")
