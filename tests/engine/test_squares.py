from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board.geometry import (
    ALL,
    BETWEEN,
    LAKES,
    LINES,
    NEIGHBOURS,
    SQUARES,
    Side,
    borders,
    line,
    name,
    names,
    set_of,
    square,
    squares_in,
)
from tests import reference
from tests.engine.cases import each
from tests.engine.examples import examples

squares = st.sampled_from(SQUARES)


def test_corner_squares() -> None:
    assert [square(corner) for corner in ("a1", "k1", "a10", "k10")] == [0, 9, 90, 99]
    assert [name(corner) for corner in (0, 9, 90, 99)] == ["a1", "k1", "a10", "k10"]
    assert " ".join(map(name, range(30, 40))) == "a4 b4 c4 d4 e4 f4 g4 h4 i4 k4"


def test_square_names() -> None:
    assert [name(place) for place in SQUARES] == reference.SQUARES
    assert [square(name(place)) for place in SQUARES] == list(SQUARES)


@each(
    "nowhere",
    ["j4", "l4", "A1", "a0", "a11", "a01", "a", "4", "", "4e", "e4 ", " e4", "e4\n", "e٤", "ee4"],
)
def test_unknown_square_is_refused(nowhere: str) -> None:
    with pytest.raises(ValueError, match="expected a square") as refused:
        square(nowhere)

    assert repr(nowhere) in str(refused.value)
    assert "abcdefghik" in str(refused.value)


def test_lakes() -> None:
    assert names(LAKES) == "c5 d5 g5 h5 c6 d6 g6 h6"
    assert set(names(LAKES).split()) == reference.LAKES


def test_home_rows() -> None:
    assert names(Side.RED.home).split() == reference.SQUARES[:40]
    assert names(Side.BLUE.home).split() == reference.SQUARES[60:]
    assert Side.RED.other is Side.BLUE
    assert Side.BLUE.other is Side.RED
    assert repr(Side.BLUE) == "Side.BLUE"


@given(st.sets(squares))
@examples(100)
def test_set_of_squares_is_ordered(places: set[int]) -> None:
    assert list(squares_in(set_of(places))) == sorted(places)


def test_set_of_all_squares() -> None:
    assert list(squares_in(ALL)) == list(SQUARES)
    assert names(0) == ""


def test_neighbours() -> None:
    def around(place: str) -> set[str]:
        return {name(neighbour) for neighbour in NEIGHBOURS[square(place)]}

    assert around("a1") == {"a2", "b1"}
    assert around("k10") == {"k9", "i10"}
    assert around("k4") == {"k3", "k5", "i4"}
    assert around("a5") == {"a4", "a6", "b5"}
    assert around("e5") == {"e4", "e6", "d5", "f5"}


@each("source", SQUARES)
def test_lines_between_squares(source: int) -> None:
    for target in SQUARES:
        walked = [square(step) for step in reference.path(name(source), name(target))]
        straight = line(source, target)
        between = BETWEEN[source][target]
        if not walked:
            assert straight is None
            assert between is None
        else:
            assert straight is not None
            assert [source, *straight] == walked
            assert between == set_of(walked[1:-1])
            assert any(ahead[: len(straight)] == straight for ahead in LINES[source])


@given(squares, squares)
@examples(80)
def test_borders_between_squares(source: int, target: int) -> None:
    steps = reference.crossed(name(source), name(target))
    if not steps:
        with pytest.raises(ValueError, match=f"{name(source)} and {name(target)} are not in the"):
            borders(source, target)
        return

    there, back = borders(source, target), borders(target, source)

    assert [{name(a), name(b)} for a, b in there] == steps
    assert all(lower < upper for lower, upper in there)
    assert back == there[::-1]
    assert all(set(a) & set(b) for a, b in pairwise(there))
