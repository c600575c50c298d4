import pytest
from hypothesis import given

from engine.board.geometry import ALL, square, squares_in
from firmware_bridge.image import Image, Sensed
from tests.firmware_bridge.strategies import images

PICTURE = """\
10 b b b b b b b b b b
 9 . . . . . . . . . .
 8 . . . ? . . . . . .
 7 . . . . . . . . . .
 6 . . ~ ~ . . ~ ~ . .
 5 . . r ~ . . ~ b . .
 4 . . . . . . . . . .
 3 . . . . . . . . . .
 2 . . . . . . . . . .
 1 . . . . . . . . . r
   a b c d e f g h i k"""


def test_image_round_trip() -> None:
    image = Image.parse(PICTURE)
    assert set(squares_in(image.red)) == {square("c5"), square("k1")}
    assert set(squares_in(image.blue)) == {*range(90, 100), square("h5")}
    assert set(squares_in(image.unknown)) == {square("d8")}
    assert str(image) == PICTURE


def test_states_of_a_square() -> None:
    image = Image.parse(PICTURE)
    shown = {name: image.at(square(name)) for name in ("c5", "a10", "d8", "a1", "d5")}
    assert shown == {
        "c5": Sensed.RED,
        "a10": Sensed.BLUE,
        "d8": Sensed.UNKNOWN,
        "a1": Sensed.EMPTY,
        "d5": Sensed.EMPTY,
    }
    assert image.occupied == image.red | image.blue | image.unknown


@given(images)
def test_repr_round_trip(image: Image) -> None:
    assert Image.parse(str(image)) == image
    assert eval(repr(image)) == image


def test_column_letters_are_optional() -> None:
    assert Image.parse(PICTURE.rsplit("\n", 1)[0]) == Image.parse(PICTURE)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        (" 9 . . . . . . . . . .\n", "", r"rows 10 to 1 .*'10', '8'"),
        (" 9 ", " 2 ", r"rows 10 to 1 .*'10', '2', '8'"),
        (" 8 . . . ? .", " 8 . . ? .", "row 8: expected 10 squares, found 9"),
        (" 8 . . . ? .", " 8 . . . x .", r"d8: expected one of \. r b \?, found 'x'"),
        (" 8 . . . ? .", " 8 . . . ~ .", "d8: expected '.' if empty, found '~'"),
        (" 5 . . r ~ .", " 5 . . r . .", "d5: expected '~' if empty, found '.'"),
        ("\n 1 . .", "\n\n 1 . .", "rows 10 to 1"),
    ],
)
def test_malformed_image_is_refused(old: str, new: str, complaint: str) -> None:
    assert old in PICTURE
    with pytest.raises(ValueError, match=complaint):
        Image.parse(PICTURE.replace(old, new))


@pytest.mark.parametrize(
    "sets", [{"red": 2, "blue": 3}, {"red": 2, "unknown": 2}, {"blue": 3, "unknown": 2}]
)
def test_squares_have_one_state(sets: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="more than one piece on b1"):
        Image(**sets)


@pytest.mark.parametrize("squares", [-1, ALL + 1])
def test_squares_off_the_board_are_refused(squares: int) -> None:
    with pytest.raises(ValueError, match="not on the board"):
        Image(unknown=squares)
