"""Order page, with ordering instructions, points to check, and costs."""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from hardware.pcb.components import Component
from hardware.pcb.design import DATE, REVISION, Design
from hardware.pcb.order.factories import Factory
from hardware.pcb.order.lists import placed

COSTS: Final = {
    "tile": (
        "170 to 300 euros for five tiles, four of them populated: bare boards 30 to 60, "
        "setting up and placing 40 to 80, a hundred sensors 70 to 110, other parts 30 to 50"
    ),
    "controller": "40 to 75 euros for five controllers, two of them populated",
}
"""Estimates, excluding shipping and taxes, keyed by the first word of the board's name."""
_COSTS_DATE: Final = "November 2026"
_COUNTS: Final = {
    "tile": "4 with parts; a fifth is a spare",
    "controller": "1 with parts",
}
_MINIMUM: Final = "five boards, two of them with parts"
"""Minimum order at JLCPCB (public ordering instructions, read in November 2026)."""
_HEAD: Final = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<style>body {{ font: 16px/1.5 sans-serif; max-width: 52em; margin: 2em auto; padding: 0 1em }}
td, th {{ border: 1px solid #999; padding: 0.2em 0.6em; text-align: left; vertical-align: top }}
table {{ border-collapse: collapse }} img {{ width: 100% }}</style></head><body>
"""


def page(design: Design, factory: Factory) -> str:
    """Return the order page as HTML. It lists the other files in the order."""
    title = f"Order: {design.title}, revision {REVISION}, {DATE}"
    return "\n".join(
        [
            _HEAD.format(title=escape(title)),
            f"<h1>{escape(title)}</h1>",
            f"<p>For {escape(factory.title)}. Nobody has ordered this board yet.</p>",
            *_steps(design, factory),
            *_form(design),
            *_preview(design, factory),
            *_numbers(design, factory),
            *_by_hand(design),
            *_costs(design),
            "</body></html>\n",
        ]
    )


def _kind(design: Design) -> str:
    return design.name.partition("-")[0]


def _kinds(design: Design) -> list[Component]:
    return list({part.kind.name: part.kind for part in placed(design)}.values())


def _steps(design: Design, factory: Factory) -> Iterator[str]:
    name = design.name
    yield "<h2>What to click</h2><ol>"
    if factory.name == "jlc":
        yield "<li>On jlcpcb.com: <b>Order now</b>. Names on the site may differ a little.</li>"
    else:
        yield "<li>Open the factory's form for boards with assembly.</li>"
    yield f"<li>Upload <code>{name}-gerbers.zip</code>. The table below has the size.</li>"
    yield "<li>Fill in the form as in the table below. Leave everything else as it is.</li>"
    yield "<li>Choose <b>PCB assembly</b>, top side.</li>"
    yield (
        "<li>Where the form asks for edge rails, tooling holes or fiducials: <b>added by the "
        f"factory</b>. {_rails(design)} The rails are broken off after assembly.</li>"
    )
    yield "<li>Choose <b>confirm parts placement</b>, if it is offered: an engineer checks it.</li>"
    yield (
        f"<li>Upload <code>{name}-parts.csv</code> as the parts list (BOM) and "
        f"<code>{name}-placement.csv</code> as the placement (CPL, pick and place).</li>"
    )
    yield "<li>Compare every part that the site has found with the table of numbers below.</li>"
    yield "<li>Compare the preview with the picture below, part by part, before you pay.</li></ol>"


def _rails(design: Design) -> str:
    if _kind(design) == "controller":
        return "The USB-C socket protrudes at one edge; its edge must not get a rail."
    return "The sockets of a tile are 1.2 mm from its edges, nearer than placement machines allow."


def _form(design: Design) -> Iterator[str]:
    rows = {
        "size": " × ".join(f"{side:g}" for side in design.size) + " mm",
        "layers": "2",
        "quantity": f"{_COUNTS[_kind(design)]}. Most factories make at least {_MINIMUM}",
        "thickness": "1.6 mm: on tiles it is part of the gap to the magnets",
        "copper": "1 oz (35 µm)",
        "narrowest track, distance, drill": "0.25 mm, 0.2 mm, 0.3 mm",
        "colour, finish": "any; lead-free, if you solder lead-free",
        "order number on the board": "remove, or anywhere",
    }
    yield "<h2>The form</h2><table>"
    for name, value in rows.items():
        yield f"<tr><th>{name}</th><td>{value}</td></tr>"
    yield "</table>"


def _preview(design: Design, factory: Factory) -> Iterator[str]:
    yield "<h2>How the preview must look</h2><p>The red dots are at pin 1. "
    unsure = [part.name for part in placed(design) if not _known(part.kind, factory)]
    if unsure:
        yield (
            f"<b>Look at {', '.join(unsure)} first:</b> no public order states the factory's angle "
            "for these sockets. "
        )
    yield (
        "If a part is turned, turn it in the preview. If all parts of a kind are turned, please "
        f"report it, so that the table can be corrected.</p><img src='{design.name}-preview.svg' "
        "alt='The board with all its parts, seen from above'>"
    )


def _known(kind: Component, factory: Factory) -> bool:
    return factory.rotations[kind.footprint].known


def _numbers(design: Design, factory: Factory) -> Iterator[str]:
    yield (
        "<h2>Numbers</h2><p>The manufacturer's number decides. <b>Check each number before "
        "ordering:</b> the factory's own numbers were only looked up in published orders. If a "
        "part is out of stock, choose one with the same description and package.</p><table><tr>"
        "<th>designators</th><th>description</th><th>manufacturer</th><th>number</th>"
        f"<th>{escape(factory.title)}</th></tr>"
    )
    for kind in _kinds(design):
        names = ", ".join(part.name for part in placed(design) if part.kind == kind)
        own = factory.numbers.get(kind.number) or "search by the manufacturer’s number"
        cells = (names, kind.order, kind.manufacturer, kind.number, own)
        yield _row(cells)
    yield "</table>"


def _by_hand(design: Design) -> Iterator[str]:
    kinds = {part.kind.name: part.kind for part in design.parts if part.kind.by_hand}
    if not kinds:
        return
    yield "<h2>Not part of the order: solder these by hand</h2><table>"
    for kind in kinds.values():
        names = ", ".join(part.name for part in design.parts if part.kind == kind)
        yield _row((names, kind.order, f"{kind.manufacturer} {kind.number}".strip()))
    yield "</table>"


def _costs(design: Design) -> Iterator[str]:
    yield (
        f"<h2>Costs</h2><p>Estimate of {_COSTS_DATE}, without shipping, customs and taxes: "
        f"{COSTS[_kind(design)]}. The basket shows the price.</p>"
    )


def _row(cells: Sequence[str]) -> str:
    return "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"
