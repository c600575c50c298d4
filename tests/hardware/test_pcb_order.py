"""Tests for circuit board orders: part numbers, angles, and consistent lists."""

import csv
import io
from collections.abc import Callable

import pytest

from hardware.pcb import tile_map
from hardware.pcb.design import DATE, REVISION, Design
from hardware.pcb.order.__main__ import order_files
from hardware.pcb.order.factories import FACTORIES, JLC, Factory, first_pin, middle
from hardware.pcb.order.lists import faults, parts_list, placed, placement
from hardware.pcb.project import designs

DESIGNS = {design.name: design for design in designs(tile_map.read()[0])}
ORDERS = [
    pytest.param(design, factory, id=f"{factory.name}-{design.name}")
    for factory in FACTORIES.values()
    for design in DESIGNS.values()
]


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize(("design", "factory"), ORDERS)
def test_placed_parts_are_complete(design: Design, factory: Factory) -> None:
    lists = parts_list(design, factory), placement(design, factory)
    assert list(faults(design, factory, *lists)) == []


@pytest.mark.parametrize(("design", "factory"), ORDERS)
def test_order_page(design: Design, factory: Factory) -> None:
    page = order_files(design, factory)["order.html"]
    for part in placed(design):
        assert part.kind.number in page
    assert f"revision {REVISION}, {DATE}" in page
    assert f"{design.name}-preview.svg" in order_files(design, factory)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda parts, places: (parts.replace("S7,", ""), places), "S7 is 0 times in the parts"),
        (lambda parts, places: (parts.replace("S7,", "S07,"), places), "S07 is 1 times"),
        (lambda parts, places: (parts.replace("S7,", "S8,"), places), "S8 is 2 times"),
        (
            lambda parts, places: (
                parts.replace("S7,", ""),
                "\n".join(row for row in places.splitlines() if not row.startswith("S7,")),
            ),
            "S7 is in neither list.",
        ),
    ],
)
def test_lists_that_differ_are_found(
    change: Callable[[str, str], tuple[str, str]], expected: str
) -> None:
    design = DESIGNS["tile-40"]
    lists = change(parts_list(design, JLC), placement(design, JLC))
    assert any(expected in fault for fault in faults(design, JLC, *lists))


def test_missing_rotation_rule_is_found() -> None:
    design = DESIGNS["controller"]
    lists = parts_list(design, JLC), placement(design, JLC)
    ignorant = Factory("none", "Nobody", {}, {}, JLC.head, JLC.row)
    assert "U1 has no rotation rule for Nobody." in list(faults(design, ignorant, *lists))


@pytest.mark.parametrize("name", JLC.rotations)
def test_angles_match_the_factory(name: str) -> None:
    rotation = JLC.rotations[name]
    # The rule gives the angle at which the factory places a part that is at 0° in KiCad. If KiCad's
    # part is rotated back by that angle, it must therefore look like the factory's part at 0°.
    assert first_pin(name, -rotation.degrees % 360) == rotation.first_pin


def test_positions_use_the_gerber_axes() -> None:
    design = DESIGNS["tile-40"]
    places = {row["Designator"]: row for row in rows(placement(design, JLC))}
    first, last = places["S1"], places["S25"]
    assert (first["Mid X"], first["Mid Y"]) == ("70.000mm", "-70.000mm")
    assert (last["Mid X"], last["Mid Y"]) == ("230.000mm", "-230.000mm")
    assert {row["Layer"] for row in places.values()} == {"Top"}


def test_rotated_sensors() -> None:
    design = DESIGNS["tile-40"]
    places = {row["Designator"]: row for row in rows(placement(design, JLC))}
    turns = {part.name: part.turn for part in design.parts}
    assert (turns["S1"], turns["S25"]) == (180, 0)
    assert (places["S1"]["Rotation"], places["S25"]["Rotation"]) == ("0", "180")


def test_part_position_is_its_centre() -> None:
    socket = next(part for part in DESIGNS["controller"].parts if part.name == "J11")
    assert middle(socket) != socket.at
    sensor = next(part for part in DESIGNS["tile-40"].parts if part.name == "S13")
    assert middle(sensor) == sensor.at
