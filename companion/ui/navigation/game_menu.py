"""Navigation during a game: menu, arbiter, board corrections, setups, guesses, maintenance."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from companion.setups.saved_setups import SavedSetups
from companion.setups.setup import Setup
from companion.ui.base.lazy_imports import lazy
from companion.ui.base.presenter import GamePresenter
from companion.ui.drawing.translator import _
from companion.ui.navigation.modal_host import ModalHost
from companion.ui.navigation.start_menu import SettingsMenu
from engine.board.geometry import Side, Square, name
from engine.board.ranks import Rank, ranks_in

if TYPE_CHECKING:
    from companion.diagnostics.firmware_update import UpdateOffer

with lazy("companion.ui.maintenance"):
    from companion.ui.maintenance import (
        board_settings,
        calibration_dialog,
        flashing_dialog,
        sensor_check,
        simulated_faults,
    )

with lazy("companion.ui.dialogs"):
    from companion.ui.dialogs import (
        clock_dialogs,
        confirmations,
        correction_dialogs,
        incident_dialog,
        menus,
        player_dialogs,
        rules_text,
        setup_dialogs,
    )


class BoardMenu:
    """Dialogs for the builder of a board: its sensors, its firmware and its calibration."""

    def __init__(self, stage: GamePresenter, over: ModalHost) -> None:
        self._stage, self._over = stage, over

    def open_sensors(self) -> None:
        faults = self.faults_from(self.open_sensors)
        self._over.show(
            sensor_check.SensorCheck(
                self._stage, self._over.close, self._open_built_of, self._open_flashing, faults
            )
        )

    def faults_from(self, back: Callable[[], None]) -> Callable[[], None] | None:
        """Return an action that opens the faults of the board, or None if it is a real one."""
        host = self._stage.host
        if host.tabletop is None:
            return None
        return lambda: self._over.show(simulated_faults.FaultsCover(host, back))

    def _open_flashing(self, offer: "UpdateOffer") -> None:
        self._over.show(flashing_dialog.FlashCover(self._stage, offer, self.open_sensors))

    def _open_built_of(self) -> None:
        """Open the build settings before a calibration; a simulated board has none."""
        if self._stage.host.tabletop:
            self._open_calibration()
            return
        self._over.show(
            board_settings.BuiltOfCover(self._stage, self.open_sensors, self._open_calibration)
        )

    def _open_calibration(self) -> None:
        self._over.show(calibration_dialog.CalibrationCover(self._stage, self.open_sensors))


LONGEST_SETUP: Final = 18
"""Maximum length of a setup's name, which is shown in a list."""


class GameMenu:
    """Dialogs that players and arbiters open during a game."""

    def __init__(
        self,
        stage: GamePresenter,
        over: ModalHost,
        ask: "confirmations.Confirmations",
        *,
        settings: SettingsMenu,
        board: BoardMenu,
        close_choice: Callable[[], None],
    ) -> None:
        self._stage, self._over, self._ask = stage, over, ask
        self._settings, self._board, self._close_choice = settings, board, close_choice

    def open_menu(self) -> None:
        opens: dict[str, Callable[[], None]] = {
            "open_arbiter": self.open_arbiter,
            "open_language": partial(self._settings.choose_language, self.open_menu),
            "open_board_right": self.open_board_right,
            "open_settings": self._settings.open_in_game,
            "open_touched": self._open_touched,
            "read_rules": self._read_rules,
        }
        faults = self._board.faults_from(self._over.close)
        with self._stage.speaking_to(None):
            menu = menus.Menu(self._stage, self._over.close, self._ask, faults, **opens)
        self._over.show(menu)

    def _open_touched(self) -> None:
        mover = self._stage.table.view.to_move
        with self._stage.speaking_to(mover):
            cover = correction_dialogs.TouchedCover(self._stage, self._over.close)
        self._over.show(cover)

    def _read_rules(self) -> None:
        edition, large = self._stage.table.view.edition, self._stage.settings.large_letters
        self._over.show(rules_text.RulesTextCover(edition, self.open_menu, large=large))

    def open_board_right(self) -> None:
        self._over.show(correction_dialogs.BoardRightCover(self._stage, self._over.close))

    def open_arbiter(self) -> None:
        right = correction_dialogs.SettingRight(
            self._stage, self._over.show, self._ask, self.open_arbiter
        )
        self._over.show(
            menus.ArbiterMenu(
                self._stage,
                self._over.close,
                self._ask,
                doubt=self._open_doubt,
                correct=right.open,
                set_clocks=partial(self._open_time, self.open_arbiter),
                read_incidents=self._read_incidents,
            )
        )

    def open_time_at_end(self) -> None:
        """Open the dialog in which an arbiter adds time for the side that has lost on time."""
        self._open_time(self._over.close)

    def open_proved_setup(self, side: Side) -> None:
        """Show the proved setup of a side."""
        self._over.show(setup_dialogs.ProvedSetupCover(self._stage, side, self._over.close))

    def _open_time(self, close: Callable[[], None]) -> None:
        self._over.show(clock_dialogs.TimeCover(self._stage, self._ask, close))

    def _read_incidents(self) -> None:
        """Open the incidents so far."""
        host = self._stage.host
        self._over.show(
            incident_dialog.IncidentsCover(
                host.archive, host.number, self.open_arbiter, host.position_text
            )
        )

    def _open_doubt(self) -> None:
        image = self._stage.host.seen
        words = (
            _("Which square does the board see wrongly?"),
            _("The board is not believed about a marked square. Touch it to believe it again."),
        )
        cover = correction_dialogs.SquareCover(image, words, self._ask.doubt, self._over.close)
        cover.marked = self._stage.table.doubted
        self._over.show(cover)

    def open_setups(self) -> None:
        host = self._stage.host
        kept = SavedSetups(host.archive.path.with_name("setups.txt"))

        def keep(setup: Setup) -> None:
            def call(name: str) -> None:
                if name:
                    kept.keep(name, setup)
                self.open_setups()

            self._over.show(
                player_dialogs.NameCover(_("Name"), "", longest=LONGEST_SETUP, known=(), done=call)
            )

        self._over.show(setup_dialogs.SetupsCover(self._stage, kept, keep, self._close_choice))

    def open_guess(self, source: Square, target: Square) -> None:
        """Ask for the guessed rank of an infiltration."""

        def choose(guess: Rank) -> None:
            self._over.close()
            self._ask.infiltrate(source, target, guess)

        view = self._stage.table.view
        ranks = ranks_in(view.infiltrations[source, target])
        with self._stage.speaking_to(view.to_move):
            heading = _("Infiltrate {square}: which rank is it?", square=name(target))
            cover = correction_dialogs.RankCover(heading, ranks, choose, self._over.close)
        self._over.show(cover)
