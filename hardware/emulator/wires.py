"""Wiring of the sensors to the inputs of the multiplexers, for each geometry of a board.

The wiring of tiles is derived from the tile's own map, not from the table in the firmware.
"""

from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from typing import Final

from engine.board.geometry import Square
from firmware_bridge.wire import CHANNELS as INPUTS
from firmware_bridge.wire import Geometry
from firmware_bridge.wiring import CHANNEL_OF, GROUND_INPUT
from hardware.pcb.tile_map import CORNERS, GROUNDED, read, square_at

Wires = Mapping[Square, tuple[int, ...]]
"""For each square its channels, 16 * multiplexer + input."""

GROUNDS: Final[Mapping[Geometry, tuple[int, ...]]] = {
    Geometry.BY_HAND: (GROUND_INPUT,),
    Geometry.TILES: GROUNDED,
}
"""Inputs of every multiplexer that are connected to ground."""


@cache
def wires(geometry: Geometry) -> Wires:
    if geometry is Geometry.BY_HAND:
        return {square: (channel,) for square, channel in enumerate(CHANNEL_OF)}
    tile, _ = read()
    found: defaultdict[Square, list[int]] = defaultdict(list)
    for plug in range(len(CORNERS)):
        for (multiplexer, entry), place in tile.places.items():
            found[square_at(plug, place)].append(INPUTS * (2 * plug + multiplexer) + entry)
    return {square: tuple(channels) for square, channels in found.items()}
