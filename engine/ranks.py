"""Ranks, sets of ranks and armies.

"Rank" is always what is printed on a piece, never a row of the board.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Final, TypeAlias


class Rank(IntEnum):
    """What is printed on a piece; the value is the European number, where it is one of its own."""

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
    """The Nordic rulebook's second piece of the number 1."""

    @property
    def symbol(self) -> str:
        """The shortest sign of the rank: its number, ``F`` flag, ``B`` bomb, ``I`` infiltrator."""
        letters = {Rank.FLAG: "F", Rank.BOMB: "B", Rank.INFILTRATOR: "I"}
        return letters.get(self, str(self.value))


SYMBOLS: Final[Mapping[str, Rank]] = {rank.symbol: rank for rank in Rank}
"""Every rank by its symbol."""

RankSet: TypeAlias = int
"""A set of ranks: bit ``n`` says whether ``Rank(n)`` is in it."""


def rank_set(ranks: Iterable[Rank]) -> RankSet:
    """Gather ranks into a set."""
    gathered = 0
    for rank in ranks:
        gathered |= 1 << rank
    return gathered


def ranks_in(ranks: RankSet) -> Iterator[Rank]:
    """Iterate over the ranks of a set, lowest first."""
    return (rank for rank in Rank if ranks >> rank & 1)


def sole(ranks: RankSet) -> Rank | None:
    """Return the only rank of a set, None if it has none or several."""
    return _ALONE.get(ranks)


_ALONE: Final = {1 << rank: rank for rank in Rank}


IMMOBILE: Final[RankSet] = rank_set([Rank.FLAG, Rank.BOMB])
"""The ranks that never move."""

MOVABLE: Final[RankSet] = ~IMMOBILE
"""All others."""

SCOUTS: Final[RankSet] = rank_set([Rank.SCOUT])
"""The ranks that may move and strike from afar."""


@dataclass(frozen=True)
class Army:
    """How many pieces of each rank a player has."""

    name: str
    counts: Mapping[Rank, int]

    @cached_property
    def size(self) -> int:
        """How many pieces the army has in all."""
        return sum(self.counts.values())

    @property
    def pieces(self) -> list[Rank]:
        """What is printed on each piece, lowest rank first."""
        return [rank for rank, count in self.counts.items() for _ in range(count)]

    @cached_property
    def ranks(self) -> RankSet:
        """The ranks that occur in the army."""
        return rank_set(rank for rank, count in self.counts.items() if count)

    @cached_property
    def movable(self) -> int:
        """How many pieces of the army can move."""
        return sum(n for rank, n in self.counts.items() if not IMMOBILE >> rank & 1)


def _army(name: str, counts: str) -> Army:
    """Read a row of the table in rules.md §3: from the flag to the bomb, and the infiltrator."""
    return Army(name, dict(zip(Rank, map(int, counts.split()), strict=True)))


ORIGINAL: Final = _army("original", "1 1 8 5 4 4 4 3 2 1 1 6 0")
INFILTRATOR: Final = _army("infiltrator", "1 1 7 5 4 4 4 3 2 1 1 6 1")
DUEL: Final = _army("duel", "1 1 2 2 0 0 0 0 0 1 1 2 0")
BARRAGE: Final = _army("barrage", "1 1 2 1 0 0 0 0 0 1 1 1 0")
