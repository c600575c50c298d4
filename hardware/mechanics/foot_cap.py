"""Foot cap for a piece, with a magnet on its floor and a plug that covers the magnet.

The magnet lies on the floor of the cap, the plug is pressed and glued over it, and the piece is
glued onto the plug. Felt covers the underside.
"""

from dataclasses import dataclass
from typing import Final

from hardware.mechanics.dimensions import (
    CAP_FLOOR,
    FELT,
    MAGNET_HEIGHT,
    MAGNET_RADIUS,
)
from hardware.mechanics.flat import Part
from hardware.mechanics.solid import Solid, block, cylinder

ROUND: Final = "round"
SQUARE: Final = "square"

LEAST: Final = 12
"""Minimum foot width. A narrower foot leaves too little material around the magnet."""
MOST: Final = 28
"""Maximum foot width. A wider foot leaves no space for fingers on 35 mm squares."""
WALL: Final = 1.6
"""Wall thickness: four lines from a 0.4 mm nozzle."""
PLUG: Final = 1.2
GRIP: Final = 4.0
"""Depth to which the foot sits in the cap."""
PLAY: Final = 0.15
"""Clearance around the foot and above the magnet."""
CHAMBER_RADIUS: Final = MAGNET_RADIUS + 0.1
SEAT: Final = CAP_FLOOR + MAGNET_HEIGHT + PLAY
"""Height of the plug's lower face, measured from the underside of the cap."""
HEIGHT: Final = SEAT + PLUG + GRIP
LIFT: Final = FELT + SEAT + PLUG
"""Height that the cap adds to a piece."""


@dataclass(frozen=True)
class Foot:
    """Foot of a piece, with its shape and its diameter or side length."""

    form: str
    width: float

    @property
    def name(self) -> str:
        """Name of the foot, such as round-20."""
        return f"{self.form}-{self.width:g}"

    def body(self, grow: float, height: float, z: float = 0, corner: float = 0) -> Solid:
        """Return a solid with the outline of the foot, enlarged by `grow` on each side."""
        if self.form == ROUND:
            return cylinder(self.width / 2 + grow, height, (0, 0, z))
        side = self.width + 2 * grow
        made = block(side, side, height, (0, 0, z))
        return made.rounded(corner) if corner else made


def foot_named(text: str) -> Foot:
    """Parse a foot name such as round-21.5. Raise ValueError with a message for the user if the
    name is invalid."""
    form, _, width = text.partition("-")
    try:
        foot = Foot(form, float(width))
    except ValueError:
        foot = Foot("", 0)
    if form not in {ROUND, SQUARE} or not LEAST <= foot.width <= MOST:
        raise ValueError(
            f"“{text}” is not a foot; expected {ROUND} or {SQUARE} and a width of {LEAST} to "
            f"{MOST} mm, such as {ROUND}-21.5."
        )
    return foot


FEET: Final = tuple(Foot(form, width) for form in (ROUND, SQUARE) for width in (16, 18, 20, 22, 24))
"""Feet for which caps are made by default. `--foot` adds a cap for any other foot."""
SHOWN: Final = Foot(ROUND, 20)
"""Foot shown in images and used for checking assemblies."""


def cap(foot: Foot) -> Solid:
    """Return the cap, oriented as it stands on the board."""
    outside = foot.body(PLAY + WALL, HEIGHT, corner=WALL)
    chamber = cylinder(CHAMBER_RADIUS, SEAT, (0, 0, CAP_FLOOR))
    return outside.without([foot.body(PLAY, HEIGHT, SEAT), chamber])


def plug(foot: Foot) -> Solid:
    """Return the plug that covers the magnet. It is only slightly smaller than its seat, so it has
    to be pressed in."""
    return foot.body(PLAY - 0.05, PLUG)


def parts(foot: Foot) -> tuple[Part, Part]:
    """Return the cap and the plug for the given foot. A board needs 80 of each."""
    return (
        Part(
            f"foot-cap-{foot.name}",
            f"foot cap, {foot.form} foot of {foot.width:g} mm",
            cap(foot),
            count=80,
            notes=(
                f"floor {CAP_FLOOR:g}, wall {WALL:g}",
                f"magnet: {2 * CHAMBER_RADIUS:g} wide, {SEAT - CAP_FLOOR:g} deep, in the middle",
                f"foot: {foot.width + 2 * PLAY:g} wide, {PLUG + GRIP:g} deep with the plug",
            ),
        ),
        Part(
            f"foot-plug-{foot.name}",
            f"plug over the magnet, {foot.form} foot of {foot.width:g} mm",
            plug(foot),
            count=80,
            notes=(f"{PLUG:g} thick",),
        ),
    )
