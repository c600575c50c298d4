"""Assignment of rows to columns with the least total cost.

This is the Hungarian method: rows are assigned one after the other, each by the cheapest chain of
exchanges among the columns that are already assigned. `prices` are the column potentials: with them
the true cost of a chain follows from its last link, so that every chain is found like a shortest
path.
"""

import math
from collections.abc import Sequence


def pair(costs: Sequence[Sequence[int]]) -> list[int]:
    """Return the column of every row, no column twice, so that the total cost is least.

    There are no more rows than columns. The same costs always give the same pairs.
    """
    width = len(costs[0]) if costs else 0
    holders: list[int | None] = [None] * width
    rows, prices = [0.0] * len(costs), [0.0] * width
    for row in range(len(costs)):
        _serve(row, costs, holders, rows, prices)
    found = [0] * len(costs)
    for column, holder in enumerate(holders):
        if holder is not None:
            found[holder] = column
    return found


def _serve(
    row: int,
    costs: Sequence[Sequence[int]],
    holders: list[int | None],
    rows: list[float],
    prices: list[float],
) -> None:
    """Find a column for one more row; rows that already have a column may have to exchange it."""
    width = len(prices)
    best, came_from = [math.inf] * width, [-1] * width
    visited: list[int] = []
    free = set(range(width))
    current, last = row, -1
    while True:
        for column in free:
            cost = costs[current][column] - rows[current] - prices[column]
            if cost < best[column]:
                best[column], came_from[column] = cost, last
        column = min(free, key=lambda each: (best[each], each))
        step = best[column]
        rows[row] += step
        for each in visited:
            holder = holders[each]
            assert holder is not None
            rows[holder] += step
            prices[each] -= step
        for each in free:
            best[each] -= step
        free.remove(column)
        visited.append(column)
        last = column
        holder = holders[column]
        if holder is None:
            break
        current = holder
    while last >= 0:
        before = came_from[last]
        holders[last] = row if before < 0 else holders[before]
        last = before
