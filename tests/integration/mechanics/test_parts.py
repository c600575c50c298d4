"""Tests that every part can be printed: it is a single valid body, watertight, thick enough and not
too large."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from math import atan, hypot, pi, sin
from pathlib import Path

import pytest
import trimesh
from OCP.STEPControl import STEPControl_Reader

from hardware.mechanics import console, foot_cap, frame, jig
from hardware.mechanics.checks import part_faults
from hardware.mechanics.dimensions import CAP_FLOOR
from hardware.mechanics.flat import Part
from hardware.mechanics.foot_cap import SHOWN, Foot, foot_named
from hardware.mechanics.mesh import COARSE, mesh, thinnest, write_stl
from hardware.mechanics.plates import lid
from hardware.mechanics.purchased_parts import purchased_magnet
from hardware.mechanics.solid import Solid, block


def faults(part: Part) -> list[str]:
    return list(part_faults(part, mesh(part.solid, COARSE)))


def test_parts_are_printable(made: list[Part]) -> None:
    # The sizes of caps and jigs depend only on the foot. It is therefore enough to test the
    # narrowest, the widest and the documented foot.
    rows = ("-18", "-22")
    tried = [part for part in made if not part.name.endswith(rows)]
    assert len(tried) > 30
    assert [fault for part in tried for fault in faults(part)] == []


def test_part_names_are_unique(made: list[Part]) -> None:
    names = [part.name for part in made]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("wall", [1.0, 1.1])
def test_thin_wall_is_found(wall: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foot_cap, "WALL", wall)
    cap, _ = foot_cap.parts(SHOWN)
    (fault,) = faults(cap)
    reported = re.fullmatch(
        r"foot-cap-round-20 has a wall of (\S+) mm; the minimum is 1.2 mm.", fault
    )
    assert reported
    # The triangles are inscribed in a circle, which slightly reduces the measured thickness.
    assert float(reported[1]) == pytest.approx(wall, abs=0.03)


def test_thin_floor_is_found() -> None:
    body = block(20, 20, 9) - block(8, 8, 4) - block(8, 8, 4, (0, 0, 5))
    assert thinnest(body, mesh(body)) == pytest.approx(1.0, abs=0.01)


def test_open_surface_is_found(made: list[Part]) -> None:
    part = made[0]
    triangles = mesh(part.solid, COARSE)
    assert not list(part_faults(part, triangles))
    triangles.update_faces([n != 17 for n in range(len(triangles.faces))])
    assert f"{part.name} is not watertight." in part_faults(part, triangles)


def test_two_bodies_are_found() -> None:
    both = block(10, 10, 10).with_all([block(10, 10, 10, (20, 0, 0))])
    assert faults(Part("pair", "", both)) == ["pair is not a single valid body."]


def test_oversized_frame_is_found() -> None:
    assert faults(Part("side", "", frame.side(43, slot=False))) == [
        "side does not fit the printer: 221.6 x 15 x 33.6 mm."
    ]


# ---------------------------------------------------------------- magnets


def closed_in(foot: Foot, sunk: float = 0) -> list[Solid]:
    """Return the cap and the magnet.

    The magnet is `sunk` mm below the floor of its pocket. If `sunk` is negative, it is above the
    floor.
    """
    return [foot_cap.cap(foot), purchased_magnet().moved(z=CAP_FLOOR - sunk)]


@pytest.mark.parametrize("foot", [SHOWN, Foot(foot_cap.SQUARE, 12), Foot(foot_cap.ROUND, 28)])
def test_magnet_pocket(foot: Foot) -> None:
    cap, disc = closed_in(foot)
    plug = foot_cap.plug(foot).moved(z=foot_cap.SEAT)
    for one, other in ((cap, disc), (disc, plug), (cap, plug)):
        assert (one & other).volume == pytest.approx(0, abs=0.01)
    # If the magnet is shifted by 1.3 mm, it must touch the cap or its plug.
    for way in ((1.3, 0, 0), (0, -1.3, 0), (0, 0, 1.3), (0, 0, -1.3)):
        assert sum((disc.moved(*way) & each).volume for each in (cap, plug)) > 1


@pytest.mark.parametrize(
    ("sunk", "goes", "must_not"), [(0, True, False), (-0.3, False, False), (0.6, True, True)]
)
def test_magnet_gauge(sunk: float, goes: bool, must_not: bool) -> None:
    _, disc = closed_in(SHOWN, sunk)
    for tongue, turned, fits in ((jig.GO, 90, goes), (jig.NO_GO, -90, must_not)):
        bar = jig.gauge().turned(turned, (1, 0, 0))
        low = bar.bounds[0][2] + tongue
        on_rim = bar.moved(0, jig.GAUGE_THICKNESS / 2 * (1 if turned > 0 else -1), -low)
        assert on_rim.bounds[0][2] == pytest.approx(-tongue)
        touches = (on_rim.moved(z=foot_cap.HEIGHT) & disc).volume > 0.01
        assert touches != fits


@pytest.mark.parametrize("foot", [SHOWN, Foot(foot_cap.SQUARE, 19)])
def test_cap_fits_its_jig(foot: Foot) -> None:
    well, cap = jig.wells(foot), foot_cap.cap(foot)
    for side in (-1, 1):
        x = side * jig.DISTANCE / 2
        for height in (0.0, 12.0, 20.0):
            inside = cap.moved(x, 0, jig.WELL_FLOOR + height)
            assert (well & inside).volume == pytest.approx(0, abs=0.01)
        assert (well & cap.moved(x, 0, jig.WELL_FLOOR - 1)).volume > 50
        assert (well & cap.moved(x + 1, 0, jig.WELL_FLOOR)).volume > 1
        # The reference magnet and its stopper fit into the jig.
        assert (well & purchased_magnet().moved(x, 0, jig.STOPPER)).volume == pytest.approx(
            0, abs=0.01
        )
        assert (well & jig.stopper().moved(x)).volume == pytest.approx(0, abs=0.01)


@pytest.mark.parametrize(
    "expected", ["round", "oval-20", "square-", "round-11", "square-nan", "20"]
)
def test_invalid_foot_is_reported(expected: str) -> None:
    with pytest.raises(ValueError, match=f"“{expected}” is not a foot; expected round or square"):
        foot_named(expected)


def test_feet_have_caps() -> None:
    foot = foot_named("square-21.5")
    assert foot.name == "square-21.5"
    assert [fault for part in foot_cap.parts(foot) for fault in faults(part)] == []


# ---------------------------------------------------------------- files


def test_stl_is_watertight(made: list[Part], tmp_path: Path) -> None:
    part, path = made[0], tmp_path / "part.stl"
    write_stl(part.solid, path)
    read = trimesh.load_mesh(path)
    assert path.stat().st_size == 84 + 50 * len(read.faces)
    assert read.is_volume
    assert read.volume == pytest.approx(part.solid.volume, rel=0.01)


def test_unwritable_file_is_reported(made: list[Part], tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=r"missing/part.stl could not be written."):
        write_stl(made[0].solid, tmp_path / "missing" / "part.stl")


def test_step_round_trip(tmp_path: Path) -> None:
    path = tmp_path / "clip.step"
    console.clip().write_step(path)
    reader = STEPControl_Reader()
    reader.ReadFile(str(path))
    reader.TransferRoots()
    assert Solid(reader.OneShape()).volume == pytest.approx(console.clip().volume)


def pairs(dxf: str) -> list[tuple[int, str]]:
    lines = dxf.splitlines()
    return [(int(lines[n]), lines[n + 1]) for n in range(0, len(lines), 2)]


def entities(dxf: str) -> Iterator[tuple[str, dict[int, str]]]:
    """Yield the type and group codes of each entity in a DXF file."""
    kind, codes = "", dict[int, str]()
    for code, value in pairs(dxf):
        if code == 0:
            yield kind, codes
            kind, codes = value, {}
        else:
            codes[code] = value


def area(dxf: str) -> float:
    """Return the area inside the outline of a DXF file, excluding its circles."""
    corners, holes = [], 0.0
    for kind, codes in entities(dxf):
        if kind == "VERTEX":
            corners.append((float(codes[10]), float(codes[20]), float(codes[42])))
        if kind == "CIRCLE":
            holes += pi * float(codes[40]) ** 2
    whole = 0.0
    for (ax, ay, bulge), (bx, by, _) in pairwise([*corners, corners[0]]):
        whole += (ax * by - bx * ay) / 2
        if bulge:
            angle = 4 * atan(bulge)
            radius = hypot(bx - ax, by - ay) / 2 / sin(angle / 2)
            whole += radius**2 / 2 * (angle - sin(angle))
    return whole - holes


@pytest.mark.parametrize("pitch", [35, 40])
def test_dxf_round_trip(pitch: int) -> None:
    part = lid(pitch)
    assert part.flat
    drawn = area(part.flat.dxf())
    assert drawn * part.flat.thickness == pytest.approx(part.solid.volume, rel=1e-5)
    assert drawn == pytest.approx(part.flat.area, rel=1e-5)
    layers = {codes[8] for _, codes in entities(part.flat.dxf()) if 8 in codes}
    assert layers == {"CUT", "ENGRAVE"}
    fewer = replace(part.flat, holes=part.flat.holes[1:])
    assert area(fewer.dxf()) > drawn + 5
