"""Assemblies of console and button box, each in the coordinates of its parts (z from the front)."""

from collections.abc import Iterable, Iterator

from hardware.mechanics import button_box, console
from hardware.mechanics.assembly import SCREW, Assembly, Placed, Screw
from hardware.mechanics.measures import THREAD
from hardware.mechanics.part import Part
from hardware.mechanics.solid import X, Y, Z

_DEEP = console.BEZEL + console.BACK
_CUT = THREAD - 0.1


def console_assembly(parts: Iterable[Part]) -> Assembly:
    """Return the console upright, its face at z = 0, without its lean; KeyError if a part is
    missing."""
    made = {part.name: part.solid for part in parts}
    behind = console.SHELL + console.GLASS[2]
    found = [
        Placed("bezel", made["console-bezel"]),
        Placed("display", console.display(), "glass"),
        Placed("back", made["console-back"].turned(180, Y).moved(z=_DEEP)),
    ]
    for n, (x, y) in enumerate(console.boss_places(console.CLIPS)):
        hole = console.CLIP[1] / 2 - console.BOSS + 0.4
        clip = made["console-clip"].moved(y=hole).turned(0 if y < 0 else 180, Z)
        found.append(Placed(f"clip {n}", clip.moved(x, y, behind)))
    for n, x in enumerate((-console.STANDS, console.STANDS)):
        stand = made["console-stand"].moved(z=-console.STAND_WIDTH / 2).turned(console.LEAN, Z)
        stand = stand.turned(-90, Y).moved(x, -console.SIZE[1] / 2, _DEEP)
        found.append(Placed(f"stand {n}", stand))
    return Assembly(tuple(found), tuple(_console_screws()))


def _console_screws() -> Iterator[Screw]:
    seat = console.BEZEL + console.HEAD_SEAT
    behind = console.SHELL + console.GLASS[2]
    for n, at in enumerate(console.boss_places(console.SCREWS)):
        yield Screw(f"case screw {n}", at, console.BEZEL, seat, SCREW, ("back",))
        yield Screw(f"its thread {n}", at, console.SHELL, console.BEZEL, _CUT, ("bezel",))
    for n, at in enumerate(console.boss_places(console.CLIPS)):
        top = behind + console.CLIP[2]
        yield Screw(f"clip screw {n}", at, behind, top, SCREW, (f"clip {n}",))
        yield Screw(f"thread of clip {n}", at, console.SHELL, behind, _CUT, ("bezel",))
    for n, at in enumerate(console.stand_screws()):
        yield Screw(f"stand screw {n}", at, _DEEP - console.SHELL, _DEEP, SCREW, ("back",))
        end = _DEEP + console.SCREW_REACH - 1
        yield Screw(f"thread of stand {n}", at, _DEEP, end, _CUT, (f"stand {n // 2}",))


def button_assembly(parts: Iterable[Part]) -> Assembly:
    """Return a button box as it stands on the table."""
    made = {part.name: part.solid for part in parts}
    low, top = button_box.SHELL, button_box.SHELL + button_box.HEIGHT
    placed = (
        Placed("case", made["button-box"].turned(180, X).moved(z=top)),
        Placed("case bottom", made["button-bottom"]),
    )
    screws = []
    for n, at in enumerate(button_box.screw_places()):
        screws.append(Screw(f"case screw {n}", at, 0, low, SCREW, ("case bottom",)))
        screws.append(Screw(f"its thread {n}", at, low, top - low, _CUT, ("case",)))
    return Assembly(placed, tuple(screws))
