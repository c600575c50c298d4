"""The maker's book: it is current, its links lead somewhere, its pins are the program's."""

import re
import subprocess
from pathlib import Path

import pytest

from firmware_bridge.link import ARDUINO_VENDORS, CLONE_DEVICES
from firmware_bridge.panel import BUTTONS, BUZZER, LAMPS, RESET
from tests.house import ROOT
from tools.book import BOOK, files
from tools.book_drawings import HEADER

PAGES = sorted([*BOOK.glob("*.md"), ROOT / "hardware" / "README.md"])
PI = ROOT / "hardware" / "pi"


@pytest.mark.parametrize("path", files(), ids=lambda path: path.name)
def test_what_is_generated_is_current(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == files()[path], "something has changed: make book"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8"))
    assert links
    for link in links:
        assert (page.parent / link).exists(), link


def test_every_page_is_in_the_index() -> None:
    index = (BOOK / "README.md").read_text(encoding="utf-8")
    for page in BOOK.glob("*.md"):
        assert page.name == "README.md" or f"({page.name})" in index


def test_the_pins_of_the_panel_are_those_of_the_program() -> None:
    rows = re.findall(
        r"^\| ([^|]+) \| GPIO (\d+) \| (\d+) \|", (BOOK / "pi.md").read_text(), re.MULTILINE
    )
    told = {what: (int(gpio), int(place)) for what, gpio, place in rows}
    pins = {f"{side.value} button": pin for side, pin in BUTTONS.items()}
    pins |= {f"{side.value} lamp": pin for side, pin in LAMPS.items()}
    pins |= {"buzzer": BUZZER, "reset line": RESET}
    assert told == {what: (pin, HEADER[pin]) for what, pin in pins.items()}


def test_the_installer_is_a_valid_script() -> None:
    assert (PI / "install.sh").stat().st_mode & 0o111
    subprocess.run(["bash", "-n", str(PI / "install.sh")], check=True)


def test_the_rule_knows_the_adapters_that_the_link_looks_for() -> None:
    rule = (PI / "99-boomboard.rules").read_text(encoding="utf-8")
    told = re.findall(r'idVendor\}=="(\w+)"(?:, ATTRS\{idProduct\}=="(\w+)")?', rule)
    clones = {(int(vendor, 16), int(product, 16)) for vendor, product in told if product}
    assert clones == CLONE_DEVICES
    assert {int(vendor, 16) for vendor, product in told if not product} == ARDUINO_VENDORS
