"""The infiltrator's guess is chosen: for all to see, with a tile per rank that can still be."""

from collections.abc import Callable, Iterable

from kivy.properties import StringProperty

from companion.screens.cover import Cover
from companion.screens.widgets.common import load_kv
from companion.screens.words import _
from engine.ranks import Rank
from engine.squares import Square, name


class GuessCover(Cover):
    """Asks which rank is guessed."""

    heading = StringProperty()

    def __init__(
        self,
        target: Square,
        ranks: Iterable[Rank],
        choose: Callable[[Rank], None],
        close: Callable[[], None],
    ) -> None:
        super().__init__()
        self.heading = _("Infiltrate {square}: which rank is it?", square=name(target))
        self.ids.guesses.fill(ranks, choose, out=False)
        self._close = close

    def close(self) -> None:
        self._close()


load_kv(__file__)
