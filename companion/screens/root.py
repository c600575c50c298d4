"""Everything on the screen: the screen that is due, and what lies over it."""

from collections.abc import Callable

from kivy.properties import ObjectProperty
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.screenmanager import NoTransition, ScreenManager

from companion.screens.base.base_screen import BaseScreen
from companion.screens.base.cover import Cover, LostCover
from companion.screens.base.due_screen import View
from companion.screens.base.stage import Stage
from companion.screens.game.declaration_screen import DeclarationScreen
from companion.screens.game.dispute_screen import DisputeScreen
from companion.screens.game.end_screen import EndScreen
from companion.screens.game.guess_screen import GuessScreen
from companion.screens.game.reveal_screen import RevealScreen
from companion.screens.game.setup_screen import SetupScreen
from companion.screens.game.standstill_screen import StandstillScreen
from companion.screens.game.start_screen import StartScreen, board_text
from companion.screens.game.turn_screen import TurnScreen
from companion.screens.game.way_back_screen import WayBackScreen
from companion.screens.game.which_course_screen import WhichCourseScreen
from companion.screens.game.who_attacks_screen import WhoAttacksScreen
from companion.screens.maintenance.calibration_cover import CalibrationCover
from companion.screens.maintenance.sensor_check import SensorCheck
from companion.screens.overlays.about import AboutCover
from companion.screens.overlays.asking import Asking
from companion.screens.overlays.boom import Boom
from companion.screens.overlays.clock_choice import ClockCover
from companion.screens.overlays.game_choice import RulesCover
from companion.screens.overlays.games_cover import GamesCover
from companion.screens.overlays.lots_cover import LotsCover
from companion.screens.overlays.menu import ArbiterMenu, Menu
from companion.screens.overlays.rank_choice import RankCover
from companion.screens.overlays.replay_cover import ReplayCover
from companion.screens.overlays.setting_right import SettingRight
from companion.screens.overlays.square_choice import SquareCover
from companion.screens.widgets.texts import _
from engine.ranks import Rank, ranks_in
from engine.squares import Square, name


class Root(FloatLayout):
    """Shows the stage: call `refresh` when something has happened and `tick` all the time."""

    face = ObjectProperty(None, allownone=True)
    """The screen that is shown."""

    def __init__(self, stage: Stage, rebuild: Callable[[], None]) -> None:
        super().__init__()
        self._stage = stage
        self._asking = Asking(stage, self._cover_with, self._uncover)
        common = {"open_menu": self._open_menu, "ask": self._asking}
        self._makers: dict[View, Callable[[], BaseScreen]] = {
            View.START: lambda: StartScreen(
                stage,
                rebuild=rebuild,
                open_rules=self._open_rules,
                open_lots=self._open_lots,
                open_sensors=self._open_sensors,
                open_games=self._open_games,
                open_about=self._open_about,
            ),
            View.SETUP: lambda: SetupScreen(stage, ask=self._asking),
            View.TURN: lambda: TurnScreen(stage, open_guess=self._open_guess, **common),
            View.WAY_BACK: lambda: WayBackScreen(stage, **common),
            View.WHO_ATTACKS: lambda: WhoAttacksScreen(stage, open_menu=self._open_menu),
            View.WHICH_COURSE: lambda: WhichCourseScreen(stage, open_menu=self._open_menu),
            View.DECLARATION: lambda: DeclarationScreen(stage, open_menu=self._open_menu),
            View.DISPUTE: lambda: DisputeScreen(stage, **common),
            View.STANDSTILL: lambda: StandstillScreen(stage, **common),
            View.GUESS: lambda: GuessScreen(stage, **common),
            View.REVEAL: lambda: RevealScreen(stage, **common),
            View.END: lambda: EndScreen(stage, self._asking, open_replay=self._open_replay),
        }
        self._screens = ScreenManager(transition=NoTransition())
        self.add_widget(self._screens)
        self._view: View | None = None
        self._cover: Cover | None = None
        self._covered: object = None
        """The moment of the game for which the cover was opened."""
        self._lost: LostCover | None = None
        self._boom: Boom | None = None
        self.refresh()

    def refresh(self) -> None:
        """Show how things stand now."""
        view = self._stage.view
        if self._view is not view:
            self._change_to(view)
        self.face.refresh()
        self._refresh_cover()
        self._refresh_lost()

    def tick(self, now: float) -> None:
        """Show what moves or ends with time."""
        if self._view is not self._stage.view:
            self.refresh()
        self.face.tick(now)
        if self._cover:
            self._cover.tick(now)
        self._tick_boom()

    def _change_to(self, view: View) -> None:
        if self.face:
            self.face.close()
        if not self._screens.has_screen(view.value):
            face = self._makers[view]()
            face.name = view.value
            self._screens.add_widget(face)
        self._screens.current = view.value
        self.face, self._view = self._screens.current_screen, view

    def _open_menu(self) -> None:
        self._cover_with(Menu(self._stage, self._uncover, self._asking, self._open_arbiter))

    def _open_arbiter(self) -> None:
        right = SettingRight(self._stage, self._cover_with, self._asking, self._open_arbiter)
        choices = {"doubt": self._open_doubt, "correct": right.open}
        self._cover_with(ArbiterMenu(self._stage, self._uncover, self._asking, **choices))

    def _open_doubt(self) -> None:
        image = self._stage.host.seen
        words = (
            _("Which square does the board see wrongly?"),
            _("The board is not believed about a marked square. Touch it to believe it again."),
        )
        cover = SquareCover(image, words, self._asking.doubt, self._uncover)
        cover.marked = self._stage.table.doubted
        self._cover_with(cover)

    def _open_rules(self) -> None:
        def close() -> None:
            self._uncover()
            self.face.refresh()

        self._cover_with(RulesCover(self._stage.settings, close, self._open_clock))

    def _open_clock(self) -> None:
        self._cover_with(ClockCover(self._stage.settings, self._open_rules))

    def _open_lots(self) -> None:
        host, settings = self._stage.host, self._stage.settings
        self._cover_with(
            LotsCover(
                host.draw_colours,
                lambda: host.begin(settings.edition, settings.control),
                self._uncover,
            )
        )

    def _open_sensors(self) -> None:
        self._cover_with(SensorCheck(self._stage, self._uncover, self._open_calibration))

    def _open_calibration(self) -> None:
        self._cover_with(CalibrationCover(self._stage, self._open_sensors))

    def _open_games(self) -> None:
        archive = self._stage.host.archive

        def look(number: int) -> None:
            self._cover_with(ReplayCover(archive, number, self._open_games))

        self._cover_with(GamesCover(archive, look, self._uncover))

    def _open_about(self) -> None:
        self._cover_with(AboutCover(self._stage.host.archive.path, self._uncover))

    def _open_replay(self, number: int) -> None:
        self._cover_with(ReplayCover(self._stage.host.archive, number, self._uncover))

    def _open_guess(self, source: Square, target: Square) -> None:
        def choose(guess: Rank) -> None:
            self._uncover()
            self._asking.infiltrate(source, target, guess)

        ranks = ranks_in(self._stage.table.view.infiltrations[source, target])
        heading = _("Infiltrate {square}: which rank is it?", square=name(target))
        self._cover_with(RankCover(heading, ranks, choose, self._uncover))

    def _cover_with(self, cover: Cover) -> None:
        self._uncover()
        self._cover, self._covered = cover, self._moment
        self.add_widget(cover)

    @property
    def _moment(self) -> object:
        table = self._stage.host.table
        return table and (table.view.phase, table.view.plies, table.state.violation)

    def _uncover(self) -> None:
        if self._cover:
            self.remove_widget(self._cover)
            self._cover = None

    def _refresh_cover(self) -> None:
        """A question about a moment that has gone is withdrawn."""
        if self._cover is None:
            return
        if self._moment != self._covered:
            self._uncover()
        elif isinstance(self._cover, Menu | ArbiterMenu):
            self._cover.refresh()

    def _refresh_lost(self) -> None:
        if self._stage.lost and not self._lost:
            self.face.close()  # no curtain stays open under it
            self._lost = LostCover(self._stage.leave)
            self.add_widget(self._lost)
        elif self._lost and not self._stage.lost:
            self.remove_widget(self._lost)
            self._lost = None
        if self._lost:
            self._lost.trouble = board_text(self._stage)

    def _tick_boom(self) -> None:
        left = self._stage.booming
        if left is None:
            if self._boom:
                self.remove_widget(self._boom)
                self._boom = None
            return
        if self._boom is None:
            self._boom = Boom(calm=self._stage.settings.calm, skip=self._stage.end_boom)
            self.add_widget(self._boom)
        self._boom.size, self._boom.pos = self.size, self.pos
        self._boom.show(left)
