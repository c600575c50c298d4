"""Renderer of solids: a depth buffer, a dark line at the edge of each face, and labels."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from PIL import Image, ImageDraw, ImageFont, ImageOps

from hardware.mechanics.assembly import Placed
from hardware.mechanics.mesh import mesh
from hardware.mechanics.solid import Point

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
"""Direction of the light as the eye sees it: from the left, from above, from behind the eye."""
_PALETTE: Final = 256
_LETTERS: Final = 25


@dataclass(frozen=True)
class Label:
    """A label on the left or on the right of the picture, with a line to a point of it."""

    words: str
    at: Point
    left: bool = False


@dataclass(frozen=True)
class View:
    """The viewpoint of a scene, and the size of the picture in pixels."""

    eye: Point
    size: tuple[int, int]
    beside: int = 0
    """Margin on both sides for labels."""


def picture(scene: Sequence[Placed], view: View, labels: Iterable[Label] = ()) -> Image.Image:
    """Render a scene as seen from far away."""
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
        seen_from_here = body.normals @ axes.T
        front = seen_from_here[:, 2] > 0
        canvas.paint(on_picture(triangles[front]), seen_from_here[front], colour, number)
    image = Image.fromarray(canvas.finished()).resize(view.size, Image.Resampling.LANCZOS)
    spots = [(label, on_picture(axes @ np.array(label.at))[:2] / _SMOOTH) for label in labels]
    _write(image, spots)
    return _cropped(image).quantize(_PALETTE, dither=Image.Dither.NONE)


def _cropped(image: Image.Image) -> Image.Image:
    """Return the image without the white above and below."""
    _, top, _, low = ImageOps.invert(image).getbbox() or (0, 0, 0, image.height)
    return image.crop((0, max(0, top - _LETTERS), image.width, min(image.height, low + _LETTERS)))


def _axes(eye: Point) -> Any:
    """Return the axes as rows: to the right, up, and towards the eye."""
    towards = np.array(eye) / np.linalg.norm(eye)
    right = np.cross((0, 0, 1), towards)
    right = right / np.linalg.norm(right)
    return np.array([right, np.cross(towards, right), towards])


class _Canvas:
    """Colour, depth, and the visible face and body, for each pixel."""

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
        """Return the picture, with its lines."""
        lines = np.zeros(self._depth.shape, dtype=bool)
        for axis in (0, 1):
            face, next_ = self._face, np.roll(self._face, -1, axis=axis)
            turned = (face[..., :3] * next_[..., :3]).sum(axis=-1) < 0.8
            lines |= turned | (face[..., 3] != next_[..., 3])
        return np.where(lines[..., None], INK, self._colour).clip(0, 255).astype(np.uint8)


def _write(image: Image.Image, spots: Sequence[tuple[Label, Any]]) -> None:
    """Write each label at its side, in the order of its points, without overlap."""
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
