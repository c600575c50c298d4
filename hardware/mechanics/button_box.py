"""The button box: a push button of 24 mm and a lamp for one player, on a cable of four wires."""

from collections.abc import Iterator
from typing import Final

from hardware.mechanics.measures import CLEAR, THREAD
from hardware.mechanics.part import Part
from hardware.mechanics.solid import Solid, block, cylinder

SIDE: Final = 50.0
HEIGHT: Final = 42.0
SHELL: Final = 2.4
BUTTON: Final = 24.2
BUTTON_AT: Final = 4.0
LAMP: Final = 5.2
LAMP_AT: Final = -17.0
SCREWS: Final = 19.0
BOSS: Final = 3.75
NOTCH: Final = (6.0, 4.0)


def screw_places() -> Iterator[tuple[float, float]]:
    """Yield the places of the four screws between box and bottom."""
    for x in (-SCREWS, SCREWS):
        for y in (-SCREWS, SCREWS):
            yield x, y


def case() -> Solid:
    """Return the box, lying on its upper face."""
    inner = SIDE - 2 * SHELL
    shell = block(SIDE, SIDE, HEIGHT).rounded(5)
    shell -= block(inner, inner, HEIGHT, (0, 0, SHELL)).rounded(5 - SHELL)
    shell = shell.with_all(cylinder(BOSS, HEIGHT, (x, y, 0)) for x, y in screw_places())
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


def parts() -> tuple[Part, Part]:
    """Return box and bottom, two of each."""
    return (
        Part("button-box", "button box", case(), 2, notes=(f"button {BUTTON:g}, lamp {LAMP:g}",)),
        Part("button-bottom", "bottom of a button box", bottom(), 2),
    )
