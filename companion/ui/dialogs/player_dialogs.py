"""The players: their names, seats and colours."""

from collections.abc import Callable, Sequence
from typing import Final

from kivy.properties import AliasProperty, BooleanProperty, ObjectProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout

from companion.core.events import ColoursDrawn
from companion.session.settings import ScreenEdge, Settings
from companion.speech.i18n import N_
from companion.speech.small_texts import handicap_text
from companion.ui.base.modal import Modal
from companion.ui.drawing import theme
from companion.ui.drawing.translator import _
from companion.ui.widgets.buttons import Press, load_kv
from engine.board.geometry import Side

_SEATS: Final = {
    ScreenEdge.LEFT: N_("on the left"),
    ScreenEdge.RIGHT: N_("on the right"),
    ScreenEdge.FRONT: N_("in front"),
    ScreenEdge.OPPOSITE: N_("opposite"),
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


class PlayersDialog(Modal):
    """Both players side by side; a touch takes effect at once."""

    note = StringProperty()
    """The handicap, or without a handicap what the seats and languages are for."""

    def __init__(
        self,
        settings: Settings,
        close: Callable[[], None],
        open_name: Callable[[Side], None],
        open_language: Callable[[Side], None],
        open_draw_colours: Callable[[], None],
        open_handicap: Callable[[], None],
    ) -> None:
        super().__init__()
        self._settings, self._close = settings, close
        self._open_handicap = open_handicap
        self._open_name, self._open_language = open_name, open_language
        self._open_draw_colours = open_draw_colours
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

    def draw_colours(self) -> None:
        self._open_draw_colours()

    def open_handicap(self) -> None:
        self._open_handicap()

    def close(self) -> None:
        self._close()

    def _sit(self, side: Side, seat: ScreenEdge) -> None:
        self._settings.take_seat(side, seat)
        self._show()

    def _show(self) -> None:
        for side in Side:
            box = self._box(side)
            box.called = self._settings.players.of(side)
            box.speaks = self._settings.language_for(side).code.upper()
            box.ids.seats.mark(self._settings.seat(side))
        handicap = self._settings.edition.handicap
        self.note = (
            handicap_text(handicap, _.language)
            if handicap
            else _("Private texts use the player's own language and face the player's seat.")
        )

    def _box(self, side: Side) -> PlayerBox:
        box: PlayerBox = self.ids[side.value]
        return box


# Names.

OFFERED: Final = 5
"""Number of known names that fit in a row."""
_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_OWN: Final = {
    "da": "ÆØÅÉ",
    "de": "ÄÖÜß",
    "es": "ÑÁÉÍ",
    "fi": "ÄÖÅÉ",
    "fr": "ÉÈÇË",
    "it": "ÈÀÒÙ",
    "nb": "ÆØÅÉ",
    "nl": "ËÏÉÖ",
    "sv": "ÅÄÖÉ",
}
"""Additional letters by language, as many as fit on the keyboard."""
_OTHERS: Final = "ÄÉÖÜ"


class NameDialog(Modal):
    """Entry of a name: known names as buttons, and an on-screen keyboard."""

    heading = StringProperty()
    name = StringProperty()

    def __init__(
        self,
        heading: str,
        name: str,
        *,
        longest: int,
        known: Sequence[str],
        done: Callable[[str], None],
    ) -> None:
        """Begin with `name`, which may be empty; `done` gets the final name."""
        super().__init__(heading=heading, name=name)
        self._longest, self._done = longest, done
        for each in known[:OFFERED]:
            self.ids.known.add_widget(_key(each, self.take))
        for letter in _LETTERS + _OWN.get(_.language.code, _OTHERS):
            self.ids.letters.add_widget(_key(letter, self.write))

    def write(self, letter: str) -> None:
        """Add a letter: upper case at the beginning of a word, otherwise lower case."""
        is_first = not self.name or self.name[-1] in " -"
        self.name = (self.name + (letter if is_first else letter.lower()))[: self._longest]

    def erase(self) -> None:
        """Delete the last letter."""
        self.name = self.name[:-1]

    def take(self, name: str) -> None:
        """Use a known name."""
        self.name = name
        self.close()

    def close(self) -> None:
        self._done(self.name.strip(" -"))


def _key(text: str, act: Callable[[str], None]) -> Press:
    key = Press(text=text, size_hint_y=1, font_size=theme.HEAD if len(text) == 1 else theme.BODY)
    key.bind(on_release=lambda _key: act(text))
    return key


# Drawing lots for the colours.


class Half(ButtonBehavior, BoxLayout):
    """One player's half of the screen: first free, then taken, then in the drawn colour."""

    place = StringProperty()
    """Name of this half of the screen."""
    taken = BooleanProperty(False)
    side = ObjectProperty(None, allownone=True)
    """The colour that was drawn."""
    title = StringProperty()
    detail = StringProperty()


class DrawColoursDialog(Modal):
    """Each player touches one half of the screen, in turn or together; then lots are drawn."""

    drawn = BooleanProperty(False)
    heading = AliasProperty(
        lambda self: (
            _("Colours are drawn") if self.drawn else _("Who plays Red? Each player picks a half.")
        ),
        bind=["drawn"],
    )

    def __init__(
        self,
        settings: Settings,
        draw: Callable[[str, str], ColoursDrawn],
        begin: Callable[[], None],
        close: Callable[[], None],
    ) -> None:
        """`draw` takes the names of the halves; `begin` begins a game."""
        super().__init__()
        self._settings, self._draw, self._begin, self._close = settings, draw, begin, close
        named = settings.players.both
        self._named = named if named and len(set(named)) == len(named) else None
        """The players' names if they differ."""
        halves = self._named or (_("Left half"), _("Right half"))
        self.ids.left.place, self.ids.right.place = halves

    def take(self, half: Half) -> None:
        """Take the half that was touched. Once the lots are drawn, the result does not change."""
        if half.taken:
            return
        half.taken = True
        left, right = self.ids.left, self.ids.right
        if not (left.taken and right.taken):
            return
        lot = self._draw(left.place, right.place)
        for each in (left, right):
            each.side = Side.RED if each.place == lot.red else Side.BLUE
        if self._named and lot.red != self._named[0]:
            self._settings.exchange_colours()
        self.drawn = True

    def title(self, taken: bool, side: Side | None) -> str:
        """Large text of a half."""
        if side:
            return _.language.side(side)
        return _("Yours") if taken else _("Tap here")

    def detail(self, place: str, taken: bool, side: Side | None) -> str:
        """Instructions for the player of a half."""
        if side is Side.RED:
            return _("You begin.\nSet up on rows 1 to 4.")
        if side is Side.BLUE:
            return _("Red begins.\nSet up on rows 7 to 10.")
        return _("Now the other half …") if taken else place

    def begin(self) -> None:
        self._begin()

    def close(self) -> None:
        self._close()


load_kv(__file__)
