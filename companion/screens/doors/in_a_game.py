"""Navigation during a game: menu, arbiter, board corrections, setups, guesses."""

from collections.abc import Callable
from functools import partial
from typing import Final

from companion.screens.base.later import later
from companion.screens.base.stage import Stage
from companion.screens.doors.over import Over
from companion.screens.doors.to_settings import SettingsDoors
from companion.screens.doors.to_the_board import BoardDoors
from companion.screens.widgets.texts import _
from companion.setups.kept_setups import KeptSetups
from companion.setups.setup import Setup
from engine.board.geometry import Side, Square, name
from engine.board.ranks import Rank, ranks_in

with later("companion.screens.overlays"):
    from companion.screens.overlays import (
        asking,
        board_right,
        incidents_cover,
        name_cover,
        proved_setup,
        rank_choice,
        rules_text,
        setting_right,
        setups_cover,
        square_choice,
        time_cover,
        touched_cover,
    )
    from companion.screens.overlays import (
        menu as menus,
    )

LONGEST_SETUP: Final = 18
"""Maximum length of a setup's name, which is shown in a list."""


class GameDoors:
    """Dialogs that players and arbiters open during a game."""

    def __init__(
        self,
        stage: Stage,
        over: Over,
        ask: "asking.Asking",
        *,
        settings: SettingsDoors,
        board: BoardDoors,
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
            cover = touched_cover.TouchedCover(self._stage, self._over.close)
        self._over.show(cover)

    def _read_rules(self) -> None:
        edition, large = self._stage.table.view.edition, self._stage.settings.large_letters
        self._over.show(rules_text.RulesTextCover(edition, self.open_menu, large=large))

    def open_board_right(self) -> None:
        self._over.show(board_right.BoardRightCover(self._stage, self._over.close))

    def open_arbiter(self) -> None:
        right = setting_right.SettingRight(
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
        self._over.show(proved_setup.ProvedSetupCover(self._stage, side, self._over.close))

    def _open_time(self, close: Callable[[], None]) -> None:
        self._over.show(time_cover.TimeCover(self._stage, self._ask, close))

    def _read_incidents(self) -> None:
        """Return the incidents so far."""
        host = self._stage.host
        self._over.show(
            incidents_cover.IncidentsCover(host.archive, host.number, self.open_arbiter)
        )

    def _open_doubt(self) -> None:
        image = self._stage.host.seen
        words = (
            _("Which square does the board see wrongly?"),
            _("The board is not believed about a marked square. Touch it to believe it again."),
        )
        cover = square_choice.SquareCover(image, words, self._ask.doubt, self._over.close)
        cover.marked = self._stage.table.doubted
        self._over.show(cover)

    def open_setups(self) -> None:
        host = self._stage.host
        kept = KeptSetups(host.archive.path.with_name("setups.txt"))

        def keep(setup: Setup) -> None:
            def call(name: str) -> None:
                if name:
                    kept.keep(name, setup)
                self.open_setups()

            self._over.show(
                name_cover.NameCover(_("Name"), "", longest=LONGEST_SETUP, known=(), done=call)
            )

        self._over.show(setups_cover.SetupsCover(self._stage, kept, keep, self._close_choice))

    def open_guess(self, source: Square, target: Square) -> None:
        """Ask for the guessed rank of an infiltration."""

        def choose(guess: Rank) -> None:
            self._over.close()
            self._ask.infiltrate(source, target, guess)

        view = self._stage.table.view
        ranks = ranks_in(view.infiltrations[source, target])
        with self._stage.speaking_to(view.to_move):
            heading = _("Infiltrate {square}: which rank is it?", square=name(target))
            cover = rank_choice.RankCover(heading, ranks, choose, self._over.close)
        self._over.show(cover)
