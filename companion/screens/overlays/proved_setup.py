"""Setup of a side, shown to all once that side has opened all its commitments."""

from collections.abc import Callable

from kivy.properties import ObjectProperty, StringProperty

from companion.screens.base.cover import Cover
from companion.screens.base.stage import Stage
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.texts import _
from companion.setups.setup import Setup, of_side
from engine.board.geometry import Side, squares_in


class ProvedSetupCover(Cover):
    """The four rows from the owner's seat, and the ruling; wrong pieces are framed."""

    side = ObjectProperty(Side.RED)
    title = StringProperty()
    setup = ObjectProperty(Setup())
    found = StringProperty()

    def __init__(self, stage: Stage, side: Side, close: Callable[[], None]) -> None:
        proof = stage.seals.proofs[side]
        super().__init__(
            side=side,
            title=_("How {side} was set up", side=_.language.side(side)),
            setup=Setup.of(side, stage.table.view.proved[side]),
            found=_.announcer.sentence(proof),
        )
        self._close = close
        for square in squares_in(proof.wrong):
            self.ids.rows.spot(of_side(square, side)).chosen = True

    def close(self) -> None:
        self._close()


load_kv(__file__)
