"""Touch-move: the owner declares in private whether the lifted piece can move.

Both answers close the dialog in the same way, and nothing else on the screen reveals which one was
given. Their order is random, so that the position of the finger reveals nothing either.
"""

import random
from collections.abc import Callable

from kivy.properties import AliasProperty, BooleanProperty, StringProperty

from companion.screens.base.cover import Cover
from companion.screens.base.stage import Stage
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.texts import _
from companion.table.inputs import Said
from engine.board.geometry import name
from engine.game.actions import FreeTouched


class TouchedCover(Cover):
    """A curtain, and behind it the question with its two answers."""

    look_away = StringProperty()
    asked = StringProperty()
    first = StringProperty()
    second = StringProperty()
    is_open = BooleanProperty(False)
    """Whether the curtain is open."""
    heading = AliasProperty(
        lambda self: self.asked if self.is_open else _("Take the screen."),
        bind=["asked", "is_open"],
    )
    advice = AliasProperty(
        lambda self: "" if self.is_open else self.look_away, bind=["is_open", "look_away"]
    )

    def __init__(self, stage: Stage, close: Callable[[], None]) -> None:
        super().__init__()
        self._stage, self._close = stage, close
        view = stage.table.view
        assert view.excusable is not None
        self._touched = view.plies, view.excusable
        other = stage.called(view.to_move.other)
        self.look_away = _("{name}: look away.", name=other)
        self.asked = _("Can your piece on {square} move?", square=name(view.excusable))
        answers = [(True, _("It can move")), (False, _("It cannot move"))]
        random.SystemRandom().shuffle(answers)
        (self._is_first_able, self.first), (_able, self.second) = answers

    def tick(self, now: float) -> None:
        self.ids.hold.tick(now)

    def hide_ranks(self) -> None:
        if self.is_open:
            self._close()

    def open(self) -> None:
        """Open the curtain."""
        self.is_open = True

    def close(self) -> None:
        self._close()

    def answer(self, *, is_first: bool) -> None:
        """Submit one of the two answers, if the question is still open."""
        self._close()
        view, able = self._stage.table.view, self._is_first_able is is_first
        if not able and (view.plies, view.excusable) == self._touched:
            self._stage.give(Said(self._stage.now(), FreeTouched()))


load_kv(__file__)
