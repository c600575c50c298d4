"""Parts list and placement list for ordering and assembly, as CSV tables."""

import csv
import io
from collections.abc import Iterable

from hardware.pcb.board_file import ORIGIN
from hardware.pcb.design import Design, Part


def parts_list(design: Design) -> str:
    """Return the parts list of a board: quantity, description, number, soldering, names."""
    by_kind: dict[str, list[Part]] = {}
    for part in design.parts:
        if part.kind.pins:
            by_kind.setdefault(part.kind.name, []).append(part)
    rows = [
        (
            len(parts),
            parts[0].kind.order,
            parts[0].kind.maker,
            parts[0].kind.footprint,
            "hand" if parts[0].kind.by_hand else "machine",
            " ".join(part.name for part in parts),
        )
        for parts in by_kind.values()
    ]
    return _table(
        ("Quantity", "Comment", "Maker's number", "Footprint", "Soldered by", "Designator"), rows
    )


def placement(design: Design) -> str:
    """Return the placement of each part, in the axes of the gerbers: to the right and up."""
    rows = [
        (
            part.name,
            part.kind.order,
            part.kind.footprint,
            f"{part.at[0] + ORIGIN[0]:.3f}mm",
            f"{-part.at[1] - ORIGIN[1]:.3f}mm",
            part.turn,
            "Top",
        )
        for part in design.parts
        if part.kind.pins and not part.kind.by_hand
    ]
    return _table(
        ("Designator", "Comment", "Footprint", "Mid X", "Mid Y", "Rotation", "Layer"), rows
    )


def _table(head: Iterable[object], rows: Iterable[Iterable[object]]) -> str:
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(head)
    table.writerows(rows)
    return text.getvalue()
