"""Check a board with KiCad and plot the manufacturing files.

This script runs in the system Python, for which KiCad's `pcbnew` module is built, and needs no
other packages:

    /usr/bin/python3 with_kicad.py BOARD.kicad_pcb REPORT [FOLDER]

It runs KiCad's design rules check before and after filling the ground and 5 V pours, and writes
KiCad's reports. If a folder is given, it also plots Gerber and drill files in that folder. The
output is a single line of JSON, in which `violations` and `unconnected` are lists of KiCad's
messages. Tested with KiCad 6.0.11 on Debian 12 and KiCad 9.0.2 on Debian 13.
"""

import json
import os
import re
import sys
from pathlib import Path

import pcbnew

GERBERS = (
    ("F.Cu", pcbnew.F_Cu),
    ("B.Cu", pcbnew.B_Cu),
    ("F.Paste", pcbnew.F_Paste),
    ("F.SilkS", pcbnew.F_SilkS),
    ("F.Mask", pcbnew.F_Mask),
    ("B.Mask", pcbnew.B_Mask),
    ("Edge.Cuts", pcbnew.Edge_Cuts),
)
"""Layers needed for manufacturing. There is no silkscreen on the back."""


def check(board: pcbnew.BOARD, report: Path) -> dict[str, list[str]]:
    """Run KiCad's design rules check on the board, and return its findings, grouped by kind."""
    later = "EDA_UNITS_MM"
    units = getattr(pcbnew, later if hasattr(pcbnew, later) else "EDA_UNITS_MILLIMETRES")
    if not pcbnew.WriteDRCReport(board, str(report), units, True):
        raise OSError(f"KiCad could not write {report}.")
    found: dict[str, list[str]] = {"violations": [], "unconnected": []}
    for entry in re.split(r"^(?=\[)", report.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        sentence = " ".join(line.strip() for line in entry.splitlines() if "**" not in line).strip()
        kind = "unconnected" if sentence.startswith("[unconnected_items]") else "violations"
        found[kind].append(sentence)
    return found


def fill(board: pcbnew.BOARD) -> None:
    pcbnew.ZONE_FILLER(board).Fill(board.Zones())


def plot(board: pcbnew.BOARD, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    plotter = pcbnew.PLOT_CONTROLLER(board)
    options = plotter.GetPlotOptions()
    options.SetOutputDirectory(str(folder))
    options.SetUseGerberProtelExtensions(True)
    options.SetSubtractMaskFromSilk(True)
    options.SetPlotFrameRef(False)
    for name, layer in GERBERS:
        plotter.SetLayer(layer)
        plotter.OpenPlotfile(name.replace(".", "_"), pcbnew.PLOT_FORMAT_GERBER, name)
        plotter.PlotLayer()
    plotter.ClosePlot()
    drill = pcbnew.EXCELLON_WRITER(board)
    is_later = int(pcbnew.GetMajorMinorVersion().partition(".")[0]) > 6
    zero = pcbnew.VECTOR2I(0, 0) if is_later else pcbnew.wxPoint(0, 0)
    drill.SetOptions(False, False, zero, False)
    drill.SetFormat(True)
    drill.CreateDrillandMapFilesSet(str(folder), True, False)


def main(source: str, report: str, folder: str = "") -> None:
    """Check a board. If a folder is given, also plot the board into that folder."""
    # The footprint table refers to this variable, which only KiCad's graphical programs set.
    os.environ["KIPRJMOD"] = str(Path(source).resolve().parent)
    board = pcbnew.LoadBoard(source)
    found = check(board, Path(f"{report}-unfilled"))
    fill(board)
    for kind, sentences in check(board, Path(report)).items():
        found[kind] += sentences
    if folder:
        plot(board, Path(folder))
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
