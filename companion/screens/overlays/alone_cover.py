"""Single-player game against random moves: a quick duel, or the chosen game."""

from collections.abc import Callable

from kivy.properties import StringProperty

from companion.screens.base.cover import Cover
from companion.screens.overlays.game_choice import QUICK, army_text, rulebook_name
from companion.screens.widgets.common import load_kv
from engine.rules.editions import Edition


class AloneCover(Cover):
    """Choice between two games; one touch starts either."""

    quick = StringProperty()
    """Army of the quick duel."""
    chosen = StringProperty()
    """The chosen rulebook."""
    chosen_army = StringProperty()
    """Army of the chosen game."""

    def __init__(
        self, chosen: Edition, begin: Callable[[Edition], None], close: Callable[[], None]
    ) -> None:
        """Offer the quick duel and, beside it, the game `chosen` in the rules dialog."""
        super().__init__()
        self._chosen, self._begin, self._close = chosen, begin, close
        self.quick, self.chosen_army = army_text(QUICK.army), army_text(chosen.army)
        self.chosen = rulebook_name(chosen)

    def begin_duel(self) -> None:
        self._begin(QUICK)

    def begin_chosen(self) -> None:
        self._begin(self._chosen)

    def close(self) -> None:
        self._close()


load_kv(__file__)
