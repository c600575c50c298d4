"""The search sees recaptures, even after its last ply."""

import pytest

from companion.opponent.search import Search
from companion.opponent.valuation import FLAG_VALUE
from engine.board.ranks import Rank
from tests.companion.opponent.known_cells import make_cells, make_field

CAPTURED = 20.0
"""Search results above this value include the capture of a lieutenant."""


@pytest.mark.parametrize(("neighbour", "is_safe"), [(Rank.SERGEANT, True), (Rank.MARSHAL, False)])
def test_last_capture_is_not_worth_a_recapture(neighbour: Rank, is_safe: bool) -> None:
    """Our general can capture a lieutenant that cannot flee and stands beside another piece."""
    enemies = {"b5": Rank.LIEUTENANT, "b6": Rank.BOMB, "a5": neighbour}
    search = Search(make_cells({"b4": Rank.GENERAL}, enemies), make_field(), budget=1000)
    assert (search.value_of_pass(2) > CAPTURED) is is_safe


def test_capture_of_the_flag_has_no_price() -> None:
    enemies = {"b5": Rank.FLAG, "b6": Rank.BOMB, "a5": Rank.MARSHAL}
    search = Search(make_cells({"b4": Rank.GENERAL}, enemies), make_field(), budget=1000)
    assert search.value_of_pass(2) == pytest.approx(FLAG_VALUE)
