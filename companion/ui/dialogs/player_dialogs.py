"""Dialogs about the players: names, seats and colours, handicaps and hints.

A person playing alone can allow hints at any time. Two players must agree on hints at the start of
a game.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from kivy.properties import AliasProperty, BooleanProperty, ObjectProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout

from companion.core.events import ColoursDrawn
from companion.session.hints import HintLimit
from companion.session.settings import ScreenEdge, Settings
from companion.speech.i18n import N_, capitalized
from companion.speech.small_texts import ADVANTAGES, handicap_text, omission_text
from companion.ui.base.modal import Modal
from companion.ui.dialogs.game_choice import QUICK
from companion.ui.drawing import theme
from companion.ui.drawing.translator import _
from companion.ui.widgets.buttons import Press, load_kv
from engine.board import NotationError
from engine.board.geometry import Side
from engine.rules.editions import Handicap, Omission

_SEATS: Final = {
    ScreenEdge.LEFT: N_("on the left"),
    ScreenEdge.RIGHT: N_("on the right"),
    ScreenEdge.FRONT: N_("in front"),
    ScreenEdge.OPPOSITE: N_("opposite"),
}


class PlayerBox(BoxLayout):
    """Shows a player's name, and the side of the screen at which the player sits."""

    side = ObjectProperty(None, allownone=True)
    called = StringProperty()
    speaks = StringProperty()
    """The player's language code, in capitals."""
    __events__ = ("on_rename", "on_language")

    def on_rename(self) -> None:
        pass

    def on_language(self) -> None:
        pass


class PlayersDialog(Modal):
    """Both players, side by side. Every touch takes effect at once."""

    note = StringProperty()
    """The handicap or, without one, an explanation of seats and languages."""

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
        edition = self._settings.edition
        handicap = edition.handicap
        self.note = (
            handicap_text(handicap, edition.army, _.language)
            if handicap
            else _("Private texts use the player's own language and face the player's seat.")
        )

    def _box(self, side: Side) -> PlayerBox:
        box: PlayerBox = self.ids[side.value]
        return box


# Names.

OFFERED: Final = 5
"""Number of known names that fit in one row."""
_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_OWN: Final = {
    "da": "ÆØÅÉ",
    "de": "ÄÖÜßÉ",
    "es": "ÑÁÉÍÓÚ",
    "fi": "ÄÖÅÉ",
    "fr": "ÉÈÇËÏÎÔ",
    "it": "ÈÀÒÙÉÌ",
    "nb": "ÆØÅÉ",
    "nl": "ËÏÉÖÜ",
    "sv": "ÅÄÖÉ",
}
"""Additional letters for each language. At most seven fit on the on-screen keyboard."""
_OTHERS: Final = "ÄÉÖÜ"


class NameDialog(Modal):
    """Asks for a name. Known names are offered as buttons above an on-screen keyboard."""

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
        """Start with `name`, which may be empty. `done` receives the final name."""
        super().__init__(heading=heading, name=name)
        self._longest, self._done = longest, done
        for each in known[:OFFERED]:
            self.ids.known.add_widget(_key(each, self.take))
        for letter in _LETTERS + _OWN.get(_.language.code, _OTHERS):
            self.ids.letters.add_widget(_key(letter, self.write))

    def write(self, letter: str) -> None:
        """Append a letter: upper case at the start of a word, otherwise lower case."""
        is_first = not self.name or self.name[-1] in " -"
        self.name = (self.name + (letter if is_first else letter.lower()))[: self._longest]

    def erase(self) -> None:
        self.name = self.name[:-1]

    def take(self, name: str) -> None:
        """Use a known name and close the dialog."""
        self.name = name
        self.close()

    def close(self) -> None:
        self._done(self.name.strip(" -"))


def _key(text: str, act: Callable[[str], None]) -> Press:
    key = Press(text=text, size_hint_y=1, font_size=theme.HEAD if len(text) == 1 else theme.BODY)
    key.bind(on_release=lambda _key: act(text))
    return key


class Half(ButtonBehavior, BoxLayout):
    """One player's half of the screen.

    It is first free, then taken, and finally assigned a colour.
    """

    place = StringProperty()
    """Name of the player or, if the names are missing or equal, of this half of the screen."""
    taken = BooleanProperty(False)
    side = ObjectProperty(None, allownone=True)
    title = StringProperty()
    detail = StringProperty()


class DrawColoursDialog(Modal):
    """Each player touches one half of the screen; then colours are assigned at random."""

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
        """`draw` is called with a name for each half of the screen; `begin` starts a game."""
        super().__init__()
        self._settings, self._draw, self._begin, self._close = settings, draw, begin, close
        named = settings.players.both
        self._named = named if named and len(set(named)) == len(named) else None
        """The players' names, or None if any is missing or both are the same."""
        halves = self._named or (_("Left half"), _("Right half"))
        self.ids.left.place, self.ids.right.place = halves

    def take(self, half: Half) -> None:
        """Mark the touched half of the screen as taken.

        When both halves are taken, colours are assigned. This happens only once.
        """
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
        """Return the main text for one half of the screen."""
        if side:
            return _.language.side(side)
        return _("Yours") if taken else _("Tap here")

    def detail(self, place: str, taken: bool, side: Side | None) -> str:
        """Return the smaller text for one half of the screen: instructions, or the half's name."""
        if side is Side.RED:
            return _("You begin.\nSet up on rows 1 to 4.")
        if side is Side.BLUE:
            return _("Red begins.\nSet up on rows 7 to 10.")
        return _("Now the other half …") if taken else place

    def begin(self) -> None:
        self._begin()

    def close(self) -> None:
        self._close()


_LIMITS: Final = {HintLimit.THREE: N_("three per game"), HintLimit.FREE: N_("unlimited")}


class HintsDialog(Modal):
    """Asks for the limit on hints, and for the agreement of every human player."""

    needs_red = BooleanProperty(True)
    """Whether Red is a person who has not agreed yet."""
    needs_blue = BooleanProperty(True)
    is_alone = BooleanProperty(False)
    """Whether one person plays against the computer, in which case no agreement is needed."""

    def __init__(
        self,
        persons: Iterable[Side],
        agree: Callable[[HintLimit], None],
        close: Callable[[], None],
    ) -> None:
        """Ask each player whose side is in `persons` to agree to hints.

        `agree` is called when all of them have agreed.
        """
        super().__init__()
        self._agree, self._close = agree, close
        self._limit = HintLimit.THREE
        self.needs_red, self.needs_blue = (side in persons for side in Side)
        self._persons = self.needs_red, self.needs_blue
        self.is_alone = sum(self._persons) == 1
        self.ids.limits.fill({limit: _(text) for limit, text in _LIMITS.items()}, self._choose)
        self.ids.limits.mark(self._limit)

    def tick(self, now: float) -> None:
        for hold in (self.ids.red, self.ids.blue):
            hold.tick(now)

    def record_agreement(self, side: Side) -> None:
        """Record that a side's player has agreed."""
        if side is Side.RED:
            self.needs_red = False
        else:
            self.needs_blue = False
        if not (self.needs_red or self.needs_blue):
            self._close()
            self._agree(self._limit)

    def close(self) -> None:
        self._close()

    def agree_text(self, side: Side, is_alone: bool) -> str:
        """Return the label of the button that a side must hold down to agree."""
        if is_alone:
            return _("Hold to get hints")
        return _("{side} agrees", side=_.language.side(side))

    def agree_advice(self, is_alone: bool) -> str:
        """Return the advice below the two players' buttons."""
        if is_alone:
            return ""
        return _("Hold your button to agree. Without agreement there are no hints.")

    def _choose(self, limit: object) -> None:
        """Change the limit. All players must then agree again."""
        assert isinstance(limit, HintLimit)
        self._limit = limit
        self.ids.limits.mark(limit)
        self.needs_red, self.needs_blue = self._persons


_NO_SIDE: Final = "nobody"


class HandicapDialog(Modal):
    """Asks for the favoured side and its advantages. Every touch takes effect at once."""

    is_chosen = BooleanProperty(False)
    """Whether a side is favoured. If so, its advantages can be chosen."""
    advice = StringProperty()
    quick_game = StringProperty()
    """Pieces that the computer plays without in the quick game. Empty if they are the same in both
    games. A lone player sets the handicap before choosing the game."""
    open_army = BooleanProperty(False)
    take_backs = BooleanProperty(False)
    double_time = BooleanProperty(False)
    favoured = StringProperty()
    other = StringProperty()
    has_agreements = BooleanProperty(True)
    """Whether two people play. If so, take-backs need agreement, and a clock can be used."""
    has_clock = BooleanProperty(False)
    is_allowed = BooleanProperty(True)
    """Whether the next game may have a handicap. In a tournament hall, none is allowed."""

    def __init__(
        self, settings: Settings, close: Callable[[], None], *, alone: bool, in_hall: bool
    ) -> None:
        """If `alone` is set, omit the advantages that have no effect against the computer."""
        super().__init__()
        self._settings, self._close = settings, close
        self.has_agreements, self.is_allowed = not alone, not in_hall
        self.has_clock = not alone and settings.control.each is not None
        handicap = settings.edition.handicap
        self._favoured = handicap.favoured if handicap else None
        self._omission = handicap.omission if handicap else Omission.NOTHING
        if handicap:
            self.open_army, self.take_backs = handicap.open_army, handicap.take_backs
            self.double_time = handicap.double_time
        sides = {side.value: capitalized(_.language.side(side)) for side in Side}
        army = settings.edition.army
        texts = {each: _(omission_text(each, army)) for each in Omission}
        self.ids.omissions.fill(texts, self._omit)
        self.ids.favoured.fill({_NO_SIDE: _("Nobody"), **sides}, self._favour)
        self._show()

    def toggle(self, advantage: str) -> None:
        """Turn one of the advantages on or off."""
        setattr(self, advantage, not getattr(self, advantage))
        self._settle()

    def close(self) -> None:
        self._close()

    def _favour(self, side: object) -> None:
        self._favoured = None if side == _NO_SIDE else Side(str(side))
        if self._favoured is None:
            self._omission = Omission.NOTHING
            self.open_army = self.take_backs = self.double_time = False
        self._settle()

    def _omit(self, omission: object) -> None:
        assert isinstance(omission, Omission)
        self._omission = omission
        self._settle()

    def _settle(self) -> None:
        self._settings.edition = replace(self._settings.edition, handicap=self._handicap)
        self._show()

    @property
    def _handicap(self) -> Handicap | None:
        if self._favoured is None:
            return None
        switches = self.open_army, self.take_backs, self.double_time
        try:
            return Handicap(self._favoured, self._omission, *switches)
        except NotationError:  # no advantage has been chosen yet
            return None

    def _show(self) -> None:
        side = self._favoured
        self.is_chosen = side is not None and self.is_allowed
        self.ids.favoured.mark(side.value if side else _NO_SIDE)
        self.advice, self.quick_game = self._advice(), self._quick_game()
        self.ids.omissions.mark(self._omission)
        if side:
            self.favoured, self.other = _.language.side(side), _.language.side(side.other)

    def advantage_text(self, advantage: str) -> str:
        return _(ADVANTAGES[advantage])

    def _advice(self) -> str:
        if not self.is_allowed:
            return _("In a tournament there are no handicaps.")
        if self._favoured is None:
            return _("Who gets an advantage? For example, a child who plays against a parent.")
        return ""

    def _quick_game(self) -> str:
        armies = self._settings.edition.army, QUICK.army
        chosen, quick = (omission_text(self._omission, army) for army in armies)
        if self.has_agreements or chosen == quick:
            return ""
        return _("{side}: {advantages}", side=_("Quick game"), advantages=_(quick))


load_kv(__file__)
