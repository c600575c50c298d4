"""Generate all circuit boards and check them with KiCad: ``make boards``."""

import sys
import tempfile
from itertools import product
from pathlib import Path
from typing import Final

from hardware.pcb import continuity, erc, netlist, tile_map
from hardware.pcb.design import Design
from hardware.pcb.erc import check
from hardware.pcb.picture import picture
from hardware.pcb.project import designs, files, shared_files
from hardware.pcb.router import Router
from hardware.pcb.tile import PITCHES
from hardware.pcb.tile_map import TURNS

ROOT: Final = Path(__file__).parents[2]
BOARDS: Final = Path(__file__).parent / "boards"
BOOK: Final = ROOT / "docs" / "hardware"
PICTURES: Final = {"tile-40": "tile.svg", "controller": "controller.svg"}
"""Boards shown in the documentation, with the file names of their images."""


def main() -> None:
    """Write and check the boards. If there are faults, print one sentence per fault and exit with
    status 1."""
    wiring, channels = tile_map.read()
    BOARDS.mkdir(exist_ok=True)
    boards = designs(wiring)
    for name, text in shared_files(boards).items():
        (BOARDS / name).write_text(text, encoding="utf-8")
    problems = []
    for design in boards:
        tracks = Router(design).tracks()
        for name, text in files(design, tracks).items():
            (BOARDS / name).write_text(text, encoding="utf-8")
        if design.name in PICTURES:
            drawn = picture(design, tracks)
            (BOOK / PICTURES[design.name]).write_text(drawn, encoding="utf-8")
        problems += _check(design)
        vias = sum(track.is_via for track in tracks)
        print(
            f"{design.name}: {len(design.parts)} parts, {len(design.nets)} nets, "
            f"{len(tracks) - vias} tracks, {vias} vias"
        )
    problems += wiring_faults(channels)
    if problems:
        sys.exit("\n".join(problems))
    print(
        "No violations and no unconnected pins. For every rotation of the tiles, all connections "
        "agree with wiring.toml."
    )


def _check(design: Design) -> list[str]:
    circuit = netlist.circuit((BOARDS / f"{design.name}.kicad_sch").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        found = check(BOARDS / f"{design.name}.kicad_pcb", Path(folder) / "report")
    return [f"{design.name}: {each}" for each in found.all + erc.faults(circuit)]


def wiring_faults(channels: tuple[int, ...]) -> list[str]:
    """Return the differences between the boards and the wiring file. All rotations of the tiles are
    checked."""
    controller = _board("controller")
    found = []
    for pitch, quarters in product(PITCHES, TURNS):
        nets = _board(f"tile-{pitch}")
        found += continuity.faults(controller, nets, (quarters,) * 4, channels)
    return found


def _board(name: str) -> dict[netlist.Pin, str]:
    return netlist.board_nets((BOARDS / f"{name}.kicad_pcb").read_text(encoding="utf-8"))


if __name__ == "__main__":
    try:
        main()
    except (RuntimeError, ValueError) as error:
        sys.exit(str(error))
