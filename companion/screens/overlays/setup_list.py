"""List of setups: shuffled ones, well-known ones, and the player's own."""

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from kivy.properties import AliasProperty, BooleanProperty, ObjectProperty, StringProperty

from companion.screens.widgets import theme
from companion.screens.widgets.behind import Behind
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.option import Option
from companion.screens.widgets.texts import _
from companion.setups.kept_setups import KeptSetups
from companion.setups.known_setups import known_setups
from companion.setups.setup import Setup
from companion.setups.setup_file import NamedSetup
from companion.simulator.dealing import deal
from engine.board.geometry import Side
from engine.board.ranks import Army

ROWS: Final = 5
"""Names on a page."""


class SetupList(Behind):
    """The names, and a picture of the chosen setup."""

    side = ObjectProperty(Side.RED)
    name = StringProperty()
    use = StringProperty()
    setup = ObjectProperty(Setup())
    is_own = BooleanProperty(False)
    has_more = BooleanProperty(False)
    problem = StringProperty()
    known_to_all = StringProperty()
    """The note on how much an opponent may know of the chosen setup."""
    stands = BooleanProperty(False)
    """Whether it is higher than wide, as when turned to a side of the screen."""
    direction = AliasProperty(
        lambda self: "vertical" if self.stands else "horizontal", bind=["stands"]
    )
    buttons = AliasProperty(lambda self: 2 if self.stands else 4, bind=["stands"])

    def __init__(
        self,
        side: Side,
        army: Army,
        kept: KeptSetups,
        draw: Callable[[], int],
        take: Callable[[Setup], None],
        close: Callable[[], None],
    ) -> None:
        """List the setups of an army; `draw` returns a seed for the shuffled ones."""
        super().__init__(side=side)
        self._dice = random.Random(draw())
        self._army, self._kept, self._take = army, kept, take
        self.close = close
        self._first = 0
        self._gather()

    def tick(self, now: float) -> None:
        self.ids.delete.tick(now)

    def more(self) -> None:
        """Show the next names; after the last ones, the first."""
        self._first += ROWS
        if self._first >= len(self._all):
            self._first = 0
        self._show_names()

    def take(self) -> None:
        """Place the chosen setup on the board."""
        self._take(self.setup)

    def delete(self) -> None:
        """Delete one of the player's own setups."""
        self._kept.delete(self.name)
        self._first = 0
        self._gather()

    def _gather(self) -> None:
        own = [each for each in self._kept.setups if each.setup.fits(self._army)]
        self._known = [
            replace(each, name=_(each.name), use=_(each.use)) for each in known_setups(self._army)
        ]
        self._all = [self._shuffled(), *own, *self._known]
        self._own = own
        self.has_more = len(self._all) > ROWS
        problem = self._kept.problem
        self.problem = problem and _(problem, file=self._kept.set_aside)
        self._choose(self._all[min(1, len(self._all) - 1)])

    def _shuffled(self) -> NamedSetup:
        setup = Setup(deal(self._army, Side.RED, self._dice.getrandbits(32)))
        return NamedSetup(_("Shuffled"), setup, _("A surprise, for you as well."))

    def _choose(self, named: NamedSetup) -> None:
        if named is self._all[0]:  # another one at every touch
            named = self._all[0] = self._shuffled()
        self._chosen, is_known = named, named in self._known
        self.name, self.use = named.name, named.use
        self.setup = named.varied(self._dice).setup if is_known else named.setup
        self.is_own = named in self._own
        self.known_to_all = self._what_is_known() if is_known else ""
        self._show_names()

    def _what_is_known(self) -> str:
        """The note on how much an opponent may know; the short version with large letters."""
        if theme.LARGE and self.setup.fills_rows:
            return ""
        if theme.LARGE or self.setup.fills_rows:
            return _("Your opponent may know this setup.")
        return _(
            "Mirrored and varied at random: your opponent may know the setups, but the squares "
            "alone tell no rank."
        )

    def _show_names(self) -> None:
        names = self.ids.names
        names.clear_widgets()
        for named in self._all[self._first : self._first + ROWS]:
            option = Option(text=named.name, chosen=named is self._chosen)
            option.bind(on_release=lambda _option, named=named: self._choose(named))
            names.add_widget(option)
        self.dispatch("on_turned")


load_kv(__file__)
