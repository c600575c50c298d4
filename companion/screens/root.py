"""Everything on the screen: the screen that is due, and what lies over it."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from kivy.input.motionevent import MotionEvent
from kivy.properties import ObjectProperty
from kivy.uix.floatlayout import FloatLayout

from companion.screens.base.base_screen import BaseScreen
from companion.screens.base.cover import Cover, LostCover
from companion.screens.base.due_screen import View
from companion.screens.base.later import later
from companion.screens.base.passing import Passing, Show
from companion.screens.base.stage import Stage
from companion.screens.game.start_screen import StartScreen, board_text
from companion.screens.widgets.board_picture import BoardPicture
from companion.screens.widgets.large_letters import LargeLetters
from companion.screens.widgets.texts import _
from companion.setups.kept_setups import KeptSetups
from companion.setups.setup import Setup
from companion.speech.language import Language
from engine.play.rulings import Combat
from engine.ranks import Rank, ranks_in
from engine.rulebook.editions import Edition
from engine.sides import Side
from engine.squares import Square, name

if TYPE_CHECKING:  # boards are seldom flashed
    from companion.maintenance.outdated import Offer

# A screen is imported when it is shown; the first one does not wait for all the others.
with later("companion.screens.game", "companion.screens.overlays", "companion.screens.maintenance"):
    from companion.screens.game import (
        declaration_screen,
        dispute_screen,
        end_screen,
        guess_screen,
        reveal_screen,
        setup_screen,
        standstill_screen,
        turn_screen,
        way_back_screen,
        which_course_screen,
        who_attacks_screen,
    )
    from companion.screens.maintenance import (
        built_of_cover,
        calibration_cover,
        faults_cover,
        flash_cover,
        sensor_check,
    )
    from companion.screens.overlays import (
        about,
        alone_cover,
        asking,
        board_right,
        boom,
        clock_choice,
        code_cover,
        game_choice,
        games_cover,
        incidents_cover,
        language_choice,
        lots_cover,
        name_cover,
        pause_cover,
        players_cover,
        rank_choice,
        replay_cover,
        rising_flag,
        rulebook_choice,
        rules_text,
        seal,
        senses_cover,
        setting_right,
        settings_cover,
        setups_cover,
        square_choice,
        taking_along,
        time_cover,
        unsaved_cover,
    )
    from companion.screens.overlays import (
        menu as menus,
    )

LONGEST_NAME: Final = 10
"""Letters in a player's name: it stands beside the board."""
LONGEST_SETUP: Final = 18
"""Letters in a setup's name: it stands in a list."""


class Root(FloatLayout):
    """Shows the stage: call `refresh` when something has happened and `tick` all the time."""

    face = ObjectProperty(None, allownone=True)
    """The screen that is shown."""

    def __init__(self, stage: Stage, rebuild: Callable[..., None]) -> None:
        """Show a stage. `rebuild` builds all anew, and then does what it is told with that."""
        super().__init__()
        self._stage, self._rebuild = stage, rebuild
        self._asking = asking.Asking(stage, self._cover_with, self._uncover)
        menu = {"open_menu": self._open_menu}
        common = {**menu, "ask": self._asking}
        language = {"open_language": self._open_language}
        self._makers: dict[View, Callable[[], BaseScreen]] = {
            View.START: lambda: StartScreen(
                stage,
                **language,
                open_rules=self._open_rules,
                open_players=self._open_players,
                open_settings=self._open_settings,
                open_sensors=self._open_sensors,
                open_games=self._open_games,
                open_about=self._open_about,
                open_alone=self._open_alone,
            ),
            View.SETUP: lambda: setup_screen.SetupScreen(
                stage, ask=self._asking, open_setups=self._open_setups, **language
            ),
            View.TURN: lambda: turn_screen.TurnScreen(stage, open_guess=self._open_guess, **common),
            View.WAY_BACK: lambda: way_back_screen.WayBackScreen(
                stage, open_board_right=self._open_board_right, **common
            ),
            View.WHO_ATTACKS: lambda: who_attacks_screen.WhoAttacksScreen(stage, **menu),
            View.WHICH_COURSE: lambda: which_course_screen.WhichCourseScreen(stage, **menu),
            View.DECLARATION: lambda: declaration_screen.DeclarationScreen(stage, **menu),
            View.DISPUTE: lambda: dispute_screen.DisputeScreen(stage, **common),
            View.STANDSTILL: lambda: standstill_screen.StandstillScreen(stage, **common),
            View.GUESS: lambda: guess_screen.GuessScreen(stage, **common),
            View.REVEAL: lambda: reveal_screen.RevealScreen(stage, **common),
            View.END: lambda: end_screen.EndScreen(
                stage,
                self._asking,
                open_replay=self._open_replay,
                open_time=partial(self._open_time, self._uncover),
                **language,
            ),
        }
        self._faces: dict[tuple[View, str], BaseScreen] = {}
        """The screens that have been due, by what they show and by the language they speak."""
        self._due: tuple[View, str] | None = None
        self._cover: Cover | None = None
        self._covered: object = None
        """The moment of the game for which the cover was opened."""
        self._paused: pause_cover.PauseCover | None = None
        self._lost: LostCover | None = None
        self._boom: boom.Boom | None = None
        self._passing: tuple[Passing, seal.Seal | rising_flag.RisingFlag] | None = None
        self._unsaved: unsaved_cover.UnsavedCover | None = None
        self._letters = LargeLetters(self)
        self.refresh()

    def on_touch_down(self, touch: MotionEvent) -> bool:
        """Take no touch for what has only just come to where the finger is."""
        self._stage.end_passing()
        return self._stage.is_new or bool(super().on_touch_down(touch))

    def refresh(self) -> None:
        """Show how things stand now; of what could not be saved, nothing."""
        self._refresh_unsaved()
        if self._unsaved:
            return
        language = self._stage.settings.language_for(self._stage.addressed)
        if self._due != (self._stage.view, language.code):
            self._change_to(self._stage.view, language)
        self._refresh_face()
        self._refresh_cover()
        with self._stage.speaking_to(None):
            self._refresh_paused()
            self._refresh_lost()
        self._answer_in_its_language()

    def _refresh_face(self) -> None:
        with _.speaking(self.face.spoken_in):
            self.face.refresh()

    def _answer_in_its_language(self) -> None:
        """Speak the language of what lies on top: that is what is touched next."""
        covers = (self._unsaved, self._lost, self._cover, self._paused)
        _.speak(next((each for each in covers if each), self.face).spoken_in)

    def tick(self, now: float) -> None:
        """Show what moves or ends with time."""
        if self._unsaved:
            self._unsaved.tick(now)
        else:
            self._tick_all(now)
        if self._stage.settings.large_letters:
            self._letters.tick()  # last: what has changed is enlarged before it is drawn

    def _tick_all(self, now: float) -> None:
        if self._due and self._due[0] is not self._stage.view:
            self.refresh()
        with _.speaking(self.face.spoken_in):
            self.face.tick(now)
        if self._cover:
            with _.speaking(self._cover.spoken_in):
                self._cover.tick(now)
        self._tick_passing()
        self._tick_boom()

    def _change_to(self, view: View, language: Language) -> None:
        if self.face:
            self.face.close()
            self.remove_widget(self.face)
        due = view, language.code
        if due not in self._faces:
            with _.speaking(language):
                self._faces[due] = self._makers[view]()
            self._faces[due].name = view.value
        self.face, self._due = self._faces[due], due
        self.face.open_first_page()
        self.add_widget(self.face, index=len(self.children))  # below all that lies over it
        self._stage.renew()
        tabletop = self._stage.host.tabletop
        if tabletop:
            self.face.take_tabletop(tabletop)
        if view is View.DECLARATION:
            with self._stage.speaking_to(None):
                boom.prepare()

    def _open_menu(self) -> None:
        opens: dict[str, Callable[[], None]] = {
            "open_arbiter": self._open_arbiter,
            "open_language": partial(self._choose_language, self._open_menu),
            "open_board_right": self._open_board_right,
            "open_settings": self._open_settings_of_game,
            "read_rules": self._read_rules,
        }
        faults = self._open_faults_from(self._uncover)
        with self._stage.speaking_to(None):
            menu = menus.Menu(self._stage, self._uncover, self._asking, faults, **opens)
        self._cover_with(menu)

    def _open_board_right(self) -> None:
        self._cover_with(board_right.BoardRightCover(self._stage, self._uncover))

    def _open_arbiter(self) -> None:
        right = setting_right.SettingRight(
            self._stage, self._cover_with, self._asking, self._open_arbiter
        )
        self._cover_with(
            menus.ArbiterMenu(
                self._stage,
                self._uncover,
                self._asking,
                doubt=self._open_doubt,
                correct=right.open,
                set_clocks=partial(self._open_time, self._open_arbiter),
                read_incidents=self._read_incidents_so_far,
            )
        )

    def _open_time(self, close: Callable[[], None]) -> None:
        self._cover_with(time_cover.TimeCover(self._stage, self._asking, close))

    def _read_incidents_so_far(self) -> None:
        host = self._stage.host
        self._cover_with(
            incidents_cover.IncidentsCover(host.archive, host.number, self._open_arbiter)
        )

    def _open_doubt(self) -> None:
        image = self._stage.host.seen
        words = (
            _("Which square does the board see wrongly?"),
            _("The board is not believed about a marked square. Touch it to believe it again."),
        )
        cover = square_choice.SquareCover(image, words, self._asking.doubt, self._uncover)
        cover.marked = self._stage.table.doubted
        self._cover_with(cover)

    def _close_choice(self) -> None:
        """Go back to the screen that shows what was chosen."""
        self._uncover()
        self._refresh_face()

    def _open_rules(self) -> None:
        settings = self._stage.settings
        close, details, read = self._close_choice, self._open_details, self._read_chosen_rules
        self._cover_with(rulebook_choice.RulebookCover(settings, close, details, read))

    def _read_chosen_rules(self) -> None:
        self._open_text(self._stage.settings.edition, self._open_rules)

    def _read_rules(self) -> None:
        self._open_text(self._stage.table.view.edition, self._open_menu)

    def _open_text(self, edition: Edition, close: Callable[[], None]) -> None:
        large = self._stage.settings.large_letters
        self._cover_with(rules_text.RulesTextCover(edition, close, large=large))

    def _open_details(self) -> None:
        self._cover_with(
            game_choice.RulesCover(self._stage.settings, self._open_rules, self._open_clock)
        )

    def _open_clock(self) -> None:
        self._cover_with(clock_choice.ClockCover(self._stage.settings, self._open_details))

    def _open_players(self) -> None:
        settings, close = self._stage.settings, self._close_choice
        self._cover_with(
            players_cover.PlayersCover(
                settings, close, self._open_name, self._open_own_language, self._open_lots
            )
        )

    def _open_name(self, side: Side) -> None:
        settings = self._stage.settings

        def call(name: str) -> None:
            settings.call(side, name)
            self._open_players()

        own, other = settings.players.of(side), settings.players.of(side.other)
        free = [name for name in settings.names if name != other]
        heading = _.language.side(side)
        self._cover_with(
            name_cover.NameCover(heading, own, longest=LONGEST_NAME, known=free, done=call)
        )

    def _open_setups(self) -> None:
        host = self._stage.host
        kept = KeptSetups(host.archive.path.with_name("setups.txt"))

        def keep(setup: Setup) -> None:
            def call(name: str) -> None:
                if name:
                    kept.keep(name, setup)
                self._open_setups()

            self._cover_with(
                name_cover.NameCover(_("Name"), "", longest=LONGEST_SETUP, known=(), done=call)
            )

        assert host.tabletop
        self._cover_with(
            setups_cover.SetupsCover(self._stage, host.tabletop, kept, keep, self._close_choice)
        )

    def _open_lots(self) -> None:
        stage = self._stage
        draw = stage.host.draw_colours
        self._cover_with(
            lots_cover.LotsCover(stage.settings, draw, stage.begin, self._open_players)
        )

    def _open_language(self) -> None:
        self._choose_language(self._uncover)

    def _choose_language(self, close: Callable[[], None], side: Side | None = None) -> None:
        self._cover_with(language_choice.LanguageCover(self._stage, side, self._speak, close))

    def _open_own_language(self, side: Side) -> None:
        self._choose_language(self._open_players, side)

    def _speak(self, language: Language) -> None:
        self._stage.speak(language)
        self._rebuild()

    def _open_settings(self) -> None:
        stage = self._stage
        open_language = partial(self._choose_language, self._open_settings)
        self._cover_with(
            settings_cover.SettingsCover(
                stage.settings,
                stage.voice,
                self._close_choice,
                open_language,
                partial(self.open_senses, Root._open_settings),
                self._open_code,
                partial(self._asking.switch_off, self._switch_off) if stage.switch_off else None,
            )
        )

    def _switch_off(self) -> None:
        assert self._stage.switch_off
        self._stage.settings.problem = self._stage.switch_off()
        self._refresh_face()

    def open_senses(self, close: Callable[["Root"], None]) -> None:
        """Let it be chosen how well everything can be seen and heard."""

        def reopen() -> None:
            self._rebuild(lambda root: root.open_senses(close))

        self._cover_with(senses_cover.SensesCover(self._stage, partial(close, self), reopen))

    def _open_code(self) -> None:
        self._cover_with(code_cover.CodeCover(self._stage.settings, self._open_settings))

    def _open_settings_of_game(self) -> None:
        stage = self._stage
        open_language = partial(self._choose_language, self._open_settings_of_game)
        open_senses = partial(self.open_senses, Root._open_settings_of_game)
        self._cover_with(
            settings_cover.SettingsCover(
                stage.settings, stage.voice, self._open_menu, open_language, open_senses
            )
        )

    def _open_sensors(self) -> None:
        faults = self._open_faults_from(self._open_sensors)
        self._cover_with(
            sensor_check.SensorCheck(
                self._stage, self._uncover, self._open_built_of, self._open_flashing, faults
            )
        )

    def _open_faults_from(self, back: Callable[[], None]) -> Callable[[], None] | None:
        """What opens the faults of the board, None if that is a real one."""
        host = self._stage.host
        if host.tabletop is None:
            return None
        return lambda: self._cover_with(faults_cover.FaultsCover(host, back))

    def _open_flashing(self, offer: "Offer") -> None:
        self._cover_with(flash_cover.FlashCover(self._stage, offer, self._open_sensors))

    def _open_built_of(self) -> None:
        """Before it is calibrated; nobody has built the simulated board of anything."""
        if self._stage.host.tabletop:
            self._open_calibration()
            return
        self._cover_with(
            built_of_cover.BuiltOfCover(self._stage, self._open_sensors, self._open_calibration)
        )

    def _open_calibration(self) -> None:
        self._cover_with(calibration_cover.CalibrationCover(self._stage, self._open_sensors))

    def _open_games(self) -> None:
        archive = self._stage.host.archive

        def look(number: int) -> None:
            self._replay(number, self._open_games)

        self._cover_with(games_cover.GamesCover(archive, look, self._uncover))

    def _replay(self, number: int, close: Callable[[], None]) -> None:
        """Look at a game; what lies over that leads back to it."""
        archive = self._stage.host.archive

        def look_again() -> None:
            self._cover_with(replay)

        def read_incidents() -> None:
            self._cover_with(incidents_cover.IncidentsCover(archive, number, take_along))

        def take_along() -> None:
            ways = {"read_incidents": read_incidents, "close": look_again}
            self._cover_with(
                taking_along.TakingAlongCover(archive, number, self._stage.find_sticks, **ways)
            )

        replay = replay_cover.ReplayCover(archive, number, take_along, close)
        look_again()

    def _open_alone(self) -> None:
        stage = self._stage

        def begin(edition: Edition) -> None:
            self._uncover()
            stage.begin_alone(edition)

        self._cover_with(alone_cover.AloneCover(stage.settings.edition, begin, self._uncover))

    def _open_about(self) -> None:
        self._cover_with(about.AboutCover(self._stage.host.archive.path, self._uncover))

    def _open_replay(self, number: int) -> None:
        self._replay(number, self._uncover)

    def _open_guess(self, source: Square, target: Square) -> None:
        def choose(guess: Rank) -> None:
            self._uncover()
            self._asking.infiltrate(source, target, guess)

        view = self._stage.table.view
        ranks = ranks_in(view.infiltrations[source, target])
        with self._stage.speaking_to(view.to_move):
            heading = _("Infiltrate {square}: which rank is it?", square=name(target))
            cover = rank_choice.RankCover(heading, ranks, choose, self._uncover)
        self._cover_with(cover)

    def _cover_with(self, cover: Cover) -> None:
        self._uncover()
        self._cover, self._covered = cover, self._moment
        self.add_widget(cover)
        self._stage.renew()
        self._answer_in_its_language()

    @property
    def _moment(self) -> object:
        table = self._stage.host.table
        return table and (table.view.phase, table.view.plies, table.state.violation)

    def _uncover(self) -> None:
        if self._cover:
            self.remove_widget(self._cover)
            self._cover = None
            self._stage.renew()
            self._answer_in_its_language()

    def _refresh_cover(self) -> None:
        """A question about a moment that has gone is withdrawn."""
        if self._cover is None:
            return
        if self._moment != self._covered:
            self._uncover()
        elif isinstance(self._cover, menus.Menu | menus.ArbiterMenu | board_right.BoardRightCover):
            with _.speaking(self._cover.spoken_in):
                self._cover.refresh()

    def _refresh_paused(self) -> None:
        table = self._stage.host.table
        is_paused = table is not None and table.is_paused
        if is_paused and not self._paused:
            self.face.close()  # no curtain stays open under it
            self._uncover()
            self._paused = pause_cover.PauseCover(
                self._stage, self._asking.leave, self._open_arbiter
            )
            self.add_widget(self._paused)
            self._stage.renew()
        elif self._paused and not is_paused:
            self.remove_widget(self._paused)
            self._paused = None
            self._stage.renew()
        if self._paused:
            self._paused.refresh()

    def _refresh_lost(self) -> None:
        if self._stage.lost and not self._lost:
            self.face.close()  # no curtain stays open under it
            port = self._stage.host.source.virtual_port
            replug = port.replug if port and not port.is_plugged_in else None
            self._lost = LostCover(self._asking.leave, replug, kept=self._stage.host.keeps)
            self.add_widget(self._lost)
            self._stage.renew()
        elif self._lost and not self._stage.lost:
            self.remove_widget(self._lost)
            self._lost = None
            self._stage.renew()
        if self._lost:
            self._lost.trouble = board_text(self._stage)

    def _refresh_unsaved(self) -> None:
        if self._stage.host.unsaved and not self._unsaved:
            self.face.close()  # no curtain stays open under it
            self._uncover()
            with self._stage.speaking_to(None):
                self._unsaved = unsaved_cover.UnsavedCover(self._stage.host)
            self.add_widget(self._unsaved)
            self._stage.renew()
            self._answer_in_its_language()
        elif self._unsaved and not self._stage.host.unsaved:
            self.remove_widget(self._unsaved)
            self._unsaved = None
            self._stage.renew()

    def _tick_passing(self) -> None:
        """Show what passes over the screen. It takes no touch, but any touch ends it."""
        due = self._stage.passing
        if self._passing and self._passing[0] != due:
            self.remove_widget(self._passing[1])
            self._passing = None
        if due is None or self._lost:
            return
        if self._passing is None:
            self._passing = (
                due,
                (seal.Seal if due.show is Show.SEAL else rising_flag.RisingFlag)(due.side),
            )
            self.add_widget(self._passing[1])
        shown, age = self._passing[1], due.age(self._stage.now())
        shown.size, shown.pos = self.size, self.pos
        if age is not None:
            shown.show(age)

    def _tick_boom(self) -> None:
        left = self._stage.booming
        if left is None:
            if self._boom:
                self.remove_widget(self._boom)
                self._boom = None
                self._stage.renew()
            return
        if self._boom is None:
            self._boom = boom.Boom(
                calm=self._stage.settings.calm, skip=self._stage.end_boom, heart=self._heart
            )
            self.add_widget(self._boom)
            self._stage.renew()
        self._boom.size, self._boom.pos = self.size, self.pos
        self._boom.show(left)

    @property
    def simulated_board(self) -> BoardPicture | None:
        """The picture that is the simulated board, None if there is none on the screen."""
        for above in filter(None, (self._cover, self.face)):
            for widget in above.walk(restrict=True):
                if isinstance(widget, BoardPicture) and widget.tabletop:
                    return widget
        return None

    def _heart(self) -> tuple[float, float]:
        """Where on the screen the bomb stands that goes off; the middle, if it is not seen."""
        revealed = self._stage.revealed
        for widget in self.face.walk():
            if isinstance(widget, BoardPicture) and isinstance(revealed, Combat):
                x, y = self.to_widget(*widget.to_window(*widget.grid.centre(revealed.target)))
                return float(x), float(y)
        return float(self.center_x), float(self.center_y)
