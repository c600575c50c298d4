"""Catalogue of all parts that are made."""

from collections.abc import Iterable

from hardware.magnetics.design import PITCHES
from hardware.mechanics import button_box, console, fittings, foot_cap, frame, jig, plates
from hardware.mechanics.foot_cap import FEET, SHOWN, Foot
from hardware.mechanics.part import Part


def parts(feet: Iterable[Foot] = FEET) -> list[Part]:
    """Return every part, for both pitches of the squares and for these feet."""
    found: list[Part] = []
    each_once = dict.fromkeys(feet)
    for foot in each_once:
        found += foot_cap.parts(foot)
    found += jig.parts(SHOWN)
    found += [jig.parts(foot)[0] for foot in each_once if foot != SHOWN]
    for pitch in PITCHES:
        found += [plates.lid(pitch), plates.bottom(pitch), *frame.parts(pitch)]
    return [*found, *fittings.parts(), *console.parts(), *button_box.parts()]
