"""Dimensions shared by several parts, in millimetres.

The magnet and the gap are defined in hardware/magnetics. `boards` reads the dimensions of the tiles
and the controller from hardware/pcb.
"""

from typing import Final

from hardware.magnetics.found_file import CHOSEN
from hardware.mechanics.boards import board

MAGNET_RADIUS: Final = CHOSEN.disc.width / 2
MAGNET_HEIGHT: Final = float(CHOSEN.disc.height)
GAP: Final = CHOSEN.gap
"""Distance from the lower face of the magnet to the sensing element."""
GAP_TOLERANCE: Final = 0.2

# ---------------------------------------------------------------- thicknesses of parts in the gap

SENSING_DEPTH: Final = 0.6
"""Distance from the surface of a tile to the sensing element, as stated in tiles.md."""
TILE: Final = board("tile-40").thickness
CAP_FLOOR: Final = 1.2
"""Thickness of a foot cap's floor, below the magnet."""
FELT: Final = 1.0
SHEET: Final = 0.1
"""Thickness of the printed layout on the lid, which hides the screw heads."""
LID: Final = round(GAP - CAP_FLOOR - FELT - SHEET - TILE - SENSING_DEPTH, 3)
"""Thickness of the lid, which fills the rest of the gap. It is 5 mm, a standard thickness of
plywood and acrylic glass."""

# ---------------------------------------------------------------- the box

EDGE: Final = 25.0
"""Width of the rim around the playing field, on lid and bottom plate; see layout.md."""
FRAME_WIDTH: Final = 15.0
ROOM: Final = 32.0
"""Height of the space below the tiles. The Nano's plug has to fit into this space below an empty
tile socket."""
BOTTOM: Final = 4.0
CORNER_RADIUS: Final = 4.0
LAMP_FROM_FIELD: Final = 8.0
"""Distance from the playing field to the centre of an edge lamp; see assembly.md, step 33."""
LAMP_HOLE: Final = 3.2
CONTROLLER_HEIGHT: Final = 3.0
"""Height of the spacer rings below the controller."""
CABLE_SLOT: Final = (30.0, 8.0)
CABLE_SLOT_AT: Final = -60.0
"""Position of the cable slot in the wall at column a, measured along the wall from its centre.
Negative values are towards Red."""
CLAMP_SCREWS: Final = 30.0
"""Distance between the two screws of the cable clamp."""
STAND_FROM_EDGE: Final = 40.0
"""Distance of the feet from the outer edges of the box, along each axis."""

# ---------------------------------------------------------------- screws

CLEAR: Final = 3.2
"""Diameter of a clearance hole for an M3 screw."""
THREAD: Final = 2.5
"""Diameter of a hole in plastic into which an M3 screw cuts its own thread."""
PILOT: Final = 2.4
"""Diameter of a pilot hole for a 3 mm wood screw."""
HEAD: Final = 6.5
"""Diameter of the recess for the head of an M3 screw."""

# ---------------------------------------------------------------- printing

BED: Final = (220.0, 220.0, 250.0)
"""Build volume of a typical 3D printer: width, depth and height."""
WALL: Final = 1.2
"""Minimum wall thickness: three lines from a 0.4 mm nozzle."""
LOOSE: Final = 0.2
"""Clearance on each side between mating printed parts."""
