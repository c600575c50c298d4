"""Tables for the page on choosing the magnet: search, fields, readings and forces."""

from collections.abc import Iterable, Iterator
from typing import Final

from hardware.drawing.sheet import draw_part
from hardware.magnetics.design import PITCHES, SENSORS, Design
from hardware.magnetics.disc import HOLDS, Disc, push, push_of_army, snaps_from
from hardware.magnetics.found_file import BEFORE, CHOSEN, read
from hardware.magnetics.placements import SPREADS, unseen
from hardware.magnetics.search import LEAST_DRIFT, SOLD, Found, best

_GAPS: Final = (8.0, 8.5, 9.0, 9.5, 10.0, 10.5, 11.0)
_STRONG: Final = SENSORS[:2]
"""Sensors that are sensitive enough for the chosen magnet. With the third sensor, the deflection is
below `_LEAST`."""
_LEAST: Final = 80
"""Minimum deflection that calibration requires, in counts."""


def draw(page: str) -> str:
    """Return the page on choosing the magnet, with its tables regenerated."""
    tables = {
        "unseen": _unseen(),
        "forces": _forces(),
        "search": _search(),
        "readings": _readings(),
    }
    for name, rows in tables.items():
        page = draw_part(page, name, "\n".join(rows))
    return page


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    names = list(head)
    yield f"| {' | '.join(names)} |"
    yield f"|{'---|' * len(names)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _per_cent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _unseen() -> Iterator[str]:
    def row(what: str, design: Design, pitch: float | None) -> Iterator[str]:
        yield what
        for spread in SPREADS:
            yield _per_cent(unseen(design, spread, pitch))

    return _table(
        ("not seen, if hands spread by", *(f"{spread} mm" for spread in SPREADS)),
        (
            row("a piece that stands alone", CHOSEN, None),
            *(row(f"amid its army, squares of {each} mm", CHOSEN, each) for each in PITCHES[::-1]),
            row("before, alone", BEFORE, None),
        ),
    )


def _readings() -> Iterator[str]:
    def row(gap: float) -> Iterator[str]:
        field = CHOSEN.disc.on_axis(gap)
        bold = "**" if gap == CHOSEN.gap else ""
        yield f"{bold}{gap:g} mm{bold}"
        yield f"{bold}{field:.1f} mT{bold}"
        for sensor in _STRONG:
            counts = f"{field * sensor.counts:.0f}"
            if field > sensor.reaches:
                counts = "at its limit"
            elif field * sensor.counts < _LEAST:
                counts += ", too little"
            yield counts

    head = ("gap", "field", *(sensor.name for sensor in _STRONG))
    return _table(head, map(row, _GAPS))


def _forces() -> Iterator[str]:
    def row(what: str, *numbers: float) -> list[str]:
        return [what, *(f"{number:.1f} mN" for number in numbers)]

    discs = (CHOSEN.disc, BEFORE.disc)
    rows = [
        *(
            row(
                f"two pieces side by side, {apart} mm apart", *(push(each, apart) for each in discs)
            )
            for apart in (40, 35, 25)
        ),
        *(
            row(
                f"an army on its own piece in the corner, squares of {pitch} mm",
                *(push_of_army(each, pitch) for each in discs),
            )
            for pitch in PITCHES[::-1]
        ),
        row("friction of a piece of 6 g", HOLDS, HOLDS),
        [
            "opposite colours slide together from",
            *(f"{snaps_from(each):.0f} mm" for each in discs),
        ],
        ["pinch, EN 71-1 (limit 50)", *(f"{each.flux_index:.0f} kG²mm²" for each in discs)],
    ]
    return _table(("", *map(str, discs)), rows)


def _search() -> Iterator[str]:
    found = read()

    def row(disc: Disc) -> Iterator[str]:
        boards = [(one, missed) for one, missed in found if one.design.disc == disc]
        one = _best_of([one for one, _ in boards])
        missed = next(missed for board, missed in boards if board == one)
        bold = "**" if one.design == CHOSEN else ""
        yield f"{bold}{disc}{bold}"
        yield f"{one.design.gap:g}"
        yield f"{one.design.counts:.0f}"
        yield f"{100 * one.design.on:.0f}"
        yield f"{100 * missed[-1]:.1f}"
        yield f"{one.drift:.1f}"
        yield f"{one.army:.1f}"
        yield f"{disc.flux_index:.0f}"
        if one.pushes_too_hard:
            yield "pushes too hard"
        else:
            yield "" if one.drift >= LEAST_DRIFT else "no room for drift"

    head = (
        *("magnet", "gap, mm", "counts", "on at, %", "not seen, %", "room for drift"),
        *("army pushes with, mN", "pinch", ""),
    )
    return _table(head, (row(Disc(*each)) for each in SOLD))


def _best_of(boards: list[Found]) -> Found:
    if any(one.is_good for one in boards):
        return best(boards)
    return max(boards, key=lambda one: one.drift)
