"""Tile design: 25 sensors, two multiplexers that read them, and a socket on each edge."""

from typing import Final

from hardware.pcb import components, tile_map
from hardware.pcb.design import GROUND_NET, SUPPLY_NET, WIRES, Design, Print
from hardware.pcb.footprints import Point, turned

PITCHES: Final = (35, 40)
JOINT: Final = 0.5
"""On each side, a tile is smaller than its squares by this much, so that neighbouring tiles do not
touch."""
SOCKET_INSET: Final = 8.0
"""Distance from the edge of the outer squares to the centre of a socket."""
FIDUCIAL_INSET: Final = 5.0
"""Distance from the edges to the fiducials for the pick-and-place machine. Only three corners have
a fiducial. The machine therefore detects a board that is the wrong way round."""
_LETTERS: Final = "AB"
_POWER: Final = {"VCC": SUPPLY_NET, "GND": GROUND_NET}
_SHARED: Final = {SUPPLY_NET, GROUND_NET, "S0", "S1", "S2"}


def sensor_name(place: tile_map.Place) -> str:
    """Return the name printed next to a sensor: S1 to S25, in reading order."""
    return f"S{tile_map.PLACES.index(place) + 1}"


def tile(pitch: int, wiring: tile_map.TileMap) -> Design:
    """Design the tile for squares of `pitch` millimetres."""
    side = 5 * pitch - 2 * JOINT
    board = Design(f"tile-{pitch}", f"Boomboard tile, {pitch} mm", (side, side))
    for place in tile_map.PLACES:
        _sensor(board, place, pitch)
    _multiplexer(board, 0, (0, -pitch / 2), 270, wiring)
    _multiplexer(board, 1, (pitch / 2, 0), 180, wiring)
    for quarters in tile_map.TURNS:
        _socket(board, quarters, pitch)
    for n, (x, y) in enumerate(((-1, -1), (1, -1), (1, 1), (-1, 1))):
        board.add(f"H{n + 1}", components.HOLE, (1.5 * pitch * x, 1.5 * pitch * y))
    corner = side / 2 - FIDUCIAL_INSET
    for n, (x, y) in enumerate(((-1, -1), (1, -1), (-1, 1))):
        board.add(f"FID{n + 1}", components.FIDUCIAL, (corner * x, corner * y))
    board.add_title((-0.75 * pitch, 0.68 * pitch))
    board.prints.append(
        Print("THIS SIDE DOWN, AWAY FROM THE PIECES", (-0.75 * pitch, 0.5 * pitch), 0, 1.2)
    )
    return board


def _sensor(board: Design, place: tile_map.Place, pitch: int) -> None:
    number = tile_map.PLACES.index(place) + 1
    x, y = pitch * place[0], pitch * place[1]
    # The capacitor faces the centre of the tile, where there is no socket.
    angle = 180 if y < 0 else 0
    nets = {"OUT": f"OUT{number}", **_POWER}
    board.add(sensor_name(place), components.SENSOR, (x, y), angle, nets)
    dx, dy = turned((0, -3), angle)
    board.add(
        f"C{number}",
        components.CAPACITOR,
        (x + dx, y + dy),
        angle,
        {"1": SUPPLY_NET, "2": GROUND_NET},
    )


def _multiplexer(
    board: Design, side: int, at: Point, quarter: int, wiring: tile_map.TileMap
) -> None:
    letter = _LETTERS[side]
    nets = {"SIG": f"SIG_{letter}", "EN": GROUND_NET, "S3": f"S3_{letter}", **_POWER}
    nets |= {line: line for line in ("S0", "S1", "S2")}
    nets |= {f"C{entry}": GROUND_NET for entry in tile_map.GROUNDED}
    for (multiplexer, entry), place in wiring.places.items():
        if multiplexer == side:
            nets[f"C{entry}"] = f"OUT{tile_map.PLACES.index(place) + 1}"
    board.add(f"U{side + 1}", components.MULTIPLEXER, at, quarter, nets)
    dx, dy = turned((8.5, -6.5), quarter)
    board.add(
        f"C{26 + side}",
        components.CAPACITOR,
        (at[0] + dx, at[1] + dy),
        quarter + 90,
        {"1": SUPPLY_NET, "2": GROUND_NET},
    )


def _socket(board: Design, quarters: int, pitch: int) -> None:
    """Add one of the four sockets, counted anticlockwise from 0 at the lower edge."""
    wires = tile_map.SOCKET_WIRES[quarters]
    nets = {
        str(n + 1): wire if wire in _SHARED else wires[wire]
        for n, wire in enumerate(WIRES)
        if wire in _SHARED or wire in wires
    }
    angle = 90 * quarters
    at = turned((0, 2.5 * pitch - SOCKET_INSET), angle)
    board.add(f"J{quarters + 1}", components.RIBBON, at, 90 + angle, nets)
    beside = turned((-17.5, 2.5 * pitch - SOCKET_INSET - 5), angle)
    board.add(
        f"C{28 + quarters}",
        components.RESERVOIR,
        beside,
        90 + angle,
        {"1": SUPPLY_NET, "2": GROUND_NET},
    )
    for words, down in (("TOWARDS RED?", -2), ("PLUG IN HERE", 2)):
        place = turned((30, 2.5 * pitch - SOCKET_INSET + down), angle)
        board.prints.append(Print(words, place, angle, 2.4))
