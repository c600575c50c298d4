"""Transformed containers: the root of the window, and one that is rotated for a player.

The root grows with the window and keeps its proportions. Its background map continues beside it.
"""

from math import ceil

from kivy.graphics import Color, Rectangle
from kivy.graphics.transformation import Matrix
from kivy.properties import ObjectProperty
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.scatter import Scatter
from kivy.uix.widget import Widget

from companion.session.settings import ScreenEdge
from companion.ui.drawing import theme
from companion.ui.drawing.hidpi_text import ZOOM
from companion.ui.drawing.texture_cache import map_texture


class ScaledRoot(FloatLayout):
    """Scales a plane of `theme.SCREEN` units to the window, and converts touches accordingly."""

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
        self.bind(size=self._fit)  # the size is unknown until it is in the window

    def add_widget(self, widget: object, *_args: object, **_kwargs: object) -> None:
        """Add a widget to the plane, above the others."""
        self._inside.add_widget(widget)

    def empty(self) -> None:
        """Remove all widgets."""
        self._inside.clear_widgets()

    def _fit(self, *_args: object) -> None:
        width, height = theme.SCREEN
        scale = min(self.width / width, self.height / height)
        left, bottom = (
            round((whole - part * scale) / 2)
            for whole, part in zip(self.size, theme.SCREEN, strict=True)
        )
        place = Matrix().scale(scale, scale, 1)
        self._plane.transform = Matrix().translate(left, bottom, 0).multiply(place)
        ZOOM.change(scale)
        self._draw_ground(left, bottom, width * scale, height * scale)

    def _draw_ground(self, left: float, bottom: float, width: float, height: float) -> None:
        """Continue the map beside the plane, mirrored at each edge so that lines are continuous."""
        ground = self.canvas.before
        ground.clear()
        across, up = ceil(left / width), ceil(bottom / height)
        if not across and not up:
            return
        ground.add(Color(1, 1, 1, 1))
        for column in range(-across, across + 1):
            for row in range(-up, up + 1):
                u, v = (1, 0) if column % 2 else (0, 1), (1, 0) if row % 2 else (0, 1)
                ground.add(
                    Rectangle(
                        texture=map_texture(),
                        pos=(left + column * width, bottom + row * height),
                        size=(width, height),
                        tex_coords=(u[0], v[0], u[1], v[0], u[1], v[1], u[0], v[1]),
                    )
                )


class Rotated(FloatLayout):
    """Fills its area with content that is upright as seen from `seat`, for a player at any edge.

    At the left or right edge of the screen the content is as wide as the area is high. Touches are
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
        """Add a widget to the content."""
        self._inside.add_widget(widget)

    @property
    def inside(self) -> list[Widget]:
        """The widgets of the content."""
        return list(self._inside.children)

    def remove_widget(self, widget: object) -> None:
        """Remove a widget from the content."""
        self._inside.remove_widget(widget)

    def _turn(self, *_args: object) -> None:
        width, height = self.size
        lies = self.seat in (ScreenEdge.LEFT, ScreenEdge.RIGHT)
        self._plane.size = self._inside.size = (height, width) if lies else (width, height)
        self._plane.rotation = self.seat.degrees
        self._plane.center = self.center
