"""Setting up an army, hidden from the opponent: on the simulated board, or for a commitment.

A single player sees it at once. With two players at one screen, each opens it by holding a button,
like a curtain, and it closes by itself after a time without a touch, as it shows ranks. It is
turned to its player's seat, and so is the button if that seat is at the opposite edge. At the
sides of the screen there is room for turned contents only when it is open.
"""

from collections.abc import Callable
from typing import Final

from kivy.properties import BooleanProperty

from companion.screens.base.cover import Cover
from companion.screens.base.stage import Stage
from companion.screens.overlays.setup_list import SetupList
from companion.screens.overlays.workshop import Workshop
from companion.screens.widgets.behind import Behind
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.hold_area import HoldArea
from companion.screens.widgets.seats import Seat
from companion.screens.widgets.texts import _
from companion.screens.widgets.turned import Turned
from companion.setups.kept_setups import KeptSetups
from companion.setups.setup import Setup
from companion.simulator.standing import stand, standing_setup
from companion.simulator.tabletop import Tabletop
from engine.board.geometry import Side
from engine.board.ranks import Army

PATIENCE_SECONDS: Final = 30.0
"""Time without a touch after which it closes, with two players, in seconds: thinking takes time."""


class SetupsCover(Cover):
    """The curtain for two players, and behind it the workshop or the list of setups."""

    is_open = BooleanProperty(False)

    def __init__(
        self,
        stage: Stage,
        kept: KeptSetups,
        open_name: Callable[[Setup], None],
        close: Callable[[], None],
    ) -> None:
        super().__init__()
        self._stage, self._kept = stage, kept
        self._seals = stage.seals if stage.table.view.edition.sealed_armies else None
        """Makes the commitment to an army; None if the army goes on the simulated board at once."""
        self._open_name, self._close = open_name, close
        self._side = Side.RED
        self._behind: Behind | None = None
        self._touched_at = 0.0
        self._is_alone = stage.host.players.alone is not None
        self._turned: Turned | None = None
        """Container of the uncovered side, turned to its player."""
        for side in Side:
            self._hold(side).text = self._called(side)
            if stage.settings.seat(side) is Seat.OPPOSITE:
                self.ids[f"{side.value}_edge"].seat = Seat.OPPOSITE
        if stage.host.players.alone:
            self.open(stage.host.players.alone)

    def open(self, side: Side) -> None:
        """Show the setup of a side."""
        if self._seals and side in self._stage.table.ready:
            return
        self._side = side
        self._show_workshop()

    def close(self) -> None:
        self._close()

    def hide_ranks(self) -> None:
        if self._behind and not self._is_alone:
            self._show(None)

    def tick(self, now: float) -> None:
        for side in Side:
            self._hold(side).tick(now)
        if self._behind is None:
            return
        self._behind.tick(now)
        if self._is_alone:
            return
        if self._behind.is_touched:
            self._touched_at = now
        self._behind.left = max(0.0, 1 - (now - self._touched_at) / PATIENCE_SECONDS)
        if not self._behind.left:
            self._show(None)

    def _called(self, side: Side) -> str:
        """Label of the button that opens a side's setup. Being ready makes a commitment final."""
        name, table = self._stage.called(side), self._stage.table
        if self._seals and side in table.ready:
            return _("{name} is ready", name=name)
        opens = _("{name}: hold to open", name=name)
        is_sealed = self._seals and side in table.sealed
        return "\n".join((opens, _("Sealed"))) if is_sealed else opens

    @property
    def _setup(self) -> Setup:
        if self._seals:
            return self._seals.draft(self._side)
        return standing_setup(self._tabletop.board, self._side)

    @property
    def _tabletop(self) -> Tabletop:
        tabletop = self._stage.host.tabletop
        assert tabletop
        return tabletop

    @property
    def _army(self) -> Army:
        return self._stage.table.view.edition.army

    def _stand_up(self, setup: Setup) -> None:
        if self._seals:
            self._seals.draw_up(self._side, setup)
        else:
            stand(self._tabletop, self._side, setup)

    def _seal(self) -> None:
        assert self._seals
        self._seals.seal(self._side)
        self._hold(self._side).text = self._called(self._side)
        self._leave()

    def _show_workshop(self) -> None:
        workshop = Workshop(
            self._side,
            self._army,
            read=lambda: self._setup,
            stand=self._stand_up,
            keep=lambda: self._open_name(self._setup),
            open_list=self._show_list,
            close=self._leave,
        )
        if self._seals:
            workshop.seal, workshop.sealed = self._seal, self._seals.sealed(self._side)
        self._show(workshop)

    def _show_list(self) -> None:
        def take(setup: Setup) -> None:
            self._stand_up(setup)
            self._show_workshop()

        draw, back = self._stage.host.draw, self._show_workshop
        self._show(SetupList(self._side, self._army, self._kept, draw, take, back))

    def _leave(self) -> None:
        """Close the curtain; with one player there is no curtain."""
        self._close() if self._is_alone else self._show(None)

    def _show(self, behind: Behind | None) -> None:
        if self._turned:
            self.remove_widget(self._turned)
            self._turned = None
        self._behind, self.is_open = behind, behind is not None
        if behind:
            behind.left = 0 if self._is_alone else 1
            seat = Seat.FRONT if self._is_alone else self._stage.settings.seat(self._side)
            self._turned = Turned(seat=seat, size=self.size, pos=self.pos)
            self._turned.add_widget(behind)
            self.add_widget(self._turned)
        self._touched_at = self._stage.now()
        self._stage.renew()

    def _hold(self, side: Side) -> HoldArea:
        hold: HoldArea = self.ids[side.value]
        return hold


load_kv(__file__)
