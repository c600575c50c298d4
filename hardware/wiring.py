"""Generate all files that depend on the wiring: ``make wiring``.

The wiring of a board wired by hand is in hardware/wiring.toml, that of tiles in
hardware/pcb/wiring.toml.
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
from hardware.wiring_chart import OUTPUT_PINS, SELECT_PINS, chart, label

ROOT: Final = Path(__file__).parents[1]
SOURCE: Final = ROOT / "hardware" / "wiring.toml"
TILES: Final = ROOT / "hardware" / "pcb" / "wiring.toml"
HEADER: Final = ROOT / "hardware" / "firmware" / "src" / "wiring.h"
TABLE: Final = ROOT / "firmware_bridge" / "wiring.py"
CHART: Final = ROOT / "docs" / "hardware" / "wiring.svg"
PAGE: Final = ROOT / "docs" / "hardware" / "wiring.md"

_UNUSED: Final = "-"
_GROUND: Final = "ground"
_SQUARES: Final = {name(square): square for square in SQUARES}
_MADE: Final = 'Made from hardware/wiring.toml by "make wiring"; change that file and not this one.'
_MADE_OF_BOTH: Final = (
    "Made from hardware/wiring.toml and hardware/pcb/wiring.toml by “make wiring”; change those."
)


@dataclass(frozen=True)
class Wiring:
    """Channel of each square, grounded inputs, and the reasons."""

    channels: tuple[int, ...]
    """For each square from a1 to k10, 16 * multiplexer + input."""
    grounds: tuple[int, ...]
    """Inputs of every multiplexer that are connected to ground: one, or more on a tile."""
    why: str

    @property
    def squares(self) -> list[int]:
        """For each channel of the maximum number of multiplexers, its square; 100 if unused."""
        at = {channel: square for square, channel in enumerate(self.channels)}
        return [at.get(n, len(SQUARES)) for n in range(MOST_MULTIPLEXERS * CHANNELS)]

    @property
    def ground(self) -> int:
        """The grounded input that the firmware selects."""
        return self.grounds[-1]


def parse(text: str, multiplexers: int = Geometry.BY_HAND) -> Wiring:
    """Read a wiring file; ValueError with all its faults, one sentence per line."""
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
            yield f"There is no multiplexer {key}; they are 0 to {multiplexers - 1}."
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
                yield f"No square is called {entry!r}, as {place} has it."
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
    """Return every file that is generated from both wirings, by path."""
    return {
        HEADER: _header(wiring, tiles),
        TABLE: _table(wiring, tiles),
        CHART: chart(wiring.channels, wiring.ground),
        PAGE: _page(wiring),
    }


def _header(by_hand: Wiring, tiles: Wiring) -> str:
    return f"""/* Connection of the sensors to the multiplexers, wired by hand and on tiles.
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
    return f"""/* Channel of each square, a1 to k1, then a2 to k2 and so on: 16 * multiplexer + input. */
#define {prefix}_CHANNELS \\
    {{ \\
{_columns(wiring.channels, WIDTH)}    }}

/* Square of each channel; {len(SQUARES)} if it has none. */
#define {prefix}_SQUARES \\
    {{ \\
{_columns(wiring.squares, CHANNELS)}    }}

/* Inputs with a square on any multiplexer, and for each input its index among them. */
#define {prefix}_INPUT_COUNT {len(used_inputs)}
#define {prefix}_INPUTS {{ {", ".join(map(str, used_inputs))} }}
#define {prefix}_PLACES {{ {", ".join(map(str, places))} }}

/* Input of every multiplexer that is connected to ground. */
#define {prefix}_GROUND {wiring.ground}
"""


def _columns(numbers: Sequence[int], width: int) -> str:
    rows = (numbers[first : first + width] for first in range(0, len(numbers), width))
    return "".join(f"        {', '.join(f'{n:3}' for n in row)}, \\\n" for row in rows)


def _table(by_hand: Wiring, tiles: Wiring) -> str:
    part = f'''# {_MADE_OF_BOTH}
CHANNEL_OF: Final[tuple[int, ...]] = (
{_rows(by_hand)})  # fmt: skip
"""For each square the channel that reads it, 16 * multiplexer + input."""
GROUND_INPUT: Final = {by_hand.ground}
"""An input of every multiplexer that is connected to ground."""
TILE_CHANNEL_OF: Final[tuple[int, ...]] = (
{_rows(tiles)})  # fmt: skip
TILE_GROUND_INPUT: Final = {tiles.ground}'''
    return draw_part(TABLE.read_text(encoding="utf-8"), "channels", part, IN_MODULE)


def _rows(wiring: Wiring) -> str:
    rows = (wiring.channels[first : first + WIDTH] for first in SQUARES[::WIDTH])
    return "".join(f"    {', '.join(f'{channel:3}' for channel in row)},\n" for row in rows)


def _page(wiring: Wiring) -> str:
    squares = {channel: name(square) for square, channel in enumerate(wiring.channels)}
    heads = "".join(f" C{n} |" for n in range(CHANNELS))
    rows = "\n".join(
        f"| **{multiplexer}** |"
        + "".join(
            f" {_GROUND if n in wiring.grounds else squares.get(CHANNELS * multiplexer + n, '')} |"
            for n in range(CHANNELS)
        )
        for multiplexer in range(Geometry.BY_HAND)
    )
    selects = "\n".join(
        f"| {pin} | {line} of every multiplexer |" for pin, line in SELECT_PINS.items()
    )
    outputs = "\n".join(f"| {pin} | SIG of multiplexer {n} |" for pin, n in OUTPUT_PINS.items())
    return f"""<!-- {_MADE} -->

# The wiring

Of a board wired by hand. On [tiles](tiles.md) it is in the copper.

Every square has a sensor, and every sensor goes to one input of one of seven multiplexers:
`{label(55)}` on the chart is input C7 of multiplexer 3. Multiplexers count from 0, and so do inputs, as
the modules have them in print and `boomboard doctor` on the screen.

![The wiring of the board, seen from below and from above](wiring.svg)

{wiring.why}

For another wiring change `hardware/wiring.toml` and run `make wiring`, which generates this page, the
chart and the tables of firmware and companion. Then build, flash and calibrate again: `make firmware`, `boomboard flash hardware/firmware/build/boomboard.hex`,
`boomboard calibrate`. [calibration.md](calibration.md) explains these commands.

## Inputs and squares

| |{heads}
|---|{"---|" * CHANNELS}
{rows}

**C{wiring.ground} of every multiplexer goes to ground**, by a wire of two centimetres to the module’s own GND pin:
seven short wires. With them an open sensor wire is reported; without them it shows what the
input before it shows. The other inputs without a square stay open. A board with switches
([presence-only.md](presence-only.md)) does not need these wires.

## The Nano's pins

| pin | goes to |
|---|---|
{selects}
{outputs}
| 5V | the 5 V rail |
| GND | ground |

There are two pins GND and two RST; either will do. EN of every multiplexer goes to ground.

## Checking a connection

**Without power**, after each cable, with a meter that beeps: it must beep between the sensor's
output and its input on the multiplexer, and must not between that output and the inputs beside it.
Then, once for each multiplexer: S0 to S3 and SIG to the Nano's pins, EN and C{wiring.ground} to ground. At the
end, no beep between 5 V and ground.

**With power**, when the firmware is flashed ([calibration.md](calibration.md)), start `boomboard
doctor` and set a piece on one square after another. An empty square reads about 500 of 1023. A red
piece, its magnet's north pole up, takes it towards 800; a blue one towards 200. These figures are
calculated and have not been measured on a physical board yet.

| what you see | where to look |
|---|---|
| the square stays as it was, wanders, or weakly follows others | its sensor lacks 5 V or ground |
| it stays at 0, magnet or not | `doctor` says which: its cable is open, or touches ground |
| it stays at 1023, magnet or not | its cable touches 5 V |
| `doctor` says that C{wiring.ground} is not at ground | the short wire of that multiplexer |
| another square answers | their two cables are crossed; the chart says where each goes |
| red goes down and blue goes up | the sensor lies on its face |
| no square of one multiplexer answers | its SIG, its EN, its 5 V and ground |
| two squares of one multiplexer answer together, others never | its select lines: two inputs 1 apart S0, 2 apart S1, 4 apart S2, 8 apart S3 |
| the same on every multiplexer | that select line at the Nano |
| the squares of one multiplexer answer for those of another | their SIG cables are crossed |
"""  # noqa: E501 - rows of a table cannot be broken


def _read(path: Path, geometry: Geometry) -> Wiring:
    try:
        return parse(path.read_text(encoding="utf-8"), geometry)
    except ValueError as error:
        sys.exit(f"{path.relative_to(ROOT)}:\n{error}")


def main() -> None:
    """Write the files, or report the faults of the wiring."""
    wiring, tiles = _read(SOURCE, Geometry.BY_HAND), _read(TILES, Geometry.TILES)
    for path, text in files(wiring, tiles).items():
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()
