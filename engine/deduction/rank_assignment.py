"""Assigns an army's ranks to its pieces, to find the ranks that each piece can have.

Pieces with the same known facts are equivalent. They are therefore counted in groups, by the set of
ranks that each piece can have by itself. A complete assignment gives every piece a rank of its set,
and uses no rank more often than it occurs in the army. It is a flow from groups to ranks.

If a piece takes another rank of its set, that rank is used once too often. Some other piece must
then give up that rank and take another one. The ranks thus form the nodes of a graph, and every
question becomes whether a path leads from one rank to another.
"""

from collections import deque
from collections.abc import Mapping
from functools import cache
from typing import TypeAlias

from engine.board.ranks import Army, Rank, RankSet, rank_set, ranks_in

Groups: TypeAlias = Mapping[RankSet, int]
"""Number of pieces for each set of possible ranks."""


@cache  # The same few sets recur during a game.
def _ranks(ranks: RankSet) -> tuple[Rank, ...]:
    return tuple(ranks_in(ranks))


class Assignment:
    """One assignment of the ranks to the groups. All others can be derived from it."""

    def __init__(self, army: Army, groups: Groups) -> None:
        """Deal an army's ranks to the groups as far as possible."""
        self._left = dict(army.counts)
        self._dealt: dict[RankSet, dict[Rank, int]] = {ranks: {} for ranks in groups}
        self.is_complete = True
        """Whether every piece has a rank."""
        for ranks in sorted(groups, key=int.bit_count):
            waiting = self._assign_unused(ranks, groups[ranks])
            while waiting and self._deal_one(ranks):
                waiting -= 1
            self.is_complete &= not waiting

    @property
    def left(self) -> RankSet:
        """Ranks of the army that have not been dealt yet."""
        left = 0
        for rank, count in self._left.items():
            if count:
                left |= 1 << rank
        return left

    def possible(self) -> dict[RankSet, RankSet]:
        """For each group, return the ranks that its pieces can have in a complete assignment.

        A piece can take a rank that its own group holds or that no group holds. It can also take a
        rank from another group, if that group can obtain a replacement in the same way. This may
        need a chain of further groups.
        """
        left, dealt = self.left, self._dealt
        held = {ranks: rank_set(dealt[ranks]) for ranks in dealt if ranks & ranks - 1}
        reach = {ranks: _reach(ranks, held) for ranks in held}
        found = {}
        for ranks in dealt:
            ends = held.get(ranks, ranks) | left
            takes = ends
            for other, given in held.items():
                if reach[other] & ends:
                    takes |= given
            found[ranks] = takes & ranks
        return found

    def _assign_unused(self, ranks: RankSet, pieces: int) -> int:
        """Deal unassigned ranks to a group. Return how many of its pieces still have no rank."""
        left, dealt = self._left, self._dealt[ranks]
        for rank in _ranks(ranks):
            count = min(pieces, left[rank])
            if count:
                left[rank] -= count
                dealt[rank] = count
                pieces -= count
        return pieces

    def _deal_one(self, ranks: RankSet) -> bool:
        """Deal one more rank to a group, reassigning other ranks if necessary.

        Returns False if no rank can be dealt.
        """
        came_from: dict[Rank, tuple[RankSet, Rank] | None] = dict.fromkeys(_ranks(ranks))
        queue = deque(came_from)
        while queue:
            rank = queue.popleft()
            if self._left[rank]:
                self._left[rank] -= 1
                while step := came_from[rank]:
                    group, before = step
                    self._change(group, before, -1)
                    self._change(group, rank, +1)
                    rank = before
                self._change(ranks, rank, +1)
                return True
            for group, dealt in self._dealt.items():
                if rank in dealt:
                    for other in _ranks(group):
                        if other not in came_from:
                            came_from[other] = (group, rank)
                            queue.append(other)
        return False

    def _change(self, group: RankSet, rank: Rank, by: int) -> None:
        dealt = self._dealt[group]
        dealt[rank] = dealt.get(rank, 0) + by
        if not dealt[rank]:
            del dealt[rank]


def _reach(ranks: RankSet, held: Mapping[RankSet, RankSet]) -> RankSet:
    """Return the ranks at which a chain of reassignments can end.

    The chain begins when a piece takes another rank of its set, `ranks`.
    """
    grows = True
    while grows:
        grows = False
        for other, given in held.items():
            if given & ranks and other & ~ranks:
                ranks |= other
                grows = True
    return ranks
