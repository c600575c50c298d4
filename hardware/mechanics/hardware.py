"""Fittings for the box: posts, spacer rings, cable clamp and feet."""

from typing import Final

from hardware.mechanics.dimensions import CLAMP_SCREWS, CLEAR, CONTROLLER_HEIGHT, HEAD, ROOM, THREAD
from hardware.mechanics.flat import Part
from hardware.mechanics.solid import Solid, block, cylinder

POST_RADIUS: Final = 3.0
"""Radius of a post. With 35 mm squares, a corner of the controller is only 3.5 mm from a post's
axis."""
RING_RADIUS: Final = 3.4
CLAMP: Final = (12.0, 42.0, 6.0)
CLAMP_ROOM: Final = (24.0, 3.0)
"""Space for the cables below the clamp. It is slightly smaller than the cables, so that they are
gripped."""
FOOT_RADIUS: Final = 12.0
FOOT_HEIGHT: Final = 8.0
_FOOT_FLOOR: Final = 3.0


def post() -> Solid:
    """Return a post that fits between a tile and the bottom plate, with screw holes in both
    ends."""
    return cylinder(POST_RADIUS, ROOM) - cylinder(THREAD / 2, ROOM)


def ring() -> Solid:
    """Return a spacer ring that goes around a screw below the controller."""
    return cylinder(RING_RADIUS, CONTROLLER_HEIGHT) - cylinder(CLEAR / 2, CONTROLLER_HEIGHT)


def clamp() -> Solid:
    """Return the cable clamp, upside down as printed."""
    wide, deep = CLAMP_ROOM
    body = block(*CLAMP).rounded(2)
    cuts = [block(CLAMP[0], wide, deep, (0, 0, CLAMP[2] - deep))]
    cuts += [cylinder(CLEAR / 2, CLAMP[2], (0, way * CLAMP_SCREWS / 2, 0)) for way in (-1, 1)]
    return body.without(cuts)


def foot() -> Solid:
    """Return a foot of the box, upside down as printed, with a recess for its screw head."""
    return cylinder(FOOT_RADIUS, FOOT_HEIGHT).without(
        [
            cylinder(CLEAR / 2, FOOT_HEIGHT),
            cylinder(HEAD / 2, FOOT_HEIGHT, (0, 0, _FOOT_FLOOR)),
        ]
    )


def parts() -> tuple[Part, ...]:
    """Return all fittings, which are the same for both square sizes."""
    return (
        Part(
            "post",
            "post between tile and bottom plate",
            post(),
            16,
            notes=(f"hole {THREAD:g}: a screw M3 cuts its thread",),
        ),
        Part("ring", "ring below the controller", ring(), 4),
        Part(
            "cable-clamp", "clamp on the cables", clamp(), notes=("two screws M3 x 16 with nuts",)
        ),
        Part(
            "foot", "foot of the box", foot(), 4, notes=("a screw M3 x 12 with a nut; felt below",)
        ),
    )
