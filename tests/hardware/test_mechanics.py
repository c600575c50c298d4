"""Tests for those dimensions of the box and the caps that can be checked without solid models.

``make heavy`` tests the solid models (tests/integration/mechanics).
"""

import pytest

from hardware.magnetics.design import PITCHES
from hardware.magnetics.found_file import CHOSEN
from hardware.mechanics import dimensions as measures
from hardware.mechanics import layout
from hardware.mechanics.boards import board
from tests.project import ROOT

BOOK = ROOT / "docs" / "hardware"


def test_lid_thickness_sets_the_gap() -> None:
    below = measures.CAP_FLOOR + measures.FELT + measures.SHEET + measures.LID
    assert below + measures.TILE + measures.SENSING_DEPTH == pytest.approx(CHOSEN.gap)
    page = (BOOK / "mechanics.md").read_text(encoding="utf-8")
    assert f"**The lid must be {measures.LID:.1f} mm thick**" in page
    tiles = " ".join((BOOK / "tiles.md").read_text(encoding="utf-8").split())
    assert f"about {measures.SENSING_DEPTH:g} mm of the sensor" in tiles


@pytest.mark.parametrize("pitch", PITCHES)
def test_mechanics_reads_the_boards(pitch: int) -> None:
    tile = board(f"tile-{pitch}")
    assert tile.size == (5 * pitch - 1, 5 * pitch - 1)
    assert tile.thickness == measures.TILE
    assert len(tile.sensors) == 25
    assert sorted(hole.at for hole in tile.holes) == [
        (x * 1.5 * pitch, y * 1.5 * pitch) for x in (-1, 1) for y in (-1, 1)
    ]
    sockets = [room for room in tile.rooms if room.name.startswith("J")]
    assert len(sockets) == 4


@pytest.mark.parametrize("pitch", PITCHES)
def test_documented_box_width(pitch: int) -> None:
    width = f"{layout.outer(pitch):g}"
    page = (BOOK / "layout.md").read_text(encoding="utf-8")
    assert f"{width} × {width} mm for squares of {pitch} mm" in page


@pytest.mark.parametrize("pitch", PITCHES)
def test_parts_fit_the_frame(pitch: int) -> None:
    inside = layout.outer(pitch) / 2 - measures.FRAME_WIDTH
    for x, y in [
        *layout.tile_screws(pitch),
        *layout.controller_screws(pitch),
        *layout.sensors(pitch),
    ]:
        assert max(abs(x), abs(y)) < inside
    x, y = layout.controller_middle(pitch)
    # The USB-C socket faces the slot in the wall at column a.
    (plug,) = (room for room in board("controller").rooms if room.name == "J11")
    assert plug.low[0] + x < x - 40
    assert abs(y + 60) < 50


def test_lamp_positions() -> None:
    page = (BOOK / "assembly.md").read_text(encoding="utf-8")
    assert f"centred {measures.LAMP_FROM_FIELD:g} mm outside the field" in page


def test_box_height() -> None:
    assert pytest.approx(measures.TILE + measures.ROOM) == layout.FRAME_HEIGHT
