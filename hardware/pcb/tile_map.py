"""Mapping of a tile's sensors to multiplexer inputs, read from wiring.toml in this folder.

Directions are as seen from below, on the component side, with Red's side nearest the viewer and
column a on the right. The coordinates of a tile's 25 sensor positions are measured from its centre,
(0, 0), to the right and towards Red.

A clockwise quarter turn moves position (x, y) to (-y, x), and so permutes all positions except the
centre in six cycles of four. In each cycle, multiplexer A reads the first and third positions, and
B the second and fourth, on inputs whose numbers differ only in the highest select line. After a
quarter turn, therefore, B replaces A unchanged, and A replaces B with that line inverted. To
compensate for the rotation, the sockets on the four edges connect the wires of the ribbon cable
differently. The controller is connected to the socket on Red's edge, so it reads a tile identically
in any rotation.

Wires H1 and H2 carry the highest select line for the first and second multiplexers that the
controller reads; N1 and N2 carry the inverted signals.
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
"""Amount that the highest select line, S3, adds to the number of the selected input."""
GROUNDED: Final = (7, 15)
"""Inputs that are grounded to detect open wires. Rotating a tile by a quarter turn swaps them."""
REPEATED: Final = (6, 14)
"""Inputs that are connected to the centre sensor, on both multiplexers."""
CORNERS: Final = ((0, 0), (SIDE, 0), (0, SIDE), (SIDE, SIDE))
"""For each controller plug, the first column and the first row of its tile, counted from 0."""

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
"""For each of the four sockets, the tile nets that it connects to the wires of the cable. The first
socket is on Red's edge if the tile is not rotated. After one, two or three clockwise quarter turns,
the second, third or fourth socket is on Red's edge."""


def turn(place: Place, quarters: int = 1) -> Place:
    x, y = place
    for _ in range(quarters % 4):
        x, y = -y, x
    return x, y


def square_at(plug: int, place: Place) -> Square:
    """Return the square above a position on the tile that is connected to the given plug of the
    controller. Plugs are numbered from 0 to 3."""
    column, row = CORNERS[plug]
    return SQUARES[10 * (row + MIDDLE - place[1]) + column + MIDDLE - place[0]]


@dataclass(frozen=True)
class TileMap:
    """Mapping of a tile's sensor positions to multiplexer inputs."""

    places: Mapping[tuple[int, int], Place]
    """Position of the sensor connected to each input, keyed by multiplexer (0 for A, 1 for B) and
    input."""

    def inputs(self, place: Place) -> list[tuple[int, int]]:
        """Return all multiplexer inputs to which the sensor at a position is connected: four for
        the centre, one for any other position."""
        return [at for at, read in self.places.items() if read == place]


def read() -> tuple[TileMap, tuple[int, ...]]:
    """Read the wiring. Return the map, which applies to every tile, and the channel of each square.

    Raise ValueError with one sentence for each fault, including those that affect only a rotated
    tile.
    """
    try:
        return parse_map(SOURCE.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{SOURCE.parent.name}/{SOURCE.name}:\n{error}") from error


def parse_map(text: str) -> tuple[TileMap, tuple[int, ...]]:
    wiring = parse(text, MULTIPLEXERS)
    if wiring.grounds != GROUNDED:
        raise ValueError("Expected a tile to ground C7 and C15, because rotating it swaps them.")
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
                yield (
                    f"Square {name(square)} is on multiplexer {multiplexer}, which belongs to a "
                    "different tile."
                )


def _differences(maps: Sequence[Mapping[tuple[int, int], Place]]) -> Iterator[str]:
    for plug, other in enumerate(maps[1:], 1):
        for (multiplexer, entry), place in other.items():
            if maps[0].get((multiplexer, entry)) != place:
                yield (
                    f"Input C{entry} of multiplexer {2 * plug + multiplexer} reads a different "
                    f"position of its tile than input C{entry} of multiplexer {multiplexer}."
                )


def _stiff(first: Mapping[tuple[int, int], Place]) -> Iterator[str]:
    """Yield a fault for each square whose input would be wrong after a quarter turn."""
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
