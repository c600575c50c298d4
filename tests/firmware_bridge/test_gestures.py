"""Gestures, told from two pictures: what is expected and what is seen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.sides import Side
from engine.squares import SQUARES, name, names, square
from firmware_bridge.gestures import (
    AtRest,
    Attacked,
    Carried,
    Disturbed,
    Gesture,
    InHand,
    InOrder,
    OutOfTurn,
    Reply,
    Way,
    compare,
    list_ways,
    read,
)
from firmware_bridge.image import Image

RED, BLUE = Side
EXPECTED = """
10 . . . . . . . . . .
 9 . . . . . . . . . .
 8 . . . . . . . . . .
 7 b . . . b . . . . b
 6 . . ~ ~ b . ~ ~ . .
 5 . . ~ ~ r . ~ ~ . .
 4 r . . . r . . . . r
 3 . . . . . . . . . .
 2 . . . . . . . . . .
 1 . . . . . . . . . .
"""
"""Red to move."""


def seen(*changes: str) -> Image:
    """The expected image with changes such as ``"e5."``, ``"f5r"``."""
    tokens = {each: EXPECTED_IMAGE.at(each).value for each in SQUARES}
    for change in changes:
        tokens[square(change[:-1])] = change[-1]
    return Image(
        **{
            colour: sum(1 << each for each, token in tokens.items() if token == sign)
            for colour, sign in (("red", "r"), ("blue", "b"), ("unknown", "?"))
        }
    )


EXPECTED_IMAGE = Image.parse(EXPECTED)


def s(name: str) -> int:
    return square(name)


@pytest.mark.parametrize(
    ("changes", "gesture"),
    [
        ("", AtRest()),
        ("e5.", InHand(s("e5"))),
        ("e6.", InHand(s("e6"))),
        ("e5. f5r", Carried(s("e5"), s("f5"))),
        ("e5. k10r", Carried(s("e5"), s("k10"))),
        ("e5. d5r", Carried(s("e5"), s("d5"))),
        ("e5. f5?", Carried(s("e5"), s("f5"))),
        ("e5. e6.", Attacked(s("e5"), s("e6"), set_down=False)),
        ("e5. e6r", Attacked(s("e5"), s("e6"), set_down=True)),
        ("k4. k7.", Attacked(s("k4"), s("k7"), set_down=False)),
        ("k4. a7r", Attacked(s("k4"), s("a7"), set_down=True)),
        ("e6. f6b", OutOfTurn(s("e6"), s("f6"))),
        ("e6. e5b", OutOfTurn(s("e6"), s("e5"))),
    ],
)
def test_one_gesture_explains_it(changes: str, gesture: Gesture) -> None:
    assert read(seen(*changes.split()), EXPECTED_IMAGE, Side.RED) == gesture


def way(side: Side, move: str, reply: Reply) -> Way:
    source, target = move.split()
    return Way(side, s(source), s(target), reply)


@pytest.mark.parametrize(
    ("changes", "ways"),
    [
        ("e5. f5r e6.", [way(RED, "e5 f5", InHand(s("e6")))]),
        ("e5. f5r e4.", [way(RED, "e5 f5", InHand(s("e4"))), way(RED, "e4 f5", InHand(s("e5")))]),
        ("e5. f5r e6. e5b", [way(RED, "e5 f5", Carried(s("e6"), s("e5")))]),
        (
            "e5. f5r e6. f6b",
            [
                way(RED, "e5 f5", Carried(s("e6"), s("f6"))),
                way(BLUE, "e6 f6", Carried(s("e5"), s("f5"))),
            ],
        ),
        ("k4. k5r e5. e6.", [way(RED, "k4 k5", Attacked(s("e6"), s("e5"), set_down=False))]),
        ("k4. k5r e5b e6.", [way(RED, "k4 k5", Attacked(s("e6"), s("e5"), set_down=True))]),
        ("e6. f6b e7.", [way(BLUE, "e6 f6", InHand(s("e7"))), way(BLUE, "e7 f6", InHand(s("e6")))]),
        ("e6. f6b e5. e7r", [way(BLUE, "e6 f6", Attacked(s("e5"), s("e7"), set_down=True))]),
    ],
)
def test_two_things_one_after_the_other(changes: str, ways: list[Way]) -> None:
    gesture = read(seen(*changes.split()), EXPECTED_IMAGE, RED)
    assert isinstance(gesture, InOrder)
    assert set(gesture.ways) == set(ways)


class TestAGlimpse:
    """Red's e5 was seen on f5 for a moment."""

    GLIMPSED = Carried(s("e5"), s("f5"))

    def test_what_is_not_there_any_more_was_taken(self) -> None:
        image = seen("e5.", "e6.", "f5b")
        taken = way(RED, "e5 f5", Attacked(s("e6"), s("f5"), set_down=True))
        assert taken not in list_ways(image, EXPECTED_IMAGE, RED)
        gesture = read(image, EXPECTED_IMAGE, RED, self.GLIMPSED)
        assert isinstance(gesture, InOrder)
        assert taken in gesture.ways

    def test_both_may_be_in_the_hand(self) -> None:
        """It looks like an attack from where the piece came from, and may be one."""
        image = seen("k4.", "k7.")
        glimpsed = Carried(s("k4"), s("k5"))
        assert read(image, EXPECTED_IMAGE, RED, glimpsed) == Attacked(
            s("k4"), s("k7"), set_down=False
        )
        taken = way(RED, "k4 k5", Attacked(s("k7"), s("k5"), set_down=False))
        assert list(list_ways(image, EXPECTED_IMAGE, RED, glimpsed)) == [taken]

    @pytest.mark.parametrize("changes", ["e5.", "e5. e6.", "e6. f6b", "f5b", "e5. f5b", ""])
    def test_it_explains_all_or_nothing(self, changes: str) -> None:
        image = seen(*changes.split())
        assert read(image, EXPECTED_IMAGE, RED, self.GLIMPSED) == read(image, EXPECTED_IMAGE, RED)


@pytest.mark.parametrize(
    "changes",
    [
        "e5. e4.",
        "a4. e4. k4.",
        "e4. e6.",  # a piece in the way
        "a4. k7.",  # not in one line
        "f5r",
        "f5b",
        "e5b",  # a flipped magnet
        "e5. f5b",
        "e6. f6r",
        "e5. e6. e7.",
        "e5. e4. f5r f4r",
        "e5. f5r g4r",
        "e6. a7. e5b",
        "e5? f5?",
        "e5. f5r e6. f6r",
        "e5. f5b e6. f6b",
        "e5. f5r e6. f6b g6b",
        "e5. f5r g5r e6.",
        "e5. f5? e6. f6?",  # who has gone where?
        "e5. f5? e6.",
    ],
)
def test_nothing_single_explains_it(changes: str) -> None:
    assert read(seen(*changes.split()), EXPECTED_IMAGE, Side.RED) == Disturbed()


def test_the_side_to_move_makes_the_difference() -> None:
    image = seen("e6.", "f6b")
    assert read(image, EXPECTED_IMAGE, Side.BLUE) == Carried(s("e6"), s("f6"))
    assert read(image, EXPECTED_IMAGE, Side.RED) == OutOfTurn(s("e6"), s("f6"))


def test_a_board_without_colours_agrees_with_both() -> None:
    occupied = Image(unknown=EXPECTED_IMAGE.occupied)
    assert read(occupied, EXPECTED_IMAGE, Side.RED) == AtRest()
    moved = Image(unknown=EXPECTED_IMAGE.occupied & ~(1 << s("e5")) | 1 << s("f5"))
    assert read(moved, EXPECTED_IMAGE, Side.RED) == Carried(s("e5"), s("f5"))


def test_two_in_hand_need_more_patience_than_one_set_down() -> None:
    held = Attacked(1, 2, set_down=False)
    assert InHand.patience < Attacked(1, 2, set_down=True).patience < held.patience


def test_the_difference_names_what_is_missing_and_what_is_too_much() -> None:
    difference = compare(seen("e5.", "f5r", "a7r", "k4?"), EXPECTED_IMAGE)
    assert names(difference.missing) == "e5 a7"
    assert names(difference.surplus) == "f5 a7"
    assert not compare(EXPECTED_IMAGE, EXPECTED_IMAGE)


squares = st.sets(st.sampled_from(SQUARES), max_size=80)


@st.composite
def images(draw: st.DrawFn) -> Image:
    taken = sorted(draw(squares))
    colours = [draw(st.sampled_from("rb")) for _ in taken]
    pairs = list(zip(taken, colours, strict=True))
    red, blue = (sum(1 << each for each, colour in pairs if colour == sign) for sign in "rb")
    return Image(red, blue)


@given(expected=images(), image=images(), mover=st.sampled_from(Side))
def test_a_gesture_accounts_for_every_difference(
    expected: Image, image: Image, mover: Side
) -> None:
    """Played on the expected image, the gesture gives the image: nothing is overlooked."""
    match read(image, expected, mover):
        case AtRest():
            assert image == expected
        case InHand(lifted):
            assert _without(expected, lifted) == image
        case Carried(source, target) as gesture:
            assert expected.of(mover) >> source & 1, gesture
            assert not expected.occupied >> target & 1
            assert _with(_without(expected, source), mover, target) == image
        case OutOfTurn(source, target):
            assert expected.of(mover.other) >> source & 1
            assert _with(_without(expected, source, target), mover.other, target) == image
        case Attacked(source, target, set_down):
            assert expected.of(mover) >> source & 1
            assert expected.of(mover.other) >> target & 1
            off = _without(expected, source, target)
            assert image == (_with(off, mover, target) if set_down else off)
        case InOrder(ways):
            for way in ways:
                off = _with(_without(expected, way.source), way.side, way.target)
                assert read(image, off, way.side.other) == way.reply
        case Disturbed():
            assert compare(image, expected)


@given(
    expected=images().filter(lambda image: bool(image.red)),
    mover=st.just(Side.RED),
    data=st.data(),
)
def test_every_clean_move_is_read(expected: Image, mover: Side, data: st.DataObject) -> None:
    source = data.draw(st.sampled_from([n for n in SQUARES if expected.red >> n & 1]))
    free = [n for n in SQUARES if not expected.occupied >> n & 1]
    if not free:
        return
    target = data.draw(st.sampled_from(free))
    moved = _with(_without(expected, source), mover, target)
    assert read(moved, expected, mover) == Carried(source, target), name(target)


def _without(image: Image, *gone: int) -> Image:
    mask = ~sum(1 << each for each in set(gone))
    return Image(image.red & mask, image.blue & mask, image.unknown & mask)


def _with(image: Image, side: Side, target: int) -> Image:
    if side is Side.RED:
        return Image(image.red | 1 << target, image.blue, image.unknown)
    return Image(image.red, image.blue | 1 << target, image.unknown)
