"""KiCad project for a board."""

import json
from collections.abc import Sequence
from typing import Final

from hardware.pcb.board_file import board_file
from hardware.pcb.controller import controller
from hardware.pcb.design import Design
from hardware.pcb.router import CLEARANCE, DRILL, THICK, TRACK, VIA, Track
from hardware.pcb.schematic_file import schematic_file, symbol_library
from hardware.pcb.tile import PITCHES, tile
from hardware.pcb.tile_map import TileMap

_TABLE: Final = """({kind}_lib_table
  (lib (name "boomboard") (type "KiCad") (uri "${{KIPRJMOD}}/{place}") (options "") (descr ""))
)
"""


def shared_files(boards: Sequence[Design]) -> dict[str, str]:
    """Return the files shared by the projects of all boards: the symbol library and library
    tables."""
    return {
        "fp-lib-table": _TABLE.format(kind="fp", place="../footprints.pretty"),
        "sym-lib-table": _TABLE.format(kind="sym", place="boomboard.kicad_sym"),
        "boomboard.kicad_sym": symbol_library(boards),
    }


def designs(wiring: TileMap) -> list[Design]:
    return [*(tile(pitch, wiring) for pitch in PITCHES), controller()]


def files(design: Design, tracks: Sequence[Track]) -> dict[str, str]:
    """Return the contents of a board's files, keyed by file name."""
    return {
        f"{design.name}.kicad_pcb": board_file(design, tracks),
        f"{design.name}.kicad_sch": schematic_file(design),
        f"{design.name}.kicad_pro": _settings(design),
    }


def _settings(design: Design) -> str:
    """Return the project file with the board's design rules."""
    widths = {"track_width": TRACK, "clearance": CLEARANCE}
    vias = {"via_diameter": VIA, "via_drill": DRILL}
    rules = {
        "min_clearance": CLEARANCE,
        "min_track_width": 0.2,
        "min_via_diameter": 0.5,
        "min_through_hole_diameter": DRILL,
        "min_hole_to_hole": 0.25,
        "min_copper_edge_clearance": 0.3,
    }
    settings = {
        "board": {"design_settings": {"rules": rules, "track_widths": [0.0, TRACK, THICK]}},
        "meta": {"filename": f"{design.name}.kicad_pro", "version": 1},
        "net_settings": {
            "classes": [{"name": "Default", **widths, **vias}],
            "meta": {"version": 2},
        },
    }
    return json.dumps(settings, indent=2) + "\n"
