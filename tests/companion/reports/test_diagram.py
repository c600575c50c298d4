"""Diagrams of positions: pieces, squares, hidden pieces and orientation."""

import random
import re
from collections import Counter
from collections.abc import Mapping
from xml.etree.ElementTree import Element, fromstring, tostring

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.reports.diagram import diagram
from engine.board.geometry import ALL, LAKES, SQUARES, Side, Square, square, squares_in
from engine.board.ranks import Rank
from tests.engine.examples import examples
from tests.engine.tables import Setup

DRAWN = """
    10 b10 .  .  .  .  .  .  .  .  bF
     9  .  .  .  .  bI .  .  .  .  bB
     8  .  .  .  .  .  .  .  .  .  .
     7  .  .  .  .  .  .  .  .  .  .
     6  .  .  ~  ~  r2 .  ~  ~  .  .
     5  .  .  ~  ~  .  .  ~  ~  .  .
     4  .  .  .  .  .  .  .  .  .  .
     3  .  .  .  .  .  .  .  .  .  .
     2  rB .  .  .  .  .  .  .  .  .
     1  rF .  .  .  .  .  .  .  . r10
"""
POSITION = Setup.parse(DRAWN).pieces
SVG = "{http://www.w3.org/2000/svg}"
COLOURS = {Side.RED: "#ff7a6b", Side.BLUE: "#6cb6ff"}

Pieces = Mapping[Square, tuple[Side, Rank | None]]

ranks = st.sampled_from(Rank)
grounds = st.sampled_from(list(squares_in(ALL & ~LAKES)))
positions = st.dictionaries(
    grounds, st.tuples(st.sampled_from(Side), st.one_of(st.none(), ranks)), max_size=80
)


def of_class(svg: str, word: str) -> list[Element]:
    """Return the elements with the given class, in drawing order."""
    root = fromstring(svg)
    assert root.tag == SVG + "svg"
    return [each for each in root.iter() if word in each.get("class", "").split()]


def titles(svg: str) -> dict[str, Element]:
    pieces = of_class(svg, "piece")
    found = {piece.findtext(SVG + "title", ""): piece for piece in pieces}
    assert len(found) == len(pieces), "two pieces have the same title"
    return found


def place(piece: Element) -> tuple[int, int]:
    """Return a piece's column and row on the page, counted from the top left."""
    found = re.fullmatch(r"translate\((\d+) (\d+)\)", piece.get("transform", ""))
    assert found
    return (int(found[1]) - 60) // 100, (int(found[2]) - 20) // 100


def back(pieces: Pieces) -> Pieces:
    return {square: (side, None) for square, (side, _) in pieces.items()}


@given(positions)
@examples(60)
def test_pieces_are_drawn_once(pieces: Pieces) -> None:
    svg = diagram(pieces)

    drawn = titles(svg)
    assert {title.split()[0] for title in drawn} == {
        f"{'abcdefghik'[each % 10]}{each // 10 + 1}" for each in pieces
    }
    for title, piece in drawn.items():
        where = square(title.split()[0])
        side, rank = pieces[where]
        assert place(piece) == (where % 10, 9 - where // 10)
        assert piece.get("class", "").split() == [
            "piece",
            side.value,
            rank.name.lower() if rank is not None else "hidden",
        ]
        assert piece[1].get("fill") == COLOURS[side]


@given(positions)
@examples(30)
def test_rotated_diagram(pieces: Pieces) -> None:
    straight, turned = titles(diagram(pieces)), titles(diagram(pieces, turned=True))

    assert straight.keys() == turned.keys()
    for title, piece in straight.items():
        column, row = place(piece)
        assert place(turned[title]) == (9 - column, 9 - row)


def test_rank_symbols() -> None:
    pieces = titles(diagram(POSITION))

    assert pieces.keys() == {
        *("a1 rF", "k1 r10", "a2 rB", "e6 r2"),
        *("k9 bB", "e9 bI", "a10 b10", "k10 bF"),
    }
    for title, piece in pieces.items():
        written = [text.text for text in piece.iter(SVG + "text")]
        sign = title.split()[1][1:]
        assert written == ([] if sign in "FBI" else [sign])
        if sign in "FBI":
            assert len(list(piece.iter())) > 4


def test_sides_differ_in_shape() -> None:
    shapes = {
        (piece.get("class", "").split()[1], piece[1].tag)
        for piece in of_class(diagram(POSITION), "piece")
    }
    assert shapes == {("red", SVG + "path"), ("blue", SVG + "circle")}


@given(positions, st.randoms(use_true_random=False))
@examples(30)
def test_hidden_pieces_are_identical(pieces: Pieces, chance: random.Random) -> None:
    other = {where: (side, chance.choice(list(Rank))) for where, (side, _) in pieces.items()}

    svg = diagram(back(pieces), last_move=(square("e4"), square("e5")))

    assert svg == diagram(back(other), last_move=(square("e4"), square("e5")))
    assert not [rank for rank in Rank if re.search(rf"\b{rank.name.lower()}\b", svg)]
    kinds = Counter(
        piece.get("class", "").split()[1] + "".join(tostring(part, "unicode") for part in piece[1:])
        for piece in of_class(svg, "piece")
    )
    assert len(kinds) == len({side for side, _ in pieces.values()}), (
        "hidden pieces of a side look different"
    )


@given(positions)
@examples(20)
def test_diagram_is_deterministic(pieces: Pieces) -> None:
    backwards = dict(reversed(list(pieces.items())))

    assert diagram(pieces) == diagram(backwards)


@pytest.mark.parametrize(
    ("last_move", "turned", "arrow"),
    [
        (("e4", "e5"), False, "translate(510 670) rotate(-90)"),
        (("e4", "e5"), True, "translate(610 370) rotate(90)"),
        (("k7", "f7"), False, "translate(1010 370) rotate(180)"),
    ],
)
def test_last_move_arrow(last_move: tuple[str, str], turned: bool, arrow: str) -> None:
    source, target = map(square, last_move)

    (drawn,) = of_class(diagram({}, last_move=(source, target), turned=turned), "last-move")

    assert drawn.get("transform") == arrow


def test_no_arrow_without_a_last_move() -> None:
    assert not of_class(diagram(POSITION), "last-move")


def test_lakes_are_drawn() -> None:
    svg = diagram({})

    lakes = of_class(svg, "lake")
    assert [(lake.get("x"), lake.get("y")) for lake in lakes] == [("262", "422"), ("662", "422")]
    assert {(lake.get("width"), lake.get("height")) for lake in lakes} == {("196", "196")}
    fields = [box for box in fromstring(svg).iter(SVG + "rect") if box.get("width") == "96"]
    assert len(fields) == len(SQUARES) - 8


@pytest.mark.parametrize("turned", [False, True])
def test_coordinates_are_drawn(turned: bool) -> None:
    texts = fromstring(diagram({}, turned=turned)).iter(SVG + "text")
    places = {text.text: (text.get("x"), text.get("y")) for text in texts}

    assert places.keys() == set("abcdefghik") | set(map(str, range(1, 11)))
    first, last = ("a", "k") if not turned else ("k", "a")
    top, bottom = ("10", "1") if not turned else ("1", "10")
    assert [places[letter][0] for letter in (first, last)] == ["110", "1010"]
    assert float(places[top][1] or 0) < float(places[bottom][1] or 0)


def test_several_diagrams_in_one_page() -> None:
    """Several diagrams may share a page, so a diagram contains neither ids nor style sheets."""
    root = fromstring(diagram(POSITION, last_move=(0, 10)))

    assert not [each for each in root.iter() if "id" in each.attrib]
    assert not list(root.iter(SVG + "style"))
