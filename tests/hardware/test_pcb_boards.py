"""Tests for the connections on the generated circuit boards.

KiCad's own checks are in tests/integration/pcb, which ``make heavy`` runs.
"""

from collections.abc import Callable
from itertools import product
from math import hypot

import pytest

from hardware.pcb import continuity, erc, netlist, tile_map
from hardware.pcb.__main__ import BOARDS
from hardware.pcb.board_file import ORIGIN
from hardware.pcb.design import Design
from hardware.pcb.footprints import footprint, pads
from hardware.pcb.netlist import Circuit, Pin
from hardware.pcb.project import designs, files, shared_files
from hardware.pcb.sexpr import child, children, parse, words, write

WIRING, CHANNELS = tile_map.read()
DESIGNS = designs(WIRING)
TILES = ["tile-35", "tile-40"]


def text(name: str) -> str:
    return (BOARDS / name).read_text(encoding="utf-8")


def nets(name: str) -> dict[Pin, str]:
    return netlist.board_nets(text(f"{name}.kicad_pcb"))


def circuit() -> Circuit:
    return netlist.circuit(text("tile-40.kicad_sch"))


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.name)
def test_trackless_files_are_current(design: Design) -> None:
    for name, made in files(design, []).items():
        if not name.endswith(".kicad_pcb"):
            assert text(name) == made, f"{name} is outdated: run make boards"


def test_shared_files_are_current() -> None:
    for name, made in shared_files(DESIGNS).items():
        assert text(name) == made, f"{name} is outdated: run make boards"


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.name)
def test_circuit_matches_the_board(design: Design) -> None:
    drawn = netlist.circuit(text(f"{design.name}.kicad_sch"))
    assert netlist.without_flags(drawn.nets) == nets(design.name)
    assert erc.faults(drawn) == []


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.name)
def test_pins_have_pads(design: Design) -> None:
    for part in design.parts:
        names = {pad.name for pad in pads(part.kind.footprint, part.at, part.turn)}
        assert names - {""} == {*part.kind.pins}, part.name


@pytest.mark.parametrize("tile", TILES)
@pytest.mark.parametrize(
    "turns", [(0, 0, 0, 0), (1, 1, 1, 1), (2, 2, 2, 2), (3, 3, 3, 3), (3, 0, 2, 1)]
)
def test_nano_pins_match_the_wiring(tile: str, turns: tuple[int, ...]) -> None:
    assert continuity.faults(nets("controller"), nets(tile), turns, CHANNELS) == []


@pytest.mark.parametrize(("tile", "pitch"), [("tile-35", 35), ("tile-40", 40)])
def test_sensors_are_centred_on_squares(tile: str, pitch: int) -> None:
    places = netlist.board_places(text(f"{tile}.kicad_pcb"))
    assert list(continuity.place_faults(places, pitch)) == []
    places["S7"] = (places["S7"][0] + 3, places["S7"][1])
    assert list(continuity.place_faults(places, pitch)) == [
        "Sensor S7 is 3.00 mm to the right of its position and 0.00 mm below it."
    ]


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.name)
def test_screws_and_fiducials_are_free_of_copper(design: Design) -> None:
    tree = parse(text(f"{design.name}.kicad_pcb"))
    ends = [
        (words(child(track, end)), reach)
        for kind, ends, size in (("segment", ("start", "end"), "width"), ("via", ("at",), "size"))
        for track in children(tree, kind)
        for end in ends
        for reach in [float(words(child(track, size))[0]) / 2]
    ]
    apart = {part.name: part for part in design.parts if part.kind.keep_out}
    assert {name[:-1] for name in apart} == {"H", "FID"}
    for part in apart.values():
        x, y = (part.at[axis] + ORIGIN[axis] for axis in (0, 1))
        for (left, upper), reach in ends:
            assert hypot(float(left) - x, float(upper) - y) - reach >= part.kind.keep_out


def exchanged(joined: dict[Pin, str], one: Pin, other: Pin) -> dict[Pin, str]:
    assert joined[one] != joined[other]
    return joined | {one: joined[other], other: joined[one]}


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (("S1", "2"), ("S2", "2"), "reads d5, not e5."),
        (("U1", "10"), ("U1", "11"), "of multiplexer 0 reads"),
        (("J1", "11"), ("J1", "13"), "of multiplexer 0 reads"),
        (("J1", "6"), ("J1", "3"), "of multiplexer 0 reads"),
        (("U2", "16"), ("U2", "17"), "Input C15 of multiplexer 1 is not grounded."),
        (("S9", "1"), ("S9", "3"), "VCC of S9 on plug 1 is not on pin 2 of F1."),
    ],
)
def test_swapped_tile_net_is_found(one: Pin, other: Pin, expected: str) -> None:
    broken = exchanged(nets("tile-40"), one, other)
    found = continuity.faults(nets("controller"), broken, (0, 0, 0, 0), CHANNELS)
    assert any(expected in fault for fault in found), found


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (("J1", "11"), ("J2", "11"), "of multiplexer 0 reads"),
        (("U4", "11"), ("U4", "12"), "of multiplexer 0 reads"),
        (("J3", "1"), ("J3", "2"), "VCC of S1 on plug 3 is not on"),
        (("F1", "1"), ("F1", "2"), "The fuse is not connected to the power socket."),
        (("U6", "1"), ("U6", "5"), "The ideal diode is not fed from the fuse."),
        (("U6", "5"), ("U6", "2"), "The Nano is not fed from the ideal diode."),
        (("R32", "1"), ("R33", "1"), "of multiplexer 0 reads"),
    ],
)
def test_swapped_controller_net_is_found(one: Pin, other: Pin, expected: str) -> None:
    broken = exchanged(nets("controller"), one, other)
    found = continuity.faults(broken, nets("tile-40"), (0, 0, 0, 0), CHANNELS)
    assert any(expected in fault for fault in found), found


def without(pin: Pin) -> Callable[[Circuit], Circuit]:
    def change(right: Circuit) -> Circuit:
        return Circuit(
            {at: net for at, net in right.nets.items() if at != pin}, right.roles, right.free
        )

    return change


def joined_to(pin: Pin, net: str) -> Callable[[Circuit], Circuit]:
    return lambda right: Circuit(right.nets | {pin: net}, right.roles, right.free)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (without(("S1", "2")), "Pin 2 of S1 is unconnected, but not marked as such."),
        (without(("S1", "2")), "Net OUT1 joins pin 9 of U1 to no other pin."),
        (joined_to(("S1", "2"), "OUT2"), "Net OUT2 joins two outputs."),
        (joined_to(("J1", "8"), "GND"), "Pin 8 of J1 is marked as unconnected, but joined to GND."),
        (without(("#FLG02", "1")), "Net GND supplies a part, but has no power source."),
    ],
)
def test_wrong_circuit_is_found(change: Callable[[Circuit], Circuit], expected: str) -> None:
    assert expected in erc.faults(change(circuit()))


def test_undriven_input_is_found() -> None:
    right = circuit()
    alone = {("U1", "10"): "LOST", ("U2", "10"): "LOST"}
    assert "Net LOST leads to an input, but is not driven." in erc.faults(
        Circuit(right.nets | alone, right.roles, right.free)
    )


def test_expression_round_trip() -> None:
    tree = footprint("SOT-23")
    assert parse(write(tree)) == tree


@pytest.mark.parametrize("broken", ["(a", "a)", "(a) (b)", "", "word", '("a)'])
def test_invalid_expression_is_reported(broken: str) -> None:
    with pytest.raises(ValueError, match=r"S-expression|bracket"):
        parse(broken)


def test_tile_rotations() -> None:
    joined = (nets("controller"), nets("tile-35"))
    for first, last in product(range(4), repeat=2):
        assert continuity.faults(*joined, (first, 0, 0, last), CHANNELS) == []
