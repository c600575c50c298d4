"""Tests for the assembled board. No parts overlap, and screws and magnets are in place."""

from dataclasses import replace

import pytest

from hardware.magnetics.found_file import CHOSEN
from hardware.mechanics.assembly import (
    Assembly,
    assembly,
    button_assembly,
    console_assembly,
    squares,
)
from hardware.mechanics.boards import board
from hardware.mechanics.checks import board_faults, fit_faults, sensing_faults
from hardware.mechanics.dimensions import GAP, LID
from hardware.mechanics.flat import Part
from hardware.mechanics.hardware import POST_RADIUS, RING_RADIUS
from hardware.mechanics.layout import controller_screws, sensors, tile_screws

PITCHES = (35, 40)
SOME = (0, 9, 34, 55, 90, 99)


def put_together(pitch: int, parts: list[Part]) -> Assembly:
    return assembly(pitch, parts, [list(squares(pitch))[n] for n in SOME])


@pytest.fixture(scope="module")
def boards(made: list[Part]) -> dict[int, Assembly]:
    return {pitch: put_together(pitch, made) for pitch in PITCHES}


@pytest.mark.parametrize("pitch", PITCHES)
def test_board_assembly(pitch: int, boards: dict[int, Assembly]) -> None:
    whole = boards[pitch]
    names = {each.name.split()[0] for each in whole.placed}
    assert names == {
        "lid", "bottom", "corner", "side", "tile", "post", "ring", "controller", "clamp", "foot",
        "cap", "plug", "magnet",
    }  # fmt: skip
    assert board_faults(whole, pitch) == []


def test_console_assembly(made: list[Part]) -> None:
    assert fit_faults(console_assembly(made)) == []
    assert fit_faults(button_assembly(made)) == []


@pytest.mark.parametrize("way", [(1, 0), (0, 1)], ids=["right", "away"])
@pytest.mark.parametrize(
    "name",
    [
        "lid", "bottom", "corner 2", "side 0", "side 3", "tile 1", "post 5", "ring 2", "controller",
        "clamp", "foot 1", "cap 0", "plug 0", "magnet 0",
    ],
)  # fmt: skip
@pytest.mark.parametrize("pitch", PITCHES)
def test_part_moved_by_1_mm_is_found(
    name: str, way: tuple[float, float], pitch: int, boards: dict[int, Assembly]
) -> None:
    assert board_faults(boards[pitch].with_moved(name, *way), pitch, only=name)


@pytest.mark.parametrize("name", ["lid", "bottom", "post 5", "controller", "corner 2", "tile 1"])
def test_part_lowered_by_1_mm_is_found(name: str, boards: dict[int, Assembly]) -> None:
    assert board_faults(boards[40].with_moved(name, z=-1), 40, only=name)


@pytest.mark.parametrize(
    ("name", "way"),
    [
        ("bezel", (1, 0, 0)), ("bezel", (0, 0, 1)), ("back", (0, 1, 0)), ("clip 1", (1, 0, 0)),
        ("stand 0", (1, 0, 0)), ("stand 1", (0, 0, -1)), ("display", (0, 1, 0)),
    ],
)  # fmt: skip
def test_console_part_moved_by_1_mm_is_found(
    name: str, way: tuple[float, float, float], made: list[Part]
) -> None:
    assert fit_faults(console_assembly(made).with_moved(name, *way), only=name)


# ---------------------------------------------------------------- the gap


@pytest.mark.parametrize("pitch", PITCHES)
def test_magnet_gap(pitch: int, boards: dict[int, Assembly]) -> None:
    bodies = {each.name: each.solid for each in boards[pitch].placed}
    lower_face = bodies["magnet 0"].bounds[0][2]
    tile = bodies["tile 0"].bounds[1][2] - 1.6
    assert lower_face - (tile - 0.6) == pytest.approx(CHOSEN.gap, abs=0.001)


@pytest.mark.parametrize("more", [-1.0, 0.3, 1.0])
def test_wrong_lid_thickness_is_found(more: float, made: list[Part]) -> None:
    def wrong(part: Part) -> Part:
        if part.name != "lid-40" or not part.flat:
            return part
        flat = replace(part.flat, thickness=LID + more)
        return replace(part, flat=flat, solid=flat.solid())

    found = list(sensing_faults(put_together(40, [wrong(part) for part in made]), 40))
    assert found == [
        f"magnet {n} is {GAP + more:.2f} mm above its sensor, not {GAP:g} mm."
        for n in range(len(SOME))
    ]


# -------------------------------------------------------- positions taken from the circuit boards


@pytest.mark.parametrize("pitch", PITCHES)
def test_sensors_are_centred(pitch: int) -> None:
    of_squares = sorted((round(x, 3), round(y, 3)) for x, y in squares(pitch))
    assert sorted((round(x, 3), round(y, 3)) for x, y in sensors(pitch)) == of_squares


@pytest.mark.parametrize("pitch", PITCHES)
def test_screw_holes_match(pitch: int, made: list[Part]) -> None:
    holes = {part.name: {at for at, _ in part.flat.holes} for part in made if part.flat is not None}
    assert set(tile_screws(pitch)) <= holes[f"lid-{pitch}"]
    assert {*tile_screws(pitch), *controller_screws(pitch)} <= holes[f"bottom-{pitch}"]
    assert len(set(tile_screws(pitch))) == 16


def test_posts_touch_no_copper() -> None:
    for name, radius in (
        ("tile-35", POST_RADIUS),
        ("tile-40", POST_RADIUS),
        ("controller", RING_RADIUS),
    ):
        assert all(radius <= hole.free for hole in board(name).holes)
