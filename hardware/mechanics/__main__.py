"""Make and check all parts and their assemblies: ``make mechanics``."""

import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from hardware.magnetics.design import PITCHES
from hardware.mechanics import tables
from hardware.mechanics.assembly import (
    Assembly,
    assembly,
    button_assembly,
    console_assembly,
    squares,
)
from hardware.mechanics.checks import board_faults, fit_faults, part_faults
from hardware.mechanics.drawing import drawing, pdf
from hardware.mechanics.flat import Part
from hardware.mechanics.foot_cap import FEET, Foot, foot_named
from hardware.mechanics.mesh import COARSE, mesh, write_stl
from hardware.mechanics.pictures import pictures
from hardware.mechanics.solid import together
from hardware.mechanics.tables import parts

ROOT: Final = Path(__file__).parents[2]
BOOK: Final = ROOT / "docs" / "hardware"
PAGE: Final = BOOK / "mechanics.md"
DIST: Final = ROOT / "dist" / "mechanics"
_KINDS: Final = ("stl", "step", "dxf", "drawings")
_TRIED: Final = (0, 9, 34, 55, 90, 99)
"""Squares with a piece in the checked assembly: the four corners, and two near the centre."""


def _foot(text: str) -> Foot:
    try:
        return foot_named(text)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from None


def main() -> None:
    """Write all files. If there are faults, print one sentence per fault and exit with status 1."""
    options = ArgumentParser(prog="make mechanics", description="Make all parts, and check them.")
    options.add_argument(
        "--foot",
        action="append",
        type=_foot,
        default=[],
        metavar="FORM-WIDTH",
        help="a foot that your pieces have, such as round-21.5 or square-19; can be repeated",
    )
    made = parts((*FEET, *options.parse_args().foot))
    for kind in _KINDS:
        (DIST / kind).mkdir(parents=True, exist_ok=True)
    problems = _write(made)
    for pitch in PITCHES:
        board = assembly(pitch, made, [list(squares(pitch))[n] for n in _TRIED])
        problems += board_faults(board, pitch)
        _write_whole(board, f"board-{pitch}")
    for name, whole in (
        ("console", console_assembly(made)),
        ("button-box", button_assembly(made)),
    ):
        problems += fit_faults(whole)
        _write_whole(whole, name)
    if problems:
        sys.exit("\n".join(problems))
    for name, painted in pictures(made).items():
        painted().save(BOOK / f"mechanics-{name}.png", optimize=True)
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(tables.draw(page, parts()), encoding="utf-8")
    print(f"{len(made)} parts in {DIST.relative_to(ROOT)}: nothing overlaps, nothing is too thin.")


def _write(made: Sequence[Part]) -> list[str]:
    """Write the files of each part and return the faults found."""
    problems: list[str] = []
    pages = []
    for part in made:
        problems += part_faults(part, mesh(part.solid, COARSE))
        part.solid.write_step(DIST / "step" / f"{part.name}.step")
        if part.flat:
            (DIST / "dxf" / f"{part.name}.dxf").write_text(part.flat.dxf(), encoding="ascii")
        else:
            write_stl(part.solid, DIST / "stl" / f"{part.name}.stl")
        drawn = drawing(part)
        (DIST / "drawings" / f"{part.name}.svg").write_text(drawn, encoding="utf-8")
        pages.append(drawn)
        size = " x ".join(f"{each:g}" for each in part.solid.size)
        print(f"{part.name}: {size} mm, {part.grams:.3g} g")
    pdf(pages, DIST / "drawings.pdf")
    return problems


def _write_whole(whole: Assembly, name: str) -> None:
    together(each.solid for each in whole.placed).write_step(DIST / "step" / f"{name}.step")


if __name__ == "__main__":
    try:
        main()
    except (OSError, RuntimeError, ValueError) as error:
        sys.exit(str(error))
