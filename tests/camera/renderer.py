"""Renders images of boards: printed frame, blocks, light, shadows, lens, blur, noise and arms.

The renderer and the program share only the specification of the printed frame. Units are squares; x
runs from column a to k, y from row 1 to row 10.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import cos, radians, sin
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from engine.board.geometry import Side, Square
from firmware_bridge.camera import marker_frame

Array = npt.NDArray[Any]
Colour = tuple[float, float, float]
"""Red, green and blue, from 0 to 255."""

TEXTURE = 40
"""Number of texture pixels per square along each axis."""
_NOISE_SHIFTS = 64
"""Number of possible shifts of the noise pattern per axis. The noise is generated once and reused,
because generating it for each image took a third of the rendering time."""
REACH = 6.0
"""Width of the strip of table that is drawn around the board, in squares."""

WOOD: Colour = (188, 148, 100)
GREEN: Colour = (96, 128, 84)
GREY: Colour = (168, 170, 172)
DARK: Colour = (72, 56, 46)
SKIN: Colour = (214, 164, 136)


@dataclass(frozen=True)
class Look:
    """Appearance of a board and of its two sets of blocks."""

    board: Colour = WOOD
    pattern: str = "lines"
    """``lines``, ``grain``, ``chequered``, or ``painted`` in many colours."""
    homes: tuple[Colour, Colour] | None = None
    """Colours of Red's and Blue's home areas, or None for the board's colour."""
    red: Colour = (186, 42, 40)
    blue: Colour = (36, 66, 150)
    table: Colour = (120, 92, 70)
    wide: float = 0.62
    deep: float = 0.28
    high: float = 0.66
    off: float = 0.0
    """Standard deviation of the errors in the markers' positions, in squares."""
    ranks: bool = True
    """Whether blocks have a light-coloured picture on the side facing their owner."""


@dataclass(frozen=True)
class Shot:
    """Camera view, light and exposure."""

    width: int = 1280
    height: int = 720
    focal: float = 0.85
    """Focal length, as a fraction of the image's width."""
    tilt: float = 25.0
    """Angle between the line of sight and the vertical, in degrees."""
    azimuth: float = 0.0
    """Direction of the camera, in degrees: 0 is behind Red, 90 is beside column k."""
    distance: float = 17.0
    roll: float = 0.0
    barrel: float = -0.05
    """First coefficient of radial distortion. The second is -1/5 of the first."""
    brightness: float = 1.0
    warmth: float = 0.0
    """White balance shift: 0.1 multiplies red by 1.1 and blue by 0.9."""
    gradient: float = 0.15
    """Relative difference in brightness between two opposite sides of the board."""
    sun: tuple[float, float] = (0.35, 0.5)
    """Offset of a block's shadow per unit of the block's height."""
    shade: float = 0.35
    """Fraction of the light that a shadow removes."""
    noise: float = 2.5
    blur: float = 0.6
    """Standard deviation of the focus blur, in pixels."""
    jpeg: int = 90


@dataclass(frozen=True)
class Standing:
    side: Side
    x: float
    y: float
    yaw: float = 0.0
    lies: bool = False
    lifted: float = 0.0


@dataclass(frozen=True)
class Arm:
    """Arm reaching from outside the frame to a point above the board."""

    start: tuple[float, float]
    hand: tuple[float, float]
    height: float = 1.2
    wide: float = 1.7
    sleeve: Colour | None = (70, 74, 82)
    """Colour of the sleeve, or None for a bare arm."""
    watch: bool = False
    speed: float = 0.0
    """Distance, in squares, that the arm advances in its own direction during the exposure."""


@dataclass
class Scene:
    look: Look
    shot: Shot
    blocks: list[Standing] = field(default_factory=list)
    arms: list[Arm] = field(default_factory=list)
    frame: bool = True
    covered: Sequence[tuple[float, float, float]] = ()
    """Discs that cover parts of the frame: x, y and radius."""
    shadow: tuple[float, float, float] | None = None
    """Soft shadow of a person: x, y and radius."""


def block_on(side: Side, square: Square, dice: Any = None, spread: float = 0.08) -> Standing:
    """Place a block near the centre of a square."""
    row, column = divmod(square, 10)
    dx, dy, yaw = (
        (dice.gauss(0, spread), dice.gauss(0, spread), dice.gauss(0, 6)) if dice else (0, 0, 0)
    )
    limit = 0.22
    dx, dy = max(-limit, min(limit, dx)), max(-limit, min(limit, dy))
    return Standing(side, column + 0.5 + dx, row + 0.5 + dy, yaw)


class Renderer:
    """Renderer with a fixed camera view and a fixed appearance."""

    def __init__(self, look: Look, shot: Shot, seed: int = 0) -> None:
        self.look, self.shot = look, shot
        self._random = np.random.default_rng(seed)
        self._aim()
        self._base = _texture(look, frame=True, seed=seed)
        self._bare = _texture(look, frame=False, seed=seed)
        self._ground_map()
        self._grounds: dict[bool, Array] = {}
        """Images of the ground without shadows, keyed by whether the frame is present."""
        self._drawn: dict[Standing, tuple[Array, list[tuple[Array, list[float]]]]] = {}
        """For each block, the outline of its shadow in the texture and its faces in the image."""
        spread = self._random.standard_normal(
            (shot.height + _NOISE_SHIFTS, shot.width + _NOISE_SHIFTS, 3), np.float32
        )
        self._grains = spread * np.float32(shot.noise)

    def _aim(self) -> None:
        shot = self.shot
        tilt, azimuth, roll = radians(shot.tilt), radians(shot.azimuth), radians(shot.roll)
        towards = np.array([sin(azimuth), -cos(azimuth), 0.0])
        self.eye = np.array([5.0, 5.0, 0.0]) + shot.distance * (
            sin(tilt) * towards + np.array([0, 0, cos(tilt)])
        )
        ahead = np.array([5.0, 5.0, 0.0]) - self.eye
        ahead /= np.linalg.norm(ahead)
        right = np.array([cos(azimuth), sin(azimuth), 0.0])
        down = np.cross(ahead, right)
        turned = np.array(
            [cos(roll) * right + sin(roll) * down, cos(roll) * down - sin(roll) * right]
        )
        self._axes = np.vstack([turned, ahead])

    def pixels(self, points: Any) -> Array:
        """Project points, given as x, y and height, onto the image."""
        shot = self.shot
        rays = (np.asarray(points, float).reshape(-1, 3) - self.eye) @ self._axes.T
        flat = rays[:, :2] / rays[:, 2:]
        square = (flat**2).sum(axis=1, keepdims=True)
        flat = flat * (1 + shot.barrel * square - shot.barrel / 5 * square**2)
        middle = (shot.width - 1) / 2, (shot.height - 1) / 2
        found: Array = flat * shot.focal * shot.width + middle
        return found

    def _ground_map(self) -> None:
        shot = self.shot
        columns, rows = np.meshgrid(np.arange(shot.width), np.arange(shot.height))
        bent = np.stack([columns - (shot.width - 1) / 2, rows - (shot.height - 1) / 2], -1)
        bent = bent / (shot.focal * shot.width)
        flat = bent.copy()
        for _ in range(12):
            square = (flat**2).sum(axis=-1, keepdims=True)
            flat = bent / (1 + shot.barrel * square - shot.barrel / 5 * square**2)
        rays = flat[..., :1] * self._axes[0] + flat[..., 1:] * self._axes[1] + self._axes[2]
        with np.errstate(divide="ignore", invalid="ignore"):
            reach = np.where(rays[..., 2] < -1e-6, -self.eye[2] / rays[..., 2], 1e6)
        x = self.eye[0] + rays[..., 0] * reach
        y = self.eye[1] + rays[..., 1] * reach
        self._map = (
            ((x + REACH) * TEXTURE - 0.5).astype(np.float32),
            ((10 + REACH - y) * TEXTURE - 0.5).astype(np.float32),
        )

    def render(self, scene: Scene) -> Array:
        """Return the image in BGR."""
        moving = [arm for arm in scene.arms if arm.speed]
        if moving:
            parts = []
            for share in (-0.5, -0.25, 0.0, 0.25, 0.5):
                arms = [_moved(arm, share) for arm in scene.arms]
                parts.append(self._expose(scene, arms))
            light = np.mean(parts, axis=0)
        else:
            light = self._expose(scene, scene.arms)
        return self._develop(light)

    def _expose(self, scene: Scene, arms: Iterable[Arm]) -> Array:
        shot = self.shot
        arms = list(arms)
        shade: Array = np.ones(self._base.shape[:2], np.float32)
        for block in scene.blocks:
            cv2.fillConvexPoly(shade, self._draw(block)[0], 1 - shot.shade, 16)
        for arm in arms:
            self._cast_arm(shade, arm)
        shade = np.asarray(cv2.blur(shade, (7, 7)))
        if scene.shadow:
            x, y, radius = scene.shadow
            soft = np.ones_like(shade)
            cv2.circle(soft, _texel(x, y), round(radius * TEXTURE), 1 - shot.shade, -1, 16)
            shade *= cv2.blur(soft, (61, 61))
        light: Array = self._ground(scene) * self._seen(shade)[..., None]
        eye = self.eye[:2]
        for block in sorted(
            scene.blocks, key=lambda each: -float(np.hypot(each.x - eye[0], each.y - eye[1]))
        ):
            for pixels, colour in self._draw(block)[1]:
                cv2.fillConvexPoly(light, pixels, colour, 16, 4)
        for arm in arms:
            self._draw_arm(light, arm)
        return light

    def _ground(self, scene: Scene) -> Array:
        """Return the image of the table, board and frame, without shadows."""
        texture = self._base if scene.frame else self._bare
        if scene.covered:
            texture = texture.copy()
            for x, y, radius in scene.covered:
                cv2.circle(texture, _texel(x, y), round(radius * TEXTURE), (60, 110, 60), -1, 16)
            return self._seen(texture)
        if scene.frame not in self._grounds:
            self._grounds[scene.frame] = self._seen(texture)
        return self._grounds[scene.frame]

    def _seen(self, texture: Array) -> Array:
        """Return a texture as seen by the camera."""
        return np.asarray(
            cv2.remap(texture, *self._map, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        )

    def _draw(self, block: Standing) -> tuple[Array, list[tuple[Array, list[float]]]]:
        if block not in self._drawn:
            faces = [
                (self._polygon(face), [float(each) for each in colour])
                for face, colour in self._faces(block)
            ]
            self._drawn[block] = self._shadow(block), faces
        return self._drawn[block]

    def _shadow(self, block: Standing) -> Array:
        base = _footprint(block, self.look)
        high = self.look.deep if block.lies else self.look.high
        sun = np.array(self.shot.sun)
        points = np.vstack([base + sun * block.lifted, base + sun * (high + block.lifted)])
        texels = np.array([_texel(x, y) for x, y in points], np.int32)
        return np.asarray(cv2.convexHull(texels))

    def _cast_arm(self, shade: Array, arm: Arm) -> None:
        sun = np.array(self.shot.sun) * arm.height
        first, second = (_texel(*(np.array(end) + sun)) for end in (arm.start, arm.hand))
        cv2.line(shade, first, second, 1 - self.shot.shade, round(arm.wide * 0.8 * TEXTURE), 16)

    def _faces(self, block: Standing) -> Iterator[tuple[Sequence[tuple[float, ...]], Array]]:
        """Yield the corners and the colour of each visible face."""
        look = self.look
        colour = np.array(look.red if block.side is Side.RED else look.blue)
        base = _footprint(block, look)
        high = look.deep if block.lies else look.high
        low, top = block.lifted, block.lifted + high
        for n in range(4):
            first, second = base[n], base[(n + 1) % 4]
            out = np.array([second[1] - first[1], first[0] - second[0]])
            out = out / np.linalg.norm(out)
            if out @ (self.eye[:2] - (first + second) / 2) <= 0:
                continue
            sun = np.array(self.shot.sun)
            facing = float(-out @ sun) / (float(np.linalg.norm(sun)) + 1e-9)
            lit = 0.62 + 0.28 * max(0.0, facing)
            face = [(*first, low), (*second, low), (*second, top), (*first, top)]
            yield face, colour * lit
            faces_owner = out[1] < -0.7 if block.side is Side.RED else out[1] > 0.7
            if look.ranks and faces_owner and not block.lies:
                inner = [
                    (*(first + (second - first) * u), low + (top - low) * v)
                    for u, v in ((0.3, 0.3), (0.7, 0.3), (0.7, 0.75), (0.3, 0.75))
                ]
                yield inner, np.array([225, 205, 150]) * lit
        yield [(*point, top) for point in base], colour

    def _fill(self, light: Array, face: Sequence[tuple[float, ...]], colour: Array) -> None:
        cv2.fillConvexPoly(light, self._polygon(face), [float(each) for each in colour], 16, 4)

    def _polygon(self, face: Sequence[tuple[float, ...]]) -> Array:
        """Return the pixel coordinates of a face, in sixteenths of a pixel."""
        return np.round(self.pixels(face) * 16).astype(np.int32)

    def _draw_arm(self, light: Array, arm: Arm) -> None:
        start, hand = np.array(arm.start), np.array(arm.hand)
        along = (hand - start) / (np.linalg.norm(hand - start) + 1e-9)
        across = np.array([-along[1], along[0]])
        wrist = hand - along * 1.8
        sleeve = SKIN if arm.sleeve is None else arm.sleeve
        self._limb(light, start, wrist, across, (arm.wide, arm.wide * 0.8), arm.height + 1, sleeve)
        if arm.watch:
            strap = wrist - along * 0.3, wrist
            self._limb(light, *strap, across, (1.4, 1.4), arm.height + 1.05, (30, 30, 34))
        self._limb(light, wrist, hand - along * 0.5, across, (1.2, 1.9), arm.height + 0.5, SKIN)
        for shift in (-0.6, -0.2, 0.2, 0.6):
            root = hand - along * 0.6 + across * shift
            tip = hand + along * (0.5 - abs(shift) * 0.4) + across * shift * 0.6
            self._limb(light, root, tip, across, (0.42, 0.34), arm.height, SKIN)

    def _limb(
        self,
        light: Array,
        start: Array,
        end: Array,
        across: Array,
        wide: tuple[float, float],
        height: float,
        colour: Colour,
    ) -> None:
        points = [
            (*(start - across * wide[0] / 2), height),
            (*(start + across * wide[0] / 2), height),
            (*(end + across * wide[1] / 2), height),
            (*(end - across * wide[1] / 2), height),
        ]
        self._fill(light, points, np.array(colour) * 0.9)
        middle = [
            (*(point[:2] * 0.5 + (start + end) / 2 * 0.5), height) for point in np.array(points)
        ]
        self._fill(light, middle, np.array(colour))

    def _develop(self, light: Array) -> Array:
        shot = self.shot
        slope = np.linspace(1 - shot.gradient, 1 + shot.gradient, shot.width, dtype=np.float32)
        gains = np.array([1 + shot.warmth, 1.0, 1 - shot.warmth], np.float32) * shot.brightness
        light = light * np.float32(slope[None, :, None] * gains)
        if shot.blur:
            light = cv2.GaussianBlur(light, (0, 0), shot.blur)
        down, right = self._random.integers(0, _NOISE_SHIFTS, 2)
        light = light + self._grains[down : down + shot.height, right : right + shot.width]
        picture = np.clip(light, 0, 255).astype(np.uint8)[..., ::-1]
        _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, shot.jpeg])
        decoded: Array = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR))
        return decoded


def _moved(arm: Arm, share: float) -> Arm:
    start, hand = np.array(arm.start), np.array(arm.hand)
    along = (hand - start) / (np.linalg.norm(hand - start) + 1e-9) * arm.speed * share
    return Arm(
        tuple(start + along), tuple(hand + along), arm.height, arm.wide, arm.sleeve, arm.watch
    )


def _texel(x: float, y: float) -> tuple[int, int]:
    return round((x + REACH) * TEXTURE - 0.5), round((10 + REACH - y) * TEXTURE - 0.5)


def _footprint(block: Standing, look: Look) -> Array:
    """Return the corners of a block's base, counter-clockwise as seen from above.

    Before the block is turned, the first corner is the one nearest to a1.
    """
    deep = look.high if block.lies else look.deep
    turn = radians(block.yaw)
    axes = np.array([[cos(turn), sin(turn)], [-sin(turn), cos(turn)]])
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [look.wide / 2, deep / 2]
    placed: Array = corners @ axes + [block.x, block.y]
    return placed


def _texture(look: Look, *, frame: bool, seed: int) -> Array:
    """Draw the table, board and frame in RGB."""
    random = np.random.default_rng(seed)
    size = round((10 + 2 * REACH) * TEXTURE)
    texture = np.full((size, size, 3), look.table, np.float32)
    if frame:
        edge = marker_frame.STRIP
        _rectangle(texture, -edge, -edge, 10 + edge, 10 + edge, (236, 236, 232))
        for marker in range(4 * marker_frame.PER_SIDE):
            x, y = marker_frame.centre(marker) + random.normal(0, look.off, 2)
            module = marker_frame.MARKER / marker_frame.MODULES
            left, top = x - marker_frame.MARKER / 2, y + marker_frame.MARKER / 2
            for column, row in marker_frame.black_cells(marker):
                _rectangle(
                    texture,
                    left + column * module,
                    top - (row + 1) * module,
                    left + (column + 1) * module,
                    top - row * module,
                    (24, 24, 26),
                )
    _rectangle(texture, 0, 0, 10, 10, look.board)
    _paint(texture, look, random)
    return texture


def _paint(texture: Array, look: Look, random: Any) -> None:
    low, high = _texel(0, 10), _texel(10, 0)
    field_ = texture[low[1] : high[1], low[0] : high[0]]
    board = np.array(look.board, np.float32)
    if look.pattern == "grain":
        waves = cv2.GaussianBlur(
            random.normal(0, 60, field_.shape[:2]).astype(np.float32), (0, 0), 1.2, sigmaY=40
        )
        field_ += np.clip(waves, -25, 25)[..., None]
    if look.pattern == "painted":
        for _ in range(120):
            x, y = random.integers(0, field_.shape[0], 2)
            colour = [float(each) for each in random.uniform(40, 220, 3)]
            cv2.circle(field_, (int(x), int(y)), int(random.integers(15, 70)), colour, -1, 16)
    for bottom, paint in zip((0, 6), look.homes or (), strict=False):
        _rectangle(texture, 0, bottom, 10, bottom + 4, paint)
    for square in range(100):
        row, column = divmod(square, 10)
        if look.pattern == "chequered" and (row + column) % 2:
            _rectangle(texture, column, row, column + 1, row + 1, board * 0.62)
    for line in range(11):
        cv2.line(texture, _texel(line, 0), _texel(line, 10), (board * 0.5).tolist(), 2, 16)
        cv2.line(texture, _texel(0, line), _texel(10, line), (board * 0.5).tolist(), 2, 16)
    for x, y in ((2, 4), (6, 4)):
        _rectangle(texture, x + 0.05, y + 0.05, x + 1.95, y + 1.95, (96, 150, 176))


def _rectangle(
    texture: Array, left: float, bottom: float, right: float, top: float, colour: Any
) -> None:
    first, second = _texel(left, top), _texel(right, bottom)
    texture[first[1] : second[1], first[0] : second[0]] = colour
