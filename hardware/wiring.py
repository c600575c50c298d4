"""Generates all files that depend on the wiring: ``make wiring``.

hardware/wiring.toml defines the wiring of a hand-wired board; hardware/pcb/wiring.toml defines that
of the tiles.
"""

import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from engine.board.geometry import SQUARES, WIDTH, name
from firmware_bridge.wire import CHANNELS, MOST_MULTIPLEXERS, Geometry
from hardware.drawing.sheet import IN_MODULE, draw_part
from hardware.wiring_chart import chart, label

ROOT: Final = Path(__file__).parents[1]
SOURCE: Final = ROOT / "hardware" / "wiring.toml"
TILES: Final = ROOT / "hardware" / "pcb" / "wiring.toml"
HEADER: Final = ROOT / "hardware" / "firmware" / "src" / "wiring.h"
TABLE: Final = ROOT / "firmware_bridge" / "board_hardware.py"
CHART: Final = ROOT / "docs" / "hardware" / "wiring.svg"
PAGE: Final = ROOT / "docs" / "hardware" / "wiring.md"

_UNUSED: Final = "-"
_GROUND: Final = "ground"
_SQUARES: Final = {name(square): square for square in SQUARES}
_MADE: Final = 'Generated from hardware/wiring.toml by "make wiring". Do not edit.'
_MADE_OF_BOTH: Final = (
    "Generated from hardware/wiring.toml and hardware/pcb/wiring.toml by “make wiring”. "
    "Do not edit."
)


@dataclass(frozen=True)
class Wiring:
    """Assignment of squares to channels, the reason for it, and the grounded inputs."""

    channels: tuple[int, ...]
    """Channel (16 * multiplexer + input) of each square from a1 to k10."""
    grounds: tuple[int, ...]
    """Inputs that are grounded on every multiplexer: one on a hand-wired board, more on tiles."""
    why: str

    @property
    def squares(self) -> list[int]:
        """The square that is read on each channel, for as many multiplexers as a board can have.
        Unused channels have the value 100."""
        at = {channel: square for square, channel in enumerate(self.channels)}
        return [at.get(n, len(SQUARES)) for n in range(MOST_MULTIPLEXERS * CHANNELS)]

    @property
    def ground(self) -> int:
        """The grounded input that the firmware selects."""
        return self.grounds[-1]


def parse(text: str, multiplexers: int = Geometry.BY_HAND) -> Wiring:
    """Parse the text of a wiring file. Raise ValueError with all its faults, one per line."""
    document = tomllib.loads(text)
    lists = document.get("multiplexers")
    if not isinstance(lists, dict):
        raise ValueError("The section [multiplexers] is missing.")
    if faults := list(_faults(lists, multiplexers)):
        raise ValueError("\n".join(faults))
    channels = {
        _SQUARES[entry]: CHANNELS * multiplexer + place
        for multiplexer in range(multiplexers)
        for place, entry in enumerate(lists[str(multiplexer)])
        if entry in _SQUARES
    }
    return Wiring(
        tuple(channels[square] for square in SQUARES),
        _grounds(lists["0"]),
        str(document.get("why", "")).strip(),
    )


def _faults(lists: dict[str, Any], multiplexers: int) -> Iterator[str]:
    numbers = [str(multiplexer) for multiplexer in range(multiplexers)]
    for key in lists:
        if key not in numbers:
            yield f"There is no multiplexer {key}; the numbers are 0 to {multiplexers - 1}."
    places: dict[str, str] = {}
    grounds: set[tuple[int, ...]] = set()
    for number in numbers:
        inputs = lists.get(number)
        if not isinstance(inputs, list):
            yield f"Multiplexer {number} has no list of {CHANNELS} squares."
            continue
        if len(inputs) != CHANNELS:
            yield f"Multiplexer {number} has {CHANNELS} inputs, but {len(inputs)} are listed."
        for n, entry in enumerate(map(str, inputs)):
            place = f"input C{n} of multiplexer {number}"
            if entry in (_UNUSED, _GROUND):
                continue
            if entry not in _SQUARES:
                yield f"{entry!r}, given for {place}, is not a square."
            elif entry in places:
                yield f"Square {entry} is on {places[entry]} and again on {place}."
            else:
                places[entry] = place
        grounds.add(_grounds(inputs))
    if len(grounds) > 1 or () in grounds:
        yield f"Every multiplexer needs an input called {_GROUND!r}, the same on all of them."
    for square in _SQUARES:
        if square not in places:
            yield f"Square {square} is on no multiplexer."


def _grounds(inputs: list[Any]) -> tuple[int, ...]:
    return tuple(n for n, entry in enumerate(inputs) if entry == _GROUND)


def files(wiring: Wiring, tiles: Wiring) -> dict[Path, str]:
    """Return the contents of all files generated from both wirings, keyed by path."""
    return {
        HEADER: _header(wiring, tiles),
        TABLE: _table(wiring, tiles),
        CHART: chart(wiring.channels, wiring.ground),
        PAGE: _page(wiring),
    }


def _header(by_hand: Wiring, tiles: Wiring) -> str:
    return f"""/* Connections between sensors and multiplexers, when wired by hand and on tiles.
 * {_MADE_OF_BOTH}
 */
#ifndef WIRING_H
#define WIRING_H

{_defines("HAND", by_hand)}
{_defines("TILE", tiles)}
#endif
"""


def _defines(prefix: str, wiring: Wiring) -> str:
    used_inputs = sorted({channel % CHANNELS for channel in wiring.channels})
    places = [used_inputs.index(n) if n in used_inputs else 0 for n in range(CHANNELS)]
    return f"""/* Channel of each square, row by row from a1: 16 * multiplexer + input. */
#define {prefix}_CHANNELS \\
    {{ \\
{_columns(wiring.channels, WIDTH)}    }}

/* Square on each channel, or {len(SQUARES)} if there is none. */
#define {prefix}_SQUARES \\
    {{ \\
{_columns(wiring.squares, CHANNELS)}    }}

/* Inputs that have a square on any multiplexer, and the index of each input among them. */
#define {prefix}_INPUT_COUNT {len(used_inputs)}
#define {prefix}_INPUTS {{ {", ".join(map(str, used_inputs))} }}
#define {prefix}_PLACES {{ {", ".join(map(str, places))} }}

/* Input that is grounded on every multiplexer. */
#define {prefix}_GROUND {wiring.ground}
"""


def _columns(numbers: Sequence[int], width: int) -> str:
    rows = (numbers[first : first + width] for first in range(0, len(numbers), width))
    return "".join(f"        {', '.join(f'{n:3}' for n in row)}, \\\n" for row in rows)


def _table(by_hand: Wiring, tiles: Wiring) -> str:
    part = f'''# {_MADE_OF_BOTH}
CHANNEL_OF: Final[tuple[int, ...]] = (
{_rows(by_hand)})  # fmt: skip
"""Channel that reads each square: 16 * multiplexer + input."""
GROUND_INPUT: Final = {by_hand.ground}
"""Input that is grounded on every multiplexer."""
TILE_CHANNEL_OF: Final[tuple[int, ...]] = (
{_rows(tiles)})  # fmt: skip
TILE_GROUND_INPUT: Final = {tiles.ground}'''
    return draw_part(TABLE.read_text(encoding="utf-8"), "channels", part, IN_MODULE)


def _rows(wiring: Wiring) -> str:
    rows = (wiring.channels[first : first + WIDTH] for first in SQUARES[::WIDTH])
    return "".join(f"    {', '.join(f'{channel:3}' for channel in row)},\n" for row in rows)


def _page(wiring: Wiring) -> str:
    return f"""<!-- {_MADE} -->

# The wiring

On the chart of a board wired by hand, `{label(55)}` is input C7 of multiplexer 3, counted from 0 as
printed on the modules and in `boomboard doctor`.

![The wiring of the board, seen from below and from above](wiring.svg)

{wiring.why}

**C{wiring.ground} of every multiplexer goes to ground** ([why](circuit.md#multiplexers)), by 2 cm
of wire to the module’s own GND. Other inputs without a square stay unconnected.

To change the wiring, edit `hardware/wiring.toml`, run `make wiring`, then build, flash and
calibrate: [calibration.md](calibration.md).
"""


def _read(path: Path, geometry: Geometry) -> Wiring:
    try:
        return parse(path.read_text(encoding="utf-8"), geometry)
    except ValueError as error:
        sys.exit(f"{path.relative_to(ROOT)}:\n{error}")


def main() -> None:
    """Write the generated files, or report faults in the wiring."""
    wiring, tiles = _read(SOURCE, Geometry.BY_HAND), _read(TILES, Geometry.TILES)
    for path, text in files(wiring, tiles).items():
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()
