"""The setup screen, which shows both sides' progress. Each side reports when it is ready."""

from kivy.properties import (
    AliasProperty,
    BooleanProperty,
    NumericProperty,
    ObjectProperty,
    StringProperty,
)

from companion.core.events import SealsMissing
from companion.core.inputs import CommandInput, Ready
from companion.speech.small_texts import SEALS, omission_text
from companion.ui.base.base_screen import GameScreen, board_warnings
from companion.ui.drawing.translator import _
from companion.ui.widgets.buttons import load_kv
from engine.board.geometry import Side, Square, set_of, squares_in
from engine.deduction.commitment import seal_words
from engine.game.clocks import clock_text
from engine.rules.editions import Omission
from firmware_bridge.image import Image

FEW = 4
"""The screen offers to ignore a sensor only if at most this many pieces are missing."""


class SetupScreen(GameScreen):
    """Shows piece counts, misplaced pieces, and a button for each side."""

    red_army = NumericProperty(40)
    """Number of pieces in a complete red army."""
    blue_army = NumericProperty(40)
    red = NumericProperty(0)
    blue = NumericProperty(0)
    red_ready = BooleanProperty(False)
    blue_ready = BooleanProperty(False)
    astray = StringProperty()
    """Message about pieces outside their side's rows."""
    hint = StringProperty()
    kept = StringProperty()
    """A message that this game is not saved, or an error message about the seals."""
    time = StringProperty()
    """The remaining setup time, as text; empty if it is unlimited."""
    put = NumericProperty(0)
    """Squares on which the computer's blank pieces are missing."""
    expected = ObjectProperty(Image())
    """The squares of the computer's blank pieces."""
    can_set_up = BooleanProperty(False)
    """Whether the board is simulated. If so, the program may place the pieces."""
    open_setups = ObjectProperty(None)
    has_setups = BooleanProperty(False)
    """Whether setups can be composed on the screen, as with simulated pieces or sealed armies."""
    is_sealing = BooleanProperty(False)
    """Whether both sides seal their armies before the game."""
    lacks_seals = BooleanProperty(False)
    """Whether an army has yet to be sealed. On a simulated board, a side seals its army by
    reporting that it is ready."""
    my_setup_text = AliasProperty(
        lambda self: _("Seal my army …") if self.is_sealing else _("My setup …"),
        bind=["is_sealing"],
    )

    def refresh(self) -> None:
        table = self.presenter.table
        setup = table.setup
        self.image = self.presenter.host.seen
        self.misplaced = table.misplaced
        # If both armies are on the wrong side, a sentence is clearer than eighty crosses.
        self.take = 0 if setup.are_exchanged else set_of(setup.astray)
        self._show_blanks()
        self.red_army, self.blue_army = (table.view.edition.army_of(side).size for side in Side)
        self.red, self.blue = setup.red, setup.blue
        self.red_ready, self.blue_ready = (side in table.ready for side in Side)
        self.astray = " ".join(_.announcer.board.astray(setup))
        self.marked = table.unbelieved
        self.is_sealing = table.view.edition.sealed_armies
        is_simulated = self.presenter.host.tabletop is not None
        self.lacks_seals = self.is_sealing and not is_simulated and table.sealed != {*Side}
        self.has_setups = self.is_sealing or is_simulated
        players = self.presenter.host.players
        for side in Side:
            army = self.ids[side.value]
            army.player, army.plays_itself = players.of(side), players.alone is side.other
            army.lacks_seal = self.lacks_seals and side not in table.sealed
            army.is_sealed = side in table.sealed
        # Once a side is ready, its sealed army must not change.
        self.can_set_up = is_simulated and not (self.is_sealing and table.ready)
        self.hint = self._hint()
        self.kept = self._kept()

    def _show_blanks(self) -> None:
        """Mark the computer's missing and misplaced blank pieces."""
        table, side = self.presenter.table, self.presenter.plays_itself
        if side is None or side not in table.sealed:
            self.put, self.expected = 0, Image()
            return
        wanted, standing = table.commitments[side].squares, table.pieces_standing(side)
        self.put, self.take = wanted & ~standing, self.take | standing & ~wanted
        self.expected = Image(**{side.value: wanted})

    def _hint(self) -> str:
        if ailing := board_warnings(self.presenter):
            return ailing
        if found := self.presenter.table.misplaced:
            return _.announcer.board.stands_badly(found.squares)
        if self.put:
            assert self.presenter.plays_itself
            name = self.presenter.player_name(self.presenter.plays_itself)
            return _("Put blank pieces for {name} on the marked squares.", name=name)
        if unsealed := self._unsealed():
            self.marked |= set_of(unsealed.squares)
            return _.announcer.sentence(unsealed)
        commitments = self.presenter.table.commitments
        if self.is_sealing and len(commitments) == len(Side):
            return _(SEALS, words=str(seal_words(commitments)))
        if 0 < sum(self._missing.values()) <= FEW:
            return _("Is a piece not counted? Tap its square here.")
        if self.can_set_up and self.red and self.blue:
            return _("Drag a piece, or tap it and then its square.")
        advice = self._handicap_advice()
        return advice or _("Red sits at rows 1 to 4, Blue at rows 7 to 10.")

    def _handicap_advice(self) -> str:
        """Describe how a handicap changes the setup. Other advantages do not fit on the screen."""
        edition = self.presenter.table.view.edition
        handicap = edition.handicap
        if handicap is None:
            return ""
        other = _.language.side(handicap.favoured.other)
        texts = []
        if handicap.omission is not Omission.NOTHING:
            omitted = _(omission_text(handicap.omission, edition.army))
            texts.append(_("{side}: {advantages}", side=other, advantages=omitted) + ".")
        is_alone = self.presenter.plays_itself is handicap.favoured.other
        if handicap.open_army and not is_alone and self.presenter.host.tabletop is None:
            # The program does not know the ranks, so the players have to reveal them themselves.
            texts.append(_("{side} sets up so that both players see the ranks.", side=other))
        return " ".join(texts)

    @property
    def _missing(self) -> dict[Side, int]:
        """Number of pieces missing from each army. Negative if an army has too many pieces."""
        return {
            Side.RED: self.red_army - self.red,
            Side.BLUE: self.blue_army - self.blue,
        }

    def _unsealed(self) -> SealsMissing | None:
        """Return an event if a complete army differs from its sealed setup, otherwise None."""
        table = self.presenter.table
        for side, missing in self._missing.items():
            unsealed = table.unsealed(side) if side in table.sealed else 0
            if unsealed and not missing:
                return SealsMissing(side, tuple(squares_in(unsealed)))
        return None

    def _kept(self) -> str:
        if problem := self.presenter.seals.problem:
            return _(problem, file=self.presenter.seals.quarantined)
        return "" if self.presenter.host.keeps else _("This game is not being saved.")

    def touch_square(self, square: Square) -> None:
        """Ask whether to ignore a square's sensor, if the sensor may be faulty.

        Ignore touches on other squares.
        """
        if self._may_be_wrong(square):
            self.ask.doubt(square)

    def _may_be_wrong(self, square: Square) -> bool:
        tabletop = self.presenter.host.tabletop
        if self.presenter.table.doubted >> square & 1:
            return True
        if tabletop:
            return bool((tabletop.standing.occupied ^ self.image.occupied) >> square & 1)
        is_seen = bool(self.image.occupied >> square & 1)
        lacking = [side for side, missing in self._missing.items() if 0 < missing <= FEW]
        return is_seen or any(side.home >> square & 1 for side in lacking)

    def tick(self, now: float) -> None:
        if self.is_sealing:
            self.presenter.seals.follow_hands()
        left = self.presenter.table.clock.setup_left(now)
        if left is None:
            self.time = ""
        elif left:
            self.time = _("Time for setup: {time}", time=clock_text(left))
        else:
            self.time = _("Setup time is over.")

    def ready(self, side: str) -> None:
        if self.is_sealing:
            self.presenter.seals.follow_hands()
            self.presenter.seals.seal_what_stands(Side(side))
        self.presenter.submit(CommandInput(self.presenter.now(), Ready(Side(side))))

    def set_up(self) -> None:
        host = self.presenter.host
        assert host.tabletop
        host.tabletop.set_up(self.presenter.table.view.edition, host.seed)

    def back(self) -> None:
        """Return to the start screen.

        On a real board, the pieces can be left where they are for the next game.
        """
        is_simulated = self.presenter.host.tabletop is not None
        table = self.presenter.table
        if table.ready or table.sealed or (is_simulated and (self.red or self.blue)):
            self.ask.leave_setup()
        else:
            self.presenter.leave()


load_kv(__file__)
