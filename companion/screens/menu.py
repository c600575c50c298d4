"""The menu of a game: what a player does rarely, and never by accident."""

from collections.abc import Callable

from kivy.properties import BooleanProperty, ObjectProperty, StringProperty

from companion.inputs import CannotMove, DrawOffered, Input, Resigned
from companion.screens.cover import Cover, Question
from companion.screens.stage import Stage
from companion.screens.widgets.common import load_kv
from companion.screens.words import _
from engine.referee import Phase
from engine.sides import Side


class Menu(Cover):
    """Resign, offer a draw, say that no move is left; sound; and back to the start."""

    sound = BooleanProperty(True)
    calm = BooleanProperty(False)
    offered = ObjectProperty(None, allownone=True)
    """Who has offered a draw."""
    stuck = StringProperty()
    """What the side to move can say about itself, empty while an attack is open."""

    def __init__(self, stage: Stage, close: Callable[[], None], asking: "Asking") -> None:
        super().__init__()
        self._stage, self._close, self._asking = stage, close, asking
        self.refresh()

    def refresh(self) -> None:
        table = self._stage.table
        self.sound, self.calm = self._stage.settings.sound, self._stage.settings.calm
        self.offered = table.draw_offer
        mover = _.language.side(table.referee.to_move)
        playing = table.referee.phase is Phase.PLAY
        self.stuck = _("{side} cannot move", side=mover) if playing else ""

    def close(self) -> None:
        self._close()

    def resign(self, side: Side) -> None:
        self._close()
        self._asking.resign(side)

    def draw(self, side: Side) -> None:
        self._close()
        if self.offered is side.other:
            self._asking.accept_draw(side)
        else:
            self._asking.offer_draw(side)

    def draw_text(self, side: Side, offered: Side | None) -> str:
        """What a side can do about a draw."""
        if offered is side.other:
            return _("{side} accepts the draw", side=_.language.side(side))
        return _("{side} offers a draw", side=_.language.side(side))

    def resign_text(self, side: Side) -> str:
        return _("{side} resigns", side=_.language.side(side))

    def cannot_move(self) -> None:
        self._close()
        self._asking.cannot_move()

    def toggle_sound(self) -> None:
        self._stage.settings.sound = not self._stage.settings.sound
        self.refresh()

    def toggle_calm(self) -> None:
        self._stage.settings.calm = not self._stage.settings.calm
        self.refresh()

    def leave(self) -> None:
        self._close()
        self._stage.leave()


class Asking:
    """The questions before what cannot be taken back; each names the side."""

    def __init__(
        self, stage: Stage, show: Callable[[Question], None], done: Callable[[], None]
    ) -> None:
        self._stage, self._show, self._done = stage, show, done

    def resign(self, side: Side) -> None:
        """Ask whether a side gives up."""
        text = _("{side} resigns?", side=_.language.side(side))
        detail = _("{side} wins then.", side=_.language.side(side.other))
        self._ask(text, detail, lambda: Resigned(self._stage.now(), side))

    def offer_draw(self, side: Side) -> None:
        """Ask whether a side offers a draw."""
        text = _("{side} offers a draw?", side=_.language.side(side))
        detail = _("The offer stands until the next move.")
        self._ask(text, detail, lambda: DrawOffered(self._stage.now(), side))

    def accept_draw(self, side: Side) -> None:
        """Ask whether a side accepts the draw that the other one has offered."""
        text = _("{side} accepts the draw?", side=_.language.side(side))
        self._ask(text, _("Nobody wins then."), lambda: DrawOffered(self._stage.now(), side))

    def cannot_move(self) -> None:
        """Ask whether the side to move is stuck."""
        mover = self._stage.table.referee.to_move
        text = _("{side} cannot move?", side=_.language.side(mover))
        detail = _("{side} wins then.", side=_.language.side(mover.other))
        self._ask(text, detail, lambda: CannotMove(self._stage.now()))

    def _ask(self, text: str, detail: str, given: Callable[[], Input]) -> None:
        self._show(Question(text, detail, lambda: self._stage.give(given()), self._done))


load_kv(__file__)
