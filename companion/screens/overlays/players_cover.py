"""The players: their names, seats and colours."""

from collections.abc import Callable
from typing import Final

from kivy.properties import ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.screens.base.cover import Cover
from companion.screens.base.settings import Settings
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.seats import Seat
from companion.screens.widgets.texts import _
from companion.speech.language import N_
from engine.board.geometry import Side

_SEATS: Final = {
    Seat.LEFT: N_("on the left"),
    Seat.RIGHT: N_("on the right"),
    Seat.FRONT: N_("in front"),
    Seat.OPPOSITE: N_("opposite"),
}


class PlayerBox(BoxLayout):
    """One player: the name, and the edge of the screen where this player sits."""

    side = ObjectProperty(None, allownone=True)
    called = StringProperty()
    speaks = StringProperty()
    """Code of the language in which this player is addressed."""
    __events__ = ("on_rename", "on_language")

    def on_rename(self) -> None:
        pass

    def on_language(self) -> None:
        pass


class PlayersCover(Cover):
    """Both players side by side; a touch takes effect at once."""

    def __init__(
        self,
        settings: Settings,
        close: Callable[[], None],
        open_name: Callable[[Side], None],
        open_language: Callable[[Side], None],
        open_lots: Callable[[], None],
    ) -> None:
        super().__init__()
        self._settings, self._close = settings, close
        self._open_name, self._open_language = open_name, open_language
        self._open_lots = open_lots
        seats = {seat: _(text) for seat, text in _SEATS.items()}
        for side in Side:
            self._box(side).ids.seats.fill(seats, lambda seat, side=side: self._sit(side, seat))
        self._show()

    def rename(self, side: Side) -> None:
        self._open_name(side)

    def choose_language(self, side: Side) -> None:
        self._open_language(side)

    def exchange(self) -> None:
        self._settings.exchange_colours()
        self._show()

    def draw_lots(self) -> None:
        self._open_lots()

    def close(self) -> None:
        self._close()

    def _sit(self, side: Side, seat: Seat) -> None:
        self._settings.take_seat(side, seat)
        self._show()

    def _show(self) -> None:
        for side in Side:
            box = self._box(side)
            box.called = self._settings.players.of(side)
            box.speaks = self._settings.language_for(side).code.upper()
            box.ids.seats.mark(self._settings.seat(side))

    def _box(self, side: Side) -> PlayerBox:
        box: PlayerBox = self.ids[side.value]
        return box


load_kv(__file__)
