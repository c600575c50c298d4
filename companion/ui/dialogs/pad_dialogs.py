"""Dialogs with QR codes that connect the phones of players and spectators."""

from collections.abc import Callable
from typing import Final

from kivy.graphics import Color, Rectangle
from kivy.graphics.texture import Texture
from kivy.properties import AliasProperty, BooleanProperty, ObjectProperty, StringProperty
from kivy.uix.widget import Widget

from companion.speech.small_texts import COMPUTER_SEAT
from companion.ui.base.base_screen import presence_text
from companion.ui.base.modal import Modal
from companion.ui.base.pads import Phones
from companion.ui.base.presenter import GamePresenter
from companion.ui.drawing.translator import _
from companion.ui.widgets.buttons import Option, load_kv
from companion.ui.widgets.side_panel import PhoneSign  # noqa: F401 (used in the kv file)
from engine.board.geometry import Side

# QR codes.

QUIET: Final = 4
"""Width of the quiet zone, in modules. With a narrower one, some cameras do not detect the code."""


class QrCode(Widget):
    """A QR code, with a whole number of pixels per module. It is blank if `text` is empty."""

    text = StringProperty()

    def __init__(self, **kwargs: object) -> None:
        self._texture: Texture | None = None
        super().__init__(**kwargs)
        self.bind(pos=self._draw, size=self._draw)

    def on_text(self, *_args: object) -> None:
        self._texture = _picture(self.text) if self.text else None
        self._draw()

    def _draw(self, *_args: object) -> None:
        self.canvas.clear()
        if self._texture is None:
            return
        modules = self._texture.width
        size = max(1, min(self.size) // modules) * modules
        left, bottom = self.x + (self.width - size) // 2, self.y + (self.height - size) // 2
        self.canvas.add(Color(1, 1, 1, 1))
        self.canvas.add(Rectangle(texture=self._texture, pos=(left, bottom), size=(size, size)))


def modules_of(text: str) -> list[list[bool]]:
    """Return the rows of a QR code and its quiet zone, top row first. Dark modules are True."""
    import segno  # noqa: PLC0415 (most games have no phones)

    code = segno.make(text, error="m", micro=False)
    return [[bool(module) for module in row] for row in code.matrix_iter(border=QUIET)]


def _picture(text: str) -> Texture:
    """Return a texture with one pixel per module, which can be enlarged without blurring."""
    rows = modules_of(text)
    texture = Texture.create(size=(len(rows), len(rows)), colorfmt="luminance")
    texture.mag_filter = texture.min_filter = "nearest"
    # A texture's rows start at the bottom.
    light = bytes(0 if dark else 255 for row in reversed(rows) for dark in row)
    texture.blit_buffer(light, colorfmt="luminance", bufferfmt="ubyte")
    return texture


WIFI: Final = "wifi"
WATCH: Final = "watch"


class PadInvitationDialog(Modal):
    """Explains how to use phones or, if they cannot connect, why not."""

    error = StringProperty()

    def __init__(
        self, phones: Phones, let_in: Callable[[], None], close: Callable[[], None]
    ) -> None:
        super().__init__()
        self._let_in, self._close = let_in, close
        self.error = phones.error(_.language)

    def let_in(self) -> None:
        self._let_in()

    def close(self) -> None:
        self._close()


class PadsDialog(Modal):
    """Shows one QR code at a time. If there were several, a camera might read the wrong one."""

    chosen = ObjectProperty(None, allownone=True)
    """Purpose of the current QR code: a side's phone, the network, or spectators."""
    code = StringProperty()
    """Content of the QR code, or an empty string if the phone is already connected."""
    heading = StringProperty()
    side = ObjectProperty(None, allownone=True)
    """The side whose connected phone is shown in place of its code."""
    here = BooleanProperty(True)
    """Whether the phone of `side` still responds."""
    is_seat = BooleanProperty(False)
    is_watch = BooleanProperty(False)
    late = BooleanProperty(False)
    """Whether spectators see the game with a delay."""
    advice = AliasProperty(
        lambda self: _("Point your phone's camera here.") if self.code else self.heading,
        bind=["code", "heading"],
    )

    def __init__(
        self, presenter: GamePresenter, shut: Callable[[], None], close: Callable[[], None]
    ) -> None:
        """Show the codes. `shut` is called as soon as phones can no longer connect."""
        super().__init__()
        self._presenter, self._phones = presenter, presenter.phones
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

    def tick(self, now: float) -> None:  # noqa: ARG002 (the phones have their own clock)
        """Update the dialog after a phone has connected or disconnected."""
        if not self._phones.is_open:
            self._shut()
        elif self._phones.seats != self._shown:
            self._show()

    def choose(self, chosen: object) -> None:
        """Show the code for a side, the network or spectators."""
        self.chosen = chosen
        is_free = chosen is not self._presenter.plays_itself
        self.is_seat, self.is_watch = isinstance(chosen, Side) and is_free, chosen == WATCH
        self._show()

    def renew(self) -> None:
        """Create a new QR code for the selected seat, so another phone can replace a lost one."""
        self._phones.renew(self.chosen)
        self._show()

    def toggle_late(self) -> None:
        """Turn the delay for spectators on or off."""
        self._phones.make_late(late=not self.late)
        self._show()

    def shut_out(self) -> None:
        self._phones.close()
        self._shut()

    def close(self) -> None:
        self._close()

    def _first(self) -> object:
        """Return the purpose of the code to show first: the network, a free seat, or spectators."""
        persons = [side for side in Side if side is not self._presenter.plays_itself]
        free = [side for side in persons if side not in self._phones.seats]
        if self._phones.wifi and free == persons:
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
        if isinstance(self.chosen, Side) and self.chosen is self._presenter.plays_itself:
            self.side, self.code = None, ""
            self.heading = _(COMPUTER_SEAT, side=_.language.side(self.chosen))

    def _called(self, value: object) -> str:
        if isinstance(value, Side):
            return presence_text(self._presenter, value)
        if self._phones.wifi and value == WIFI:
            return _("Wi-Fi: {name}", name=self._phones.wifi.name)
        return _("Spectators")

    def _text(self) -> str:
        if self._phones.wifi and self.chosen == WIFI:
            return self._phones.wifi.code
        return self._phones.address(self.chosen if isinstance(self.chosen, Side) else None)


load_kv(__file__)
