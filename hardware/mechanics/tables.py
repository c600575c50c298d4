"""Generates the lists of printed and flat parts in docs/hardware/mechanics.md."""

from collections.abc import Iterable, Iterator, Sequence

from hardware.drawing.sheet import draw_part
from hardware.magnetics.design import PITCHES
from hardware.mechanics import console, foot_cap, frame, jig, plates
from hardware.mechanics import hardware as fittings
from hardware.mechanics.flat import Part
from hardware.mechanics.foot_cap import FEET, SHOWN, Foot


def draw(page: str, parts: Sequence[Part]) -> str:
    """Return the page with its generated sections updated."""
    page = draw_part(page, "printed", "\n".join(_printed(_of_one_board(parts))))
    return draw_part(page, "flat", "\n".join(_flat(parts)))


def _of_one_board(parts: Iterable[Part]) -> list[Part]:
    """Return the printed parts for one board with 40 mm squares and the foot `SHOWN`."""
    return [
        part
        for part in parts
        if not part.flat
        and not part.name.endswith("-35")
        and (
            ("round" not in part.name and "square" not in part.name)
            or part.name.endswith(f"-{SHOWN.name}")
        )
    ]


def _printed(parts: Sequence[Part]) -> Iterator[str]:
    for part in parts:
        yield f"- **{part.count}×** `{part.name}`, {part.grams:.3g} g"
    grams = sum(part.count * part.grams for part in parts)
    yield f"- all {sum(part.count for part in parts)}: {round(grams, -1):.0f} g"


def _flat(parts: Sequence[Part]) -> Iterator[str]:
    for part in parts:
        if part.flat:
            sheet = part.flat
            yield (
                f"- `{part.name}`: {sheet.side:g} × {sheet.side:g} × {sheet.thickness:g} mm, "
                f"{len(sheet.holes)} holes"
            )


# All parts.


def parts(feet: Iterable[Foot] = FEET) -> list[Part]:
    """Return all parts for both pitches and for the given feet."""
    found: list[Part] = []
    each_once = dict.fromkeys(feet)
    for foot in each_once:
        found += foot_cap.parts(foot)
    found += jig.parts(SHOWN)
    found += [jig.parts(foot)[0] for foot in each_once if foot != SHOWN]
    for pitch in PITCHES:
        found += [plates.lid(pitch), plates.bottom(pitch), *frame.parts(pitch)]
    return [*found, *fittings.parts(), *console.parts(), *console.button_box_parts()]
