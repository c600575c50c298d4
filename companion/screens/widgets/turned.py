"""A container rotated for a player at another edge of the screen."""

from kivy.properties import ObjectProperty
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.scatter import Scatter
from kivy.uix.widget import Widget

from companion.screens.widgets.seats import Seat


class Turned(FloatLayout):
    """Fills its place with its content, upright from `seat`.

    At the left or right edge of the screen the content is as wide as the place is high. Touches are
    converted accordingly.
    """

    seat = ObjectProperty(Seat.FRONT)

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
        lies = self.seat in (Seat.LEFT, Seat.RIGHT)
        self._plane.size = self._inside.size = (height, width) if lies else (width, height)
        self._plane.rotation = self.seat.degrees
        self._plane.center = self.center
