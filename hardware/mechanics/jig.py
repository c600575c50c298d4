"""Tools for gluing in the magnets: a jig that shows their polarity and a gauge for their depth.

The jig has one well per colour, with a reference magnet below its floor. A cap whose magnet is the
right way up floats in the well of its own colour and is pulled down in the other.
"""

from typing import Final

from hardware.mechanics import foot_cap
from hardware.mechanics.dimensions import CAP_FLOOR, MAGNET_HEIGHT, MAGNET_RADIUS
from hardware.mechanics.flat import Part
from hardware.mechanics.foot_cap import HEIGHT, PLAY, Foot
from hardware.mechanics.solid import Solid, block, box, cylinder, prism

DISTANCE: Final = 44.0
"""Distance between the two wells, similar to that between two squares."""
WELL: Final = 30.0
FLOOR: Final = 1.6
SHELL: Final = 2.4
STOPPER: Final = 2.0
STOPPER_RADIUS: Final = 6.1
WINDOW: Final = 10.0
WELL_FLOOR: Final = STOPPER + MAGNET_HEIGHT + 0.15 + FLOOR
COLOURS: Final = (1, 2)
"""Number of grooves that mark each well: one for the red well, two for the blue well."""

DEPTH: Final = HEIGHT - CAP_FLOOR - MAGNET_HEIGHT
"""Depth of the magnet below the rim of a cap."""
GO: Final = round(DEPTH - 0.15, 3)
NO_GO: Final = round(DEPTH + 0.35, 3)
GAUGE_THICKNESS: Final = 5.0


def wells(foot: Foot) -> Solid:
    """Return the jig for the caps of the given foot."""
    grow = PLAY + foot_cap.WALL + 0.4
    wide = foot.width + 2 * (grow + SHELL)
    height = WELL_FLOOR + WELL
    body = block(DISTANCE + wide, wide, height).rounded(3)
    cuts = []
    for side, grooves in zip((-1, 1), COLOURS, strict=True):
        x = side * DISTANCE / 2
        cuts += [
            foot.body(grow, WELL + 1, WELL_FLOOR).moved(x),
            cylinder(MAGNET_RADIUS + 0.1, WELL_FLOOR - FLOOR, (x, 0, 0)),
            cylinder(STOPPER_RADIUS, STOPPER, (x, 0, 0)),
            block(WINDOW, wide, WELL, (x, -wide / 2, WELL_FLOOR + 2)),
        ]
        cuts += [
            box((1.2, 0.8, height), (side * (6 + 4 * n) - 0.6, -wide / 2, 0))
            for n in range(grooves)
        ]
    return body.without(cuts)


def stopper() -> Solid:
    """Return the stopper that holds a reference magnet in place from below."""
    return cylinder(STOPPER_RADIUS - 0.1, STOPPER)


def gauge() -> Solid:
    """Return a bar with two tongues. If the magnet's depth is right, only the shorter tongue goes
    in fully."""
    half, reach = 20.0, 6.0
    corners = [
        (-half, -reach), (-3, -reach), (-3, -reach - GO), (3, -reach - GO), (3, -reach),
        (half, -reach), (half, reach), (3, reach), (3, reach + NO_GO), (-3, reach + NO_GO),
        (-3, reach), (-half, reach),
    ]  # fmt: skip
    body = prism([(x, y, 0) for x, y in corners], (0, 0, GAUGE_THICKNESS))
    return body.without(
        box((1.2, 3, GAUGE_THICKNESS), (x, reach - 3, 0)) for x in (-14, -10, 8.8, 12.8)
    )


def parts(foot: Foot) -> tuple[Part, Part, Part]:
    """Return the jig for the given foot, its stoppers, and the gauge, which fits all feet."""
    return (
        Part(
            f"jig-{foot.name}",
            f"polarity jig, {foot.form} foot of {foot.width:g} mm",
            wells(foot),
            notes=("one groove: the well of red, two: of blue",),
        ),
        Part("jig-stopper", "stopper below a reference magnet", stopper(), count=2),
        Part(
            "depth-gauge",
            "gauge for the depth of a magnet",
            gauge(),
            notes=(f"plain side, must go in: {GO:g}", f"notched side, must not: {NO_GO:g}"),
        ),
    )
