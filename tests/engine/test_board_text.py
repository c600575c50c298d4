import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board import board_text
from engine.board.geometry import LAKES, SQUARES
from tests.engine.cases import each
from tests.engine.examples import examples

EMPTY_BOARD = """\
10 . . . . . . . . . .
 9 . . . . . . . . . .
 8 . . . . . . . . . .
 7 . . . . . . . . . .
 6 . . ~ ~ . . ~ ~ . .
 5 . . ~ ~ . . ~ ~ . .
 4 . . . . . . . . . .
 3 . . . . . . . . . .
 2 . . . . . . . . . .
 1 . . . . . . . . . .
   a b c d e f g h i k"""

tokens = st.dictionaries(
    st.sampled_from([place for place in SQUARES if not LAKES >> place & 1]),
    st.text("rbF?0123456789", min_size=1, max_size=4),
)


def test_the_empty_board() -> None:
    assert board_text.draw(lambda _: None) == EMPTY_BOARD
    assert board_text.read(EMPTY_BOARD) == {}


def test_columns_are_aligned() -> None:
    drawn = board_text.draw({0: "r10", 99: "bF"}.get)

    assert len({len(row) for row in drawn.splitlines()}) == 1
    assert drawn.splitlines()[0].split() == ["10", *".........", "bF"]
    assert drawn.splitlines()[9].split() == ["1", "r10", *"........."]


@given(tokens)
@examples(50)
def test_drawing_round_trip(standing: dict[int, str]) -> None:
    drawn = board_text.draw(standing.get)

    assert board_text.read(drawn) == standing
    assert board_text.read("\n".join(drawn.splitlines()[:-1])) == standing


def test_piece_on_a_lake_round_trip() -> None:
    assert board_text.read(board_text.draw({42: "b?"}.get)) == {42: "b?"}


@each(
    ("wrong", "expected"),
    [
        ("", "found \\[\\]"),
        (EMPTY_BOARD.replace(" 7 ", " 6 "), "'8', '6', '6'"),
        (EMPTY_BOARD.replace("10 . . . . . . . . . .\n", ""), "found \\['9', '8'"),
        (EMPTY_BOARD.replace(" 4 .", "   ."), "rows 10 to 1"),
        (EMPTY_BOARD.replace(" 4 .", "\n 4 ."), "rows 10 to 1"),
        (EMPTY_BOARD.replace("a b c d e f g h i k", "a b c d e f g h i j"), "'1', 'a'\\]"),
        (EMPTY_BOARD.replace(" 4 .", " 4 . ."), "row 4: expected 10 squares, found 11"),
        (EMPTY_BOARD.replace(" 1 .", " 1"), "row 1: expected 10 squares, found 9"),
        (EMPTY_BOARD.replace(" 5 . . ~", " 5 . . ."), "c5: expected '~' if empty, found '.'"),
        (EMPTY_BOARD.replace(" 5 . .", " 5 ~ ."), "a5: expected '.' if empty, found '~'"),
    ],
)
def test_bad_drawing_is_reported_with_row_or_square(wrong: str, expected: str) -> None:
    assert wrong != EMPTY_BOARD
    with pytest.raises(ValueError, match=expected):
        board_text.read(wrong)
