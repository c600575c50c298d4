"""Help for the weaker player: the choice of a handicap, and the agreement on hints.

One person chooses hints alone, two have to agree at the start of a game.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from kivy.properties import BooleanProperty, StringProperty

from companion.session.hints import HintLimit
from companion.session.settings import Settings
from companion.speech.i18n import N_, capitalized
from companion.speech.small_texts import ADVANTAGES, OMISSIONS
from companion.ui.base.modal import Modal
from companion.ui.drawing.translator import _
from companion.ui.widgets.buttons import load_kv
from engine.board import NotationError
from engine.board.geometry import Side
from engine.rules.handicaps import Handicap, Omission

_LIMITS: Final = {HintLimit.THREE: N_("three per game"), HintLimit.FREE: N_("unlimited")}


class HintsDialog(Modal):
    """The limit, and the agreement of each person who plays."""

    needs_red = BooleanProperty(True)
    """Whether Red is a person who has not agreed yet."""
    needs_blue = BooleanProperty(True)
    is_alone = BooleanProperty(False)
    """Whether one person plays, so that no agreement is needed."""

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
        self.is_alone = sum(self._persons) == 1
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

    def agree_text(self, side: Side, is_alone: bool) -> str:
        """Label of a side's button, which must be held."""
        if is_alone:
            return _("Hold to get hints")
        return _("{side} agrees", side=_.language.side(side))

    def agree_advice(self, is_alone: bool) -> str:
        """The advice below the buttons of two players."""
        if is_alone:
            return ""
        return _("Hold your button to agree. Without agreement there are no hints.")

    def _choose(self, limit: object) -> None:
        """Change the limit; players who agreed to the previous limit are asked again."""
        assert isinstance(limit, HintLimit)
        self._limit = limit
        self.ids.limits.mark(limit)
        self.needs_red, self.needs_blue = self._persons


_NOBODY: Final = "nobody"


class HandicapDialog(Modal):
    """The favoured side and its advantages. A touch takes effect at once.

    Without any advantage, the game has no handicap.
    """

    is_chosen = BooleanProperty(False)
    """Whether a side is favoured, so that its advantages can be chosen."""
    advice = StringProperty()
    open_army = BooleanProperty(False)
    take_backs = BooleanProperty(False)
    double_time = BooleanProperty(False)
    favoured = StringProperty()
    """Name of the favoured side."""
    other = StringProperty()
    has_agreements = BooleanProperty(True)
    """Whether two people play, so that take-backs need an agreement and there may be a clock."""
    has_clock = BooleanProperty(False)
    is_allowed = BooleanProperty(True)
    """Whether the next game may have a handicap: the table is not in a tournament's hall."""

    def __init__(
        self, settings: Settings, close: Callable[[], None], *, alone: bool, in_hall: bool
    ) -> None:
        """`alone` leaves out the advantages that have no effect against the computer."""
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
        self.ids.omissions.fill({each: _(text) for each, text in OMISSIONS.items()}, self._omit)
        self.ids.favoured.fill({_NOBODY: _("Nobody"), **sides}, self._favour)
        self._show()

    def toggle(self, advantage: str) -> None:
        """Switch one of the advantages on or off."""
        setattr(self, advantage, not getattr(self, advantage))
        self._settle()

    def close(self) -> None:
        self._close()

    def _favour(self, side: object) -> None:
        self._favoured = None if side == _NOBODY else Side(str(side))
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
        except NotationError:  # no advantage is chosen yet
            return None

    def _show(self) -> None:
        side = self._favoured
        self.is_chosen = side is not None and self.is_allowed
        self.ids.favoured.mark(side.value if side else _NOBODY)
        self.advice = self._advice()
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


load_kv(__file__)
