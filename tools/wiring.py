"""Write everything that depends on the wiring anew from hardware/wiring.toml: ``make wiring``."""

import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

from engine.squares import SQUARES, WIDTH, Square, name
from firmware_bridge.wire import CHANNELS, MULTIPLEXERS

ROOT: Final = Path(__file__).parents[1]
SOURCE: Final = ROOT / "hardware" / "wiring.toml"
HEADER: Final = ROOT / "hardware" / "firmware" / "src" / "wiring.h"

Wiring: TypeAlias = tuple[int, ...]
"""For each square the channel that reads it, 16 * multiplexer + input."""

_UNUSED: Final = "-"
_SQUARES: Final = {name(square): square for square in SQUARES}
_GENERATED: Final = (
    'Made from hardware/wiring.toml by "make wiring"; change that file and not this one.'
)


def parse(text: str) -> Wiring:
    """Read a wiring file; ValueError with a sentence for each fault, a line each."""
    tables = tomllib.loads(text).get("multiplexers", {})
    if faults := list(_faults(tables)):
        raise ValueError("\n".join(faults))
    channels = {
        _SQUARES[entry]: CHANNELS * multiplexer + place
        for multiplexer in range(MULTIPLEXERS)
        for place, entry in enumerate(tables[str(multiplexer)])
        if entry != _UNUSED
    }
    return tuple(channels[square] for square in SQUARES)


def _faults(tables: dict[str, Any]) -> Iterator[str]:
    numbers = [str(number) for number in range(MULTIPLEXERS)]
    for key in tables:
        if key not in numbers:
            yield f"Multiplexer {key}: there is none, they are 0 to {MULTIPLEXERS - 1}."
    seen: dict[str, str] = {}
    for number in numbers:
        entries = tables.get(number)
        if not isinstance(entries, list):
            yield f"Multiplexer {number}: its list of {CHANNELS} squares is missing."
            continue
        if len(entries) != CHANNELS:
            yield f"Multiplexer {number}: {CHANNELS} inputs are wanted, {len(entries)} are listed."
        for place, entry in enumerate(map(str, entries)):
            where = f"Multiplexer {number}, input {place}"
            if entry == _UNUSED:
                continue
            if entry not in _SQUARES:
                yield f"{where}: no square is called {entry!r}."
            elif entry in seen:
                yield f"{where}: {entry} is already read by {seen[entry]}."
            else:
                seen[entry] = f"multiplexer {number}, input {place}"
    for square in _SQUARES:
        if square not in seen:
            yield f"No multiplexer reads {square}."


def header(wiring: Wiring) -> str:
    """Write the firmware's header."""
    rows = "".join(f"        {', '.join(f'{n:3}' for n in row)}, \\\n" for row in _rows(wiring))
    return f"""/* Which channel reads which square.
 * {_GENERATED}
 */
#ifndef WIRING_H
#define WIRING_H

/* For each square, a1 to k1, then a2 to k2 and so on, the channel 16 * multiplexer + input. */
#define WIRING_CHANNELS \\
    {{ \\
{rows}    }}

#endif
"""


def _rows(wiring: Wiring) -> list[Sequence[int]]:
    return [wiring[first : first + WIDTH] for first in SQUARES[::WIDTH]]


def files(wiring: Wiring) -> dict[Path, str]:
    """Write every file that is made from the wiring, by its path."""
    return {HEADER: header(wiring)}


def main() -> None:
    """Write the files, or say what is wrong with the wiring."""
    try:
        wiring = parse(SOURCE.read_text(encoding="utf-8"))
    except ValueError as error:
        sys.exit(f"{SOURCE.name}:\n{error}")
    for path, text in files(wiring).items():
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()
