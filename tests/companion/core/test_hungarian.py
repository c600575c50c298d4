"""Tests for assigning pieces to squares at minimum total cost."""

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from companion.core.piece_matching import min_cost_assignment


@st.composite
def tables_of_costs(draw: st.DrawFn) -> list[list[int]]:
    rows = draw(st.integers(0, 4))
    columns = rows + draw(st.integers(0, 2))
    row = st.lists(st.integers(0, 9), min_size=columns, max_size=columns)
    return draw(st.lists(row, min_size=rows, max_size=rows))


@given(tables_of_costs())
def test_assignment_equals_brute_force(costs: list[list[int]]) -> None:
    found = min_cost_assignment(costs)
    assert len(set(found)) == len(costs) == len(found)
    columns = range(len(costs[0]) if costs else 0)
    tried = permutations(columns, len(costs))
    cheapest = min(sum(costs[row][column] for row, column in enumerate(way)) for way in tried)
    assert sum(costs[row][column] for row, column in enumerate(found)) == cheapest


def test_earlier_assignment_may_change() -> None:
    assert min_cost_assignment([[1, 2], [1, 9]]) == [1, 0]
