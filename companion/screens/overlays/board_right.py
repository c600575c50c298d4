"""Adopting the real board where it differs from the referee: both sides have to agree."""

from collections.abc import Callable

from kivy.properties import (
    BooleanProperty,
    ListProperty,
    NumericProperty,
    ObjectProperty,
    StringProperty,
)

from companion.screens.base.cover import Cover
from companion.screens.base.stage import Stage
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.texts import _
from companion.table.inputs import BoardBelieved
from engine.board.geometry import Side
from engine.game.rulings import BoardRefused
from firmware_bridge.image import Image


class BoardRightCover(Cover):
    """The real board, its differences, the side to move, and an agree button for each side."""

    image = ObjectProperty(Image())
    expected = ObjectProperty(Image())
    shifted = ListProperty()
    """Pairs of squares: where the referee has a piece, and where it is on the board."""
    gone = NumericProperty(0)
    """Bit board of the squares whose pieces are off the board."""
    marked = NumericProperty(0)
    """Bit board of the squares that show why the board cannot be adopted."""
    told = ListProperty()
    """Sentences that say which pieces have been relocated or removed."""
    refused = StringProperty()
    """Reason why the board cannot be adopted, empty if it can."""
    to_move = ObjectProperty(None, allownone=True)
    """The side to move as the players state it, None until they do."""
    red_agrees = BooleanProperty(False)
    blue_agrees = BooleanProperty(False)

    def __init__(self, stage: Stage, close: Callable[[], None]) -> None:
        super().__init__()
        self._stage, self._close = stage, close
        self.ids.to_move.fill({side: _.language.side(side) for side in Side}, self.choose)
        if offer := stage.table.consent.offer:
            self.to_move = offer.to_move
        self.refresh()

    def refresh(self) -> None:
        """Show the present board; close if nothing is left to agree on."""
        table = self._stage.table
        claim, offer = table.consent.claim, table.consent.offer
        if claim is None:
            self._close()
            return
        self.image, self.expected = table.seen or table.expected, table.expected
        if isinstance(claim, BoardRefused):
            self.refused, self.marked = _.announcer.sentence(claim), claim.squares
            self.told, self.shifted, self.gone = [], [], 0
        else:
            self.refused, self.marked = "", 0
            self.told = _.announcer.board.claim(claim.shifted, claim.removed)
            self.shifted = [(shift.source, shift.target) for shift in claim.shifted]
            self.gone = claim.removed
        self.ids.to_move.mark(self.to_move)
        agreed = offer.side if offer and offer.to_move is self.to_move else None
        self.red_agrees, self.blue_agrees = agreed is Side.RED, agreed is Side.BLUE

    def choose(self, to_move: object) -> None:
        self.to_move = to_move
        self.refresh()

    def agree(self, side: Side) -> None:
        if isinstance(self.to_move, Side):
            self._stage.give(BoardBelieved(self._stage.now(), side, self.to_move))

    def agree_text(self, side: Side, agrees: bool) -> str:
        """Label of a side's agree button, or the note that the side has agreed."""
        called = _.language.side(side)
        return _("{side} has agreed", side=called) if agrees else _("{side} agrees", side=called)

    def close(self) -> None:
        self._close()


load_kv(__file__)
