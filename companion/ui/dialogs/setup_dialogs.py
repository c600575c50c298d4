"""Dialogs for composing a setup in private, and for showing a proved setup after the game.

A setup is placed on the simulated board or, with sealed armies, becomes a commitment. A single
player sees the dialog at once. With two players at one screen, each player opens the dialog like a
curtain, by holding a button. Since it shows ranks, the dialog closes after some time without a
touch. It is rotated to face its player. The button is rotated only for a player who sits opposite,
because it would not fit at the sides.
"""

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from kivy.properties import AliasProperty, BooleanProperty, ObjectProperty, StringProperty

from companion.session.settings import ScreenEdge
from companion.session.tabletop import Tabletop, deal, stand, standing_setup
from companion.setups.setup import (
    NamedSetup,
    SavedSetups,
    Setup,
    of_side,
    preset_setups,
    without_omitted,
)
from companion.ui.base.modal import Modal
from companion.ui.base.presenter import GamePresenter
from companion.ui.dialogs.setup_editor import SetupEditor
from companion.ui.drawing import theme
from companion.ui.drawing.translator import _
from companion.ui.widgets.buttons import HoldArea, Option, load_kv
from companion.ui.widgets.private_pane import Behind
from companion.ui.widgets.transformed import Rotated
from engine.board.geometry import Side, squares_in
from engine.board.ranks import Army
from engine.rules.editions import Edition

# Setup list.

ROWS: Final = 5
"""Number of names per page."""


class SetupList(Behind):
    """A list of setups (shuffled, well-known or saved), with a preview of the chosen one."""

    side = ObjectProperty(Side.RED)
    name = StringProperty()
    use = StringProperty()
    setup = ObjectProperty(Setup())
    is_own = BooleanProperty(False)
    has_more = BooleanProperty(False)
    problem = StringProperty()
    known_to_all = StringProperty()
    """A note that the opponent may know the chosen setup, or an empty string."""
    stands = BooleanProperty(False)
    """Whether the list is taller than it is wide, because its player sits to the left or right of
    the screen."""
    direction = AliasProperty(
        lambda self: "vertical" if self.stands else "horizontal", bind=["stands"]
    )
    buttons = AliasProperty(lambda self: 2 if self.stands else 4, bind=["stands"])

    def __init__(
        self,
        side: Side,
        edition: Edition,
        kept: SavedSetups,
        draw: Callable[[], int],
        take: Callable[[Setup], None],
        close: Callable[[], None],
    ) -> None:
        """List the setups for a side's army. `draw` returns seeds for shuffled setups."""
        super().__init__(side=side)
        self._dice = random.Random(draw())
        self._edition, self._army = edition, edition.army_of(side)
        self._kept, self._take = kept, take
        self.close = close
        self._first = 0
        self._collect()

    def tick(self, now: float) -> None:
        self.ids.delete.tick(now)

    def more(self) -> None:
        """Show the next page of names or, after the last page, the first.

        A setup on the page is chosen, so that no button concerns a setup that is not listed.
        """
        self._first += ROWS
        if self._first >= len(self._all):
            self._first = 0
        self._choose_on_page()

    def _choose_on_page(self) -> None:
        """Choose the first setup on the page, except a shuffled one."""
        self._choose(self._all[min(max(1, self._first), len(self._all) - 1)])

    def take(self) -> None:
        self._take(self.setup)

    def delete(self) -> None:
        """Delete the chosen setup, if it is one of the player's own."""
        self._kept.delete(self.name)
        self._first = 0
        self._collect()

    def _collect(self) -> None:
        whole = self._edition.army
        own = [each for each in self._kept.setups if each.setup.fits(whole)]
        own = without_omitted(own, self._edition, self.side)
        if whole != self._army:
            own += [each for each in self._kept.setups if each.setup.fits(self._army)]
        self._known = [
            replace(each, name=_(each.name), use=_(each.use))
            for each in without_omitted(preset_setups(whole), self._edition, self.side)
        ]
        self._all = [self._shuffled(), *own, *self._known]
        self._own = own
        self.has_more = len(self._all) > ROWS
        problem = self._kept.problem
        self.problem = problem and _(problem, file=self._kept.quarantined)
        self._choose_on_page()

    def _shuffled(self) -> NamedSetup:
        setup = Setup(deal(self._army, Side.RED, self._dice.getrandbits(32)))
        return NamedSetup(_("Shuffled"), setup, _("A surprise, even for you."))

    def _choose(self, named: NamedSetup) -> None:
        if named is self._all[0]:  # every touch shows another setup
            named = self._all[0] = self._shuffled()
        self._chosen, is_known = named, named in self._known
        self.name, self.use = named.name, named.use
        self.setup = named.varied(self._dice).setup if is_known else named.setup
        self.is_own = named in self._own
        self.known_to_all = self._note_on_secrecy() if is_known else ""
        self._show_names()

    def _note_on_secrecy(self) -> str:
        """Return a note that the opponent may know the setup.

        Large text leaves less space for the note, and so does a setup that occupies all squares of
        its rows. In either case, the note is shortened. If both apply, the note is omitted, and the
        result is an empty string.
        """
        if theme.LARGE and self.setup.fills_rows:
            return ""
        if theme.LARGE or self.setup.fills_rows:
            return _("Your opponent may know this setup.")
        return _(
            "Mirrored and varied at random: your opponent may know these setups, but no square "
            "gives a rank away."
        )

    def _show_names(self) -> None:
        names = self.ids.names
        names.clear_widgets()
        for named in self._all[self._first : self._first + ROWS]:
            option = Option(text=named.name, chosen=named is self._chosen)
            option.bind(on_release=lambda _option, named=named: self._choose(named))
            names.add_widget(option)
        self.dispatch("on_turned")


PATIENCE_SECONDS: Final = 30.0
"""With two players, the dialog closes after this many seconds without a touch. That is long enough
to think about a setup."""


class SetupsDialog(Modal):
    """The curtain for two players, with the setup editor or the setup list behind it."""

    is_open = BooleanProperty(False)

    def __init__(
        self,
        presenter: GamePresenter,
        kept: SavedSetups,
        open_name: Callable[[Setup], None],
        close: Callable[[], None],
    ) -> None:
        super().__init__()
        self._presenter, self._kept = presenter, kept
        self._seals = presenter.seals if presenter.table.view.edition.sealed_armies else None
        """Creates commitments to the armies, or None if the edition does not seal armies. In that
        case, the army is placed on the simulated board."""
        self._open_name, self._close = open_name, close
        self._side = Side.RED
        self._behind: Behind | None = None
        self._touched_at = 0.0
        self._is_alone = presenter.host.players.alone is not None
        self._turned: Rotated | None = None
        """The visible editor or list, rotated to face its player."""
        for side in Side:
            self._hold(side).text = self._called(side)
            if presenter.settings.seat(side) is ScreenEdge.OPPOSITE:
                self.ids[f"{side.value}_edge"].seat = ScreenEdge.OPPOSITE
        if presenter.host.players.alone:
            self.open(presenter.host.players.alone)

    def open(self, side: Side) -> None:
        """Open the setup editor for a side."""
        if self._seals and side in self._presenter.table.ready:
            return
        self._side = side
        self._show_editor()

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
        """Return the label of the button for a side's setup, or a note that the side is ready."""
        name, table = self._presenter.player_name(side), self._presenter.table
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
        tabletop = self._presenter.host.tabletop
        assert tabletop
        return tabletop

    @property
    def _army(self) -> Army:
        return self._presenter.table.view.edition.army_of(self._side)

    def _place(self, setup: Setup) -> None:
        if self._seals:
            self._seals.draw_up(self._side, setup)
        else:
            stand(self._tabletop, self._side, setup)

    def _seal(self) -> None:
        assert self._seals
        self._seals.seal(self._side)
        self._hold(self._side).text = self._called(self._side)
        self._leave()

    def _show_editor(self) -> None:
        editor = SetupEditor(
            self._side,
            self._army,
            read=lambda: self._setup,
            stand=self._place,
            keep=lambda: self._open_name(self._setup),
            open_list=self._show_list,
            close=self._leave,
        )
        if self._seals:
            editor.seal, editor.sealed = self._seal, self._seals.sealed(self._side)
        self._show(editor)

    def _show_list(self) -> None:
        def take(setup: Setup) -> None:
            self._place(setup)
            self._show_editor()

        draw, back = self._presenter.host.draw, self._show_editor
        edition = self._presenter.table.view.edition
        self._show(SetupList(self._side, edition, self._kept, draw, take, back))

    def _leave(self) -> None:
        """Close the curtain or, for a single player, the whole dialog."""
        self._close() if self._is_alone else self._show(None)

    def _show(self, behind: Behind | None) -> None:
        if self._turned:
            self.remove_widget(self._turned)
            self._turned = None
        self._behind, self.is_open = behind, behind is not None
        if behind:
            behind.left = 0 if self._is_alone else 1
            seat = ScreenEdge.FRONT if self._is_alone else self._presenter.settings.seat(self._side)
            self._turned = Rotated(seat=seat, size=self.size, pos=self.pos)
            self._turned.add_widget(behind)
            self.add_widget(self._turned)
        self._touched_at = self._presenter.now()
        self._presenter.renew()

    def _hold(self, side: Side) -> HoldArea:
        hold: HoldArea = self.ids[side.value]
        return hold


class OpenedSetupDialog(Modal):
    """The proved setup of a side that has opened all its commitments, with the ruling about it.

    A piece is framed if its rank occurs too often or contradicts the game.
    """

    side = ObjectProperty(Side.RED)
    title = StringProperty()
    setup = ObjectProperty(Setup())
    found = StringProperty()

    def __init__(self, presenter: GamePresenter, side: Side, close: Callable[[], None]) -> None:
        proof = presenter.seals.proofs[side]
        super().__init__(
            side=side,
            title=_("{side}'s setup", side=_.language.side(side)),
            setup=Setup.of(side, presenter.table.view.proved[side]),
            found=_.announcer.sentence(proof),
        )
        self._close = close
        for square in squares_in(proof.wrong):
            self.ids.rows.spot(of_side(square, side)).chosen = True

    def close(self) -> None:
        self._close()


load_kv(__file__)
