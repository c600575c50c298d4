"""Frame of four corners and four sides, joined by half laps. Each part fits the printer.

Positions along a side of the box are measured from its corner.
"""

from collections.abc import Iterator
from typing import Final

from hardware.mechanics.dimensions import (
    CABLE_SLOT,
    CABLE_SLOT_AT,
    CORNER_RADIUS,
    FRAME_WIDTH,
    LOOSE,
    PILOT,
)
from hardware.mechanics.flat import Part, Place
from hardware.mechanics.layout import FRAME_HEIGHT, outer
from hardware.mechanics.solid import Solid, box, cylinder

_LEG: Final = 0.3
"""Length of a corner's leg, as a fraction of the box's outer side length."""
LAP: Final = FRAME_WIDTH
"""Length of the overlap between a corner and a side."""
_HALF: Final = FRAME_HEIGHT / 2
_MIDDLE: Final = FRAME_WIDTH / 2


def leg(pitch: int) -> float:
    """Return the length of a corner's leg along each side."""
    return _LEG * outer(pitch)


def screw_places(pitch: int) -> Iterator[Place]:
    """Yield the positions of the screws that hold the lid and the bottom: one in each corner and
    one in each lap."""
    far = outer(pitch) / 2 - _MIDDLE
    lap = outer(pitch) / 2 - leg(pitch) + LAP / 2
    for x in (-1, 1):
        for y in (-1, 1):
            yield x * far, y * far
            yield x * lap, y * far
            yield x * far, y * lap


def corner(pitch: int) -> Solid:
    """Return a frame corner with its outer edge at the origin. Its laps are the lower halves of the
    joints."""
    reach, thin = leg(pitch), _HALF - LOOSE / 2
    whole = reach - LAP
    body = box((whole, FRAME_WIDTH, FRAME_HEIGHT)) + box((FRAME_WIDTH, whole, FRAME_HEIGHT))
    # Only the edge at the origin is rounded; the other edges adjoin a frame side.
    round_ = cylinder(CORNER_RADIUS, FRAME_HEIGHT, (CORNER_RADIUS, CORNER_RADIUS, 0))
    edge = box((CORNER_RADIUS, CORNER_RADIUS, FRAME_HEIGHT)) - round_
    laps = [box((reach, FRAME_WIDTH, thin)), box((FRAME_WIDTH, reach, thin))]
    lap = reach - LAP / 2
    holes = [(_MIDDLE, _MIDDLE), (lap, _MIDDLE), (_MIDDLE, lap)]
    return body.with_all(laps).without([edge, *(_pilot(place) for place in holes)])


def side_length(pitch: int) -> float:
    """Return the length of a frame side, including the lap at each end."""
    return outer(pitch) - 2 * leg(pitch) + 2 * LAP - 2 * LOOSE


def side(pitch: int, *, slot: bool) -> Solid:
    """Return a side as printed. In the assembled board, it is upside down.

    Its centre is at x = 0 and its outer face at y = 0. One of the four sides has a cable slot.
    """
    length = side_length(pitch)
    body = box((length, FRAME_WIDTH, FRAME_HEIGHT), (-length / 2, 0, 0))
    top = FRAME_HEIGHT - _HALF - LOOSE / 2
    cuts = []
    for way in (-1, 1):
        x = way * (length / 2 - LAP / 2 + LOOSE)
        cuts.append(
            box((LAP + 2 * LOOSE, FRAME_WIDTH, FRAME_HEIGHT), (x - LAP / 2 - LOOSE, 0, top))
        )
        cuts.append(_pilot((way * (outer(pitch) / 2 - leg(pitch) + LAP / 2), _MIDDLE)))
    if slot:
        wide, high = CABLE_SLOT
        cuts.append(
            box((wide, FRAME_WIDTH, high), (CABLE_SLOT_AT - wide / 2, 0, FRAME_HEIGHT - high))
        )
    return body.without(cuts)


def _pilot(place: Place) -> Solid:
    return cylinder(PILOT / 2, FRAME_HEIGHT, (*place, 0))


def parts(pitch: int) -> tuple[Part, Part, Part]:
    notes = (f"holes {PILOT:g} for brass wood screws of 3 x 16, from both ends",)
    return (
        Part(
            f"frame-corner-{pitch}",
            f"corner of the frame, {pitch} mm squares",
            corner(pitch),
            4,
            notes=notes,
        ),
        Part(
            f"frame-side-{pitch}",
            f"side of the frame, {pitch} mm squares",
            side(pitch, slot=False),
            3,
            notes=notes,
        ),
        Part(
            f"frame-cable-side-{pitch}",
            f"side of the frame with the slot for cables, {pitch} mm squares",
            side(pitch, slot=True),
            notes=notes,
        ),
    )
