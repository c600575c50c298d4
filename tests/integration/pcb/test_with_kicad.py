"""Tests that KiCad finds no faults in the boards, but does find deliberate faults."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.pcb import tile_map
from hardware.pcb.__main__ import BOARDS, BOOK, PICTURES
from hardware.pcb.design import Design
from hardware.pcb.erc import Findings, check
from hardware.pcb.picture import picture
from hardware.pcb.project import designs, files
from hardware.pcb.router import Router

DESIGNS = designs(tile_map.read()[0])


def findings(folder: Path, text: str) -> Findings:
    """Check a board against the design rules of the controller project. Return KiCad's findings."""
    board = folder / "controller.kicad_pcb"
    board.write_text(text, encoding="utf-8")
    board.with_suffix(".kicad_pro").write_text(
        (BOARDS / "controller.kicad_pro").read_text(encoding="utf-8"), encoding="utf-8"
    )
    return check(board, folder / "report")


def tile() -> str:
    return (BOARDS / "tile-40.kicad_pcb").read_text(encoding="utf-8")


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.name)
def test_boards_are_current(design: Design) -> None:
    tracks = Router(design).tracks()
    for name, text in files(design, tracks).items():
        assert (BOARDS / name).read_text(encoding="utf-8") == text, (
            f"{name} is outdated: run make boards"
        )
    if design.name in PICTURES:
        drawn = (BOOK / PICTURES[design.name]).read_text(encoding="utf-8")
        assert drawn == picture(design, tracks), "run make boards"


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.name)
def test_kicad_checks_and_plots(design: Design, tmp_path: Path) -> None:
    plots = tmp_path / "plots"
    found = check(BOARDS / f"{design.name}.kicad_pcb", tmp_path / "report", plots)
    assert found.all == []
    ends = {file.suffix for file in plots.iterdir() if file.stat().st_size}
    assert ends == {".gtl", ".gbl", ".gtp", ".gto", ".gts", ".gbs", ".gm1", ".drl"}


def longest_track(text: str, net: str) -> str:
    """Return the longest straight track in a net."""

    def length(track: re.Match[str]) -> float:
        ax, ay, bx, by = map(float, track.groups()[:4])
        return abs(ax - bx) + abs(ay - by)

    (number,) = re.findall(rf'^  \(net (\d+) "{net}"\)$', text, re.MULTILINE)
    tracks = re.finditer(
        r"\(segment\s+\(start (\S+) (\S+)\)\s+\(end (\S+) (\S+)\)\s+[^\n]*?\(net (\d+)\)\)", text
    )
    return max((track for track in tracks if track[5] == number), key=length)[0]


@pytest.mark.parametrize("net", ["OUT1", "OUT13", "SIG_A", "S3_B", "S0"])
def test_missing_track_is_found(net: str, tmp_path: Path) -> None:
    text = tile()
    track = longest_track(text, net)
    assert text.count(track) == 1
    found = findings(tmp_path, text.replace(track, ""))
    assert any(net in each for each in found.unconnected)


def pads_of(text: str, net: str) -> Iterator[re.Match[str]]:
    return re.finditer(rf'\(net \d+ "{net}"\)(?=\))', text)


def test_swapped_net_is_found(tmp_path: Path) -> None:
    text = tile()
    (number,) = re.findall(r'^  \(net (\d+) "OUT2"\)$', text, re.MULTILINE)
    pad = next(pads_of(text, "OUT1"))
    found = findings(tmp_path, f'{text[: pad.start()]}(net {number} "OUT2"){text[pad.end() :]}')
    assert any("OUT1" in each and "OUT2" in each for each in found.violations)
    assert any("OUT2" in each for each in found.unconnected)


def test_moved_part_is_found(tmp_path: Path) -> None:
    text = tile()
    moved = re.sub(
        r'(\(footprint "boomboard:SOT-23"\s.*?\(at )(\S+)',
        lambda at: f"{at[1]}{float(at[2]) + 3:g}",
        text,
        count=1,
        flags=re.DOTALL,
    )
    assert moved != text
    assert findings(tmp_path, moved).all


def test_invalid_board_file(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=r"KiCad could not check controller.kicad_pcb: "):
        findings(tmp_path, "(kicad_pcb")
