"""Drawing lots for the colours: each player takes a half of the screen, named if known."""

from collections.abc import Callable

from kivy.properties import AliasProperty, BooleanProperty, ObjectProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout

from companion.screens.base.cover import Cover
from companion.screens.base.settings import Settings
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.texts import _
from companion.table.events import ColoursDrawn
from engine.board.geometry import Side


class Half(ButtonBehavior, BoxLayout):
    """One player's half: first free, then taken, then coloured."""

    place = StringProperty()
    """Name of this half."""
    taken = BooleanProperty(False)
    side = ObjectProperty(None, allownone=True)
    """The colour that was drawn."""
    title = StringProperty()
    detail = StringProperty()


class LotsCover(Cover):
    """Both players touch their half, in turn or together; then the lots are drawn."""

    drawn = BooleanProperty(False)
    heading = AliasProperty(
        lambda self: (
            _("The lot has fallen") if self.drawn else _("Who plays Red? Each takes a half.")
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
        """The names, if they differ."""
        halves = self._named or (_("The left half"), _("The right half"))
        self.ids.left.place, self.ids.right.place = halves

    def take(self, half: Half) -> None:
        """Take a half that was touched. The result of the lots does not change any more."""
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
        return _("Yours") if taken else _("Touch here")

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
