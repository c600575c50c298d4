"""Console: a housing and stand for the 7 inch touch display with a Pi on its back.

Coordinates are those of the bezel as printed, lying face down; z points towards the back.
"""

from collections.abc import Iterator
from math import cos, radians, sin, tan
from typing import Final

from hardware.mechanics.dimensions import CLEAR, HEAD, THREAD
from hardware.mechanics.flat import Part
from hardware.mechanics.solid import Solid, block, box, cylinder, prism

# Dimensions of the official 2015 display, as specified by its manufacturer. Measure your display
# before printing.
GLASS: Final = (193.0, 110.8, 2.0)
BODY: Final = (167.0, 101.0, 18.0)
"""Body behind the glass, including the standoffs for the Pi."""
PI: Final = (88.0, 58.0, 20.0)
WINDOW: Final = (160.0, 94.0)
"""Opening for the visible area of the display (155 x 86 mm). The opening is slightly larger,
because the visible area is not exactly centred on the glass."""

SIZE: Final = (200.0, 132.0)
SHELL: Final = 2.4
RADIUS: Final = 6.0
BEZEL: Final = 16.0
BACK: Final = 34.0
BOSS: Final = 4.0
BACK_BOSS: Final = 5.0
BOSS_FROM_MIDDLE: Final = GLASS[1] / 2 + 0.4 + BOSS
SCREWS: Final = 85.0
"""Distance from the centre to the screws on either side, which join the bezel to the back."""
CLIPS: Final = 40.0
CLIP: Final = (14.0, 12.0, 3.0)
HEAD_SEAT: Final = 5.0
OPENING: Final = (70.0, 24.0)
LEAN: Final = 25.0
"""Angle by which the display leans back, in degrees."""
STAND_SIDE: Final = 100.0
STAND_DEPTH: Final = 78.0
STAND_TOE: Final = 40.0
"""The stand projects this far in front of the console's lower edge, so that the console does not
tip over."""
STAND_BASE: Final = 6.0
STAND_WIDTH: Final = 14.0
STANDS: Final = 70.0
STAND_SCREWS: Final = (30.0, 70.0)
"""Positions along the back panel, measured from its lower edge."""
SCREW_REACH: Final = 12.0


def boss_places(x: float) -> Iterator[tuple[float, float]]:
    """Yield the positions of four bosses. They are above and below the glass, `x` to the left and
    to the right of the centre."""
    for across in (-x, x):
        for up in (-BOSS_FROM_MIDDLE, BOSS_FROM_MIDDLE):
            yield across, up


def _shell(height: float) -> Solid:
    outside = block(*SIZE, height).rounded(RADIUS)
    inside = block(SIZE[0] - 2 * SHELL, SIZE[1] - 2 * SHELL, height, (0, 0, SHELL))
    return outside - inside.rounded(RADIUS - SHELL)


def bezel() -> Solid:
    """Return the bezel as printed, lying face down."""
    pillars = [cylinder(BOSS, BEZEL, (x, y, 0)) for x, y in boss_places(SCREWS)]
    short = SHELL + GLASS[2]
    pillars += [cylinder(BOSS, short, (x, y, 0)) for x, y in boss_places(CLIPS)]
    cuts = [block(*WINDOW, SHELL)]
    cuts += [cylinder(THREAD / 2, BEZEL - SHELL, (x, y, SHELL)) for x, y in boss_places(SCREWS)]
    cuts += [cylinder(THREAD / 2, short, (x, y, 1.2)) for x, y in boss_places(CLIPS)]
    return _shell(BEZEL).with_all(pillars).without(cuts)


def clip() -> Solid:
    """Return one of the four clips that hold the glass. A strip of foam goes between the clip and
    the glass."""
    hole = cylinder(CLEAR / 2, CLIP[2], (0, -CLIP[1] / 2 + BOSS - 0.4, 0))
    return block(*CLIP) - hole


def back() -> Solid:
    """Return the back panel as printed, lying on its rear face."""
    pillars = [cylinder(BACK_BOSS, BACK, (x, y, 0)) for x, y in boss_places(SCREWS)]
    cuts = []
    for x, y in boss_places(SCREWS):
        cuts.append(cylinder(CLEAR / 2, BACK, (x, y, 0)))
        cuts.append(cylinder(HEAD / 2, BACK - HEAD_SEAT, (x, y, 0)))
    wide, deep = OPENING
    cuts.append(box((SIZE[0], wide, deep), (-SIZE[0] / 2, -wide / 2, BACK - deep)))
    cuts += [block(80, 3, SHELL, (0, y, 0)) for y in range(-21, 49, 7)]
    cuts += [cylinder(CLEAR / 2, SHELL, (x, y, 0)) for x, y in stand_screws()]
    outside = block(*SIZE, BACK).rounded(RADIUS)
    return (_shell(BACK).with_all(pillars) & outside).without(cuts)


def stand_screws() -> Iterator[tuple[float, float]]:
    """Yield the positions of the bracket screws on the back panel."""
    for x in (-STANDS, STANDS):
        for up in STAND_SCREWS:
            yield x, up - SIZE[1] / 2


def stand() -> Solid:
    """Return one of the stand's two brackets as it is printed, on its side.

    The origin is at the lower edge of the back panel. x points backwards along the table, y
    upwards, and z across the bracket.
    """
    lean = radians(LEAN)
    up = (sin(lean), cos(lean))
    top = (STAND_SIDE * up[0], STAND_SIDE * up[1])
    toe = (-STAND_TOE, STAND_TOE * tan(lean))
    # All ends are blunt because sharp edges cannot be printed.
    corners = [
        (0.0, 0.0),
        top,
        (top[0] + 6 * up[1], top[1] - 6 * up[0]),
        (STAND_DEPTH, STAND_BASE),
        (STAND_DEPTH, -STAND_BASE),
        (toe[0], -STAND_BASE),
        toe,
    ]
    body = prism([(x, y, 0) for x, y in corners], (0, 0, STAND_WIDTH))
    inwards = (up[1], -up[0], 0.0)
    return body.without(
        cylinder(THREAD / 2, SCREW_REACH, (far * up[0], far * up[1], STAND_WIDTH / 2), inwards)
        for far in STAND_SCREWS
    )


def display() -> Solid:
    """Return the space that the display and its Pi occupy in the bezel."""
    glass = block(*GLASS, (0, 0, SHELL))
    body = block(*BODY, (0, 0, SHELL + GLASS[2]))
    return glass.with_all([body, block(*PI, (0, 0, SHELL + GLASS[2] + BODY[2]))])


def parts() -> tuple[Part, ...]:
    return (
        Part(
            "console-bezel",
            "front of the console",
            bezel(),
            notes=(
                f"window {WINDOW[0]:g} x {WINDOW[1]:g}",
                f"glass {GLASS[0]:g} x {GLASS[1]:g} x {GLASS[2]:g}",
            ),
        ),
        Part(
            "console-back",
            "back of the console",
            back(),
            notes=(f"room behind the glass {BEZEL + BACK - 2 * SHELL - GLASS[2]:g}",),
        ),
        Part("console-clip", "clip on the glass", clip(), 4),
        Part(
            "console-stand",
            "bracket of the console",
            stand(),
            2,
            notes=(f"leans back by {LEAN:g}°",),
        ),
    )


# Button box: a 24 mm push button and a lamp for one player, connected by a four-wire cable.

SIDE: Final = 50.0
HEIGHT: Final = 42.0
BUTTON: Final = 24.2
BUTTON_AT: Final = 4.0
LAMP: Final = 5.2
LAMP_AT: Final = -17.0
BUTTON_BOX_SCREWS: Final = 19.0
BUTTON_BOX_BOSS: Final = 3.75
NOTCH: Final = (6.0, 4.0)


def screw_places() -> Iterator[tuple[float, float]]:
    """Yield the positions of the four screws that join the box to its bottom."""
    for x in (-BUTTON_BOX_SCREWS, BUTTON_BOX_SCREWS):
        for y in (-BUTTON_BOX_SCREWS, BUTTON_BOX_SCREWS):
            yield x, y


def case() -> Solid:
    """Return the box as printed, lying on its upper face."""
    inner = SIDE - 2 * SHELL
    shell = block(SIDE, SIDE, HEIGHT).rounded(5)
    shell -= block(inner, inner, HEIGHT, (0, 0, SHELL)).rounded(5 - SHELL)
    shell = shell.with_all(cylinder(BUTTON_BOX_BOSS, HEIGHT, (x, y, 0)) for x, y in screw_places())
    wide, high = NOTCH
    cuts = [
        cylinder(BUTTON / 2, SHELL, (0, BUTTON_AT, 0)),
        cylinder(LAMP / 2, SHELL, (0, LAMP_AT, 0)),
        block(wide, SHELL, high, (0, SIDE / 2 - SHELL / 2, HEIGHT - high)),
    ]
    cuts += [cylinder(THREAD / 2, HEIGHT - SHELL, (x, y, SHELL)) for x, y in screw_places()]
    return shell.without(cuts)


def bottom() -> Solid:
    holes = [cylinder(CLEAR / 2, SHELL, (x, y, 0)) for x, y in screw_places()]
    return block(SIDE, SIDE, SHELL).rounded(5).without(holes)


def button_box_parts() -> tuple[Part, Part]:
    """Return the box and its bottom. Two of each are needed."""
    return (
        Part("button-box", "button box", case(), 2, notes=(f"button {BUTTON:g}, lamp {LAMP:g}",)),
        Part("button-bottom", "bottom of a button box", bottom(), 2),
    )
