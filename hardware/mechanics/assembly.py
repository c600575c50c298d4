"""Assembly of the board. Parts are stacked downwards from the upper face of the lid.

The origin is the centre of the playing surface; x points to the right, y away from Red and z up.
Each part of the stack starts where the part above it ends, so if the lid is too thick, all parts
below it move down.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

from engine.board.geometry import WIDTH
from hardware.mechanics import console, dimensions, foot_cap, frame, layout, purchased_parts
from hardware.mechanics import hardware as fittings
from hardware.mechanics.boards import Place, board
from hardware.mechanics.flat import Part
from hardware.mechanics.foot_cap import SHOWN
from hardware.mechanics.solid import Solid, X, Y, Z

SCREW: Final = 3.0


@dataclass(frozen=True)
class Placed:
    name: str
    solid: Solid
    colour: str = "plastic"

    def moved(self, x: float = 0, y: float = 0, z: float = 0) -> "Placed":
        return replace(self, solid=self.solid.moved(x, y, z))


@dataclass(frozen=True)
class Screw:
    """Screw: its axis, its lower and upper ends, its diameter, and the parts that it must join."""

    name: str
    at: Place
    low: float
    high: float
    width: float
    joins: tuple[str, ...]


@dataclass(frozen=True)
class Assembly:
    placed: tuple[Placed, ...]
    screws: tuple[Screw, ...]

    def with_moved(self, name: str, x: float = 0, y: float = 0, z: float = 0) -> "Assembly":
        """Return the assembly with the named part moved."""
        moved = (each.moved(x, y, z) if each.name == name else each for each in self.placed)
        return replace(self, placed=tuple(moved))


def squares(pitch: int) -> Iterator[Place]:
    """Yield the centres of all squares, row by row from a1."""
    half = (WIDTH - 1) / 2
    for row, column in product(range(WIDTH), repeat=2):
        yield (column - half) * pitch, (row - half) * pitch


def assembly(pitch: int, parts: Iterable[Part], pieces: Iterable[Place]) -> Assembly:
    """Assemble a board from the parts made for the given square pitch.

    `pieces` contains the positions of the foot caps, each of which holds a magnet. Raise KeyError
    if a part is missing.
    """
    made = {part.name: part.solid for part in parts}
    lid = made[f"lid-{pitch}"]
    lid_low = -dimensions.SHEET - lid.size[2]
    post_top = lid_low - dimensions.TILE
    floor = post_top - made["post"].size[2]
    bottom = made[f"bottom-{pitch}"]
    underside = floor - bottom.size[2]
    found = [
        Placed("lid", lid.moved(z=lid_low), "lid"),
        Placed("bottom", bottom.moved(z=underside), "wood"),
        *_frame(pitch, made, floor),
        *_tiles(pitch, lid_low),
    ]
    for n, (x, y) in enumerate(layout.tile_screws(pitch)):
        found.append(Placed(f"post {n}", made["post"].moved(x, y, floor)))
    for n, (x, y) in enumerate(layout.controller_screws(pitch)):
        found.append(Placed(f"ring {n}", made["ring"].moved(x, y, floor)))
    x, y = layout.controller_middle(pitch)
    electronics = purchased_parts.controller(board("controller"))
    found.append(
        Placed("controller", electronics.moved(x, y, floor + made["ring"].size[2]), "board")
    )
    clamp, (x, y) = made["cable-clamp"], layout.clamp_middle(pitch)
    found.append(Placed("clamp", clamp.turned(180, X).moved(x, y, floor + clamp.size[2])))
    for n, (x, y) in enumerate(layout.stand_places(pitch)):
        found.append(Placed(f"foot {n}", made["foot"].turned(180, X).moved(x, y, underside)))
    found += _pieces(made, pieces)
    return Assembly(tuple(found), tuple(_screws(pitch, lid_low, floor)))


def _frame(pitch: int, made: dict[str, Solid], floor: float) -> Iterator[Placed]:
    half = layout.outer(pitch) / 2
    corner = made[f"frame-corner-{pitch}"].moved(-half, -half, floor)
    high = corner.size[2]
    for n in range(4):
        yield Placed(f"corner {n}", corner.turned(90 * n))
        # Side 3 has the cable slot. Turning this side by three times 90° brings it to column a.
        kind = "frame-cable-side" if n == 3 else "frame-side"
        side = made[f"{kind}-{pitch}"].turned(180, Y).moved(0, -half, floor + high)
        yield Placed(f"side {n}", side.turned(90 * n))


def _tiles(pitch: int, lid_low: float) -> Iterator[Placed]:
    tile = purchased_parts.tile(board(f"tile-{pitch}")).turned(180, Y)
    for n, (x, y) in enumerate(layout.tile_middles(pitch)):
        yield Placed(f"tile {n}", tile.moved(x, y, lid_low), "board")


def _pieces(made: dict[str, Solid], places: Iterable[Place]) -> Iterator[Placed]:
    for n, (x, y) in enumerate(places):
        colour = "red" if y < 0 else "blue"
        cap, plug = made[f"foot-cap-{SHOWN.name}"], made[f"foot-plug-{SHOWN.name}"]
        yield Placed(f"cap {n}", cap.moved(x, y, dimensions.FELT), colour)
        yield Placed(f"plug {n}", plug.moved(x, y, dimensions.FELT + foot_cap.SEAT), colour)
        yield Placed(
            f"magnet {n}",
            purchased_parts.purchased_magnet().moved(x, y, dimensions.FELT + dimensions.CAP_FLOOR),
            "metal",
        )


def _screws(pitch: int, lid_low: float, floor: float) -> Iterator[Screw]:
    """Yield the screws of a board. Real threads are meant to cut into the material, so the model's
    threads are thinner."""
    top, low, post_top = -dimensions.SHEET, floor - 4, lid_low - dimensions.TILE
    thread, pilot = dimensions.THREAD - 0.1, dimensions.PILOT - 0.1
    for n, at in enumerate(layout.tile_screws(pitch)):
        tile = f"tile {n // 4}"
        yield Screw(f"tile screw {n}", at, post_top, top, SCREW, ("lid", tile))
        yield Screw(f"thread of post {n}", at, floor, post_top, thread, (f"post {n}",))
        yield Screw(f"post screw {n}", at, low, floor, SCREW, ("bottom",))
    for n, at in enumerate(layout.controller_screws(pitch)):
        top_of_board = floor + dimensions.CONTROLLER_HEIGHT + dimensions.TILE
        joined = ("bottom", f"ring {n}", "controller")
        yield Screw(f"controller screw {n}", at, low, top_of_board, SCREW, joined)
    for n, at in enumerate(frame.screw_places(pitch)):
        yield Screw(f"lid screw {n}", at, lid_low, top, SCREW, ("lid",))
        yield Screw(f"thread of frame screw {n}", at, floor, lid_low, pilot, _pieces_of_frame(at))
        yield Screw(f"bottom screw {n}", at, low, floor, SCREW, ("bottom",))
    for n, at in enumerate(layout.clamp_screws(pitch)):
        high = floor + fittings.CLAMP[2]
        yield Screw(f"clamp screw {n}", at, low, high, SCREW, ("bottom", "clamp"))
    for n, at in enumerate(layout.stand_places(pitch)):
        head = low - fittings.FOOT_HEIGHT
        yield Screw(f"foot screw {n}", at, head, floor, SCREW, ("bottom", f"foot {n}"))


def _pieces_of_frame(at: Place) -> tuple[str, ...]:
    """Return the frame corner that a screw enters. If the screw is in a lap joint, return the frame
    side, too."""
    x, y = at
    corner = {(-1, -1): 0, (1, -1): 1, (1, 1): 2, (-1, 1): 3}[
        (-1 if x < 0 else 1, -1 if y < 0 else 1)
    ]
    if abs(abs(x) - abs(y)) < 1e-6:
        return (f"corner {corner}",)
    if abs(y) > abs(x):
        return (f"corner {corner}", "side 0" if y < 0 else "side 2")
    return (f"corner {corner}", "side 1" if x > 0 else "side 3")


# Assemblies of the console and button box, in the coordinates of their parts: z = 0 is the front.

_DEEP = console.BEZEL + console.BACK
_CUT = dimensions.THREAD - 0.1


def console_assembly(parts: Iterable[Part]) -> Assembly:
    """Assemble the console, upright with its front at z = 0. Raise KeyError if a part is
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
    """Assemble a button box as it stands on the table."""
    made = {part.name: part.solid for part in parts}
    low, top = console.SHELL, console.SHELL + console.HEIGHT
    placed = (
        Placed("case", made["button-box"].turned(180, X).moved(z=top)),
        Placed("case bottom", made["button-bottom"]),
    )
    screws = []
    for n, at in enumerate(console.screw_places()):
        screws.append(Screw(f"case screw {n}", at, 0, low, SCREW, ("case bottom",)))
        screws.append(Screw(f"its thread {n}", at, low, top - low, _CUT, ("case",)))
    return Assembly(placed, tuple(screws))
