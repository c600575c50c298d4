"""Reads and writes the file of search results. It has one line for each combination of magnet and
gap with which enough pieces are detected."""

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from hardware.magnetics.design import OFF_OF_ON, SENSORS, Design
from hardware.magnetics.disc import Disc
from hardware.magnetics.placements import SPREADS, unseen
from hardware.magnetics.search import Found

FILE: Final = Path(__file__).with_name("found.csv")
_WHAT: Final = ("width_mm", "height_mm", "gap_mm", "sensor", "on_per_cent", "drift", "army_mn")
_UNSEEN: Final = tuple(f"unseen_{spread}_mm" for spread in SPREADS)


def row(found: Found) -> dict[str, str]:
    """Return one line of the file. The drift (in counts) and the force of an army's magnets apply
    to 35 mm squares."""
    design = found.design
    return {
        "width_mm": f"{design.disc.width:g}",
        "height_mm": f"{design.disc.height:g}",
        "gap_mm": f"{design.gap:g}",
        "sensor": design.sensor.name,
        "on_per_cent": f"{100 * design.on:.0f}",
        "drift": f"{found.drift:.2f}",
        "army_mn": f"{found.army:.2f}",
    } | {name: f"{unseen(design, n):.4f}" for name, n in zip(_UNSEEN, SPREADS, strict=True)}


def write(found: Iterable[Found], path: Path = FILE) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, (*_WHAT, *_UNSEEN), lineterminator="\n")
        writer.writeheader()
        writer.writerows(map(row, found))


def read(path: Path = FILE) -> list[tuple[Found, tuple[float, ...]]]:
    """Return the results, each with its fractions of undetected pieces. The fractions are in the
    order of `SPREADS`."""
    with path.open(newline="", encoding="utf-8") as file:
        return [
            (_found(line), tuple(float(line[n]) for n in _UNSEEN)) for line in csv.DictReader(file)
        ]


def _found(line: Mapping[str, str]) -> Found:
    sensor = next(each for each in SENSORS if each.name == line["sensor"])
    on = int(line["on_per_cent"]) / 100
    disc = Disc(float(line["width_mm"]), float(line["height_mm"]))
    design = Design(disc, float(line["gap_mm"]), sensor, on, on * OFF_OF_ON)
    return Found(design, float(line["drift"]), float(line["army_mn"]))


# `CHOSEN` is the design that the maker's book describes. A test confirms that it is the result of
# `make magnetics`.

CHOSEN: Final = Design(Disc(8, 2), gap=9.5, sensor=SENSORS[0], on=0.17, off=0.17 * OFF_OF_ON)
"""Magnet 8 × 2 mm, gap 9.5 mm, DRV5055A1, switch-on threshold 17 %."""
BEFORE: Final = Design(Disc(8, 4), gap=6.0, sensor=SENSORS[2], on=0.4, off=0.2)
"""The first design in the maker's book, kept for comparison: magnet 8 × 4 mm, gap 6 mm, DRV5055A3,
switch-on threshold 40 %, switch-off threshold 20 %."""
