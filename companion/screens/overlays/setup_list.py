"""The setups to choose from: shuffled, those that everybody knows, and one's own."""

import random
from collections.abc import Callable
from typing import Final

from kivy.properties import BooleanProperty, ObjectProperty, StringProperty

from companion.screens.widgets.behind import Behind
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.option import Option
from companion.screens.widgets.texts import _
from companion.setups.kept_setups import KeptSetups
from companion.setups.known_setups import known_setups
from companion.setups.setup import Setup
from companion.setups.setup_file import NamedSetup
from companion.simulator.dealing import deal
from engine.ranks import Army
from engine.sides import Side

ROWS: Final = 5
"""How many names are on the screen at once."""


class SetupList(Behind):
    """Their names, and the picture of the one that is chosen."""

    side = ObjectProperty(Side.RED)
    name = StringProperty()
    use = StringProperty()
    setup = ObjectProperty(Setup())
    is_own = BooleanProperty(False)
    has_more = BooleanProperty(False)
    problem = StringProperty()
    stands = BooleanProperty(False)
    """Whether it is higher than wide: it is turned to a side of the screen."""

    def __init__(
        self,
        side: Side,
        army: Army,
        kept: KeptSetups,
        take: Callable[[Setup], None],
        close: Callable[[], None],
    ) -> None:
        super().__init__(side=side)
        self._army, self._kept, self._take = army, kept, take
        self.close = close
        self._first = 0
        self._gather()

    def tick(self, now: float) -> None:
        self.ids.delete.tick(now)

    def more(self) -> None:
        """Show the next names, after the last ones the first."""
        self._first += ROWS
        if self._first >= len(self._all):
            self._first = 0
        self._show_names()

    def take(self) -> None:
        """Set up the one that is shown."""
        self._take(self.setup)

    def delete(self) -> None:
        """Throw one's own setup away."""
        self._kept.delete(self.name)
        self._first = 0
        self._gather()

    def _gather(self) -> None:
        own = [each for each in self._kept.setups if each.setup.fits(self._army)]
        known = [
            NamedSetup(_(each.name), each.setup, _(each.use)) for each in known_setups(self._army)
        ]
        self._all = [self._shuffled(), *own, *known]
        self._own = own
        self.has_more = len(self._all) > ROWS
        problem = self._kept.problem
        self.problem = problem and _(problem, file=self._kept.set_aside)
        self._choose(self._all[min(1, len(self._all) - 1)])

    def _shuffled(self) -> NamedSetup:
        seed = random.SystemRandom().getrandbits(32)
        setup = Setup(deal(self._army, Side.RED, seed))
        return NamedSetup(_("Shuffled"), setup, _("A surprise, for you as well."))

    def _choose(self, named: NamedSetup) -> None:
        if named is self._all[0]:  # another one whenever it is touched
            named = self._all[0] = self._shuffled()
        self.name, self.use, self.setup = named.name, named.use, named.setup
        self.is_own = named in self._own
        self._show_names()

    def _show_names(self) -> None:
        names = self.ids.names
        names.clear_widgets()
        for named in self._all[self._first : self._first + ROWS]:
            option = Option(text=named.name, chosen=named.setup is self.setup)
            option.bind(on_release=lambda _option, named=named: self._choose(named))
            names.add_widget(option)
        self.dispatch("on_turned")


load_kv(__file__)
