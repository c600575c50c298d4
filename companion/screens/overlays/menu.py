"""The menu of a game, and that of an arbiter: what is done rarely, and never by accident."""

from collections.abc import Callable

from kivy.properties import BooleanProperty, ObjectProperty, StringProperty

from companion.screens.base.cover import Cover
from companion.screens.base.stage import Stage
from companion.screens.overlays.asking import Asking
from companion.screens.overlays.game_choice import summary
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.texts import _
from engine.play.moment import Phase
from engine.sides import Side


class Menu(Cover):
    """Resign, offer a draw, take back, say that no move is left; sound; and back to the start."""

    chosen = StringProperty()
    """By which rules the game is played."""
    sound = BooleanProperty(True)
    calm = BooleanProperty(False)
    draw = ObjectProperty(None, allownone=True)
    """Who has offered a draw."""
    take_back = ObjectProperty(None, allownone=True)
    """Who has asked to take the latest move back."""
    can_take_back = BooleanProperty(False)
    stuck = StringProperty()
    """What the side to move can say about itself, empty while an attack is open."""

    def __init__(
        self,
        stage: Stage,
        close: Callable[[], None],
        asking: Asking,
        open_arbiter: Callable[[], None],
    ) -> None:
        super().__init__()
        self._stage, self._close, self._asking = stage, close, asking
        self._open_arbiter = open_arbiter
        self.refresh()

    def refresh(self) -> None:
        table = self._stage.table
        edition = table.view.edition
        self.chosen = f"{edition.rulebook} · {summary(edition, table.clock.control)}"
        self.sound, self.calm = self._stage.settings.sound, self._stage.settings.calm
        talk = table.conversation
        self.draw, self.take_back = talk.draw_offer, talk.take_back_offer
        self.can_take_back = talk.can_take_back
        mover = _.language.side(table.view.to_move)
        playing = table.view.phase is Phase.PLAY
        self.stuck = _("{side} cannot move", side=mover) if playing else ""

    def close(self) -> None:
        self._close()

    def open_arbiter(self) -> None:
        self._open_arbiter()

    def resign(self, side: Side) -> None:
        self._close()
        self._asking.resign(side)

    def offer_draw(self, side: Side) -> None:
        self._close()
        if self.draw is side.other:
            self._asking.accept_draw(side)
        else:
            self._asking.offer_draw(side)

    def offer_take_back(self, side: Side) -> None:
        self._close()
        if self.take_back is side.other:
            self._asking.accept_take_back(side)
        else:
            self._asking.offer_take_back(side)

    def draw_text(self, side: Side, offered: Side | None) -> str:
        """What a side can do about a draw."""
        if offered is side.other:
            return _("{side} accepts the draw", side=_.language.side(side))
        return _("{side} offers a draw", side=_.language.side(side))

    def take_back_text(self, side: Side, asked: Side | None) -> str:
        """What a side can do about the latest move."""
        if asked is side.other:
            return _("{side} agrees to take back", side=_.language.side(side))
        return _("{side} asks to take back", side=_.language.side(side))

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


class ArbiterMenu(Cover):
    """What an arbiter decides, if there is one: it is recorded as that."""

    refused = StringProperty()
    """The rule against what the arbiter can let stand, empty if there is nothing."""

    can_correct = BooleanProperty(False)
    """Whether anything can be set right just now."""

    def __init__(
        self,
        stage: Stage,
        close: Callable[[], None],
        asking: Asking,
        *,
        doubt: Callable[[], None],
        correct: Callable[[], None],
    ) -> None:
        super().__init__()
        self._stage, self._close, self._asking = stage, close, asking
        self._doubt, self._correct = doubt, correct
        self.refresh()

    def refresh(self) -> None:
        table = self._stage.table
        violation = table.state.violation if table.conversation.can_let_stand else None
        self.can_correct = table.view.phase is Phase.PLAY
        self.refused = _.announcer.sentence(violation) if violation else ""

    def close(self) -> None:
        self._close()

    def forfeit_text(self, side: Side) -> str:
        return _("{side} has lost", side=_.language.side(side))

    def forfeit(self, side: Side | None) -> None:
        self._close()
        self._asking.forfeit(side)

    def doubt(self) -> None:
        self._doubt()

    def correct(self) -> None:
        self._correct()

    def let_stand(self) -> None:
        self._close()
        self._asking.let_stand()


load_kv(__file__)
