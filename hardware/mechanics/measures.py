"""The one place of measures: all lengths that parts share, in millimetres.

What the repository has elsewhere is taken from there: magnet and gap from hardware/magnetics, all
that concerns tiles and controller from hardware/pcb by `boards`.
"""

from typing import Final

from hardware.magnetics.choice import CHOSEN
from hardware.mechanics.boards import board

MAGNET_RADIUS: Final = CHOSEN.disc.width / 2
MAGNET_HEIGHT: Final = float(CHOSEN.disc.height)
GAP: Final = CHOSEN.gap
"""From the lower face of the magnet to the sensing element."""
GAP_TOLERANCE: Final = 0.2

# ---------------------------------------------------------------- what lies in the gap

SENSING_DEPTH: Final = 0.6
"""From the face of the tile that carries the sensors into the sensor, as tiles.md counts it."""
TILE: Final = board("tile-40").thickness
CAP_FLOOR: Final = 1.2
"""Of a foot cap, below the magnet."""
FELT: Final = 1.0
SHEET: Final = 0.1
"""The printed layout that lies on the lid and hides the heads of the screws."""
LID: Final = round(GAP - CAP_FLOOR - FELT - SHEET - TILE - SENSING_DEPTH, 3)
"""So the lid is what is left of the gap: 5 mm, which plywood and acrylic glass are sold in."""

# ---------------------------------------------------------------- the box

EDGE: Final = 25.0
"""Of lid and bottom, outside the field: as layout.md has it."""
FRAME_WIDTH: Final = 15.0
ROOM: Final = 32.0
"""Below the tiles: the plug of the Nano below an empty socket of a tile."""
BOTTOM: Final = 4.0
CORNER_RADIUS: Final = 4.0
LAMP_FROM_FIELD: Final = 8.0
"""From the field to the middle of an edge lamp: assembly.md, step 33."""
LAMP_HOLE: Final = 3.2
CONTROLLER_HEIGHT: Final = 3.0
"""Of the rings that the controller stands on."""
CABLE_SLOT: Final = (30.0, 8.0)
CABLE_SLOT_AT: Final = -60.0
"""In the wall at a, from its middle towards Red."""
CLAMP_SCREWS: Final = 30.0
"""From one screw of the clamp on the cables to the other."""
STAND_FROM_EDGE: Final = 40.0
"""The board's feet, both ways from the rim."""

# ---------------------------------------------------------------- screws

CLEAR: Final = 3.2
"""A hole that a screw M3 passes."""
THREAD: Final = 2.5
"""A hole in plastic in which a screw M3 cuts its thread."""
PILOT: Final = 2.4
"""A hole for a wood screw of 3 mm."""
HEAD: Final = 6.5
"""Room for the head of a screw M3."""

# ---------------------------------------------------------------- printing

BED: Final = (220.0, 220.0, 250.0)
"""What a usual printer can make: width, depth, height."""
WALL: Final = 1.2
"""No wall is thinner: three lines of a nozzle of 0.4 mm."""
LOOSE: Final = 0.2
"""Between printed parts that are put together, on each side."""
