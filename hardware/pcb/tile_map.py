"""Which sensor of a tile hangs on which input, read from wiring.toml beside this.

A tile is seen from below, as it is wired: its parts towards you, Red's side near you, a on the
right. Its 25 places are counted from the middle, (0, 0), to the right and towards Red.

A quarter turn with the clock takes the place (x, y) to (-y, x). It takes 24 of the places round
in six rings of four. Of such a ring the multiplexer A reads the first and the third place, B the
second and the fourth, on inputs that differ in the uppermost select line alone. So after a
quarter turn B stands for A as it is, and A for B with that line turned round. A tile has a socket
at each edge, and each joins the ribbon cable's wires so that this comes out right: what is
plugged into the socket at Red's edge sees the same tile, however it lies.

The wires H1 and H2 carry the uppermost select line for what the controller takes for the first
and the second multiplexer; N1 and N2 carry it turned round.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.squares import SQUARES, Square, name
from firmware_bridge.wire import CHANNELS
from tools.wiring import parse

SOURCE: Final = Path(__file__).parent / "wiring.toml"
MULTIPLEXERS: Final = 8
TURNS: Final = range(4)
SIDE: Final = 5
MIDDLE: Final = SIDE // 2
UPPERMOST: Final = CHANNELS // 2
"""What the uppermost select line adds to the number of an input."""
GROUNDED: Final = (7, 15)
"""Inputs that are grounded, so that an open wire shows; a turned tile exchanges them."""
REPEATED: Final = (6, 14)
"""Inputs of both multiplexers that read the square in the middle."""
CORNERS: Final = ((0, 0), (SIDE, 0), (0, SIDE), (SIDE, SIDE))
"""For each plug of the controller the first column and the first row of its tile, both from 0."""

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
"""What the four sockets of a tile join the wires of the cable to: the one at Red's edge of a tile
that is not turned, then with it turned by one, two and three quarters with the clock."""


def turn(place: Place, quarters: int = 1) -> Place:
    """Where a place comes by so many quarter turns with the clock."""
    x, y = place
    for _ in range(quarters % 4):
        x, y = -y, x
    return x, y


def square_at(plug: int, place: Place) -> Square:
    """The square that lies over a place of the tile on a plug, 0 to 3, of the controller."""
    column, row = CORNERS[plug]
    return SQUARES[10 * (row + MIDDLE - place[1]) + column + MIDDLE - place[0]]


@dataclass(frozen=True)
class TileMap:
    """What is on the inputs of a tile."""

    places: Mapping[tuple[int, int], Place]
    """For each input of each multiplexer, 0 for A and 1 for B, the place it reads."""

    def inputs(self, place: Place) -> list[tuple[int, int]]:
        """All inputs that read a place: one, or in the middle four."""
        return [at for at, read in self.places.items() if read == place]


def read() -> tuple[TileMap, tuple[int, ...]]:
    """Read the wiring: the map of every tile, and for each square its channel.

    ValueError with a sentence for each fault, also where a turned tile would not work.
    """
    try:
        return parse_map(SOURCE.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{SOURCE.parent.name}/{SOURCE.name}:\n{error}") from error


def parse_map(text: str) -> tuple[TileMap, tuple[int, ...]]:
    """Read the text of a wiring file; see `read`."""
    wiring = parse(text, MULTIPLEXERS)
    if wiring.grounds != GROUNDED:
        raise ValueError("A tile grounds the inputs C7 and C15, which a turn exchanges.")
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
    """Inputs that a quarter turn does not take to one another."""
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
