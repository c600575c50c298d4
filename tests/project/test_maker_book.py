"""Tests for the maker's book: up-to-date quantities, valid links, and the pins that the program
uses."""

import io
import math
import re
import tomllib
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from engine.board.geometry import COLUMNS, SQUARES, WIDTH
from firmware_bridge.board_hardware import CHANNEL_OF
from firmware_bridge.link import ARDUINO_VENDORS, CLONE_DEVICES
from firmware_bridge.panel import BUTTONS, BUZZER, LAMPS, RESET
from firmware_bridge.wire import CHANNELS, Geometry
from hardware.drawing import lamps
from hardware.magnetics.design import SENSORS
from hardware.magnetics.found_file import CHOSEN
from hardware.pcb.components import LAMP_BOX
from hardware.pcb.controller import controller
from hardware.pcb.tile_map import CORNERS
from hardware.wiring_chart import OUTPUT_PINS, SELECT_PINS
from tests.project import ROOT
from tools.hardware_book import back, header
from tools.hardware_book.header import PLACE_OF
from tools.hardware_book.pages import BOOK, REASONS, SOURCE, files

PAGES = sorted([*BOOK.glob("*.md"), ROOT / "hardware" / "README.md", REASONS])
PI = ROOT / "hardware" / "pi"
CATALOGUE = ROOT / "companion" / "locale" / "de" / "LC_MESSAGES" / "boomboard.po"


def test_generated_files_are_current() -> None:
    changed = [path.name for path, text in files().items() if path.read_text("utf-8") != text]
    assert not changed, "some files are outdated: run make book"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}-{page.name}")
def test_links_are_valid(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8"))
    assert links
    for link in links:
        assert (page.parent / link).exists(), link


def test_pages_are_in_the_index() -> None:
    index = (BOOK / "README.md").read_text(encoding="utf-8")
    for page in BOOK.glob("*.md"):
        assert page.name == "README.md" or f"({page.name})" in index


def test_panel_pins_match_the_program() -> None:
    rows = re.findall(
        r"^- ([a-z ]+): GPIO (\d+), pin (\d+) of", (BOOK / "pi.md").read_text(), re.MULTILINE
    )
    places = {what: (int(gpio), int(place)) for what, gpio, place in rows}
    pins = {f"{side.value} button": pin for side, pin in BUTTONS.items()}
    pins |= {f"{side.value} lamp": pin for side, pin in LAMPS.items()}
    pins |= {"buzzer": BUZZER, "reset line": RESET}
    assert places == {what: (pin, PLACE_OF[pin]) for what, pin in pins.items()}


def test_header_pins_are_unique() -> None:
    taken = [*header.SUPPLIES, *header.GROUNDS, *header.SWITCH, *PLACE_OF.values()]
    assert len(taken) == len(set(taken))


# ---------------------------------------------------------------- quantities

BOARD = "By hand: the board"
PANEL = "By hand: the panel"
EDGE = "By hand: lamps at the edges"


def quantity(group: str, part: str) -> float:
    """Return the quantity of the only part with the given name. For wires, it is the length in
    metres."""
    groups = tomllib.loads(SOURCE.read_text(encoding="utf-8"))["group"]
    (parts,) = (each["parts"] for each in groups if each["title"] == group)
    (found,) = (each["quantity"] for each in parts if part in each["name"])
    return float(str(found).removesuffix(" m"))


def output_wires(pitch: int) -> list[float]:
    """Return the length of each sensor's output wire in millimetres."""
    return [
        math.dist(
            back.middle(square, pitch), back.module_middle(CHANNEL_OF[square] // CHANNELS, pitch)
        )
        for square in SQUARES
    ]


def thin_wire(pitch: int) -> float:
    """Return the length of thin wire needed for the assembly, in millimetres."""
    outputs = sum(output_wires(pitch)) + 60 * len(SQUARES)
    modules = [back.module_middle(n, pitch) for n in range(Geometry.BY_HAND)]
    nano = back.nano_middle(pitch)
    chain = sum(math.dist(a, b) for a, b in pairwise(modules[n] for n in (0, 1, 3, 2, 4, 5, 6)))
    selects = 4 * (chain + math.dist(nano, modules[3]) + 60 * Geometry.BY_HAND)
    signals = sum(math.dist(nano, module) + 60 for module in modules)
    supplies = 3 * 50 * Geometry.BY_HAND
    return outputs + selects + signals + supplies


def test_header_pins_have_parts() -> None:
    assert quantity(BOARD, "Hall sensor") == len(SQUARES)
    assert quantity(BOARD, "CD74HC4067") == Geometry.BY_HAND
    assert quantity(BOARD, "100 nF") == len(SQUARES) + Geometry.BY_HAND
    assert quantity(PANEL, "push button") == len(BUTTONS)
    assert quantity(PANEL, "220 Ω") == quantity(PANEL, "LED") == len(LAMPS)
    transistors = len(LAMPS) + 1
    assert quantity(PANEL, "BC547") == transistors
    assert quantity(PANEL, "1 kΩ") == transistors + 1
    assert quantity(PANEL, "contact") == len([*PLACE_OF, *header.SWITCH]) + 1
    assert quantity(EDGE, "LED") == quantity(EDGE, "1 kΩ") == len(lamps.LAMPS)
    assert quantity(EDGE, "74HC595") == math.ceil(len(lamps.LAMPS) / len(lamps.OUTPUTS))


def test_connectors_fit_the_controller() -> None:
    text = SOURCE.read_text(encoding="utf-8")
    by_hand = [part.kind for part in controller().parts if part.kind.by_hand]
    keyed = [kind for kind in by_hand if kind.number]
    (row,) = re.findall(r'quantity = "([\d, ]+)", name = "keyed pin header (.*)"', text)
    numbers = re.findall(r"22-27-\d+", row[1])
    bought = dict(zip(numbers, map(int, row[0].split(", ")), strict=True))
    assert bought == Counter(kind.number for kind in keyed)
    (contacts,) = re.findall(r"and (\d+) crimp contacts", text)
    assert int(contacts) == sum(len(kind.pins) for kind in keyed)
    lamps_group = "Lamps at the edges (optional)"
    assert quantity(lamps_group, "box header") == by_hand.count(LAMP_BOX)
    assert quantity("The board", "tile with its parts") == len(CORNERS)
    assert quantity("The board", "ribbon cable") == len(CORNERS)


def test_documented_number_of_joints() -> None:
    by_hand = [part.kind for part in controller().parts if part.kind.by_hand]
    joints = sum(len(kind.pins) for kind in by_hand)
    assert f"at most {joints} joints" in (BOOK / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("pitch", back.PITCHES)
def test_wire_length(pitch: int) -> None:
    assert quantity(BOARD, "bare tinned copper wire") >= 2 * WIDTH * (WIDTH * pitch + 20) / 1000
    assert quantity(BOARD, "thin stranded wire") >= 1.1 * thin_wire(pitch) / 1000
    assert quantity(BOARD, "sleeve") >= len(SQUARES) * (10 + 15) / 1000


def test_lamps_match_the_firmware() -> None:
    source = (ROOT / "hardware" / "firmware" / "src" / "lamps.h").read_text(encoding="utf-8")
    assert "columns a to k in bits 0 to 9, rows 1 to 10 in bits 10 to 19" in source
    assert (*COLUMNS, *map(str, range(1, WIDTH + 1))) == lamps.LAMPS
    assert sorted(lamps.OUTPUTS.values()) == [1, 2, 3, 4, 5, 6, 7, 15]


# ---------------------------------------------------------------- the layout


@pytest.mark.parametrize("pitch", back.PITCHES)
def test_modules_do_not_overlap_wires_and_sensors(pitch: int) -> None:
    for row in range(1, WIDTH):
        start, end = back.free_band(row, pitch)
        assert end - start > max(back.MODULE[1], back.NANO[1])
    places = [back.module_middle(n, pitch) for n in range(Geometry.BY_HAND)]
    places.append(back.nano_middle(pitch))
    for n, one in enumerate(places):
        for other in places[:n]:
            assert abs(one[0] - other[0]) > 45 or abs(one[1] - other[1]) > 18


@pytest.mark.parametrize("pitch", back.PITCHES)
def test_output_wires_are_short(pitch: int) -> None:
    assert max(output_wires(pitch)[: 9 * WIDTH]) <= 3 * pitch


def test_bottom_view_is_mirrored() -> None:
    assert back.place(SQUARES[0]) == (WIDTH - 1, WIDTH - 1)


# ---------------------------------------------------------------- pins and texts


def test_circuit_has_the_nano_pins() -> None:
    page = (BOOK / "circuit.md").read_text(encoding="utf-8")
    assert f"- {', '.join(SELECT_PINS.values())}: {', '.join(SELECT_PINS)} of the Nano" in page
    first, second, *_, last = OUTPUT_PINS
    assert f"{first} of the Nano for module 0, {second} for 1, … {last} for 6" in page


def test_documented_supply_threshold() -> None:
    header = (ROOT / "hardware" / "firmware" / "src" / "supply.h").read_text(encoding="utf-8")
    (threshold,) = re.findall(r"^#define LOW_SUPPLY_MV (\d+)$", header, re.MULTILINE)
    volts = f"{int(threshold) / 1000:.1f} V"
    circuit = " ".join((BOOK / "circuit.md").read_text(encoding="utf-8").split())
    assert f"reports a supply below {volts}" in circuit
    assert f"Below {volts} the firmware reports a fault" in (BOOK / "power-up.md").read_text(
        encoding="utf-8"
    )


def test_magnets_page_describes_the_chosen_board() -> None:
    page = "".join(path.read_text(encoding="utf-8") for path in (BOOK / "magnets.md", REASONS))
    disc, gap = CHOSEN.disc, CHOSEN.gap
    assert f"**{disc.width:g} mm across and {disc.height:g} mm thick**" in page
    assert f"**{gap:g} mm** above the sensing element of a **{CHOSEN.sensor.name}**" in page
    assert f"= {disc.on_axis(gap):.1f} mT" in page
    first, second = (disc.on_axis(gap) * sensor.counts for sensor in SENSORS[:2])
    assert f"| {first:.0f} | {second:.0f} |" in page
    assert f"of a DRV5055A1 by {first:.0f} of 1023 counts" in " ".join(page.split())
    assert f"by at least {100 * CHOSEN.on:.0f} % of the change" in page
    text = " ".join(page.split())
    assert f"gone when the change falls below {100 * CHOSEN.off:.0f} %" in text
    reach = f"{CHOSEN.reach(CHOSEN.on):.1f} mm"
    assert f"detects a piece up to {reach} from the square's middle" in text
    room = tuple(f"{CHOSEN.drift(pitch):.0f}" for pitch in (40, 35))
    assert re.findall(r"drift by at most (\d+) counts on 40 mm squares, or (\d+) counts", text) == [
        room
    ]
    _, gap_list = page.split("the sum of")
    layers = re.findall(r"^- ([\d.]+) mm: ", gap_list[:600], re.MULTILINE)
    assert sum(map(float, layers)) == pytest.approx(gap)


def test_drawings_are_used() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    for drawing in BOOK.glob("*.svg"):
        assert f"]({drawing.name})" in text, drawing.name


OTHER_QUOTATIONS = {"By hand: …"}
"""Text quoted in the book that is a heading rather than a button."""


def test_quoted_buttons_exist() -> None:
    book = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    quoted = {"Board check", *re.findall(r"“([^”]+ …)”", book)} - OTHER_QUOTATIONS
    texts = {message.id for message in read_po(io.StringIO(CATALOGUE.read_text("utf-8")))}
    assert quoted <= texts
    assert "“Board check”" in book


def test_assembly_steps_are_numbered() -> None:
    page = (BOOK / "assembly.md").read_text(encoding="utf-8")
    steps = [int(n) for n in re.findall(r"^(\d+)\. ", page, re.MULTILINE)]
    assert steps == list(range(1, len(steps) + 1))


def test_udev_rule_lists_the_adapters() -> None:
    rule = (PI / "99-boomboard.rules").read_text(encoding="utf-8")
    ids = re.findall(r'idVendor\}=="(\w+)"(?:, ATTRS\{idProduct\}=="(\w+)")?', rule)
    clones = {(int(vendor, 16), int(product, 16)) for vendor, product in ids if product}
    assert clones == CLONE_DEVICES
    assert {int(vendor, 16) for vendor, product in ids if not product} == ARDUINO_VENDORS
