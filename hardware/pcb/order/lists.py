"""The parts list and the placement file for an order, both as CSV tables, and their checks."""

import csv
import io
from collections.abc import Iterable, Iterator
from typing import Final

from hardware.pcb.board_file import ORIGIN
from hardware.pcb.design import Design, Part
from hardware.pcb.order.factories import Factory, middle

PLACEMENT_HEAD: Final = ("Designator", "Mid X", "Mid Y", "Layer", "Rotation")


def placed(design: Design) -> list[Part]:
    return [part for part in design.parts if part.kind.placed]


def parts_list(design: Design, factory: Factory) -> str:
    """Return the list of factory-placed parts, with one row per component type."""
    by_kind: dict[str, list[Part]] = {}
    for part in placed(design):
        by_kind.setdefault(part.kind.name, []).append(part)
    return _table(factory.head, (factory.row(factory, parts) for parts in by_kind.values()))


def placement(design: Design, factory: Factory) -> str:
    """Return the placement file. As in the Gerber files, x points to the right and y up. Angles are
    relative to the factory's library.

    Raise KeyError for a footprint without a rotation rule.
    """
    rows = []
    for part in placed(design):
        x, y = middle(part)
        angle = (part.turn + factory.rotations[part.kind.footprint].degrees) % 360
        place = f"{x + ORIGIN[0]:.3f}mm", f"{-y - ORIGIN[1]:.3f}mm"
        rows.append((part.name, *place, "Top", angle))
    return _table(PLACEMENT_HEAD, rows)


def faults(design: Design, factory: Factory, parts: str, places: str) -> Iterator[str]:
    """Yield a sentence for each error that would cause the factory to query the order or to leave
    out a part."""
    for part in placed(design):
        if not part.kind.manufacturer or not part.kind.number:
            yield f"{part.name} has no manufacturer's number."
        if part.kind.footprint not in factory.rotations:
            yield f"{part.name} has no rotation rule for {factory.title}."
    listed = [name for row in _rows(parts) for name in row["Designator"].split(",")]
    positioned = [row["Designator"] for row in _rows(places)]
    for name in sorted({*listed, *positioned}):
        if (listed.count(name), positioned.count(name)) != (1, 1):
            yield (
                f"{name} is {listed.count(name)} times in the parts list "
                f"and {positioned.count(name)} times in the placement."
            )
    for part in placed(design):
        if part.name not in {*listed, *positioned}:
            yield f"{part.name} is in neither list."


def _rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def _table(head: Iterable[object], rows: Iterable[Iterable[object]]) -> str:
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(head)
    table.writerows(rows)
    return text.getvalue()
