"""Transformed containers: the root of the window, and a container rotated to face a player.

The root grows with the window but keeps its proportions. The map in its background continues on
both sides. The root can be rotated for a display mounted in portrait orientation or upside down.
"""

from collections.abc import Callable
from math import ceil, radians
from typing import Final

from kivy.graphics import Canvas, Color, Rectangle
from kivy.graphics.transformation import Matrix
from kivy.properties import NumericProperty, ObjectProperty
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.scatter import Scatter
from kivy.uix.widget import Widget

from companion.session.settings import ScreenEdge, Settings
from companion.ui.drawing import theme
from companion.ui.drawing.hidpi_text import ZOOM
from companion.ui.drawing.texture_cache import map_texture

TRIAL_SECONDS: Final = 15.0
"""Time after which an unconfirmed rotation is undone, in seconds. The display settings of a desktop
work in the same way."""


class PictureRotation:
    """The display rotation: the saved one or the one being tried out.

    A new rotation takes effect at once, but is kept only if it is confirmed. Users who cannot read
    the rotated screen, or whose touches miss, only have to wait.
    """

    def __init__(self, settings: Settings, clock: Callable[[], float]) -> None:
        self._settings, self._clock = settings, clock
        self._tried: int | None = None
        self._until = 0.0

    @property
    def degrees(self) -> int:
        """The current clockwise rotation."""
        return self._settings.rotation if self._tried is None else self._tried

    @property
    def seconds_left(self) -> float:
        """Time left in the trial in seconds, or 0 outside a trial."""
        return 0.0 if self._tried is None else max(0.0, self._until - self._clock())

    @property
    def has_expired(self) -> bool:
        """Whether a trial has ended without confirmation and must be undone."""
        return self._tried is not None and not self.seconds_left

    def try_out(self, degrees: int) -> None:
        """Try out a rotation until it is confirmed or undone, or until the time expires."""
        self._tried, self._until = degrees, self._clock() + TRIAL_SECONDS

    def keep(self) -> None:
        """Confirm the rotation, and save it in the settings."""
        self._settings.rotation = self.degrees
        self._tried = None

    def undo(self) -> None:
        self._tried = None


class ScaledRoot(FloatLayout):
    """Scales a plane of `theme.SCREEN` units to the window, and converts touches accordingly."""

    rotation = NumericProperty(0)
    """Clockwise rotation of the content in the window: 0, 90, 180 or 270 degrees."""

    def __init__(self, **kwargs: object) -> None:
        self._plane = Scatter(
            do_translation=False,
            do_rotation=False,
            do_scale=False,
            auto_bring_to_front=False,
            size_hint=(None, None),
            size=theme.SCREEN,
        )
        self._inside = FloatLayout(size_hint=(None, None), size=theme.SCREEN)
        super().__init__(**kwargs)
        self._plane.add_widget(self._inside)
        super().add_widget(self._plane)
        # The size is unknown until the widget has been added to the window.
        self.bind(size=self._fit, rotation=self._fit)

    def add_widget(self, widget: object, *_args: object, **_kwargs: object) -> None:
        """Add a widget to the plane, above the existing ones."""
        self._inside.add_widget(widget)

    def empty(self) -> None:
        """Remove all widgets, and apply the current layout size."""
        self._inside.clear_widgets()
        self._fit()

    def in_plane(self, x: float, y: float) -> tuple[float, float]:
        """Convert a point from window coordinates to plane units."""
        inside: tuple[float, float] = self._plane.to_local(x, y)
        return inside

    def _fit(self, *_args: object) -> None:
        self._plane.size = self._inside.size = width, height = theme.SCREEN
        across, up = rotated_size(theme.SCREEN, self.rotation)
        scale = min(self.width / across, self.height / up)
        left, bottom = (
            round((whole - part * scale) / 2)
            for whole, part in zip(self.size, (across, up), strict=True)
        )
        # The plane is rotated about its lower left corner. Move it back into the window afterwards.
        aside, above = {0: (0, 0), 90: (0, up), 180: (across, up), 270: (across, 0)}[self.rotation]
        place = Matrix().rotate(-radians(self.rotation), 0, 0, 1)
        place = place.multiply(Matrix().scale(scale, scale, 1))
        corner = Matrix().translate(left + aside * scale, bottom + above * scale, 0)
        self._plane.transform = corner.multiply(place)
        ZOOM.change(scale)
        beside, below = rotated_size((left / scale, bottom / scale), self.rotation)
        ground = self._inside.canvas.before
        ground.clear()
        if beside or below:
            draw_ground(ground, ceil(beside / width), ceil(below / height))


def draw_ground(canvas: Canvas, across: int, up: int) -> None:
    """Draw the map on the plane, and continue it on all sides.

    There are `across` copies to the left and right of the plane, and `up` copies above and below
    it. The map is mirrored at each edge, so that the lines meet.
    """
    width, height = theme.SCREEN
    canvas.add(Color(1, 1, 1, 1))
    for column in range(-across, across + 1):
        for row in range(-up, up + 1):
            u, v = (1, 0) if column % 2 else (0, 1), (1, 0) if row % 2 else (0, 1)
            canvas.add(
                Rectangle(
                    texture=map_texture(),
                    pos=(column * width, row * height),
                    size=(width, height),
                    tex_coords=(u[0], v[0], u[1], v[0], u[1], v[1], u[0], v[1]),
                )
            )


def rotated_size(size: tuple[float, float], rotation: float) -> tuple[float, float]:
    """Return the width and height of an area rotated by a multiple of 90 degrees."""
    width, height = size
    return (height, width) if rotation % 180 else (width, height)


class Rotated(FloatLayout):
    """Fills its area with content that appears upright from `seat`.

    For a seat at the left or right, the content is as wide as the area is high. Touches are
    converted accordingly.
    """

    seat = ObjectProperty(ScreenEdge.FRONT)

    def __init__(self, **kwargs: object) -> None:
        self._plane = Scatter(
            do_translation=False,
            do_rotation=False,
            do_scale=False,
            auto_bring_to_front=False,
            size_hint=(None, None),
        )
        self._inside = FloatLayout(size_hint=(None, None))
        super().__init__(**kwargs)
        self._plane.add_widget(self._inside)
        super().add_widget(self._plane)
        self.bind(pos=self._turn, size=self._turn, seat=self._turn)
        self._turn()

    def add_widget(self, widget: object, *_args: object, **_kwargs: object) -> None:
        self._inside.add_widget(widget)

    @property
    def inside(self) -> list[Widget]:
        return list(self._inside.children)

    def remove_widget(self, widget: object) -> None:
        self._inside.remove_widget(widget)

    def _turn(self, *_args: object) -> None:
        width, height = self.size
        lies = self.seat in (ScreenEdge.LEFT, ScreenEdge.RIGHT)
        self._plane.size = self._inside.size = (height, width) if lies else (width, height)
        self._plane.rotation = self.seat.degrees
        self._plane.center = self.center
