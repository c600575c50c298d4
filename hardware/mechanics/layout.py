"""Positions of the parts in the box, seen from above, relative to the centre of the playing
field."""

from collections.abc import Iterator
from typing import Final

from engine.board.geometry import WIDTH
from hardware.mechanics import dimensions
from hardware.mechanics.boards import Place, board

LID_FACE: Final = -dimensions.SHEET
"""Height of the lid's upper face. All heights are measured upwards from the playing surface."""
TILE_FACE: Final = LID_FACE - dimensions.LID
"""Height of the lid's lower face, against which the tiles are mounted."""
POST_TOP: Final = TILE_FACE - dimensions.TILE
FLOOR: Final = POST_TOP - dimensions.ROOM
"""Height of the bottom plate's upper face."""
UNDERSIDE: Final = FLOOR - dimensions.BOTTOM
FRAME_HEIGHT: Final = TILE_FACE - FLOOR
CONTROLLER_CORNER: Final = (-1, -1)
"""The controller is in this corner of the box, below the tile with a1. Its USB sockets face column
a."""
_CORNERS: Final = ((-1, -1), (1, -1), (-1, 1), (1, 1))
_CLAMP_FROM_WALL: Final = 12.0


def outer(pitch: int) -> float:
    """Return the outer side length of the box."""
    return WIDTH * pitch + 2 * dimensions.EDGE


def tile_middles(pitch: int) -> Iterator[Place]:
    for x, y in _CORNERS:
        yield x * WIDTH / 4 * pitch, y * WIDTH / 4 * pitch


def on_tile(middle: Place, place: Place) -> Place:
    """Convert a position on a tile to box coordinates. Tiles are drawn as seen from below, so x is
    mirrored."""
    return middle[0] - place[0], middle[1] + place[1]


def tile_screws(pitch: int) -> Iterator[Place]:
    for middle in tile_middles(pitch):
        for hole in board(f"tile-{pitch}").holes:
            yield on_tile(middle, hole.at)


def sensors(pitch: int) -> Iterator[Place]:
    for middle in tile_middles(pitch):
        for place in board(f"tile-{pitch}").sensors.values():
            yield on_tile(middle, place)


def controller_middle(pitch: int) -> Place:
    x, y = CONTROLLER_CORNER
    return x * WIDTH / 4 * pitch, y * WIDTH / 4 * pitch


def controller_screws(pitch: int) -> Iterator[Place]:
    x, y = controller_middle(pitch)
    for hole in board("controller").holes:
        yield x + hole.at[0], y + hole.at[1]


def stand_places(pitch: int) -> Iterator[Place]:
    """Yield the positions of the box's four feet."""
    far = outer(pitch) / 2 - dimensions.STAND_FROM_EDGE
    for x, y in _CORNERS:
        yield x * far, y * far


def clamp_middle(pitch: int) -> Place:
    """Return the centre of the cable clamp, which is directly behind the cable slot."""
    return -outer(pitch) / 2 + dimensions.FRAME_WIDTH + _CLAMP_FROM_WALL, dimensions.CABLE_SLOT_AT


def clamp_screws(pitch: int) -> Iterator[Place]:
    x, y = clamp_middle(pitch)
    for side in (-1, 1):
        yield x, y + side * dimensions.CLAMP_SCREWS / 2
