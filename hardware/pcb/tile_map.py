"""Map from the sensors of a tile to the multiplexer inputs, read from wiring.toml in this folder.

Directions are as seen from below, on the component side, with Red's side nearest to the viewer and
column a on the right. The 25 places of a tile are counted from the middle, (0, 0), to the right and
towards Red.

A clockwise quarter turn moves the place (x, y) to (-y, x). It moves 24 of the places in six cycles
of four. In each cycle, multiplexer A reads the first and the third place, and B reads the second
and the fourth, on inputs that differ only in the highest select line. So after a quarter turn B
replaces A unchanged, and A replaces B with that line inverted. The sockets at the four edges
connect the wires of the ribbon cable differently to compensate for this. The controller uses the
socket at Red's edge, so it reads a tile in the same way in any rotation.

The wires H1 and H2 carry the highest select line for the multiplexer that the controller reads as
the first or the second; N1 and N2 carry the inverted signals.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.board.geometry import SQUARES, Square, name
from firmware_bridge.wire import CHANNELS
from hardware.wiring import parse

SOURCE: Final = Path(__file__).parent / "wiring.toml"
MULTIPLEXERS: Final = 8
TURNS: Final = range(4)
SIDE: Final = 5
MIDDLE: Final = SIDE // 2
UPPERMOST: Final = CHANNELS // 2
"""Value of the highest select line in the number of an input."""
GROUNDED: Final = (7, 15)
"""Inputs that are grounded to detect open wires. Turning a tile exchanges them."""
REPEATED: Final = (6, 14)
"""Inputs of both multiplexers that read the square in the middle."""
CORNERS: Final = ((0, 0), (SIDE, 0), (0, SIDE), (SIDE, SIDE))
"""First column and first row, both from 0, of the tile on each plug of the controller."""

Place = tuple[int, int]
PLACES: Final = tuple(
    (x, y) for y in range(-MIDDLE, MIDDLE + 1) for x in range(-MIDDLE, MIDDLE + 1)
)

SOCKET_WIRES: Final[Sequence[Mapping[str, str]]] = (
    {"SIG1": "SIG_A", "SIG2": "SIG_B", "H1": "S3_A", "H2": "S3_B"},
    {"SIG1": "SIG_B", "SIG2": "SIG_A", "H1": "S3_A", "N2": "S3_B"},
    {"SIG1": "SIG_A", "SIG2": "SIG_B", "N1": "S3_A", "N2": "S3_B"},
    {"SIG1": "SIG_B", "SIG2": "SIG_A", "N1": "S3_A", "H2": "S3_B"},
)
"""Nets of a tile that its four sockets connect to the wires of the cable: first the socket at Red's
edge of a tile that is not turned, then the socket at Red's edge of a tile turned clockwise by one,
two and three quarters."""


def turn(place: Place, quarters: int = 1) -> Place:
    """Return a place after `quarters` clockwise quarter turns."""
    x, y = place
    for _ in range(quarters % 4):
        x, y = -y, x
    return x, y


def square_at(plug: int, place: Place) -> Square:
    """Return the square over a place of the tile on a plug, 0 to 3, of the controller."""
    column, row = CORNERS[plug]
    return SQUARES[10 * (row + MIDDLE - place[1]) + column + MIDDLE - place[0]]


@dataclass(frozen=True)
class TileMap:
    """Assignment of a tile's places to the inputs of the multiplexers."""

    places: Mapping[tuple[int, int], Place]
    """The place that each input of each multiplexer, 0 for A and 1 for B, reads."""

    def inputs(self, place: Place) -> list[tuple[int, int]]:
        """Return all inputs that read a place: four for the place in the middle, one for all
        others."""
        return [at for at, read in self.places.items() if read == place]


def read() -> tuple[TileMap, tuple[int, ...]]:
    """Read the wiring: the map of every tile, and the channel of each square.

    ValueError with one sentence per fault, including faults that only a turned tile would have.
    """
    try:
        return parse_map(SOURCE.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{SOURCE.parent.name}/{SOURCE.name}:\n{error}") from error


def parse_map(text: str) -> tuple[TileMap, tuple[int, ...]]:
    """Parse the text of a wiring file; see `read`."""
    wiring = parse(text, MULTIPLEXERS)
    if wiring.grounds != GROUNDED:
        raise ValueError("A tile grounds the inputs C7 and C15, because a rotation exchanges them.")
    channels = wiring.channels
    maps = [dict(_inputs(channels, plug)) for plug in range(len(CORNERS))]
    if faults := [*_strangers(channels), *_differences(maps), *_stiff(maps[0])]:
        raise ValueError("\n".join(faults))
    every = maps[0] | {(side, place): (0, 0) for side in (0, 1) for place in REPEATED}
    return TileMap(every), channels


def _inputs(channels: Sequence[int], plug: int) -> Iterator[tuple[tuple[int, int], Place]]:
    for place in PLACES:
        multiplexer, entry = divmod(channels[square_at(plug, place)], CHANNELS)
        yield (multiplexer - 2 * plug, entry), place


def _strangers(channels: Sequence[int]) -> Iterator[str]:
    for plug in range(len(CORNERS)):
        for place in PLACES:
            square = square_at(plug, place)
            multiplexer = channels[square] // CHANNELS
            if multiplexer // 2 != plug:
                yield f"Square {name(square)} is on multiplexer {multiplexer}, of another tile."


def _differences(maps: Sequence[Mapping[tuple[int, int], Place]]) -> Iterator[str]:
    for plug, other in enumerate(maps[1:], 1):
        for (multiplexer, entry), place in other.items():
            if maps[0].get((multiplexer, entry)) != place:
                yield (
                    f"Input C{entry} of multiplexer {2 * plug + multiplexer} reads another place "
                    f"of its tile than input C{entry} of multiplexer {multiplexer}."
                )


def _stiff(first: Mapping[tuple[int, int], Place]) -> Iterator[str]:
    """Yield a fault for each square whose input does not match after a quarter turn."""
    inputs = {place: at for at, place in first.items()}
    for place, (multiplexer, entry) in inputs.items():
        if place == (0, 0):
            expected = (multiplexer, REPEATED[0])
        else:
            expected = (1, entry) if multiplexer == 0 else (0, entry ^ UPPERMOST)
        if inputs.get(turn(place)) != expected:
            yield (
                f"Square {name(square_at(0, turn(place)))} is not on input C{expected[1]} of "
                f"multiplexer {expected[0]}, so a turned tile would not work."
            )
