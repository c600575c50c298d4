"""Space occupied by purchased parts: magnets and populated circuit boards."""

from typing import Final

from hardware.mechanics.boards import Board, Room
from hardware.mechanics.dimensions import MAGNET_HEIGHT, MAGNET_RADIUS
from hardware.mechanics.solid import Solid, block, box, cylinder

EMPTY_SOCKET: Final = 9.5
"""Estimated height of a box header with no plug inserted."""
_SOCKET: Final = "J"
_NANO: Final = "U4"
_NANO_PLUG: Final = (30.0, 8.1, 16.1)
"""Dimensions of the USB plug in the Nano: its overhang, and the heights of its underside and of its
top above the circuit board."""


def purchased_magnet() -> Solid:
    """Return a magnet whose lower face is at z = 0."""
    return cylinder(MAGNET_RADIUS, MAGNET_HEIGHT)


def sheet(board: Board) -> Solid:
    """Return a bare circuit board whose lower face is at z = 0."""
    return block(*board.size, board.thickness).without(
        cylinder(hole.radius, board.thickness, (*hole.at, 0)) for hole in board.holes
    )


def tile(board: Board) -> Solid:
    """Return a tile, component side up, with a cable in its lower socket."""
    used = min(
        (room for room in board.rooms if room.name.startswith(_SOCKET)),
        key=lambda room: room.low[1],
    )
    rooms = [
        _filled(room, board, EMPTY_SOCKET if _is_empty(room, used) else room.height)
        for room in board.rooms
    ]
    return sheet(board).with_all(rooms)


def controller(board: Board) -> Solid:
    """Return the controller, component side up, with all plugs inserted."""
    rooms = [_filled(room, board, room.height) for room in board.rooms]
    (nano,) = (room for room in board.rooms if room.name == _NANO)
    out, low, high = _NANO_PLUG
    (x, y), depth = nano.low, nano.high[1] - nano.low[1]
    plug = box((out + 5, depth - 6, high - low), (x - out, y + 3, board.thickness + low))
    return sheet(board).with_all([*rooms, plug])


def _is_empty(room: Room, used: Room) -> bool:
    return room.name.startswith(_SOCKET) and room is not used


def _filled(room: Room, board: Board, height: float) -> Solid:
    size = (room.high[0] - room.low[0], room.high[1] - room.low[1], height)
    return box(size, (*room.low, board.thickness))
