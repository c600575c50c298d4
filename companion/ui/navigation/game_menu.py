"""Opens the dialogs for a game in progress and for board maintenance."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from companion.session.hints import HintLimit
from companion.setups.setup import SavedSetups, Setup
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
        calibration_dialogs,
        camera_check,
        flashing_dialog,
        sensor_check,
        simulated_faults,
    )

with lazy("companion.ui.dialogs"):
    from companion.ui.dialogs import (
        arbiter_dialogs,
        clock_dialogs,
        confirmations,
        menus,
        player_dialogs,
        rules_dialogs,
        setup_dialogs,
    )


class BoardMenu:
    """Opens the dialogs for the board's builder: sensors, firmware and calibration."""

    def __init__(self, presenter: GamePresenter, modals: ModalHost) -> None:
        self._presenter, self._modals = presenter, modals

    def open_sensors(self) -> None:
        faults = self.faults_from(self.open_sensors)
        camera = self._open_camera if self._presenter.host.camera else None
        self._modals.show(
            sensor_check.SensorCheck(
                self._presenter,
                self._modals.close,
                self._open_built_of,
                self._open_flashing,
                faults,
                camera,
            )
        )

    def _open_camera(self) -> None:
        camera = self._presenter.host.camera
        assert camera
        self._modals.show(
            camera_check.CameraCheck(camera, self.open_sensors, self._open_calibration)
        )

    def faults_from(self, back: Callable[[], None]) -> Callable[[], None] | None:
        """Return an action that opens the simulated-faults dialog, or None for a real board."""
        host = self._presenter.host
        if host.tabletop is None:
            return None
        return lambda: self._modals.show(simulated_faults.SimulatedFaultsDialog(host, back))

    def _open_flashing(self, offer: "UpdateOffer") -> None:
        self._modals.show(flashing_dialog.FlashingDialog(self._presenter, offer, self.open_sensors))

    def _open_built_of(self) -> None:
        """Open the build settings or, for a camera or a simulated board, the calibration."""
        if self._presenter.host.tabletop or self._presenter.host.camera:
            self._open_calibration()
            return
        self._modals.show(
            calibration_dialogs.BoardSettingsDialog(
                self._presenter, self.open_sensors, self._open_calibration
            )
        )

    def _open_calibration(self) -> None:
        self._modals.show(calibration_dialogs.CalibrationDialog(self._presenter, self.open_sensors))


LONGEST_SETUP: Final = 18
"""Maximum length of a setup name, which has to fit in a list."""


class GameMenu:
    """Opens the dialogs for the players and the arbiter during a game."""

    def __init__(
        self,
        presenter: GamePresenter,
        modals: ModalHost,
        ask: "confirmations.Confirmations",
        *,
        settings: SettingsMenu,
        board: BoardMenu,
        close_choice: Callable[[], None],
    ) -> None:
        self._presenter, self._modals, self._ask = presenter, modals, ask
        self._settings, self._board, self._close_choice = settings, board, close_choice

    def open_menu(self) -> None:
        opens: dict[str, Callable[[], None]] = {
            "open_arbiter": self.open_arbiter,
            "open_language": partial(self._settings.choose_language, self.open_menu),
            "open_adoption": self.open_adoption,
            "open_settings": self._settings.open_in_game,
            "open_touched": self._open_touched,
            "read_rules": self._read_rules,
        }
        faults = self._board.faults_from(self._modals.close)
        with self._presenter.speaking_to(None):
            menu = menus.Menu(self._presenter, self._modals.close, self._ask, faults, **opens)
        self._modals.show(menu)

    def _open_touched(self) -> None:
        mover = self._presenter.table.view.to_move
        with self._presenter.speaking_to(mover):
            modal = arbiter_dialogs.TouchedPieceDialog(self._presenter, self._modals.close)
        self._modals.show(modal)

    def _read_rules(self) -> None:
        edition, large = self._presenter.table.view.edition, self._presenter.settings.large_letters
        self._modals.show(rules_dialogs.RulesTextDialog(edition, self.open_menu, large=large))

    def open_hints(self) -> None:
        """Ask the players whether to allow hints in this game."""
        presenter = self._presenter
        alone = presenter.host.players.alone
        persons = [side for side in Side if alone in (None, side)]

        def agree(limit: HintLimit) -> None:
            presenter.hints.agree(limit)

        self._modals.show(player_dialogs.HintsDialog(persons, agree, self._modals.close))

    def open_rank_card(self) -> None:
        self._modals.show(rules_dialogs.RankCardDialog(self._presenter, self._modals.close))

    def open_adoption(self) -> None:
        self._modals.show(arbiter_dialogs.AdoptBoardDialog(self._presenter, self._modals.close))

    def open_arbiter(self) -> None:
        right = arbiter_dialogs.CorrectionDialogs(
            self._presenter, self._modals.show, self._ask, self.open_arbiter
        )
        self._modals.show(
            menus.ArbiterMenu(
                self._presenter,
                self._modals.close,
                self._ask,
                doubt=self._open_doubt,
                correct=right.open,
                set_clocks=partial(self._open_time, self.open_arbiter),
                read_incidents=self._read_incidents,
            )
        )

    def open_time_at_end(self) -> None:
        """Open the dialog for giving more time to a side that has lost on time."""
        self._open_time(self._modals.close)

    def open_proved_setup(self, side: Side) -> None:
        self._modals.show(
            setup_dialogs.OpenedSetupDialog(self._presenter, side, self._modals.close)
        )

    def _open_time(self, close: Callable[[], None]) -> None:
        self._modals.show(clock_dialogs.ClockAdjustmentDialog(self._presenter, self._ask, close))

    def _read_incidents(self) -> None:
        host = self._presenter.host
        self._modals.show(
            arbiter_dialogs.IncidentsDialog(
                host.archive, host.number, self.open_arbiter, host.position_text
            )
        )

    def _open_doubt(self) -> None:
        image = self._presenter.host.seen
        words = (
            _("Which square's sensor is wrong?"),
            _("The sensor of a marked square is ignored. Tap the square to use it again."),
        )
        modal = arbiter_dialogs.SquarePicker(image, words, self._ask.doubt, self._modals.close)
        modal.marked = self._presenter.table.doubted
        self._modals.show(modal)

    def open_setups(self) -> None:
        host = self._presenter.host
        kept = SavedSetups(host.archive.path.with_name("setups.txt"))

        def keep(setup: Setup) -> None:
            def call(name: str) -> None:
                if name:
                    kept.keep(name, setup)
                self.open_setups()

            self._modals.show(
                player_dialogs.NameDialog(_("Name"), "", longest=LONGEST_SETUP, known=(), done=call)
            )

        self._modals.show(
            setup_dialogs.SetupsDialog(self._presenter, kept, keep, self._close_choice)
        )

    def open_guess(self, source: Square, target: Square) -> None:
        """Ask which rank the infiltrator guesses."""

        def choose(guess: Rank) -> None:
            self._modals.close()
            self._ask.infiltrate(source, target, guess)

        view = self._presenter.table.view
        ranks = ranks_in(view.infiltrations[source, target])
        with self._presenter.speaking_to(view.to_move):
            heading = _("Infiltrate {square}: which rank is it?", square=name(target))
            modal = arbiter_dialogs.RankPicker(heading, ranks, choose, self._modals.close)
        self._modals.show(modal)
