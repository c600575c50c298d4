"""Agreement on hints at the start of a game: one person chooses, two have to agree."""

from collections.abc import Callable, Iterable
from typing import Final

from kivy.properties import BooleanProperty

from companion.session.hints import HintLimit
from companion.speech.i18n import N_
from companion.ui.base.modal import Modal
from companion.ui.drawing.translator import _
from companion.ui.widgets.buttons import load_kv
from engine.board.geometry import Side

_LIMITS: Final = {HintLimit.THREE: N_("three a game"), HintLimit.FREE: N_("as many as wanted")}


class HintsDialog(Modal):
    """The limit, and the agreement of each person who plays."""

    needs_red = BooleanProperty(True)
    """Whether Red is a person who has not agreed yet."""
    needs_blue = BooleanProperty(True)

    def __init__(
        self,
        persons: Iterable[Side],
        agree: Callable[[HintLimit], None],
        close: Callable[[], None],
    ) -> None:
        """Ask the players of the sides `persons`; `agree` is called once all of them agree."""
        super().__init__()
        self._agree, self._close = agree, close
        self._limit = HintLimit.THREE
        self.needs_red, self.needs_blue = (side in persons for side in Side)
        self._persons = self.needs_red, self.needs_blue
        self.ids.limits.fill({limit: _(text) for limit, text in _LIMITS.items()}, self._choose)
        self.ids.limits.mark(self._limit)

    def tick(self, now: float) -> None:
        for hold in (self.ids.red, self.ids.blue):
            hold.tick(now)

    def adoption(self, side: Side) -> None:
        """Record that the player of a side agrees."""
        if side is Side.RED:
            self.needs_red = False
        else:
            self.needs_blue = False
        if not (self.needs_red or self.needs_blue):
            self._close()
            self._agree(self._limit)

    def close(self) -> None:
        self._close()

    def agree_text(self, side: Side) -> str:
        return _("{side} agrees", side=_.language.side(side))

    def _choose(self, limit: object) -> None:
        """Change the limit; players who agreed to the previous limit are asked again."""
        assert isinstance(limit, HintLimit)
        self._limit = limit
        self.ids.limits.mark(limit)
        self.needs_red, self.needs_blue = self._persons


load_kv(__file__)
