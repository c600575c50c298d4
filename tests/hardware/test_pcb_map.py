"""Tests that each sensor on a tile is on the right multiplexer input, however the tile is
rotated."""

import re

import pytest

from engine.board.geometry import SQUARES, name, square
from firmware_bridge.wire import CHANNELS
from hardware.pcb import tile_map


def text() -> str:
    return tile_map.SOURCE.read_text(encoding="utf-8")


def test_four_tiles_cover_the_board() -> None:
    assert sorted(
        tile_map.square_at(plug, place) for plug in range(4) for place in tile_map.PLACES
    ) == list(SQUARES)


def test_bottom_view_is_mirrored() -> None:
    picture = [
        " ".join(name(tile_map.square_at(0, (x, y))) for x in range(-2, 3)) for y in range(-2, 3)
    ]
    assert picture == [
        "e5 d5 c5 b5 a5",
        "e4 d4 c4 b4 a4",
        "e3 d3 c3 b3 a3",
        "e2 d2 c2 b2 a2",
        "e1 d1 c1 b1 a1",
    ]


def test_quarter_turns() -> None:
    assert tile_map.turn((0, -2)) == (2, 0)
    assert all(tile_map.turn(place, 4) == place for place in tile_map.PLACES)


def test_channels_are_unique_and_ungrounded() -> None:
    _, channels = tile_map.read()
    assert len(set(channels)) == len(SQUARES)
    assert max(channels) < tile_map.MULTIPLEXERS * CHANNELS
    assert not {channel % CHANNELS for channel in channels} & {*tile_map.GROUNDED}


def test_tile_inputs_are_used() -> None:
    wiring, _ = tile_map.read()
    used = {*wiring.places} | {(side, entry) for side in (0, 1) for entry in tile_map.GROUNDED}
    assert used == {(side, entry) for side in (0, 1) for entry in range(CHANNELS)}
    assert wiring.inputs((0, 0)) == [(0, 6), (0, 14), (1, 6), (1, 14)]
    assert tile_map.REPEATED == (6, 14)


@pytest.mark.parametrize(
    ("right", "wrong", "sentence"),
    [
        ('"e5", "d5", "d4"', '"d5", "e5", "d4"', "so a turned tile would not work."),
        (
            '"k5", "i5", "i4"',
            '"i5", "k5", "i4"',
            "Input C0 of multiplexer 2 reads a different position of its tile than input C0 of "
            "multiplexer 0.",
        ),
        (
            '"c4", "b5", "c3", "ground"',
            '"c4", "ground", "c3", "b5"',
            "Every multiplexer needs an input called 'ground', the same on all of them.",
        ),
        ('"d10"', '"d5"', "Square d5 is on input C1 of multiplexer 0 and again on"),
        ("7 = [", "8 = [", "There is no multiplexer 8; the numbers are 0 to 7."),
    ],
)
def test_impossible_map_is_reported(right: str, wrong: str, sentence: str) -> None:
    assert text().count(right) == 1
    with pytest.raises(ValueError, match=re.escape(sentence)):
        tile_map.parse_map(text().replace(right, wrong))


def test_wrong_grounded_inputs_are_reported() -> None:
    one_only = text().replace('"ground",\n    ', '"-",\n    ')
    with pytest.raises(ValueError, match=r"Expected a tile to ground C7 and C15"):
        tile_map.parse_map(one_only)


def test_square_on_a_wrong_tile_is_reported() -> None:
    exchanged = text().replace('"f1"', '"?"').replace('"a1"', '"f1"').replace('"?"', '"a1"')
    with pytest.raises(ValueError, match=r"Square a1 is on multiplexer 2, which belongs to"):
        tile_map.parse_map(exchanged)
    assert tile_map.square_at(0, (2, 2)) == square("a1")
