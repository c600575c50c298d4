"""The pictures in the documentation: the contents and the viewpoint of each."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import cos, radians, sin
from typing import Final

from PIL import Image

from hardware.mechanics import button_box, console, foot_cap, jig
from hardware.mechanics.assembly import Assembly, Placed, assembly, squares
from hardware.mechanics.boards import Place
from hardware.mechanics.bought import magnet
from hardware.mechanics.console_assembly import button_assembly, console_assembly
from hardware.mechanics.foot_cap import SHOWN
from hardware.mechanics.measures import CAP_FLOOR, FELT
from hardware.mechanics.part import Part
from hardware.mechanics.places import UNDERSIDE, outer
from hardware.mechanics.render import Label, View, picture
from hardware.mechanics.solid import Solid, X, Z, block, box, cylinder

_PITCH: Final = 40
_TABLE: Final = UNDERSIDE - 8


def pictures(parts: Sequence[Part]) -> Mapping[str, Callable[[], Image.Image]]:
    """Return for each picture, by its name, the function that paints it."""
    return {
        "whole": lambda: _whole(parts),
        "exploded": lambda: _exploded(parts),
        "cap": lambda: _cap(parts),
        "tools": lambda: _tools(parts),
        "console": lambda: _console(parts),
    }


def _setup() -> list[Place]:
    """Return the places of 80 pieces at the start of a game."""
    return [at for n, at in enumerate(squares(_PITCH)) if n // 10 not in {4, 5}]


def _figure(lift: float) -> Solid:
    """Return a piece without its cap."""
    foot = SHOWN.body(0, 6, lift)
    return foot + block(16, 5, 26, (0, 0, lift + 6))


def _whole(parts: Sequence[Part]) -> Image.Image:
    board = assembly(_PITCH, parts, _setup())
    scene = [*_visible(board), *_field()]
    for x, y in _setup():
        colour = "red" if y < 0 else "blue"
        scene.append(Placed("piece", _figure(foot_cap.LIFT).moved(x, y), colour))
    scene += _beside(parts)
    return picture(scene, View((1.0, -1.7, 1.35), (1400, 900)))


def _visible(board: Assembly) -> Iterator[Placed]:
    """Yield the parts that are visible from outside."""
    for each in board.placed:
        if each.name.split()[0] in {"lid", "bottom", "corner", "side", "cap", "foot"}:
            yield each


def _field() -> Iterator[Placed]:
    """Yield the printed layout: squares in two tones, and the lakes."""
    for n, (x, y) in enumerate(squares(_PITCH)):
        column, row = n % 10, n // 10
        if row in {4, 5} and column in {2, 3, 6, 7}:
            yield Placed("lake", block(_PITCH, _PITCH, 0.2, (x, y, 0)), "water")
        else:
            colour = "light" if (row + column) % 2 else "dark"
            yield Placed("square", block(_PITCH, _PITCH, 0.2, (x, y, 0)), colour)


def _beside(parts: Sequence[Part]) -> Iterator[Placed]:
    """Yield console and button boxes on the table around the board; the cables come out at a."""
    lean = radians(console.LEAN)
    low = console.SIZE[1] / 2 * cos(lean) + (console.BEZEL + console.BACK) * sin(lean)
    away = outer(_PITCH) / 2 + 60
    for each in console_assembly(parts).placed:
        solid = each.solid.turned(console.LEAN, X).turned(90, X).turned(-90, Z)
        yield Placed(
            each.name, solid.moved(-away, 0, _TABLE + low + console.STAND_BASE), each.colour
        )
    for way in (-1, 1):
        y = way * (outer(_PITCH) / 2 + 45)
        for each in button_assembly(parts).placed:
            solid = each.solid.turned(0 if way > 0 else 180, Z).moved(150 * way, y, _TABLE)
            yield Placed(each.name, solid, each.colour)
        top = _TABLE + button_box.SHELL + button_box.HEIGHT
        cap = cylinder(11, 6, (150 * way, y - way * button_box.BUTTON_AT, top))
        yield Placed("button", cap, "red" if way < 0 else "blue")


def _exploded(parts: Sequence[Part]) -> Image.Image:
    lifts = {"lid": 210.0, "tile": 120.0, "corner": 40.0, "side": 40.0, "post": 15.0}
    lifts |= {"controller": 35.0, "ring": 15.0, "bottom": -60.0, "foot": -100.0, "clamp": 5.0}
    lifts |= dict.fromkeys(("cap", "plug", "magnet"), 260.0)
    some = [at for n, at in enumerate(_setup()) if n in {0, 3, 44, 9, 72}]
    board = assembly(_PITCH, parts, some)
    scene = [each.moved(z=lifts[each.name.split()[0]]) for each in board.placed]
    scene += [each.moved(z=210) for each in _field()]
    half = outer(_PITCH) / 2
    labels = [
        Label("foot cap with its magnet", (-180, -180, 266), left=True),
        Label("lid, 5 mm", (-half, -half, 205), left=True),
        Label("four tiles, parts down", (-199, -199, 113), left=True),
        Label("frame, 8 pieces", (-half, -half, 20), left=True),
        Label("slot for the cables", (-half, -60, 2), left=True),
        Label("bottom plate, 4 mm", (-half, -half, -100), left=True),
        Label("16 posts", (160, -40, -2)),
        Label("controller on rings", (-50, -140, 10)),
        Label("foot", (185, -185, -148)),
    ]
    return picture(scene, View((-0.8, -1.7, 1.0), (1500, 1120), 290), labels)


def _cap(parts: Sequence[Part]) -> Image.Image:
    made = {part.name: part.solid for part in parts}
    lid = block(60, 40, 5, (0, 0, -5.1))
    tile = block(60, 40, 1.6, (0, 0, -6.7))
    sensor = block(2.9, 1.3, 1.1, (0, 0, -7.8))
    cap, plug = made[f"foot-cap-{SHOWN.name}"], made[f"foot-plug-{SHOWN.name}"]
    stack = [
        Placed("piece", _figure(foot_cap.LIFT), "piece"),
        Placed("cap", cap.moved(z=FELT), "red"),
        Placed("plug", plug.moved(z=FELT + foot_cap.SEAT), "plastic"),
        Placed("magnet", magnet().moved(z=FELT + CAP_FLOOR), "metal"),
        Placed("felt", cylinder(11.7, FELT), "felt"),
        Placed("lid", lid, "lid"),
        Placed("tile", tile, "board"),
        Placed("sensor", sensor, "glass"),
    ]
    front = box((80, 40, 80), (-40, -40, -20))
    cut = [Placed(each.name, each.solid - front, each.colour) for each in stack]
    labels = [
        Label("foot of the piece", (-6, 0, 8.5), left=True),
        Label("plug, glued in", (-9, 0, 4.9), left=True),
        Label("shoe", (-11, 0, 3), left=True),
        Label("felt, 1 mm", (-8, 0, 0.5), left=True),
        Label("magnet 8 x 2 mm", (2, 0, 3.2)),
        Label("floor, 1.2 mm", (8, 0, 1.6)),
        Label("lid, 5 mm", (20, 0, -2.5)),
        Label("tile, 1.6 mm", (22, 0, -5.9)),
        Label("sensor, 9.5 mm below it", (0.8, 0, -7.3)),
    ]
    return picture(cut, View((-0.12, -1.6, 0.42), (1400, 700), 330), labels)


def _tools(parts: Sequence[Part]) -> Image.Image:
    made = {part.name: part.solid for part in parts}
    foot = SHOWN.name
    scene = [
        Placed("jig", made[f"jig-{foot}"]),
        Placed("floats", made[f"foot-cap-{foot}"].moved(-jig.DISTANCE / 2, 0, 21), "red"),
        Placed(
            "pulled", made[f"foot-cap-{foot}"].moved(jig.DISTANCE / 2, 0, jig.WELL_FLOOR), "red"
        ),
        Placed("gauge", made["depth-gauge"].turned(90, X).turned(12, Z).moved(95, -5, 22)),
        Placed("shoe", made[f"foot-cap-{foot}"].moved(95, 0, 0), "blue"),
    ]
    labels = [
        Label("it floats: right for this well", (-22, -12, 26), left=True),
        Label("pulled down: wrong for this well", (22, -12, 11), left=True),
        Label("depth gauge on a shoe", (98, -6, 24)),
    ]
    return picture(scene, View((-0.25, -1.6, 0.75), (1500, 480), 380), labels)


def _console(parts: Sequence[Part]) -> Image.Image:
    behind = {"bezel": -75.0, "display": -30.0, "clip": 10.0, "back": 60.0, "stand": 130.0}
    scene = []
    for each in console_assembly(parts).placed:
        moved = each.moved(z=behind[each.name.split()[0]])
        scene.append(Placed(each.name, moved.solid.turned(90, X), each.colour))
    labels = [
        Label("bezel", (-100, 70, 20)),
        Label("display, Pi behind", (-96, 28, 50)),
        Label("four clips", (-40, -14, 62)),
        Label("back", (95, -90, 60), left=True),
        Label("two brackets", (70, -190, -20), left=True),
    ]
    return picture(scene, View((1.2, 1.3, 0.7), (1400, 760), 230), labels)
