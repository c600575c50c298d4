"""Pairing of the players' and spectators' phones, by QR codes."""

from collections.abc import Callable
from typing import Final

from kivy.properties import AliasProperty, BooleanProperty, ObjectProperty, StringProperty

from companion.screens.base.cover import Cover
from companion.screens.base.phone_words import presence_text
from companion.screens.base.phones import Phones
from companion.screens.base.stage import Stage
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.option import Option
from companion.screens.widgets.phone_sign import PhoneSign  # noqa: F401 (the layout has one)
from companion.screens.widgets.qr_code import QrCode  # noqa: F401 (the layout has one)
from companion.screens.widgets.texts import _
from engine.board.geometry import Side

WIFI: Final = "wifi"
WATCH: Final = "watch"


class LettingInCover(Cover):
    """The use of phones, and the reason why they cannot connect if they cannot."""

    trouble = StringProperty()

    def __init__(
        self, phones: Phones, let_in: Callable[[], None], close: Callable[[], None]
    ) -> None:
        super().__init__()
        self._let_in, self._close = let_in, close
        self.trouble = phones.trouble(_.language)

    def let_in(self) -> None:
        self._let_in()

    def close(self) -> None:
        self._close()


class PhonesCover(Cover):
    """One code at a time, as a camera could read the wrong one of several."""

    chosen = ObjectProperty(None, allownone=True)
    """Purpose of the code: a side's phone, the network, or a spectator."""
    code = StringProperty()
    """Text of the code, empty if the phone is already connected."""
    heading = StringProperty()
    side = ObjectProperty(None, allownone=True)
    """The side whose connected phone is shown in place of its code."""
    here = BooleanProperty(True)
    """Whether that phone is connected."""
    is_seat = BooleanProperty(False)
    """Whether the code is for a side's phone."""
    is_watch = BooleanProperty(False)
    """Whether the code is for spectators."""
    late = BooleanProperty(False)
    """Whether the view of the spectators is delayed."""
    advice = AliasProperty(
        lambda self: _("Point the camera of the phone here.") if self.code else self.heading,
        bind=["code", "heading"],
    )

    def __init__(self, stage: Stage, shut: Callable[[], None], close: Callable[[], None]) -> None:
        """Show the codes; `shut` is called once phones cannot connect any more, for any reason."""
        super().__init__()
        self._stage, self._phones = stage, stage.phones
        self._shut, self._close = shut, close
        self._shown: object = None
        self._options: dict[object, Option] = {
            WIFI: self.ids.wifi,
            **{side: self.ids[side.value] for side in Side},
            WATCH: self.ids.watch,
        }
        if self._phones.wifi is None:
            self.ids.choices.remove_widget(self._options.pop(WIFI))
        for value, option in self._options.items():
            option.bind(on_release=lambda _option, value=value: self.choose(value))
        self.choose(self._first())

    def tick(self, now: float) -> None:  # noqa: ARG002 (the phones have a clock)
        """Update the display when phones connect and disconnect."""
        if not self._phones.is_open:
            self._shut()
        elif self._phones.seats != self._shown:
            self._show()

    def choose(self, chosen: object) -> None:
        """Show a code."""
        self.chosen = chosen
        self.is_seat, self.is_watch = isinstance(chosen, Side), chosen == WATCH
        self._show()

    def renew(self) -> None:
        """Issue a new code for the seat that is shown, as its phone is lost."""
        self._phones.renew(self.chosen)
        self._show()

    def toggle_late(self) -> None:
        """Switch the spectators' view between delayed and live."""
        self._phones.make_late(late=not self.late)
        self._show()

    def shut_out(self) -> None:
        self._phones.close()
        self._shut()

    def close(self) -> None:
        self._close()

    def _first(self) -> object:
        """The first code needed: the network, a seat without a phone, or else the spectators'."""
        free = [side for side in Side if side not in self._phones.seats]
        if self._phones.wifi and len(free) == len(Side):
            return WIFI
        return free[0] if free else WATCH

    def _show(self) -> None:
        seats = self._shown = self._phones.seats
        for value, option in self._options.items():
            option.chosen = value == self.chosen
            option.text = self._called(value)
        self.late = self._phones.are_late
        is_taken = self.chosen in seats
        self.side, self.here = (self.chosen, seats[self.chosen]) if is_taken else (None, True)
        self.heading = self._called(self.chosen)
        self.code = "" if is_taken else self._text()

    def _called(self, value: object) -> str:
        if isinstance(value, Side):
            return presence_text(self._stage, value)
        if self._phones.wifi and value == WIFI:
            return _("Wi-Fi: {name}", name=self._phones.wifi.name)
        return _("Spectators")

    def _text(self) -> str:
        if self._phones.wifi and self.chosen == WIFI:
            return self._phones.wifi.code
        return self._phones.address(self.chosen if isinstance(self.chosen, Side) else None)


load_kv(__file__)
