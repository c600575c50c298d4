"""Root widget: the current screen and everything that lies over it."""

from collections.abc import Callable
from functools import partial
from typing import Final

from kivy.input.motionevent import MotionEvent
from kivy.properties import ObjectProperty
from kivy.uix.floatlayout import FloatLayout

from companion.speech.i18n import Language
from companion.ui.base.base_screen import BaseScreen
from companion.ui.base.lazy_imports import lazy
from companion.ui.base.modal import LostCover
from companion.ui.base.presenter import GamePresenter
from companion.ui.base.screen_selection import ScreenId
from companion.ui.base.transient_effects import Effect, TransientEffects
from companion.ui.drawing.translator import _
from companion.ui.navigation.game_menu import BoardMenu, GameMenu
from companion.ui.navigation.modal_host import ModalHost
from companion.ui.navigation.start_menu import SavedGamesMenu, SettingsMenu, StartMenu
from companion.ui.screens.start_screen import StartScreen, board_text
from companion.ui.widgets.board_picture import BoardPicture
from companion.ui.widgets.text_scaling import TextScaler
from engine.game.rulings import Combat

# A screen is imported when it is first shown, so that the first one does not wait for the others.
with lazy("companion.ui.screens", "companion.ui.dialogs"):
    from companion.ui.dialogs import confirmations, pause_dialogs
    from companion.ui.effects import boom, flag_and_seal
    from companion.ui.screens import (
        declaration_screen,
        end_screen,
        guess_screen,
        question_screens,
        recovery_screen,
        reveal_screen,
        setup_screen,
        turn_screen,
    )


PEEK_SECONDS: Final = 6.0
"""Maximum time for which an eye shows ranks, in seconds: its release event may never arrive."""


class Root(FloatLayout):
    """Shows the stage: call `refresh` after every change and `tick` in every frame."""

    face = ObjectProperty(None, allownone=True)
    """The current screen."""

    def __init__(self, stage: GamePresenter, rebuild: Callable[..., None]) -> None:
        """Show a stage.

        `rebuild` rebuilds all screens, then passes the new root to its argument.
        """
        super().__init__()
        self._stage = stage
        self.over = ModalHost(self, stage, self._use_topmost_language)
        self._ask = confirmations.Confirmations(stage, self.over.show, self.over.close)
        self.settings_doors = SettingsMenu(
            stage,
            self.over,
            self._ask,
            rebuild=rebuild,
            close_choice=self._close_choice,
            open_menu=self._open_menu,
        )
        board_doors = BoardMenu(stage, self.over)
        self._game_doors = GameMenu(
            stage,
            self.over,
            self._ask,
            settings=self.settings_doors,
            board=board_doors,
            close_choice=self._close_choice,
        )
        self._makers = self._make_screens(board_doors)
        self._faces: dict[tuple[ScreenId, str], BaseScreen] = {}
        """Cache of the screens shown so far, by view and language code."""
        self._due: tuple[ScreenId, str] | None = None
        self._paused: pause_dialogs.PauseCover | None = None
        self._lost: LostCover | None = None
        self._boom: boom.Boom | None = None
        self._passing: (
            tuple[TransientEffects, flag_and_seal.Seal | flag_and_seal.RisingFlag] | None
        ) = None
        self._unsaved: pause_dialogs.UnsavedCover | None = None
        self._peeked_at: float | None = None
        """Time since which an eye has been open, or None."""
        self._letters = TextScaler(self)
        self.refresh()

    def _make_screens(self, board_doors: BoardMenu) -> dict[ScreenId, Callable[[], BaseScreen]]:
        """Return the factory of each screen; it is called when the screen is first shown."""
        stage, game, ask = self._stage, self._game_doors, self._ask
        kept = SavedGamesMenu(stage, self.over)
        start = StartMenu(
            stage,
            self.over,
            ask,
            close_choice=self._close_choice,
            choose_language=self.settings_doors.choose_language,
        )
        menu = {"open_menu": game.open_menu}
        common = {**menu, "ask": ask}
        language = {"open_language": partial(self.settings_doors.choose_language, self.over.close)}
        return {
            ScreenId.START: lambda: StartScreen(
                stage,
                ask=ask,
                **language,
                open_rules=start.open_rules,
                open_players=start.open_players,
                open_settings=self.settings_doors.open,
                open_sensors=board_doors.open_sensors,
                open_games=kept.open_games,
                open_about=start.open_about,
                open_alone=start.open_alone,
            ),
            ScreenId.SETUP: lambda: setup_screen.SetupScreen(
                stage, ask=ask, open_setups=game.open_setups, **language
            ),
            ScreenId.TURN: lambda: turn_screen.TurnScreen(
                stage, open_guess=game.open_guess, **common
            ),
            ScreenId.WAY_BACK: lambda: recovery_screen.RecoveryScreen(
                stage, open_board_right=game.open_board_right, **common
            ),
            ScreenId.WHO_ATTACKS: lambda: question_screens.WhoAttacksScreen(stage, **menu),
            ScreenId.WHICH_COURSE: lambda: question_screens.ChooseMoveScreen(stage, **menu),
            ScreenId.DECLARATION: lambda: declaration_screen.DeclarationScreen(stage, **common),
            ScreenId.DISPUTE: lambda: question_screens.DisputeScreen(stage, **common),
            ScreenId.STANDSTILL: lambda: question_screens.StalemateScreen(stage, **common),
            ScreenId.GUESS: lambda: guess_screen.GuessScreen(stage, **common),
            ScreenId.REVEAL: lambda: reveal_screen.RevealScreen(stage, **common),
            ScreenId.END: lambda: end_screen.EndScreen(
                stage,
                ask,
                open_replay=kept.open_replay,
                open_time=game.open_time_at_end,
                open_setup=game.open_proved_setup,
                **language,
            ),
        }

    def on_touch_down(self, touch: MotionEvent) -> bool:
        """Ignore a touch on a widget that has only just appeared under the finger."""
        self._stage.end_passing()
        self._stage.note_touch()
        is_new = self._stage.is_new and not self._is_on_old_board(touch)
        return is_new or bool(super().on_touch_down(touch))

    def _is_on_old_board(self, touch: MotionEvent) -> bool:
        """Whether a touch is on a simulated board that has stayed while something else changed.

        A hand that takes a piece there means the piece, whatever has just appeared beside the
        board.
        """
        board = None if self._stage.is_board_new else self.simulated_board
        if board is None:
            return False
        return bool(board.collide_point(*board.to_widget(*self.to_window(*touch.pos))))

    def on_touch_up(self, touch: MotionEvent) -> bool:
        """Record the touch before it presses anything."""
        self._stage.note_touch()
        return bool(super().on_touch_up(touch))

    def refresh(self) -> None:
        """Show the current state, without anything that could not be saved."""
        self._refresh_unsaved()
        if self._unsaved:
            return
        language = self._stage.settings.language_for(self._stage.address_of)
        if self._due != (self._stage.view, language.code):
            self._change_to(self._stage.view, language)
        self._refresh_face()
        self.over.refresh()
        with self._stage.speaking_to(None):
            self._refresh_paused()
            self._refresh_lost()
        self._use_topmost_language()

    def _refresh_face(self) -> None:
        with _.speaking(self.face.spoken_in):
            self.face.refresh()

    def _use_topmost_language(self) -> None:
        """Switch to the language of the topmost layer, which is the one that is touched next."""
        covers = (self._unsaved, self._lost, self.over.cover, self._paused)
        _.speak(next((each for each in covers if each), self.face).spoken_in)

    def hide_ranks(self) -> None:
        """Close everything that shows ranks to one player."""
        self.face.hide_ranks()
        if self.over.cover:
            self.over.cover.hide_ranks()

    def _tick_eyes(self, now: float) -> None:
        """Close an eye after the maximum time, or when a modal layer is over it."""
        tabletop = self._stage.host.tabletop
        if tabletop is None or not tabletop.peeked:
            self._peeked_at = None
            return
        self._peeked_at = now if self._peeked_at is None else self._peeked_at
        is_covered = self.over.cover or self._paused or self._lost or self._unsaved
        if is_covered or now - self._peeked_at >= PEEK_SECONDS:
            self.hide_ranks()

    def tick(self, now: float) -> None:
        """Update animations and timeouts."""
        self._tick_eyes(now)
        if self._unsaved:
            self._unsaved.tick(now)
        else:
            self._tick_all(now)
        if self._stage.settings.large_letters:
            self._letters.tick()  # last: rescale text after all other changes, before drawing

    def _tick_all(self, now: float) -> None:
        if self._due and self._due[0] is not self._stage.view:
            self.refresh()
        with _.speaking(self.face.spoken_in):
            self.face.tick(now)
        self.over.tick(now)
        self._tick_effect()
        self._tick_boom()

    def _change_to(self, view: ScreenId, language: Language) -> None:
        board_before = self.simulated_board
        if self.face:
            self.face.close()
            self.face.hide_ranks()
            self.remove_widget(self.face)
        due = view, language.code
        if due not in self._faces:
            with _.speaking(language):
                self._faces[due] = self._makers[view]()
            self._faces[due].name = view.value
        self.face, self._due = self._faces[due], due
        self.face.open_first_page()
        self.add_widget(self.face, index=len(self.children))  # below all modal layers
        tabletop = self._stage.host.tabletop
        if tabletop:
            self.face.take_tabletop(tabletop)
        board = self.simulated_board
        keeps_board = bool(board_before and board and board_before.size == board.size)
        self._stage.renew(keeps_board=keeps_board)
        if view is ScreenId.DECLARATION:
            with self._stage.speaking_to(None):
                boom.prepare()

    def _open_menu(self) -> None:
        self._game_doors.open_menu()

    def _close_choice(self) -> None:
        """Return to the screen that shows the chosen value."""
        self.over.close()
        self._refresh_face()

    def _refresh_paused(self) -> None:
        table = self._stage.host.table
        is_paused = table is not None and table.is_paused
        if is_paused and not self._paused:
            self.face.close()  # no curtain stays open under it
            self.over.close()
            self._paused = pause_dialogs.PauseCover(
                self._stage, self._ask.leave, self._game_doors.open_arbiter
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
            self._lost = LostCover(self._ask.leave, replug, kept=self._stage.host.keeps)
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
            self.over.close()
            with self._stage.speaking_to(None):
                self._unsaved = pause_dialogs.UnsavedCover(self._stage.host)
            self.add_widget(self._unsaved)
            self._stage.renew()
            self._use_topmost_language()
        elif self._unsaved and not self._stage.host.unsaved:
            self.remove_widget(self._unsaved)
            self._unsaved = None
            self._stage.renew()

    def _tick_effect(self) -> None:
        """Show the transient effect, if any. It takes no touch, but any touch ends it."""
        due = self._stage.passing
        if self._passing and self._passing[0] != due:
            self.remove_widget(self._passing[1])
            self._passing = None
        if due is None or self._lost:
            return
        if self._passing is None:
            self._passing = (
                due,
                (flag_and_seal.Seal if due.show is Effect.SEAL else flag_and_seal.RisingFlag)(
                    due.side
                ),
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
                calm=self._stage.settings.reduced_motion,
                skip=self._stage.end_boom,
                heart=self._bomb_position,
            )
            self.add_widget(self._boom)
            self._stage.renew()
        self._boom.size, self._boom.pos = self.size, self.pos
        self._boom.show(left)

    @property
    def simulated_board(self) -> BoardPicture | None:
        """The picture that represents the simulated board, or None if none is on the screen."""
        for above in filter(None, (self.over.cover, self.face)):
            for widget in above.walk(restrict=True):
                if isinstance(widget, BoardPicture) and widget.tabletop:
                    return widget
        return None

    def _bomb_position(self) -> tuple[float, float]:
        """Return the screen position of the exploding bomb, or the centre if it is not visible."""
        revealed = self._stage.revealed
        for widget in self.face.walk():
            if isinstance(widget, BoardPicture) and isinstance(revealed, Combat):
                x, y = self.to_widget(*widget.to_window(*widget.grid.centre(revealed.target)))
                return float(x), float(y)
        return float(self.center_x), float(self.center_y)
