"""Renders images of the mechanical parts for the documentation."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import cos, radians, sin
from typing import Any, Final

import numpy as np
from PIL import Image, ImageDraw, ImageFont, ImageOps

from hardware.mechanics import console, foot_cap, jig
from hardware.mechanics.assembly import (
    Assembly,
    Placed,
    assembly,
    button_assembly,
    console_assembly,
    squares,
)
from hardware.mechanics.boards import Place
from hardware.mechanics.dimensions import CAP_FLOOR, FELT
from hardware.mechanics.flat import Part
from hardware.mechanics.foot_cap import SHOWN
from hardware.mechanics.layout import UNDERSIDE, outer
from hardware.mechanics.mesh import mesh
from hardware.mechanics.purchased_parts import purchased_magnet
from hardware.mechanics.solid import Point, Solid, X, Z, block, box, cylinder

# The renderer uses a depth buffer, and draws the edges of faces as dark lines.

COLOURS: Final = {
    "plastic": (214, 206, 190),
    "lid": (233, 211, 174),
    "wood": (198, 164, 116),
    "board": (44, 122, 92),
    "red": (186, 58, 46),
    "blue": (45, 92, 152),
    "metal": (170, 176, 182),
    "glass": (52, 58, 68),
    "piece": (226, 226, 222),
    "felt": (92, 110, 84),
    "light": (236, 219, 180),
    "dark": (214, 189, 142),
    "water": (150, 196, 214),
}
INK: Final = (18, 22, 28)
_SMOOTH: Final = 2
"""Supersampling factor in each direction."""
_EXACTNESS: Final = (0.15, 0.35)
_MARGIN: Final = 0.03
_LIGHT: Final = (-0.45, 0.65, 0.6)
"""Direction towards the light, in the viewer's coordinates. The light comes from above and behind
the viewer's left shoulder."""
_PALETTE: Final = 256
_LETTERS: Final = 25


@dataclass(frozen=True)
class Label:
    """Label in the margin of an image, with a line to a point in the scene."""

    words: str
    at: Point
    left: bool = False


@dataclass(frozen=True)
class View:
    """Viewpoint of a scene, and image size in pixels."""

    eye: Point
    size: tuple[int, int]
    beside: int = 0
    """Width of the margin for labels on each side, in pixels."""


def picture(scene: Sequence[Placed], view: View, labels: Iterable[Label] = ()) -> Image.Image:
    """Render a scene in parallel projection."""
    axes = _axes(view.eye)
    bodies = [(mesh(each.solid, _EXACTNESS), COLOURS[each.colour]) for each in scene]
    seen = [body.triangles @ axes.T for body, _ in bodies]
    flat = np.concatenate([each.reshape(-1, 3)[:, :2] for each in seen])
    low, high = flat.min(axis=0), flat.max(axis=0)
    wide, tall = (n * _SMOOTH for n in view.size)
    room = np.array([wide - 2 * view.beside * _SMOOTH, tall]) * (1 - 2 * _MARGIN)
    scale = float((room / (high - low)).min())
    middle = (low + high) / 2

    def on_picture(points: Any) -> Any:
        x = (points[..., 0] - middle[0]) * scale + wide / 2
        y = tall / 2 - (points[..., 1] - middle[1]) * scale
        return np.stack([x, y, points[..., 2]], axis=-1)

    canvas = _Canvas(wide, tall)
    for number, ((body, colour), triangles) in enumerate(zip(bodies, seen, strict=True)):
        seen_from_here = body.face_normals @ axes.T
        front = seen_from_here[:, 2] > 0
        canvas.paint(on_picture(triangles[front]), seen_from_here[front], colour, number)
    image = Image.fromarray(canvas.finished()).resize(view.size, Image.Resampling.LANCZOS)
    spots = [(label, on_picture(axes @ np.array(label.at))[:2] / _SMOOTH) for label in labels]
    _write(image, spots)
    return _cropped(image).quantize(_PALETTE, dither=Image.Dither.NONE)


def _cropped(image: Image.Image) -> Image.Image:
    """Crop the white space above and below the scene."""
    _, top, _, low = ImageOps.invert(image).getbbox() or (0, 0, 0, image.height)
    return image.crop((0, max(0, top - _LETTERS), image.width, min(image.height, low + _LETTERS)))


def _axes(eye: Point) -> Any:
    """Return the axes of a view (right, up, and towards the eye) as the rows of a matrix."""
    towards = np.array(eye) / np.linalg.norm(eye)
    right = np.cross((0, 0, 1), towards)
    right = right / np.linalg.norm(right)
    return np.array([right, np.cross(towards, right), towards])


class _Canvas:
    """Drawing area that stores the colour, depth, face and body of each pixel."""

    def __init__(self, wide: int, tall: int) -> None:
        self._colour = np.full((tall, wide, 3), 255.0)
        self._depth = np.full((tall, wide), -np.inf)
        self._face = np.full((tall, wide, 4), 9.0)

    def paint(self, triangles: Any, normals: Any, colour: Sequence[int], number: int) -> None:
        light = np.array(_LIGHT) / np.linalg.norm(_LIGHT)
        shades = 0.64 + 0.36 * np.clip(normals @ light, -0.6, 1)
        for corners, normal, shade in zip(triangles, normals, shades, strict=True):
            self._triangle(corners, np.append(normal, number), shade * np.array(colour))

    def _triangle(self, corners: Any, face: Any, colour: Any) -> None:
        tall, wide = self._depth.shape
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = corners
        area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
        if abs(area) < 1e-9:
            return
        left, right = max(0, int(min(ax, bx, cx))), min(wide, int(max(ax, bx, cx)) + 2)
        top, low = max(0, int(min(ay, by, cy))), min(tall, int(max(ay, by, cy)) + 2)
        if left >= right or top >= low:
            return
        x = np.arange(left, right) + 0.5
        y = (np.arange(top, low) + 0.5)[:, None]
        v = ((x - ax) * (cy - ay) - (cx - ax) * (y - ay)) / area
        w = ((bx - ax) * (y - ay) - (x - ax) * (by - ay)) / area
        depth = az + v * (bz - az) + w * (cz - az)
        here = self._depth[top:low, left:right]
        seen = (v >= -1e-6) & (w >= -1e-6) & (v + w <= 1 + 1e-6) & (depth > here)
        here[seen] = depth[seen]
        self._colour[top:low, left:right][seen] = colour
        self._face[top:low, left:right][seen] = face

    def finished(self) -> Any:
        lines = np.zeros(self._depth.shape, dtype=bool)
        for axis in (0, 1):
            face, next_ = self._face, np.roll(self._face, -1, axis=axis)
            turned = (face[..., :3] * next_[..., :3]).sum(axis=-1) < 0.8
            lines |= turned | (face[..., 3] != next_[..., 3])
        return np.where(lines[..., None], INK, self._colour).clip(0, 255).astype(np.uint8)


def _write(image: Image.Image, spots: Sequence[tuple[Label, Any]]) -> None:
    """Write the labels on both sides. On each side, they have the same order as their points, from
    top to bottom, and do not overlap."""
    font = ImageFont.load_default(size=_LETTERS)
    draw = ImageDraw.Draw(image)
    step = 1.6 * _LETTERS
    for left in (True, False):
        own = sorted((each for each in spots if each[0].left == left), key=lambda each: each[1][1])
        free = step
        for label, (x, y) in own:
            line = max(free, min(float(y), image.height - step))
            free = line + step
            edge = 12 if left else image.width - 12
            draw.text((edge, line), label.words, INK, font, "lm" if left else "rm")
            length = draw.textlength(label.words, font)
            start = edge + length + 8 if left else edge - length - 8
            draw.line([(start, line), (float(x), float(y))], (85, 96, 110), 2)
            draw.ellipse([x - 4, y - 4, x + 4, y + 4], INK)


_PITCH: Final = 40
_TABLE: Final = UNDERSIDE - 8


def pictures(parts: Sequence[Part]) -> Mapping[str, Callable[[], Image.Image]]:
    """Return the functions that render the images, keyed by image name."""
    return {
        "whole": lambda: _whole(parts),
        "exploded": lambda: _exploded(parts),
        "cap": lambda: _cap(parts),
        "tools": lambda: _tools(parts),
        "console": lambda: _console(parts),
    }


def _setup() -> list[Place]:
    """Return the positions of all 80 pieces at the start of a game."""
    return [at for n, at in enumerate(squares(_PITCH)) if n // 10 not in {4, 5}]


def _figure(lift: float) -> Solid:
    """Return a piece without its foot cap, with the foot's lower face at height `lift`."""
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
    """Yield the parts that are visible from the outside."""
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
    """Yield the console and button boxes on the table around the board. They are placed so that
    their cables can leave the board at column a."""
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
        top = _TABLE + console.SHELL + console.HEIGHT
        cap = cylinder(11, 6, (150 * way, y - way * console.BUTTON_AT, top))
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
        Placed("magnet", purchased_magnet().moved(z=FELT + CAP_FLOOR), "metal"),
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
        Label("cap", (-11, 0, 3), left=True),
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
        Placed("gauged", made[f"foot-cap-{foot}"].moved(95, 0, 0), "blue"),
    ]
    labels = [
        Label("it floats: right for this well", (-22, -12, 26), left=True),
        Label("pulled down: wrong for this well", (22, -12, 11), left=True),
        Label("depth gauge on a cap", (98, -6, 24)),
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
